// The tool bar, with commands that the user chose, and the touch bar that the responders compose.

import { itemsIn, keyOn } from '../client/menud.js'
import { curlButton, h, roving, show } from './elements.js'
import { whyNot } from './words.js'

/** The maximum number of commands in a tool bar that is not customized. */
const most = 11

/** The items of commands, without those from data. */
const alone = (menu) => [...itemsIn(menu)].filter(({ item }) => item.itemKey === undefined)

/** A row of buttons for commands that the user chose; initially those with an image, or with a short key. */
export class ToolBar {
  constructor(app, place) {
    this.app = app
    this.place = place
  }

  get #key() { return `menud.tools.${this.app.session.id}` }

  get pinned() {
    const kept = this.#kept
    if (kept) return kept
    const { menu } = this.app.mirror ?? {}
    if (!menu) return []
    const all = alone(menu)
    const pictured = all.filter(({ item }) => item.image)
    // The first two menus are about the application and its files.
    const first = menu.children.slice(0, 2).map(({ title }) => title)
    const usual = all.filter(
      ({ item, titles }) => keyOn(item.key)?.modifiers?.length === 1 && (all.length < 20 || !first.includes(titles[0])),
    )
    // A few images do not make a tool bar yet.
    return [...new Set([...pictured, ...usual].map(({ item }) => item.command))].slice(0, most)
  }

  /** The chosen commands; undefined if there are none, or the stored value is malformed. */
  get #kept() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.#key))
      return Array.isArray(kept) ? kept : undefined
    } catch {
      return undefined
    }
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
    const items = new Map(alone(app.mirror.menu).map(({ item }) => [item.command, item]))
    const shownItems = this.pinned.map((command) => items.get(command)).filter(Boolean)
    const isToggle = (item) => item.state !== 'off' || item.checkable
    show(this.place, roving(h('div.toolbar', { role: 'toolbar', 'aria-label': 'Tool bar' }, shownItems.map((item) => h('button', {
      'aria-pressed': isToggle(item) ? { on: 'true', mixed: 'mixed', off: 'false' }[item.state] : undefined,
      'data-key': `tool ${item.command}`, title: whyNot(item) ?? item.command, ...chosen(app, item),
    }, item.title)))))
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
    const { session } = app
    const answer = await app.question(() => session.touchBar())
    if (session !== app.session) return
    if (answer) this.items = answer.items
    this.draw()
  }

  draw() {
    const { app, items } = this
    if (!app.session || !items?.length) return show(this.place)
    show(this.place, roving(h('div.touchbar', { role: 'toolbar', 'aria-label': 'Touch bar' },
      items.map((slot) => this.#slot(slot)),
      h('span.gap'),
      curlButton(app, { path: app.session.path('touch-bar') }, 'the touch bar'))))
  }

  #slot({ identifier, responder, title, item }) {
    const { app } = this
    if (!item) return h('span.slot', { title: `of ${responder}` }, title ?? identifier)
    return h('button', {
      title: whyNot(item) ?? `of ${responder}`, 'data-key': `touch ${identifier}`, ...chosen(app, item, item.state === 'on' ? 'on' : ''),
    }, title ?? item.title)
  }
}

/** A button of an item: it performs it, and inspects it if it is disabled, or with shift or a right click. */
const chosen = (app, item, kind = '') => ({
  type: 'button', 'aria-disabled': String(!item.enabled || app.isOffline), 'aria-description': whyNot(item), 'data-command': item.command,
  class: [item.enabled && !app.isOffline ? '' : 'off', item.reason === 'ruleError' ? 'failed' : '', kind].filter(Boolean).join(' '),
  onclick: (event) => (item.enabled && !event.shiftKey ? app.perform(item.command) : app.inspect(item.command)),
  oncontextmenu: (event) => { event.preventDefault(); app.inspect(item.command) },
})
