// Menus that open, as a desktop shows them: what the menu bar and the context menu have in common.

import { modifiersOf, shown, symbolsOf } from '../menud.js'
import { activeIn, h, isFromRight } from './dom.js'
import { MenudElement } from './element.js'
import { shortcutsOf } from './shortcuts.js'
import { inspect } from './view.js'
import { words } from './words.js'

const isMenu = (child) => 'children' in child

const isInline = (menu) => menu.options.includes('displayInline')
const isHidden = (item) => item.attributes.includes('hidden')

/** True if a menu shows anything: a menu, or an item that is not hidden. */
const showsAny = ({ children }) => children.some((child) => isMenu(child) ? !isInline(child) || showsAny(child) : !isHidden(child))

/** The attributes of the title of a menu: it is disabled if nothing is in it. */
export function titleOf(menu) {
  const isOff = !menu.enabled || !showsAny(menu)
  return { type: 'button', role: 'menuitem', 'aria-haspopup': 'menu', 'aria-disabled': String(isOff), class: isOff ? 'off' : '' }
}

/** The menus of a bar: the rest, if it shows anything, is in a last one. */
export function titlesOf({ children }) {
  const menus = children.filter((child) => isMenu(child) && !isInline(child))
  const more = { title: words.more, identifier: '…', children: children.filter((child) => !menus.includes(child)), enabled: true, options: [] }
  return showsAny(more) ? [...menus, more] : menus
}

/** The items of a menu, without those of menus in it. */
const itemsOf = (popup) => Array.from(popup.querySelectorAll('[role^=menuitem]')).filter((item) => item.closest('.popup') === popup)

/** The menus in a menu, with those of its inline ones. */
const menusIn = ({ children }) => children.filter(isMenu).flatMap((menu) => isInline(menu) ? menusIn(menu) : [menu])

/** The elements that listen to modifiers, which show alternates. */
const listening = new Set()

function hold(modifiers) { for (const menus of listening) menus.hold(modifiers) }

if (globalThis.document) {
  for (const name of ['keydown', 'keyup']) document.addEventListener(name, (event) => hold(modifiersOf(event)))
  // The keys may be released in another window.
  addEventListener('blur', () => hold([]))
  document.addEventListener('pointerdown', (event) => {
    const path = event.composedPath()
    for (const menus of listening) if (menus.path.length && !path.includes(menus)) menus.close()
  })
}

/** Closes all open menus; focus goes back to where it was before them. */
export function closeMenus() {
  for (const menus of listening) if (menus.path.length) menus.close(true)
}

/** Menus that open: the names of the open ones are in `path`, from the outermost on. */
export class Menus extends MenudElement {
  path = []
  #held = []
  /** The path before menus of it were gone, until they are drawn. */
  #former
  /** The text typed to find an item, and its time. */
  #typed = { text: '', time: 0 }

  connectedCallback() {
    listening.add(this)
    super.connectedCallback()
  }

  disconnectedCallback() {
    listening.delete(this)
    this.path = []
    super.disconnectedCallback()
  }

  /** The responder at which the search for items begins; undefined for the first responder. */
  get origin() { return undefined }

  /** Records the pressed modifiers. */
  hold(modifiers) {
    if (modifiers.join() === this.#held.join()) return
    this.#held = modifiers
    if (this.path.length) this.render()
  }

  /** Opens the menus of a path, and no others. */
  open(path) {
    this.path = path
    this.render()
  }

  /** Leaves menus out of the path that are not in `root` any more. */
  prune(root) {
    let menu = root
    const gone = this.path.findIndex((name) => !(menu = menusIn(menu).find(({ identifier }) => identifier === name)))
    if (gone < 0) return
    this.#former = this.path
    this.path = this.path.slice(0, gone)
  }

  /** Closes all menus; with the keyboard, focus goes back to where it was. */
  close(returnsFocus = false) {
    const { path } = this
    this.open([])
    if (returnsFocus) this.giveBack(path)
  }

  /** Focuses what was focused before the menus. */
  giveBack(path) { this.returnFocus(path) }

  /** Closes all menus for Tab, with which the browser leads on from where they were opened. */
  leave() {
    this.returnFocus(this.path)
    for (const popup of this.shadowRoot.querySelectorAll('.popup')) popup.inert = true
    // The browser does nothing for a key in an element that is gone.
    setTimeout(() => this.close())
  }

  find(key) { return this.shadowRoot.querySelector(`[data-key="${CSS.escape(key)}"]`) }

  /** Draws what `parts` are, keeping focus in an open menu. */
  draw(...parts) {
    const left = this.#focused()
    this.show(...parts)
    this.#fit()
    left?.()
  }

  /** Moves menus that the window would cut; those in them move along. */
  #fit() {
    for (const popup of this.shadowRoot.querySelectorAll('.popup')) {
      // On a narrow screen a menu is in its line of the outer one.
      if (getComputedStyle(popup).position === 'static') continue
      const { left, right, top, bottom } = popup.getBoundingClientRect()
      const over = (start, end, most) => Math.max(0, Math.min(end - most + 8, start - 8)) - Math.max(0, 8 - start)
      const [x, y] = [over(left, right, innerWidth), over(top, bottom, innerHeight)]
      if (x || y) popup.style.translate = `${-x}px ${-y}px`
    }
  }

