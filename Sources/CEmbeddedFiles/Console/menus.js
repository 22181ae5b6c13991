// The menus of a session as a desktop draws them: menu bar, context menu, tool bar, touch bar.

import { symbolsOf } from './menud.js'
import { curlButton, h, show } from './elements.js'

export const reasons = {
  enabled: 'It can be performed',
  noTarget: 'Nobody on the chain handles it',
  noAction: 'It has no action',
  ruleFalse: 'Its target’s rule says no',
  ruleError: 'A rule failed',
  declaredDisabled: 'It is declared disabled',
  cycle: 'The chain leads back into itself',
  unknownCommand: 'There is no such command',
  noHandler: 'The coordinator has no handler for it',
  recorded: 'It was recorded for undoing',
  proxiedGone: 'The proxy’s responder is gone',
  noMatch: 'No command has this key',
}

const isMenu = (child) => 'children' in child

/** The item as it is while modifiers are held: one of its alternates, or itself. */
export function shown(item, held) {
  const matches = ({ alternate }) => alternate.modifiers.every((name) => held.includes(name))
  const found = (item.alternates ?? []).filter(matches)
  return found.sort((a, b) => b.alternate.modifiers.length - a.alternate.modifiers.length)[0] ?? item
}

/** All items of a menu, with the titles of the menus around each. */
export function* itemsIn(menu, titles = []) {
  for (const child of menu.children) {
    if (isMenu(child)) yield* itemsIn(child, child.title ? [...titles, child.title] : titles)
    else yield { item: child, titles }
  }
}

/** The menu bar, and the menus that open from it. */
export class MenuBar {
  constructor(app, place) {
    this.app = app
    this.place = place
    this.open = []
    this.held = []
    document.addEventListener('pointerdown', (event) => { if (!event.target.closest('.menus')) this.close() })
    for (const name of ['keydown', 'keyup']) document.addEventListener(name, (event) => this.hold(heldBy(event)))
    // Whoever goes to another window may let go of them there.
    addEventListener('blur', () => this.hold([]))
  }

