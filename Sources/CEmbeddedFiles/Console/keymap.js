// The user's own keys: find a command, press its new key, see what that hides, save.

import { itemsIn, keysOf, matchesStrokes, symbolsOf, textOfKey } from '../client/menud.js'
import { h } from '../client/elements/dom.js'
import { counted, quoted } from '../client/elements/words.js'
import { curlButton, some } from './elements.js'
import { Panel } from './state.js'

/** The name of a keymap that is made here. */
const newName = 'mine'

export class KeymapPanel extends Panel {
  id = 'keymap'
  title = 'Keys'
  query = ''
  /** The keymap of the name as it was read; without it nothing can be saved. */
  keymap = undefined
  strokes = []
  remarks = []
  /** The declared classes by name, which have key commands. */
  #classes = new Map()
  /** The titles of the commands, in the language of the session where it shows them. */
  #titles = new Map()

  get #name() {
    const name = this.app.mirror?.document?.keymap
    return name && name !== 'default' ? name : newName
  }
  get #entries() { return this.keymap?.name === this.#name ? this.keymap.entries : [] }
  get #isOff() { return this.app.isOffline || this.keymap?.name !== this.#name }

  async update() { await this.ask() }

  /** Reads the keymap of the session; one that is not there has no entries. */
  async ask() {
    const { app } = this
    if (!app.session) return
    const name = this.#name
    const keymap = await app.question(async () => (
      (await app.client.keymaps()).includes(name) ? app.client.keymap(name) : { name, entries: [] }))
    if (keymap?.name === this.#name) this.keymap = keymap
    const classes = await app.question(() => app.client.classes())
    if (classes) this.#classes = new Map(classes.map((one) => [one.name, one]))
    app.drawer.render()
  }

  render() {
    const { app } = this
    if (!app.mirror) return h('p.hint', {}, 'No session.')
    this.#titles = this.#titlesNow()
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean)
    const commands = [...app.commands.values()].filter(({ id, title = '', action }) => action
      && words.every((word) => `${this.#titleOf(id)} ${title} ${id}`.toLowerCase().includes(word)))
    return [h('div.tools', {},
      curlButton(app, { path: ['keymaps', this.#name] }, 'the keymap'),
      h('label', {}, h('span.away', {}, 'Find a command'), h('input', {
        type: 'search', placeholder: 'Find a command', value: this.query, 'data-key': 'keymap query', autocomplete: 'off',
        oninput: (event) => { this.query = event.target.value; app.drawer.renderSoon() },
      })),
      h('span.hint', {}, `${counted(this.#entries.length, 'entry', 'entries')} in the keymap ${quoted(this.#name)}`)),
    h('div.scroll', { 'data-scroll': 'keymap', tabindex: 0, role: 'group', 'aria-label': 'Commands and their keys' },
      this.chosen && this.#editor(),
      h('ul.keymap', {}, some('keymap', commands, (command) => this.#row(command), { most: 50 })),
      !commands.length && h('p.hint', {}, 'No command matches.'))]
  }

  #titlesNow() {
    const { mirror } = this.app
    const shown = [...mirror.keys.filter(({ alternate }) => !alternate), ...Array.from(itemsIn(mirror.menu), ({ item }) => item)]
    return new Map(shown.filter(({ itemKey, title }) => itemKey === undefined && title).map(({ command, title }) => [command, title]))
  }

  #titleOf(id) { return this.#titles.get(id) ?? (this.app.commands.get(id)?.title || id) }

  #row({ id }) {
    const title = this.#titleOf(id)
    const keys = (this.app.mirror?.keys ?? []).filter(({ command }) => command === id)
    const own = this.#entries.filter(({ command }) => command.replace(/^-/, '') === id)
    return h('li', {},
      h('button', {
        type: 'button', 'data-key': `keymap ${id}`, 'aria-pressed': String(this.chosen === id), lang: this.app.mirror.document?.locale,
        onclick: () => this.#choose(id),
      }, title),
      h('span.keys', {}, keys.map(({ strokes }) => h('kbd', {}, symbolsOf(strokes)))),
      own.length > 0 && h('button.quiet', {
        type: 'button', 'data-key': `keymap reset ${id}`, 'aria-label': `Reset the keys of ${title}`, disabled: this.#isOff,
        onclick: () => this.#save(this.#entries.filter((entry) => !own.includes(entry)), `Give ${quoted(title)} its own keys`),
      }, 'Reset'))
  }

  #choose(id) {
    this.chosen = this.chosen === id ? undefined : id
    this.strokes = []
    this.remarks = []
    this.app.drawer.render()
    document.querySelector('[data-key="keymap strokes"]')?.focus()
  }

  #editor() {
    const { app, strokes, chosen } = this
    const title = this.#titleOf(chosen)
    const text = strokes.length ? textOfKey(strokes) : ''
    return h('form.editor', { onsubmit: (event) => { event.preventDefault(); if (text) this.#add(title, { key: text, command: chosen }) } },
      h('label', {}, `The new key of ${quoted(title)}`, h('input', {
        type: 'text', readonly: true, value: symbolsOf(strokes), placeholder: 'press up to four strokes', 'data-key': 'keymap strokes',
        'aria-describedby': 'keymap-meaning', onkeydown: (event) => this.#press(event),
      })),
      h('button', { type: 'submit', 'data-key': 'keymap save', disabled: !text || this.#isOff }, 'Save'),
      h('button.quiet', {
        type: 'button', 'data-key': 'keymap clear', disabled: !text, onclick: () => { this.strokes = []; app.drawer.render() },
      }, 'Clear'),
      h('button.quiet', {
        type: 'button', 'data-key': 'keymap take', disabled: this.#isOff, onclick: () => this.#add(title, { command: `-${chosen}` }),
      }, 'Take its keys away'),
      h('p.hint', { id: 'keymap-meaning', role: 'status' }, this.#meaning(), this.remarks.map((remark) => ` ${remark}`)))
  }

  #press(event) {
    const { key, shiftKey } = event
    if (key === 'Tab' || (key === 'Enter' && this.strokes.length && !event.metaKey && !event.ctrlKey && !shiftKey)) return
    const [stroke] = keysOf(event, { layout: this.app.layout })
    if (!stroke) return
    event.preventDefault()
    event.stopPropagation()
    // Caps lock is no part of what is meant.
    const modifiers = stroke.modifiers.filter((name) => name !== 'alphaShift')
    if (this.strokes.length === 4) this.strokes = []
    this.strokes = [...this.strokes, { ...stroke, modifiers }]
    this.app.drawer.render()
  }

  /** The present meaning of the new key, and of the longer and shorter ones that it stands beside. */
  #meaning() {
    const { strokes, chosen, app } = this
    if (!strokes.length) return 'Press the keys one after the other.'
    // Of a key that is not for this token, there are the strokes alone.
    const others = app.mirror.keys.filter(({ command, action }) => action && command !== chosen)
    const named = (keys) => [...new Set(keys.map(({ title, action, enabled }) => (
      `${quoted(title || action)}${enabled ? '' : ' (disabled now)'}`)))].join(', ')
    const same = others.filter((key) => matchesStrokes(key.strokes, strokes) === 'whole')
    const first = same.filter((key) => this.#precedes(key))
    const hidden = same.filter((key) => !first.includes(key))
    const longer = others.filter((key) => matchesStrokes(key.strokes, strokes) === 'beginning')
    const shorter = others.filter((key) => matchesStrokes(strokes, key.strokes) === 'beginning')
    const said = [
      `${symbolsOf(strokes)}:`,
      first.length && `It does nothing${first.some(({ enabled }) => enabled) ? '' : ' while it is enabled'}: ${named(first)} comes first.`,
      hidden.length && `It hides ${named(hidden)}.`,
      longer.length && `It waits, since it begins the key of ${named(longer)}.`,
      shorter.length && `The key of ${named(shorter)} waits for it.`,
    ].filter(Boolean)
    return said.length > 1 ? said.join(' ') : `${said[0]} no other command has it now.`
  }

  /** True if a key precedes the entries of a keymap (K1). */
  #precedes({ keymap, command, responder, action }) {
    const { commands, mirror } = this.app
    const hasPriority = (one) => one?.wantsPriorityOverSystemBehavior === true
    if (keymap || command) return !keymap && hasPriority(commands.get(command))
    const declarers = [mirror.document.responders[responder]]
    for (let name = declarers[0]?.class; this.#classes.has(name); name = this.#classes.get(name).superclass) declarers.push(this.#classes.get(name))
    return declarers.some((one) => one?.keyCommands?.some((key) => key.action === action && hasPriority(key)))
  }

  #add(title, entry) { return this.#save([...this.#entries, entry], `Change the keys of ${quoted(title)}`) }

  /** Puts the keymap with these entries, and lets the session use it. */
  #save(entries, what) {
    const { app } = this
    const name = this.#name
    const { tag } = this.keymap
    // Nobody else's change is lost.
    const headers = tag ? { 'If-Match': tag } : { 'If-None-Match': '*' }
    return app.doing(what, async () => {
      let kept
      try {
        kept = await app.client.putKeymap(name, entries, { headers })
      } catch (error) {
        if (error.status === 412) await this.ask()
        throw error
      }
      if (app.mirror?.document?.keymap !== name) await app.session.useKeymap(name)
      await this.ask()
      this.remarks = (kept.remarks ?? []).map(({ detail }) => detail)
      this.strokes = []
      app.drawer.render()
    })
  }
}