  /**
   * Remembers the focused item; if it leaves, what is called then focuses its neighbour, or the menu that its own was in.
   */
  #focused() {
    const former = this.#former
    this.#former = undefined
    const item = activeIn(this.shadowRoot)
    if (!item) return undefined
    const popup = item.closest('.popup')
    const index = popup ? itemsOf(popup).indexOf(item) : 0
    return () => {
      if (activeIn(this.shadowRoot)) return
      const popups = Array.from(this.shadowRoot.querySelectorAll('.popup'))
      const same = popups.find(({ dataset }) => dataset.scroll === popup?.dataset.scroll)
      if (same) itemsOf(same).slice(0, index + 1).at(-1)?.focus()
      else if (former && popups.length) this.focusFirst()
      else if (former) this.giveBack(former)
    }
  }

  /** Focuses the first item of the innermost menu. */
  focusFirst() {
    Array.from(this.shadowRoot.querySelectorAll('.popup')).at(-1)?.querySelector('[role^=menuitem]')?.focus()
  }

  popup(menu, path, label, style) {
    return h('div.popup', {
      role: 'menu', 'aria-label': label, style, tabindex: 0, 'data-scroll': path.join(' '), part: 'menu', onkeydown: (event) => this.#keyInMenu(event, path),
    }, this.#children(menu, path))
  }

  #children(menu, path) {
    // A separator follows an item, and an item follows it.
    const parts = this.#parts(menu, path).filter((part, index, all) => part ?? all[index - 1])
    if (parts.at(-1) === null) parts.pop()
    return parts.length ? parts.map((part) => part ?? h('hr', { part: 'separator' })) : [
      h('div.nothing', { role: 'menuitem', 'aria-disabled': 'true', tabindex: -1 }, words.nothingHere),
    ]
  }

  /** The items and menus that a menu shows; null is a separator. */
  #parts(menu, path) {
    return menu.children.flatMap((child) => {
      if (isMenu(child)) return isInline(child) ? [null, ...this.#parts(child, path), null] : this.#submenu(child, path)
      const item = shown(child, this.#held)
      return isHidden(item) ? [] : this.#item(item, path, menu)
    })
  }

  #submenu(menu, path) {
    const below = [...path, menu.identifier]
    const isOpen = below.every((name, index) => this.path[index] === name)
    return h('div.sub', { role: 'none' }, h('button', {
      ...titleOf(menu), 'aria-expanded': String(isOpen), tabindex: -1, part: 'item',
      'data-key': `sub ${below.join(' ')}`, onclick: () => this.open(below),
      onpointermove: () => { if (!isOpen) this.open(below) },
    }, h('span.mark', {}, this.image(menu)), h('span.name', {}, menu.title || menu.identifier), h('span.key', { 'aria-hidden': 'true' }, '›')),
    isOpen && this.popup(menu, below, menu.title))
  }

  #item(item, path, menu) {
    const { view } = this
    const isLoud = item.attributes.includes('destructive')
    const reason = view.whyNot(item)
    const isChecked = item.state !== 'off' || item.checkable
    const role = !isChecked ? 'menuitem' : menu.options.includes('singleSelection') && item.state !== 'mixed' ? 'menuitemradio' : 'menuitemcheckbox'
    return h('button', {
      type: 'button', role, 'aria-checked': isChecked ? { on: 'true', mixed: 'mixed', off: 'false' }[item.state] : undefined,
      'aria-disabled': String(reason !== undefined), 'aria-keyshortcuts': shortcutsOf(item.key), tabindex: -1, title: reason, 'aria-description': reason,
      'data-key': `item ${path.join(' ')} ${item.command} ${item.itemKey ?? ''}`, part: reason === undefined ? 'item' : 'item disabled',
      'data-command': item.command, 'data-item-key': item.itemKey,
      class: [reason === undefined ? '' : 'off', isLoud ? 'loud' : '', item.reason === 'ruleError' ? 'failed' : ''].join(' '),
      onpointermove: () => { if (this.path.length > path.length) this.open(path) },
      onclick: (event) => this.#choose(item, event),
      oncontextmenu: (event) => {
        if (!this.hasAttribute('inspects')) return
        event.preventDefault()
        event.stopPropagation()
        this.close()
        this.#inspect(item)
      },
    }, h('span.mark', { 'aria-hidden': 'true' }, { on: '✓', mixed: '–', off: '' }[item.state] || this.image(item)),
    h('span.name', {},
      item.title + (item.needsParameters && !item.title.endsWith('…') ? '…' : ''),
      item.subtitle && h('small', {}, item.subtitle),
      reason && h('small.reason', { 'aria-hidden': 'true', part: 'reason' }, reason),
    ),
    h('span.key', { 'aria-hidden': 'true', dir: 'ltr', part: 'key' }, symbolsOf(item.key)))
  }

  #choose(item, event) {
    const modifiers = item.alternate?.modifiers
    const isInspected = this.hasAttribute('inspects') && event.shiftKey && !modifiers?.includes('shift')
    if (!item.enabled || isInspected) {
      this.close(!this.hasAttribute('inspects'))
      return this.#inspect(item)
    }
    if (!item.attributes.includes('keepsMenuPresented')) this.close(true)
    this.view.perform(item.command, { modifiers, itemKey: item.itemKey, itemTitle: item.title, from: this, origin: this.origin })
  }

  /** Tells the page that an item is to be explained; else its reason is said. */
  #inspect(item) { inspect(this, item, item.alternate?.modifiers) }

  /** The text typed within a moment, including the pressed key; undefined for a key without a character. */
  typing(event) {
    if (event.key?.length !== 1 || event.metaKey || event.ctrlKey || event.altKey) return undefined
    const isGoingOn = event.timeStamp - this.#typed.time < 800
    if (event.key === ' ' && !(isGoingOn && this.#typed.text)) return undefined
    const key = event.key.toLowerCase()
    // The same letter again moves on to the next item that begins with it.
    const text = isGoingOn && this.#typed.text !== key ? this.#typed.text + key : key
    this.#typed = { text, time: event.timeStamp }
    return text
  }

  /** Focuses the first item, from the present one on, that begins with the typed text. */
  findTyped(items, index, text) {
    const from = text.length > 1 ? index : index + 1
    const order = [...items.slice(from), ...items.slice(0, from)]
    order.find((item) => (item.querySelector('.name') ?? item).textContent.trim().toLowerCase().startsWith(text))?.focus()
  }

  /** The key of an event as it is in a menu that is laid out from left to right. */
  keyOf({ key }) { return isFromRight(this) ? { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }[key] ?? key : key }

  /** Goes to the neighbour of an outermost menu; false if there is none. */
  step() { return false }

  #keyInMenu(event, path) {
    const popup = event.currentTarget
    const key = this.keyOf(event)
    if (event.target.closest('.popup') !== popup) return
    const items = itemsOf(popup)
    const index = items.indexOf(event.target)
    const isSubmenu = event.target.getAttribute('aria-haspopup') === 'menu'
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    const text = this.typing(event)
    if (text !== undefined) this.findTyped(items, index, text)
    else if (step) items[(index + step + items.length) % items.length].focus()
    else if (key === 'Home') items[0].focus()
    else if (key === 'End') items.at(-1).focus()
    else if (key === 'ArrowRight' && isSubmenu) { event.target.click(); this.focusFirst() }
    else if (['ArrowLeft', 'Escape'].includes(key) && path.length > 1) {
      this.open(path.slice(0, -1))
      this.find(`sub ${path.join(' ')}`)?.focus()
    } else if (['ArrowRight', 'ArrowLeft'].includes(key) && this.step(key === 'ArrowRight' ? 1 : -1)) this.focusFirst()
    else if (key === 'Escape') this.close(true)
    else if (key === 'Tab') return this.leave()
    else if ((key === 'Enter' || key === ' ') && isSubmenu) { event.target.click(); this.focusFirst() }
    else if (key === 'Enter' || key === ' ') event.target.click()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}
