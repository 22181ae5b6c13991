// The console: the page of a menud server, built on the client's module and elements alone. A mirror follows the session
// that is shown, and each part draws its share of the mirror.

import { Client, Problem, itemsIn, symbolsOf } from '../client/menud.js'
import '../client/menud-elements.js'
import { h, roving, show } from '../client/elements/dom.js'
import { SessionView } from '../client/elements/view.js'
import { isUnreached, quoted, refusal, words } from '../client/elements/words.js'
import { Chrome, askForToken, setTheme } from './chrome.js'
import { Connection } from './connection.js'
import { curlButton, forget } from './elements.js'
import { Graph } from './graph.js'
import { Inspector } from './inspector.js'
import { Drawer } from './panels.js'
import { splitter } from './splitter.js'
import { Pins } from './toolbars.js'
import { Trial } from './tried.js'
import { endings } from './words.js'

words.failed = 'The console failed'

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

/** The session as the elements show it: they tell, repeat and explain by the console's own parts. */
class ConsoleView extends SessionView {
  constructor(app) {
    super()
    this.app = app
  }

  get hindrance() { return this.app.isOffline ? words.unreached : super.hindrance }

  /** The console follows its session itself. */
  follow() {}
  change(what, send) { return this.app.connection.change(what, send) }
  doing(what, work, asked) { return this.app.doing(what, work, asked) }
  notice(title, detail) { this.app.notice(title, detail, 'bad') }
  async declaration(command) { return this.app.commands.get(command) }
}

class Console {
  constructor() {
    const root = new URL(document.documentElement.dataset.root, location.href)
    this.client = new Client(root, { token: sessionStorage.getItem('menud.token') ?? undefined, attempts: 2 })
    this.sessions = []
    this.commands = new Map()
    /** The languages among which a session can choose (M14). */
    this.locales = []
    this.shownView = 'graph'
    this.connection = new Connection(this, place('banner'))
    this.chrome = new Chrome(this, place('chrome'))
    this.view = new ConsoleView(this)
    for (const element of document.querySelectorAll('.of-session')) element.view = this.view
    this.palette = place('palette')
    this.contextMenu = place('context')
    this.pins = new Pins(this, place('toolbar'))
    this.graph = new Graph(this, place('graph'))
    this.inspector = new Inspector(this, place('inspector'))
    this.drawer = new Drawer(this, place('drawer'))
    this.client.observers.add((request, response) => this.note(request, response))
  }

  get isOffline() { return this.connection.isLost }
  /** True while nothing can be changed: the server is not reached, or the session has ended. */
  get isHindered() { return this.isOffline || this.mirror?.isClosed === true }
  get layout() { return this.view.layout }

  async start() {
    setTheme(localStorage.getItem('menud.theme') ?? '')
    splitter(place('splitter'), place('main'), 'trace')
    this.renderAll()
    this.listen()
    addEventListener('hashchange', () => this.question(() => this.join(named())))
    addEventListener('focus', () => this.listAgain())
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

  /** Lists the sessions that were opened elsewhere meanwhile. */
  async listAgain() {
    if (!this.session || this.isOffline) return
    await this.question(() => this.listSessions())
    this.chrome.renderSessions()
  }

  /** Shows another session. */
  async join(id) {
    if (!id || (id === this.session?.id && !this.mirror?.isClosed)) return
    this.mirror?.close()
    this.mirror = undefined
    this.session = this.client.session(id)
    this.view.session = this.session
    this.view.show(undefined)
    this.pins.show()
    this.graph.clear()
    this.inspector.clear()
    forget('')
    if (named() !== id) history.replaceState(null, '', `#${encodeURIComponent(id)}`)
    const { session } = this
    const mirror = await this.question(() => session.follow({ document: true, menu: true, keys: true }))
    if (session !== this.session) return mirror?.close()
    if (!mirror) {
      // There is no such session: the user can choose another one.
      this.session = this.view.session = undefined
      return this.renderAll()
    }
    this.mirror = mirror
    this.view.show(mirror)
    for (const name of ['reset', 'change']) mirror.addEventListener(name, (event) => this.changed(event))
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
    const changes = told.changes ?? []
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
      isOfGraph ? this.graph.update({ isStructure: isOfStructure }) : undefined,
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
  perform(command, asking) { return this.view.perform(command, asking) }

  /** Makes a dry run of a command, after asking for its parameters. */
  try(command, asking) {
    return this.view.complete(command, asking, 'Try', (what, details) => new Trial(this, { what, command, details }).run())
  }

  /** Makes a change, after asking the person if its command needs a confirmation. */
  confirming(what, send) { return this.view.confirming(what, send) }

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
    this.session = this.view.session = undefined
    return this.question(() => this.load())
  }

  /** Listens to the elements: items to explain, and keys that other parts of the page take. */
  listen() {
    document.addEventListener('menud-inspect', (event) => {
      event.preventDefault()
      const { command, modifiers, itemKey } = event.detail
      this.inspect(command, { modifiers, itemKey })
    })
    document.addEventListener('menud-key', (event) => {
      if (event.detail.event.target.closest?.('input, textarea, select, [role=tablist]')) event.preventDefault()
    })
    this.palette.append(curlButton(this, () => ({ method: 'POST', path: ['commands', 'search'], body: this.palette.question }), 'the search'))
    place('touchbar').append(curlButton(this, () => ({ path: this.session.path('touch-bar') }), 'the touch bar'))
    for (const { lastChild } of [this.palette, place('touchbar')]) lastChild.slot = 'tools'
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

  /** Removes the messages with a title, which are no longer true. */
  unsay(title) {
    for (const notice of Array.from(place('notices').children)) if (notice.firstChild.textContent === title) notice.remove()
  }

  // The page.

  renderAll() {
    this.connection.render()
    for (const part of [this.chrome, this.graph, this.inspector, this.drawer]) part.render()
    this.view.changed()
    this.look(this.shownView)
  }

  /** Shows one of the views, in a narrow window. */
  look(view) {
    this.shownView = view
    document.body.dataset.view = view
    const names = { graph: 'Responders', inspector: 'Inspector', drawer: 'Panels' }
    const tabs = place('views')
    show(tabs, Object.entries(names).map(([name, title]) => h('button', {
      type: 'button', role: 'tab', 'aria-selected': String(name === view), 'aria-controls': name, 'data-key': `view ${name}`,
      tabindex: name === view ? 0 : -1, onclick: () => this.look(name), onfocus: () => { if (name !== this.shownView) this.look(name) },
    }, title)))
    if (!tabs.isRoving) { tabs.isRoving = true; roving(tabs) }
  }
}

new Console().start()
