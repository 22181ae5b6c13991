// The user's own keys: find a command, press its new key, see what that hides, save.

import { itemsIn, keysOf, matchesStrokes, symbolsOf, textOfKey, write } from '../client/menud.js'
import { h, isComposing, show } from '../client/elements/dom.js'
import { counted, quoted, words } from '../client/elements/words.js'
import { curlButton, some } from './elements.js'
import { Panel } from './state.js'

/** The name of a keymap that is made here. */
const newName = 'mine'
/** The number of strokes that a key has at most. */
const most = 4
/** The names of keys that are no strokes by themselves, and those of input methods. */
const silent = /^(Shift|Control|Alt|AltGraph|Meta|OS|Super|Hyper|Fn|FnLock|CapsLock|NumLock|ScrollLock|Process|Unidentified)$/
/** The keys that browsers keep, as menus show them. */
const keptByBrowsers = /^(⇧?⌘[NTWQ]|Ctrl\+(Shift\+)?[NTW])$/

/** The command of an entry, also of one that takes a key away. */
const commandOf = ({ command }) => command.replace(/^-/, '')

/** Removes entries of a keymap, which may have been read again. */
const without = (gone) => {
  const texts = gone.map(write)
  return (entries) => entries.filter((entry) => !texts.includes(write(entry)))
}

/** The text of a key in one form: modifiers can have several names, and any order. */
const normal = (key = '') => key.toLowerCase().trim().split(/\s+/).map((stroke) => {
  const parts = stroke.split(/(?<=.)[+-](?=.)/)
  const input = parts.pop()
  return [...parts.map((name) => (['cmd', 'win'].includes(name) ? 'meta' : name)).sort(), input].join('+')
}).join(' ')