  /** Notes the modifiers held, which show alternates. */
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
    if (returnsFocus && first !== undefined) this.place.querySelector(`[data-key="bar ${first}"]`)?.focus()
  }

  /** Shows the menu at a place of the window that is in the focused responder's context. */
  async openContext(x, y) {
    const { menu } = await this.app.session.menu({ kind: 'context' })
    this.open = []
    this.context = { menu, x: Math.min(x, innerWidth - 260), y: Math.min(y, innerHeight - 320) }
    this.render()
    this.place.querySelector('.popup [role^=menuitem]')?.focus()
  }

  render() {
    const menu = this.app.mirror?.menu
    if (!menu) return show(this.place, h('div.menubar.menus.empty', {}, 'No session'))
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
  }

  #title(menu, index) {
    const isOpen = this.open[0] === menu.identifier
    return h('div.title', { role: 'none' }, h('button', {
      type: 'button', role: 'menuitem', 'aria-haspopup': 'menu', 'aria-expanded': String(isOpen),
      tabindex: index === 0 || isOpen ? 0 : -1, 'data-key': `bar ${menu.identifier}`, class: menu.enabled ? '' : 'off',
      onclick: () => { this.open = isOpen ? [] : [menu.identifier]; this.render() },
      onpointerenter: () => { if (this.open.length && !isOpen) { this.open = [menu.identifier]; this.render() } },
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
      onpointerenter: () => { if (!isOpen) enter() },
    }, h('span.mark'), h('span.name', {}, menu.title || menu.identifier), h('span.key', {}, '›')),
    isOpen && this.#popup(menu, below, menu.title))
  }

  #item(item, path) {
    const { app } = this
    if (item.attributes.includes('hidden')) return undefined
    const mark = { on: '✓', mixed: '–', off: '' }[item.state]
    const isLoud = item.attributes.includes('destructive')
    const reason = item.enabled ? undefined : reasons[item.reason] + (item.error ? `: ${item.error.message}` : '')
    const role = item.state === 'off' ? 'menuitem' : 'menuitemcheckbox'
    return h('button', {
      type: 'button', role, 'aria-checked': role === 'menuitem' ? undefined : item.state === 'on' ? 'true' : 'mixed',
      'aria-disabled': String(!item.enabled), tabindex: -1, title: reason, 'data-key': `item ${path.join(' ')} ${item.command}`,
      'data-command': item.command, class: [item.enabled ? '' : 'off', isLoud ? 'loud' : ''].join(' '),
      onpointerenter: () => { if (this.open.length > path.length) { this.open = this.open.slice(0, path.length); this.render() } },
      onclick: (event) => this.#choose(item, event),
      oncontextmenu: (event) => { event.preventDefault(); event.stopPropagation(); this.close(); app.inspect(item.command) },
    }, h('span.mark', { 'aria-hidden': 'true' }, mark),
    h('span.name', {},
      item.title,
      item.subtitle && h('small', {}, item.subtitle),
      reason && h('small.reason', {}, reason),
    ),
    h('span.key', { 'aria-hidden': 'true' }, item.key ? symbolsOf(item.key) : ''))
  }

  #choose(item, event) {
    const modifiers = item.alternate?.modifiers
    if (!item.enabled || event.shiftKey) {
      this.close()
      return this.app.inspect(item.command)
    }
    if (!item.attributes.includes('keepsMenuPresented')) this.close(true)
    this.app.perform(item.command, { modifiers })
  }

  #keyInBar(event, titles) {
    if (event.target.closest('.popup')) return
    const index = titles.findIndex(({ identifier }) => `bar ${identifier}` === event.target.dataset.key)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step) {
      const next = titles[(index + step + titles.length) % titles.length]
      if (this.open.length) this.open = [next.identifier]
      this.render()
      this.place.querySelector(`[data-key="bar ${CSS.escape(next.identifier)}"]`)?.focus()
    } else if (['ArrowDown', 'Enter', ' '].includes(event.key)) {
      this.open = [titles[index].identifier]
      this.render()
      this.#focusFirst()
    } else if (event.key === 'Escape') this.close(true)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  #focusFirst() {
    Array.from(this.place.querySelectorAll('.popup')).at(-1)?.querySelector('[role^=menuitem]')?.focus()
  }

  #keyInMenu(event, path) {
    const popup = event.currentTarget
    if (event.target.closest('.popup') !== popup) return
    const items = Array.from(
      popup.querySelectorAll('[role^=menuitem]'),
    ).filter((item) => item.closest('.popup') === popup)
    const index = items.indexOf(event.target)
    const isSubmenu = event.target.getAttribute('aria-haspopup') === 'menu'
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) items[(index + step + items.length) % items.length].focus()
    else if (event.key === 'Home') items[0].focus()
    else if (event.key === 'End') items.at(-1).focus()
    else if (event.key === 'ArrowRight' && isSubmenu) { event.target.click(); this.#focusFirst() }
    else if (event.key === 'ArrowLeft' && path.length > 1) {
      const opener = `sub ${path.join(' ')}`
      this.open = this.open.slice(0, -1)
      this.render()
      this.place.querySelector(`[data-key="${CSS.escape(opener)}"]`)?.focus()
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      const bar = Array.from(this.place.querySelectorAll('.menubar > .title > button'))
      const here = bar.findIndex((button) => button.getAttribute('aria-expanded') === 'true')
      const next = bar[(here + (event.key === 'ArrowRight' ? 1 : -1) + bar.length) % bar.length]
      this.open = [next.dataset.key.slice(4)]
      this.render()
      this.#focusFirst()
    } else if (event.key === 'Escape') this.close(true)
    else if ((event.key === 'Enter' || event.key === ' ') && isSubmenu) { event.target.click(); this.#focusFirst() }
    else if (event.key === 'Enter' || event.key === ' ') event.target.click()
    else if (event.key.length === 1 && !event.metaKey && !event.ctrlKey) {
      const starts = (item) => item.querySelector('.name')?.textContent.toLowerCase().startsWith(event.key.toLowerCase())
      const rest = [...items.slice(index + 1), ...items.slice(0, index + 1)]
      rest.find(starts)?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
}

const heldBy = (event) => [
  event.shiftKey && 'shift', event.altKey && 'alternate', event.ctrlKey && 'control', event.metaKey && 'command',
].filter(Boolean)

/** A row of buttons for commands that somebody chose; at first those with an image, or with a short key. */
export class ToolBar {
  constructor(app, place) {
    this.app = app
    this.place = place
  }

  get #key() { return `menud.tools.${this.app.session.id}` }

  get pinned() {
    const kept = localStorage.getItem(this.#key)
    if (kept) return JSON.parse(kept)
    const all = [...itemsIn(this.app.mirror.menu)]
    const pictured = all.filter(({ item }) => item.image)
    // What stands in the first two menus is about the application and its files.
    const first = this.app.mirror.menu.children.slice(0, 2).map(({ title }) => title)
    const usual = all.filter(
      ({ item, titles }) => item.key?.modifiers?.length === 1 && (all.length < 20 || !first.includes(titles[0])),
    )
    return (pictured.length ? pictured : usual).slice(0, 11).map(({ item }) => item.command)
  }

  toggle(command) {
    const { pinned } = this
    localStorage.setItem(
      this.#key,
      JSON.stringify(pinned.includes(command) ? pinned.filter((other) => other !== command) : [...pinned, command]),
    )
    this.render()
  }

  render() {
    const { app } = this
    if (!app.mirror?.menu) return show(this.place)
    const items = new Map([...itemsIn(app.mirror.menu)].map(({ item }) => [item.command, item]))
    const shownItems = this.pinned.map((command) => items.get(command)).filter(Boolean)
    show(this.place, h('div.toolbar', {
      role: 'toolbar',
      'aria-label': 'Tool bar',
    }, shownItems.map((item) => h('button', {
      type: 'button', 'aria-disabled': String(!item.enabled), 'aria-pressed': item.state === 'off' ? undefined : item.state === 'on' ? 'true' : 'mixed',
      class: item.enabled ? '' : 'off', 'data-key': `tool ${item.command}`, 'data-command': item.command,
      title: item.enabled ? item.command : reasons[item.reason],
      onclick: () => (item.enabled ? app.perform(item.command) : app.inspect(item.command)),
    }, item.title))))
  }
}

/** The touch bar that the responders of the chain compose. */
export class TouchBar {
  constructor(app, place) {
    this.app = app
    this.place = place
  }

  async render() {
    const { app } = this
    if (!app.session) return show(this.place)
    const { items } = await app.session.touchBar()
    if (!items.length) return show(this.place)
    show(
      this.place,
      h('div.touchbar',
        { role: 'toolbar', 'aria-label': 'Touch bar' },
        items.map((slot) => this.#slot(slot)),
        h('span.gap'),
        curlButton(app, { path: app.session.path('touch-bar') }, 'the touch bar'),
      ),
    )
  }

  #slot({ identifier, responder, title, item }) {
    const { app } = this
    if (!item) return h('span.slot', { title: `of ${responder}` }, title ?? identifier)
    return h('button', {
      type: 'button', 'aria-disabled': String(!item.enabled), class: [
        item.enabled ? '' : 'off',
        item.state === 'on' ? 'on' : '',
      ].join(' '),
      title: item.enabled ? `of ${responder}` : reasons[item.reason], 'data-key': `touch ${identifier}`,
      onclick: () => (item.enabled ? app.perform(item.command) : app.inspect(item.command)),
    }, title ?? item.title)
  }
}
