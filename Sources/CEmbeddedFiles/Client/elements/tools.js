// Buttons of commands: one, a tool bar, and the touch bar that the responders compose.

import { itemsIn, keyOn } from '../menud.js'
import { h, roving } from './dom.js'
import { MenudElement } from './element.js'
import { shortcutsOf } from './shortcuts.js'
import { inspect } from './view.js'
import { words } from './words.js'

/** The maximum number of commands in a tool bar that is not given any. */
const most = 11

/** The attributes of a button of an item, by which it is performed. */
function chosen(element, item, { kind = '', describes = true } = {}) {
  const { view } = element
  const reason = view.whyNot(item)
  const isInspecting = element.hasAttribute('inspects')
  return {
    type: 'button', 'aria-disabled': String(reason !== undefined), 'aria-description': describes ? reason : undefined,
    'aria-keyshortcuts': shortcutsOf(item.key), 'data-command': item.command, part: reason === undefined ? 'button' : 'button disabled',
    class: [reason === undefined ? '' : 'off', item.attributes?.includes('destructive') ? 'loud' : '', item.reason === 'ruleError' ? 'failed' : '', kind].filter(Boolean).join(' '),
    onclick: (event) => {
      if (!item.enabled || (isInspecting && event.shiftKey)) return inspect(element, item)
      return view.perform(item.command, { itemKey: item.itemKey, itemTitle: item.title, from: element })
    },
    oncontextmenu: (event) => {
      if (!isInspecting) return
      event.preventDefault()
      inspect(element, item)
    },
  }
}

/** The state of a button that can be pressed; undefined of another one. */
const pressed = (item) => (item.state !== 'off' || item.checkable ? { on: 'true', mixed: 'mixed', off: 'false' }[item.state] : undefined)

/**
 * A row of buttons for the commands in `commands`; by default for those with an image, or with a short key.
 */
export class ToolBar extends MenudElement {
  static observedAttributes = ['for', 'commands', 'label']
  static properties = ['commands']
  #commands
  #ends = []

  /** The ids of its commands. */
  get commands() {
    const named = this.getAttribute('commands')?.split(/\s+/).filter(Boolean)
    return this.#commands ?? named ?? usual(this.view?.menu)
  }

  set commands(commands) {
    this.#commands = commands
    this.#want()
    this.render()
  }

  attributeChangedCallback() {
    if (!this.isConnected) return
    super.attributeChangedCallback()
    this.#want()
  }

  viewChanged() { this.#want() }

  #want() {
    for (const end of this.#ends) end()
    const named = this.#commands ?? this.getAttribute('commands')?.split(/\s+/).filter(Boolean) ?? []
    this.#ends = this.view ? named.map((command) => this.view.want(command)) : []
  }

  render() {
    const { view } = this
    if (!view?.menu) return this.show()
    const items = this.commands.map((command) => view.itemOf(command)).filter((item) => item && !item.attributes?.includes('hidden'))
    this.show(roving(h('div.toolbar', { role: 'toolbar', 'aria-label': this.getAttribute('label') ?? words.toolBar, part: 'bar' }, items.map((item) => h('button', {
      'aria-pressed': pressed(item), 'data-key': `tool ${item.command}`, title: view.whyNot(item) ?? item.discoverabilityTitle ?? (item.title || item.command),
      ...chosen(this, item),
    }, this.image(item), item.title || item.command)))))
  }
}

/** The commands of a tool bar that is not given any: pictured ones, and those with a short key. */
function usual(menu) {
  if (!menu) return []
  const all = [...itemsIn(menu)].filter(({ item }) => item.itemKey === undefined)
  const pictured = all.filter(({ item }) => item.image)
  // The first two menus are about the application and its files.
  const first = menu.children.slice(0, 2).map(({ title }) => title)
  const keyed = all.filter(
    ({ item, titles }) => keyOn(item.key)?.modifiers?.length === 1 && (all.length < 20 || !first.includes(titles[0])),
  )
  // A few images do not make a tool bar yet.
  return [...new Set([...pictured, ...keyed].map(({ item }) => item.command))].slice(0, most)
}

/** The touch bar that the responders of the chain compose. */
export class TouchBar extends MenudElement {
  #items = []

  /** Reads it again once the session has changed. */
  async update() {
    super.update()
    const { view } = this
    const { mirror } = view ?? {}
    if (!mirror || view.hindrance) return
    const state = `${mirror.revision} ${mirror.catalogRevision}`
    if (state === this.known && view === this.knownOf) return
    this.known = state
    this.knownOf = view
    const answer = await view.session.touchBar(view.place()).catch(() => { this.known = undefined })
    if (!answer || view !== this.view) return
    this.#items = answer.items
    this.render()
  }

  viewChanged() { this.#items = [] }

  render() {
    if (!this.view?.session || !this.#items.length) return this.show()
    this.show(roving(h('div.touchbar', { role: 'toolbar', 'aria-label': this.getAttribute('label') ?? words.touchBar, part: 'bar' },
      this.#items.map((slot) => this.#slot(slot)),
      h('span.gap'), h('slot', { name: 'tools' }))))
  }

  #slot({ identifier, responder, title, item }) {
    const where = words.of(responder)
    if (!item) return h('span.slot', { title: where }, title ?? identifier)
    return h('button', {
      title: this.view.whyNot(item) ?? where, 'data-key': `touch ${identifier}`, ...chosen(this, item, { kind: item.state === 'on' ? 'on' : '' }),
    }, title ?? item.title)
  }
}

/** A button of the command in `command`, with the title of its item unless it has content of its own. */
export class Button extends MenudElement {
  static observedAttributes = ['for', 'command', 'item-key']
  #end

  get command() { return this.getAttribute('command') ?? '' }
  set command(command) { this.setAttribute('command', command) }

  get item() { return this.view?.itemOf(this.command, this.getAttribute('item-key') ?? undefined) }

  focus(options) { this.shadowRoot.querySelector('button')?.focus(options) }

  attributeChangedCallback(name) {
    if (!this.isConnected) return
    super.attributeChangedCallback()
    if (name === 'command') this.viewChanged()
  }

  viewChanged() {
    this.#end?.()
    this.#end = this.command ? this.view?.want(this.command) : undefined
  }

  render() {
    const { item, view, command } = this
    const reasonWithout = this.hasAttribute('item-key') ? 'unknownItem' : 'unknownCommand'
    // Before the session is there, and for a command or an item that it does not have.
    const shownItem = item ?? { command, state: 'off', enabled: false, attributes: [], reason: reasonWithout, explanation: view?.hindrance }
    if (!view || item?.attributes?.includes('hidden')) return this.show()
    const reason = view.whyNot(shownItem)
    this.show(h('button.single', {
      'data-key': 'button', title: reason ?? item?.discoverabilityTitle, 'aria-pressed': pressed(shownItem), ...chosen(this, shownItem),
    }, h('slot', {}, this.image(shownItem), shownItem.title || command)))
  }
}
