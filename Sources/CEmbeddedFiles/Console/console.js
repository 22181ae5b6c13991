// The console: the page of a menud server, built on the client module alone. A mirror follows the session that
// is shown, and each part draws its share of the mirror.

import { Client, Problem, itemsIn, symbolsOf } from '../client/menud.js'
import { Chrome, askForToken, setTheme } from './chrome.js'
import { Connection } from './connection.js'
import { ask, forget, h, roving, show } from './elements.js'
import { Graph } from './graph.js'
import { Inspector } from './inspector.js'
import { KeySheet } from './keysheet.js'
import { speak } from './languages.js'
import { MenuBar } from './menus.js'
import { Drawer } from './panels.js'
import { Palette } from './palette.js'
import { askParameters, demands } from './parameters.js'
import { splitter } from './splitter.js'
import { ToolBar, TouchBar } from './toolbars.js'
import { Trial } from './tried.js'
import { endings, isUnreached, quoted, refusal } from './words.js'

const place = (id) => document.getElementById(id)

/** The name of a session in the address; malformed escapes are taken literally. */
function named() {
  const text = location.hash.slice(1)
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The changes that affect neither the responders nor their links. */
const asideOfGraph = new Set(['state', 'mergedState', 'locale', 'undoManager', 'messageQueue', 'delivery', 'deliveryState', 'deliveryForgotten'])
/** The changes that affect the chain or the content of responders, but not their links. */
const asideOfStructure = new Set([
  ...asideOfGraph, 'firstResponder', 'keyWindow', 'mainWindow', 'modalWindow', 'properties', 'handler', 'handlerRemoved', 'keyCommands',
  'registration', 'registrationRemoved',
])

class Console {
  constructor() {
    const root = new URL(document.documentElement.dataset.root, location.href)
    this.client = new Client(root, { token: sessionStorage.getItem('menud.token') ?? undefined, attempts: 2 })
    this.sessions = []
    this.commands = new Map()
    /** The languages in which the application has strings (M14). */
    this.locales = []
    this.view = 'graph'
    this.connection = new Connection(this, place('banner'))
    this.chrome = new Chrome(this, place('chrome'))
    this.menubar = new MenuBar(this, place('menubar'))
    this.toolbar = new ToolBar(this, place('toolbar'))
    this.touchbar = new TouchBar(this, place('touchbar'))
    this.graph = new Graph(this, place('graph'))
    this.inspector = new Inspector(this, place('inspector'))
    this.drawer = new Drawer(this, place('drawer'))
    this.palette = new Palette(this)
    this.keySheet = new KeySheet(this)
    this.client.observers.add((request, response) => this.note(request, response))
  }

  get isOffline() { return this.connection.isLost }

  async start() {
    setTheme(localStorage.getItem('menud.theme') ?? '')
    splitter(place('splitter'), place('main'), 'trace')
    this.renderAll()
    document.addEventListener('keydown', (event) => this.keyDown(event))
    this.keySheet.listen()
    addEventListener('hashchange', () => this.question(() => this.join(named())))
    addEventListener('focus', () => {
      if (this.session && !this.isOffline) this.question(() => this.listSessions()).then(() => this.chrome.render())
    })
    // Browsers with access to the keyboard layout tell what a key types without modifiers.
    this.layout = await navigator.keyboard?.getLayoutMap?.().catch(() => undefined)
    await this.question(() => this.load())
  }

  /** Reads the data that all sessions share, and joins the session in the address, else the first. */
  async load() {
    await this.readCatalogue()
    await this.listSessions()
    this.isLoaded = true
    const wanted = named() || this.sessions[0]?.session
    if (wanted) await this.join(wanted)
    else this.renderAll()
  }

  async readCatalogue() {
    const [{ body }, locales] = await Promise.all([this.client.get(['commands']), this.client.locales()])
    this.locales = locales
    this.commands = new Map(body.commands.map((command) => [command.id, command]))
    this.catalogRevision = body.catalogRevision
  }

  async listSessions() { this.sessions = await this.client.sessions() }

  /** Shows another session. */
  async join(id) {
    if (!id || id === this.session?.id) return
    this.mirror?.close()
    this.mirror = undefined
    this.session = this.client.session(id)
    this.graph.clear()
    this.inspector.clear()
    forget('')
    if (named() !== id) history.replaceState(null, '', `#${encodeURIComponent(id)}`)
    const { session } = this
    const mirror = await this.question(() => session.follow({ document: true, menu: true, keys: true }))
    if (session !== this.session) return mirror?.close()
    if (!mirror) {
      // There is no such session: the user can choose another one.
      this.session = undefined
      return this.renderAll()
    }
    this.mirror = mirror
    for (const name of ['reset', 'change']) mirror.addEventListener(name, (event) => this.changed(event))
    this.keySheet.follow(mirror)
    mirror.addEventListener('connection', () => {
      if (mirror.isConnected) this.connection.back()
      // In a hidden page the mirror pauses itself.
      else if (!mirror.isClosed && !mirror.isPaused) this.connection.lost()
    })
    mirror.addEventListener('closed', ({ reason }) => this.closed(reason))
    this.drawer.events.note({ kind: 'reset', name: 'reset', text: `${session.id} at revision ${mirror.revision}` })
    this.renderAll()
    performance.mark('menu')
    await this.update({ isOfGraph: true, isOfStructure: true })
    performance.mark('graph')
    this.drawer.open(this.drawer.shown.id)
  }

  closed(reason) {
    const said = endings[reason] ?? reason ?? ''
    this.drawer.events.note({ kind: 'closed', name: 'closed', text: said })
    this.notice('The session is not followed any more', said)
    this.renderAll()
  }

  /** Draws the changes of a mirror's event. */
  changed({ type, told }) {
    this.keySheet.render()
    const changes = told.changes ?? []
    if (type === 'reset' || changes.some(({ change }) => change === 'locale')) this.palette.update()
    const names = [...new Set(changes.slice(0, 40).map(({ change, path }) => (path ? `${change} ${path}` : change)))]
    this.drawer.events.note({
      kind: 'change',
      name: `revision ${told.revision}`,
      text: type === 'reset' ? 'begins anew' : names.slice(0, 6).join(', ') || `${told.menuEdits?.length ?? 0} edits of the menu`,
    })
    const touches = (left) => type === 'reset' || changes.some(({ change, path }) =>
      !left.has(change) && !(change === 'document' && /^\/undo/.test(path)))
    // Several consecutive changes are one update.
    this.waiting = {
      isOfGraph: touches(asideOfGraph) || this.waiting?.isOfGraph === true,
      isOfStructure: touches(asideOfStructure) || this.waiting?.isOfStructure === true,
    }
    this.timer ??= setTimeout(() => {
      const { waiting } = this
      this.timer = this.waiting = undefined
      this.update(waiting)
    }, 16)
  }

  async update({ isOfGraph, isOfStructure }) {
    speak(place('screen'), this.mirror)
    this.menubar.render()
    this.toolbar.render()
    this.chrome.render()
    if (!this.inspector.subject) this.inspector.render()
    const { mirror } = this
    const revision = mirror?.catalogRevision
    if (mirror && revision !== this.catalogRevision && revision !== this.askedRevision) {
      // Commands and rules come from the present catalogue. If it cannot be read, the next event tries again.
      this.askedRevision = revision
      await this.question(() => this.readCatalogue())
      this.askedRevision = undefined
      this.chrome.render()
      isOfGraph = isOfStructure = true
    }
    await Promise.all([
      isOfGraph ? this.graph.update({ isStructure: isOfStructure }) : undefined, this.touchbar.render(),
      this.inspector.subject ? this.inspector.update() : undefined, this.drawer.update(),
    ])
  }

  /** The connection was lost, or is back. */
  connectionChanged() {
    if (!this.isOffline && !this.isLoaded) return this.question(() => this.load())
    this.renderAll()
    if (!this.isOffline && this.mirror) this.update({ isOfGraph: true, isOfStructure: true })
  }

  // Actions of the parts.

  /** Performs a command, after asking for its parameters if it needs some. */
  perform(command, asking) {
    const { session } = this
    return this.#complete(command, asking, 'Perform', (what, details) =>
      this.confirming(what, (options) => session.perform(command, { ...options, ...details })))
  }

  /** Makes a dry run of a command, after asking for its parameters. */
  try(command, asking) {
    return this.#complete(command, asking, 'Try', (what, details) => new Trial(this, { what, command, details }).run())
  }

  /** Sends a command with its modifiers and parameters, or an item from data of it, which brings its parameters. */
  async #complete(command, { modifiers, itemKey, itemTitle, asks, ask = askParameters } = {}, action, send) {
    const item = this.itemOf(command, itemKey)
    const { parameters: declared, title = command, description } = this.commands.get(command) ?? {}
    const what = quoted(itemTitle || item?.title || title)
    const complete = (parameters) => send(what, { modifiers, parameters, itemKey })
    return this.doing(what, async () => {
      if (itemKey !== undefined || !declared || !(asks ?? item?.needsParameters ?? demands(declared))) return complete()
      const { schema, errors } = await this.session.form(command, { modifiers })
      return ask({ title: item?.title || title, description, schema, errors, action, send: complete })
    }, { command, modifiers, itemKey })
  }

  /** Makes a change, after asking the person if its command needs a confirmation. */
  async confirming(what, send) {
    try {
      return await this.connection.change(what, send)
    } catch (error) {
      if (error.type !== '/problems/needs-confirmation') throw error
      const { title, message: detail, button: action = error.document.item.title } = error.confirmation
      if (!await ask({ title, detail, action, read: () => true })) return undefined
      return this.connection.change(what, (options) => send({ ...options, confirmed: true }))
    }
  }

  /** The item of a command, or the item from data with a key. */
  itemOf(command, itemKey) {
    for (const { item } of itemsIn(this.mirror?.menu)) if (item.command === command && item.itemKey === itemKey) return item
    return undefined
  }

  focus(responder) { return this.change(`Focus for ${quoted(responder)}`, (options) => this.session.focus(responder, options)) }

  /** Makes a change of the session; `what` describes it for people. */
  change(what, send) { return this.doing(what, () => this.connection.change(what, send)) }

  inspect(command, { modifiers, itemKey } = {}) {
    return this.asking(`${quoted(this.itemOf(command, itemKey)?.title || command)} is not explained`, () => {
      this.look('inspector')
      return this.inspector.inspect({ command, modifiers, itemKey })
    })
  }

  inspectKey(key) {
    return this.asking(`The key ${symbolsOf(key)} is not explained`, () => {
      this.look('inspector')
      return this.inspector.inspect({ key })
    })
  }

  /** Shows a responder in the graph. */
  reveal(id) {
    this.look('graph')
    if (!this.graph.reveal(id)) this.notice(quoted(id), 'There is no such responder.')
  }

  /** Highlights a responder in the graph while the pointer is over a mention of it. */
  mark(asked) {
    for (const node of document.querySelectorAll('.node')) node.classList.toggle('marked', node.dataset.key === `node ${asked}`)
  }

  /** Runs a question of the user. While the server is unreachable, shows `refused` instead. */
  asking(refused, work) {
    if (!this.isOffline) return this.question(work)
    return void this.notice(refused, 'The server is not reached. Nothing was asked.', 'bad')
  }

  /** Runs a question; undefined if it is refused, with a message, or the server is unreachable. */
  question(work) { return this.doing(undefined, work) }

  async doing(what, work, { command, modifiers, itemKey } = {}) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return this.askForToken(error)
      if (isUnreached(error)) return void this.connection.lost()
      const { title, detail } = refusal(error, what)
      this.notice(title, detail, 'bad')
      if (!(error instanceof Problem)) console.error(error)
      if (error.reason && command) this.inspect(command, { modifiers, itemKey })
      return undefined
    }
  }

  async askForToken(problem) {
    if (this.isAsking) return undefined
    this.isAsking = true
    const token = await askForToken(problem)
    this.isAsking = false
    if (!token) return undefined
    sessionStorage.setItem('menud.token', token)
    this.client.token = token
    this.session = undefined
    return this.question(() => this.load())
  }

  // Keys.

  keyDown(event) {
    const isFind = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey
    const isOfSession = this.mirror?.strokes.length || this.mirror?.means(event, { layout: this.layout })
    if (isFind && !isOfSession) {
      event.preventDefault()
      return this.palette.open()
    }
    if (event.key === 'F10' && !event.shiftKey) {
      event.preventDefault()
      return place('menubar').querySelector('[data-key^="bar "]')?.focus()
    }
    // In inputs, menus and buttons keys keep their usual meaning.
    const isTaken = event.defaultPrevented || document.querySelector('dialog[open]') || event.target.closest?.('input, textarea, select, .menus, .keysheet, [role=tablist]')
      || (event.target.closest?.('button, [role=button], a, summary') && ['Enter', ' '].includes(event.key))
    if (isTaken || !this.mirror) return
    this.mirror.handle(event, { layout: this.layout, press: (key) => this.press(key) })
  }

  /** Presses a key of the session; its command may need parameters. */
  press(key) {
    const { session } = this
    const what = `The key ${symbolsOf(key)}`
    return this.doing(what, async () => {
      let isDone = true
      try {
        const answer = await this.confirming(what, async (options) => {
          const answer = await session.press(key, { ...options, final: true })
          isDone = answer !== undefined
          return answer ?? {}
        })
        if (answer && !isDone) this.notice(`${what} does nothing now`, 'Press it in the field of the inspector to see why.')
      } catch (error) {
        if (error.status !== 422) throw error
        const { matches } = await session.resolve(key, { final: true })
        const command = matches.find(({ outcome }) => outcome === 'chosen')?.command
        if (!command) throw error
        return this.perform(command, { asks: true })
      }
    })
  }

  note(request, response) {
    const [name] = request.path.split('?')
    const isOwn = request.method === 'GET' || ['commands/validate', 'commands/search', 'keys/resolve'].includes(name)
    if (isOwn && response.ok) return
    this.drawer.events.note({
      kind: response.ok ? 'request' : 'refused',
      name: `${response.status}`,
      text: `${request.method} /${request.path} ${request.body ?? ''}`,
      request,
    })
  }

  /** Shows a message for a few seconds; a visible one is not repeated. */
  notice(title, detail, kind = '') {
    const notices = place('notices')
    const text = `${title} ${detail ?? ''}`
    const same = Array.from(notices.children).find((notice) => notice.dataset.text === text)
    same?.remove()
    const notice = h('div.notice', { class: kind, 'data-text': text }, h('b', {}, title), detail && h('span', {}, detail))
    notices.append(notice)
    while (notices.children.length > 3) notices.firstChild.remove()
    setTimeout(() => notice.remove(), kind === 'bad' ? 9000 : 5000)
  }

  // The page.

  renderAll() {
    speak(place('screen'), this.mirror)
    this.connection.render()
    for (const part of [this.chrome, this.menubar, this.toolbar, this.graph, this.inspector, this.drawer]) part.render()
    this.touchbar.draw()
    this.look(this.view)
  }

  /** Shows one of the views, in a narrow window. */
  look(view) {
    this.view = view
    document.body.dataset.view = view
    const names = { graph: 'Responders', inspector: 'Inspector', drawer: 'Panels' }
    const tabs = place('views')
    show(tabs, Object.entries(names).map(([name, title]) => h('button', {
      type: 'button', role: 'tab', 'aria-selected': String(name === view), 'aria-controls': name, 'data-key': `view ${name}`,
      tabindex: name === view ? 0 : -1, onclick: () => this.look(name), onfocus: () => { if (name !== this.view) this.look(name) },
    }, title)))
    if (!tabs.isRoving) { tabs.isRoving = true; roving(tabs) }
  }
}

new Console().start()
