// The menus of a session as a desktop shows them: the menu bar, and the context menu.

import { shown, symbolsOf } from '../client/menud.js'
import { h, show } from './elements.js'
import { whyNot } from './words.js'

const isMenu = (child) => 'children' in child

/** The items of a menu, without those of menus in it. */
const itemsOf = (popup) => Array.from(popup.querySelectorAll('[role^=menuitem]')).filter((item) => item.closest('.popup') === popup)

/** The key of an event as it is in a menu that is laid out from left to right. */
const keyOf = (event) => (event.currentTarget.closest('[dir=rtl]')
  ? { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }[event.key] ?? event.key : event.key)

const heldBy = (event) => [
  event.shiftKey && 'shift', event.altKey && 'alternate', event.ctrlKey && 'control', event.metaKey && 'command',
].filter(Boolean)

/** The menu bar, and the menus that open from it. */
export class MenuBar {
  constructor(app, place) {
    this.app = app
    this.place = place
    this.open = []
    this.held = []
    /** The text typed to find an item, and its time. */
    this.typed = { text: '', time: 0 }
    document.addEventListener('pointerdown', (event) => { if (!event.target.closest('.menus')) this.close() })
    for (const name of ['keydown', 'keyup']) document.addEventListener(name, (event) => this.hold(heldBy(event)))
    // The keys may be released in another window.
    addEventListener('blur', () => this.hold([]))
  }

  /** Records the pressed modifiers, which show alternates. */
  hold(modifiers) {
    if (modifiers.join() === this.held.join()) return
    this.held = modifiers
    if (this.open.length || this.context) this.render()
  }

  close(returnsFocus = false) {
    const first = this.open[0]
    this.open = []
    this.context = undefined
    this.render()
    if (!returnsFocus) return
    if (first !== undefined) this.place.querySelector(`[data-key="bar ${CSS.escape(first)}"]`)?.focus()
    else if (this.opener) document.querySelector(`[data-key="${CSS.escape(this.opener)}"]`)?.focus()
  }

  /** Shows the context menu of the focused responder at a place in the window. */
  async openContext(x, y) {
    const { menu } = await this.app.session.menu({ kind: 'context' })
    this.opener = document.activeElement?.dataset?.key
    this.open = []
    this.context = { menu, x: Math.min(x, innerWidth - 260), y: Math.min(y, innerHeight - 320) }
    this.render()
    this.place.querySelector('.popup [role^=menuitem]')?.focus()
  }