/** The relation of a key to the new one: `same`, or `longer` or `shorter` with the same beginning. */
function relation(key, strokes) {
  if (!key.strokes) {
    const [text, pressed] = [normal(key.key), normal(textOfKey(strokes))]
    return text === pressed ? 'same' : text.startsWith(`${pressed} `) ? 'longer' : pressed.startsWith(`${text} `) ? 'shorter' : undefined
  }
  const match = matchesStrokes(key.strokes, strokes)
  return match === 'whole' ? 'same' : match ? 'longer' : matchesStrokes(strokes, key.strokes) && 'shorter'
}

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
  /** Resolves once the last edit is saved, or refused. */
  #saved = Promise.resolve()
  #field
  #count = h('span.hint')
  #list = h('div.scroll', { 'data-scroll': 'keymap', tabindex: 0, role: 'group', 'aria-label': 'Commands and their keys' })
  #frame

  get #name() {
    const name = this.app.mirror?.document?.keymap
    return name && name !== 'default' ? name : newName
  }
  get #entries() { return this.keymap?.name === this.#name ? this.keymap.entries : [] }
  get #isOff() { return this.app.isHindered || this.keymap?.name !== this.#name }

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

  /** The frame stays, so that an input method can compose in its field. */
  render() {
    const { app } = this
    if (!app.mirror) return h('p.hint', {}, 'No session.')
    const find = (event) => { if (!event.isComposing) { this.query = event.target.value; this.#draw() } }
    this.#field ??= h('input', {
      type: 'search', placeholder: 'Find a command', 'data-key': 'keymap query', autocomplete: 'off', oninput: find, oncompositionend: find,
    })
    this.#frame ??= [h('div.tools', {},
      curlButton(app, () => ({ path: ['keymaps', this.#name] }), 'the keymap'),
      h('label', {}, h('span.away', {}, 'Find a command'), this.#field), this.#count), this.#list]
    this.#draw()
    return this.#frame
  }

  #draw() {
    const { app } = this
    this.#titles = this.#titlesNow()
    const searched = this.query.toLowerCase().split(/\s+/).filter(Boolean)
    const matches = (text) => searched.every((word) => text.toLowerCase().includes(word))
    const commands = [...app.commands.values()].filter(({ id, title = '', action }) => action && matches(`${this.#titleOf(id)} ${title} ${id}`))
    const strange = this.#entries.filter((entry) => !app.commands.get(commandOf(entry))?.action && matches(entry.command))
    show(this.#count, `${counted(this.#entries.length, 'entry', 'entries')} in the keymap ${quoted(this.#name)}`)
    show(this.#list, this.chosen && this.#editor(),
      h('ul.keymap', {}, some('keymap', commands, (command) => this.#row(command))),
      strange.length > 0 && h('p.hint', {}, 'Entries for commands that are not there:'),
      strange.length > 0 && h('ul.keymap', {}, strange.map((entry) => this.#strangeRow(entry))),
      !commands.length && !strange.length && h('p.hint', {}, 'No command matches.'))
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
    const own = this.#entries.filter((entry) => commandOf(entry) === id)
    const shown = keys.map(({ strokes }) => normal(textOfKey(strokes)))
    const aside = own.filter(({ key, when, command }) => command === id && (when !== undefined || !shown.includes(normal(key))))
    return h('li', {},
      h('button', {
        type: 'button', 'data-key': `keymap ${id}`, 'aria-pressed': String(this.chosen === id), lang: this.app.mirror.document?.locale,
        onclick: () => this.#choose(id),
      }, title),
      h('span.keys', {}, keys.map(({ strokes }) => h('kbd', {}, symbolsOf(strokes))), aside.map(textOfEntry)),
      own.length > 0 && h('button.quiet', {
        type: 'button', 'data-key': `keymap reset ${id}`, 'aria-label': `Reset the keys of ${title}`, disabled: this.#isOff,
        onclick: () => this.#save(without(own), `Give ${quoted(title)} its own keys`),
      }, 'Reset'))
  }

  #strangeRow(entry) {
    const { command, key = 'all keys' } = entry
    return h('li', {}, h('code', {}, command), h('span.keys', {}, textOfEntry(entry)), h('button.quiet', {
      type: 'button', 'data-key': `keymap remove ${this.#entries.indexOf(entry)}`, 'aria-label': `Remove ${key} of ${command}`, disabled: this.#isOff,
      onclick: () => this.#save(without([entry]), `Remove ${quoted(command)}`),
    }, 'Remove'))
  }

  #choose(id) {
    this.chosen = this.chosen === id ? undefined : id
    this.#begin()
    document.querySelector('[data-key="keymap strokes"]')?.focus()
  }

  /** Begins a new key. */
  #begin() {
    this.strokes = []
    this.remarks = []
    this.app.drawer.render()
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
        type: 'button', 'data-key': 'keymap clear', disabled: !text, onclick: () => this.#begin(),
      }, 'Clear'),
      h('button.quiet', {
        type: 'button', 'data-key': 'keymap take', disabled: this.#isOff, onclick: () => this.#add(title, { command: `-${chosen}` }),
      }, 'Take its keys away'),
      h('p.hint', { id: 'keymap-meaning', role: 'status' }, this.#meaning(), this.remarks.map((remark) => ` ${remark}`)))
  }

  #press(event) {
    const { key, shiftKey } = event
    if (key === 'Tab' || (key === 'Enter' && this.strokes.length && !event.metaKey && !event.ctrlKey && !shiftKey)) return
    if (!key || isComposing(event) || silent.test(key)) return
    const [stroke] = keysOf(event, { layout: this.app.layout })
    if (stroke) {
      event.preventDefault()
      event.stopPropagation()
    }
    this.remarks = []
    if (!stroke) this.remarks.push('The last key cannot be used: menud has no name for it.')
    else if (this.strokes.length === most) this.remarks.push('A key has at most four strokes.')
    else {
      // Caps lock is no part of what is meant.
      const modifiers = stroke.modifiers.filter((name) => name !== 'alphaShift')
      this.strokes = [...this.strokes, { ...stroke, modifiers }]
    }
    this.app.drawer.render()
  }

  /** The present meaning of the new key, and of the longer and shorter ones that it stands beside. */
  #meaning() {
    const { strokes, chosen, app } = this
    if (!strokes.length) return 'Press the keys one after the other.'
    // Of a key that is not for this token, there are the strokes alone.
    const others = [...app.mirror.keys, ...this.#unused].filter(({ command, action }) => action && command !== chosen)
    const named = (keys) => [...new Set(keys.map(({ title, action, enabled }) => (
      `${quoted(title || action)}${enabled ? '' : ' (disabled now)'}`)))].join(', ')
    const { same = [], longer = [], shorter = [] } = Object.groupBy(others, (key) => relation(key, strokes))
    const first = same.filter((key) => this.#precedes(key))
    const hidden = same.filter((key) => !first.includes(key))
    const kept = strokes.map((stroke) => symbolsOf(stroke)).filter((symbols) => keptByBrowsers.test(symbols))
    const said = [
      `${symbolsOf(strokes)}:`,
      first.length && `It does nothing${first.some(({ enabled }) => enabled) ? '' : ' while it is enabled'}: ${named(first)} comes first.`,
      hidden.length && `It hides ${named(hidden)}.`,
      longer.length && `It waits, since it begins the key of ${named(longer)}.`,
      shorter.length && `The key of ${named(shorter)} waits for it.`,
    ].filter(Boolean)
    if (said.length === 1) said.push('no other command has it now.')
    if (kept.length) said.push(`Browsers keep ${kept.join(' and ')}, unless the page is installed as an application.`)
    return said.join(' ')
  }

  /** The keys of the keymap that the session does not use yet. */
  get #unused() {
    if (this.app.mirror.document.keymap === this.#name) return []
    return this.#entries.filter(({ key, command }) => key && !command.startsWith('-'))
      .map((entry) => ({ ...entry, keymap: this.#name, action: entry.command, title: this.#titleOf(entry.command), enabled: true }))
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

  /** Adds an entry at the end, where it wins; one that is there already moves. */
  #add(title, entry) {
    const isSame = ({ key, command, ...conditions }) => command === entry.command && normal(key) === normal(entry.key) && !Object.keys(conditions).length
    return this.#save((entries) => [...entries.filter((other) => !isSame(other)), entry], `Change the keys of ${quoted(title)}`)
  }

  /** Edits the entries, after the former edit. */
  #save(edit, what) {
    this.#saved = this.#saved.then(() => this.#put(edit(this.#entries), what))
    return this.#saved
  }

  /** Puts the keymap with these entries, and lets the session use it. */
  #put(entries, what) {
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
        if (error.status !== 412) throw error
        await this.ask()
        return app.notice(words.notDone(what), 'The keymap was changed meanwhile. It has been read again: now it can be saved.', 'bad')
      }
      if (app.mirror?.document?.keymap !== name) await app.session.useKeymap(name)
      await this.ask()
      this.remarks = (kept.remarks ?? []).map(({ detail }) => detail)
      this.strokes = []
      app.drawer.render()
    })
  }
}

/** An entry, as the keymap has it. */
const textOfEntry = ({ key, when }) => h('small.hint', {}, `${key ?? 'all keys'}${when === undefined ? '' : ` when ${when}`}`)