  render() {
    const menu = this.app.mirror?.menu
    if (!menu) return show(this.place, h('div.menubar.menus.empty', {}, 'No session'))
    const left = this.#focused()
    const titles = menu.children.filter((child) => isMenu(child) && !child.options.includes('displayInline'))
    const loose = menu.children.filter((child) => !titles.includes(child))
    show(this.place, h('div.menubar.menus', {
      role: 'menubar', 'aria-label': 'Menu bar', onkeydown: (event) => this.#keyInBar(event, titles),
    },
    titles.map((child, index) => this.#title(child, index)),
    loose.length > 0 && this.#title(
      { title: '…', identifier: '…', children: loose, enabled: true, options: [] },
      titles.length,
    )),
    this.context && h('div.menus.context', {},
      this.#popup(
        this.context.menu,
        ['context'],
        'The context menu',
        { left: `${this.context.x}px`, top: `${this.context.y}px` },
      )))
    this.#fit()
    left?.()
  }

  /** Moves menus that the window would cut; those in them move along. */
  #fit() {
    for (const popup of this.place.querySelectorAll('.popup')) {
      const { left, right } = popup.getBoundingClientRect()
      const over = Math.max(0, right - innerWidth + 8) - Math.max(0, 8 - left)
      if (over) popup.style.translate = `${-over}px`
    }
  }

  /** Remembers the focused item of an open menu; if it leaves, what is called then focuses its neighbour. */
  #focused() {
    const item = document.activeElement
    const popup = this.place.contains(item) && item.closest('.popup')
    if (!popup) return undefined
    const path = popup.dataset.scroll
    const index = itemsOf(popup).indexOf(item)
    return () => {
      const same = this.place.querySelector(`.popup[data-scroll="${CSS.escape(path)}"]`)
      if (same && !this.place.contains(document.activeElement)) itemsOf(same).slice(0, index + 1).at(-1)?.focus()
    }
  }

  #title(menu, index) {
    const isOpen = this.open[0] === menu.identifier
    return h('div.title', { role: 'none' }, h('button', {
      type: 'button', role: 'menuitem', 'aria-haspopup': 'menu', 'aria-expanded': String(isOpen),
      tabindex: index === 0 || isOpen ? 0 : -1, 'data-key': `bar ${menu.identifier}`, class: menu.enabled ? '' : 'off',
      onclick: () => { this.open = isOpen ? [] : [menu.identifier]; this.render() },
      onpointermove: () => { if (this.open.length && !isOpen) { this.open = [menu.identifier]; this.render() } },
    }, menu.title || menu.identifier), isOpen && this.#popup(menu, [menu.identifier], menu.title))
  }

  #popup(menu, path, label, style) {
    return h('div.popup', {
      role: 'menu', 'aria-label': label, style, 'data-scroll': path.join(' '), onkeydown: (event) => this.#keyInMenu(event, path),
    }, this.#children(menu, path))
  }

  #children(menu, path) {
    const parts = []
    const separate = () => { if (parts.length && !parts.at(-1).matches?.('hr')) parts.push(h('hr')) }
    for (const child of menu.children) {
      if (!isMenu(child)) parts.push(this.#item(shown(child, this.held), path))
      else if (child.options.includes('displayInline')) {
        separate()
        parts.push(...this.#children(child, path))
        parts.push(h('hr'))
      } else parts.push(this.#submenu(child, path))
    }
    if (parts.at(-1)?.matches?.('hr')) parts.pop()
    return parts.length ? parts : [
      h('div.nothing', { role: 'menuitem', 'aria-disabled': 'true', tabindex: -1 }, 'Nothing here'),
    ]
  }

  #submenu(menu, path) {
    const below = [...path, menu.identifier]
    const isOpen = below.every(
      (name, index) => (path[0] === 'context' ? ['context', ...this.open] : this.open)[index] === name,
    )
    const enter = () => { this.open = path[0] === 'context' ? below.slice(1) : below; this.render() }
    return h('div.sub', { role: 'none' }, h('button', {
      type: 'button', role: 'menuitem', 'aria-haspopup': 'menu', 'aria-expanded': String(isOpen), tabindex: -1,
      'data-key': `sub ${below.join(' ')}`, class: menu.enabled ? '' : 'off', onclick: enter,
      onpointermove: () => { if (!isOpen) enter() },
    }, h('span.mark'), h('span.name', {}, menu.title || menu.identifier), h('span.key', {}, '›')),
    isOpen && this.#popup(menu, below, menu.title))
  }

  #item(item, path) {
    const { app } = this
    if (item.attributes.includes('hidden')) return undefined
    const mark = { on: '✓', mixed: '–', off: '' }[item.state]
    const isLoud = item.attributes.includes('destructive')
    const reason = whyNot(item)
    const isOff = !item.enabled || app.isOffline
    const isChecked = item.state !== 'off' || item.checkable
    const role = isChecked ? 'menuitemcheckbox' : 'menuitem'
    return h('button', {
      type: 'button', role, 'aria-checked': isChecked ? { on: 'true', mixed: 'mixed', off: 'false' }[item.state] : undefined,
      'aria-disabled': String(isOff), tabindex: -1, title: reason, 'aria-description': reason, 'data-key': `item ${path.join(' ')} ${item.command} ${item.itemKey ?? ''}`,
      'data-command': item.command, 'data-item-key': item.itemKey, class: [isOff ? 'off' : '', isLoud ? 'loud' : '', item.reason === 'ruleError' ? 'failed' : ''].join(' '),
      onpointermove: () => { if (this.open.length > path.length) { this.open = this.open.slice(0, path.length); this.render() } },
      onclick: (event) => this.#choose(item, event),
      oncontextmenu: (event) => { event.preventDefault(); event.stopPropagation(); this.close(); this.#inspect(item) },
    }, h('span.mark', { 'aria-hidden': 'true' }, mark),
    h('span.name', {},
      item.title + (item.needsParameters && !item.title.endsWith('…') ? '…' : ''),
      item.subtitle && h('small', {}, item.subtitle),
      reason && h('small.reason', { 'aria-hidden': 'true' }, reason),
    ),
    h('span.key', { 'aria-hidden': 'true', dir: 'ltr' }, symbolsOf(item.key)))
  }

  #choose(item, event) {
    const modifiers = item.alternate?.modifiers
    const isOfShift = modifiers?.includes('shift')
    if (!item.enabled || (event.shiftKey && !isOfShift)) {
      this.close()
      return this.#inspect(item)
    }
    if (!item.attributes.includes('keepsMenuPresented')) this.close(true)
    this.app.perform(item.command, { modifiers, itemKey: item.itemKey, itemTitle: item.title })
  }

  #inspect({ command, itemKey, alternate }) { this.app.inspect(command, { modifiers: alternate?.modifiers, itemKey }) }

  /** The text typed within a moment, including the pressed key; undefined for a key without a character. */
  #typing(event) {
    if (event.key.length !== 1 || event.metaKey || event.ctrlKey || event.altKey) return undefined
    const isGoingOn = event.timeStamp - this.typed.time < 800
    if (event.key === ' ' && !(isGoingOn && this.typed.text)) return undefined
    const key = event.key.toLowerCase()
    // The same letter again moves on to the next item that begins with it.
    const text = isGoingOn && this.typed.text !== key ? this.typed.text + key : key
    this.typed = { text, time: event.timeStamp }
    return text
  }

  /** Focuses the first item, from the present one on, that begins with the typed text. */
  #find(items, index, text) {
    const from = text.length > 1 ? index : index + 1
    const order = [...items.slice(from), ...items.slice(0, from)]
    order.find((item) => (item.querySelector('.name') ?? item).textContent.trim().toLowerCase().startsWith(text))?.focus()
  }

  #keyInBar(event, titles) {
    if (event.target.closest('.popup')) return
    const index = titles.findIndex(({ identifier }) => `bar ${identifier}` === event.target.dataset.key)
    const key = keyOf(event)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step) {
      const next = titles[(index + step + titles.length) % titles.length]
      if (this.open.length) this.open = [next.identifier]
      this.render()
      this.place.querySelector(`[data-key="bar ${CSS.escape(next.identifier)}"]`)?.focus()
    } else if (['ArrowDown', 'Enter', ' '].includes(key)) {
      this.open = [titles[index].identifier]
      this.render()
      this.#focusFirst()
    } else if (key === 'Escape') this.close(true)
    else {
      const text = this.#typing(event)
      if (text === undefined) return
      this.#find(Array.from(this.place.querySelectorAll('.menubar > .title > button')), index, text)
    }
    event.preventDefault()
    event.stopPropagation()
  }

  #focusFirst() {
    Array.from(this.place.querySelectorAll('.popup')).at(-1)?.querySelector('[role^=menuitem]')?.focus()
  }

  #keyInMenu(event, path) {
    const popup = event.currentTarget
    const key = keyOf(event)
    if (event.target.closest('.popup') !== popup) return
    const items = itemsOf(popup)
    const index = items.indexOf(event.target)
    const isSubmenu = event.target.getAttribute('aria-haspopup') === 'menu'
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    const text = this.#typing(event)
    if (text !== undefined) this.#find(items, index, text)
    else if (step) items[(index + step + items.length) % items.length].focus()
    else if (key === 'Home') items[0].focus()
    else if (key === 'End') items.at(-1).focus()
    else if (key === 'ArrowRight' && isSubmenu) { event.target.click(); this.#focusFirst() }
    else if (key === 'ArrowLeft' && path.length > 1) {
      const opener = `sub ${path.join(' ')}`
      this.open = this.open.slice(0, -1)
      this.render()
      this.place.querySelector(`[data-key="${CSS.escape(opener)}"]`)?.focus()
    } else if ((key === 'ArrowRight' || key === 'ArrowLeft') && path[0] !== 'context') {
      const bar = Array.from(this.place.querySelectorAll('.menubar > .title > button'))
      const here = bar.findIndex((button) => button.getAttribute('aria-expanded') === 'true')
      const next = bar[(here + (key === 'ArrowRight' ? 1 : -1) + bar.length) % bar.length]
      this.open = [next.dataset.key.slice(4)]
      this.render()
      this.#focusFirst()
    } else if (key === 'Escape') this.close(true)
    else if ((key === 'Enter' || key === ' ') && isSubmenu) { event.target.click(); this.#focusFirst() }
    else if (key === 'Enter' || key === ' ') event.target.click()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}
