// The console: the page of a menud server, on nothing but the client module. Here is how its parts hang together:
// a mirror follows the session that is shown, and each part draws what the mirror holds.

import { Client, Problem, isSameKey, keysOf } from './menud.js'
import { ask, curlButton, h, show } from './elements.js'
import { Graph } from './graph.js'
import { Inspector } from './inspector.js'
import { MenuBar, ToolBar, TouchBar, itemsIn } from './menus.js'
import { Drawer } from './panels.js'
import { Palette } from './palette.js'

const place = (id) => document.getElementById(id)

class Console {
  constructor() {
    const root = new URL(document.documentElement.dataset.root, location.href)
    this.client = new Client(root, { token: sessionStorage.getItem('menud.token') ?? undefined, attempts: 3 })
    this.menubar = new MenuBar(this, place('menubar'))
    this.toolbar = new ToolBar(this, place('toolbar'))
    this.touchbar = new TouchBar(this, place('touchbar'))
    this.graph = new Graph(this, place('graph'))
    this.inspector = new Inspector(this, place('inspector'))
    this.drawer = new Drawer(this, place('drawer'))
    this.palette = new Palette(this)
    this.sessions = []
    this.commands = new Map()
    this.classes = new Map()
    this.view = 'graph'
    this.client.observers.add((request, response) => this.note(request, response))
  }

  async start() {
    setTheme(localStorage.getItem('menud.theme') ?? '')
    this.renderAll()
    document.addEventListener('keydown', (event) => this.keyDown(event))
    addEventListener('hashchange', () => this.join(decodeURIComponent(location.hash.slice(1))))
    addEventListener(
      'focus',
      () => { if (this.session) this.attempt(() => this.listSessions()).then(() => this.renderChrome()) },
    )
    // Browsers that tell the layout tell what a key types without modifiers.
    this.layout = await navigator.keyboard?.getLayoutMap?.().catch(() => undefined)
    await this.attempt(() => this.load())
  }

  /** Reads what all sessions share, and joins the one that the address names, else the first. */
  async load() {
    const [commands, classes] = await Promise.all([this.client.commands(), this.client.classes()])
    this.commands = new Map(commands.map((command) => [command.id, command]))
    this.classes = new Map(classes.map((declared) => [declared.name, declared]))
    await this.listSessions()
    const wanted = decodeURIComponent(location.hash.slice(1)) || this.sessions[0]?.session
    if (wanted) await this.join(wanted)
    else this.renderAll()
  }

  /** A session's own token does not list sessions; then there is the one of the address. */
  async listSessions() {
    try {
      this.sessions = await this.client.sessions()
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 403) throw error
      this.sessions = []
    }
  }

  /** Shows a session from now on. */
  async join(id) {
    if (!id || id === this.session?.id) return
    this.mirror?.close()
    this.session = this.client.session(id)
    this.graph.structure = undefined
    this.graph.path = undefined
    this.inspector.subject = undefined
    this.inspector.answer = undefined
    if (decodeURIComponent(location.hash.slice(1)) !== id) history.replaceState(
      null,
      '',
      `#${encodeURIComponent(id)}`,
    )
    const { session } = this
    const mirror = await this.attempt(() => session.follow({ document: true, menu: true }))
    if (!mirror || session !== this.session) {
      mirror?.close()
      if (session === this.session) this.mirror = undefined
      return this.renderAll()
    }
    this.mirror = mirror
    for (const name of ['reset', 'change']) mirror.addEventListener(name, (event) => this.changed(event))
    mirror.addEventListener('connection', () => this.renderChrome())
    mirror.addEventListener('closed', (event) => {
      this.drawer.events.note({ kind: 'closed', name: 'closed', text: event.reason })
      this.notice('The session is closed', event.reason)
      this.renderChrome()
    })
    this.drawer.events.note({ kind: 'reset', name: 'reset', text: `${session.id} at revision ${mirror.revision}` })
    this.renderAll()
    performance.mark('menu')
    await this.attempt(() => this.update({ graph: true }))
    this.drawer.open(this.drawer.shown.id)
  }

  /** Draws what an event of the mirror changed. */
  changed({ type, told }) {
    const changes = told.changes ?? []
    const names = [...new Set(changes.map(({ change, path }) => (path ? `${change} ${path}` : change)))]
    this.drawer.events.note({
      kind: 'change',
      name: `revision ${told.revision}`,
      text: type === 'reset' ? 'begins anew' : names.slice(0, 6).join(', ') || `${told.menuEdits?.length ?? 0} edits of the menu`,
    })
    const isOfGraph = type === 'reset' || changes.some(({ change, path }) => ![
      'state',
      'mergedState',
      'undoManager',
      'messageQueue',
    ].includes(change) && !(change === 'document' && /^\/undo/.test(path)))
    this.menubar.render()
    this.toolbar.render()
    if (!this.inspector.subject) this.inspector.render()
    this.renderChrome()
    // Several changes in a row are one update.
    this.waiting = { graph: isOfGraph || this.waiting?.graph }
    this.timer ??= setTimeout(() => {
      const { waiting } = this
      this.timer = this.waiting = undefined
      this.attempt(() => this.update(waiting))
    }, 30)
  }

  async update({ graph }) {
    await Promise.all([
      graph ? this.graph.update() : undefined, this.touchbar.render(), this.inspector.subject ? this.inspector.update() : undefined, this.drawer.update(),
    ])
  }

  // What the parts ask for.

  perform(command, options) { return this.attempt(() => this.session.perform(command, options), command) }
  focus(responder) { return this.attempt(() => this.session.focus(responder)) }

  inspect(command) {
    this.look('inspector')
    return this.attempt(() => this.inspector.inspect({ command }))
  }

  inspectKey(key) {
    this.look('inspector')
    return this.attempt(() => this.inspector.inspect({ key }))
  }

  commandOf(id) { return this.commands.get(id) }
  actionOf(id) { return this.commands.get(id)?.action }

  /** The handler that a responder has for a selector, be it its class's. */
  handlerOf(responder, selector) {
    if (responder.handlers?.[selector]) return responder.handlers[selector]
    for (let name = responder.class; name; name = this.classes.get(name)?.superclass) {
      const method = this.classes.get(name)?.methods.find((method) => method.selector === selector)
      if (method) return method.handler
    }
    return undefined
  }

  /** Marks a responder in the graph while something points at it. */
  mark(asked) {
    for (const node of document.querySelectorAll('.node')) node.classList.toggle(
      'marked',
      node.dataset.key === `node ${asked}`,
    )
  }

  /** Does something, and says so when it is refused. */
  async attempt(work, command) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return this.askForToken(error, work)
      this.notice(error.title ?? 'That did not work', error.message, 'bad')
      if (error.reason && command) this.inspect(command)
      return undefined
    }
  }

  async askForToken(problem) {
    if (this.isAsking) return undefined
    this.isAsking = true
    const token = await ask({
      title: 'A token, please', detail: `${problem.message} It is kept in this tab until that is closed, and sent to this server only.`, action: 'Go on',
      fields: h('label', {},
        'Token',
        h('input', { name: 'token', type: 'password', required: true, autocomplete: 'off' }),
      ),
      read: (form) => form.elements.token.value,
    })
    this.isAsking = false
    if (!token) return undefined
    sessionStorage.setItem('menud.token', token)
    this.client.token = token
    this.session = undefined
    return this.attempt(() => this.load())
  }

  async openSession() {
    const id = await ask({
      title: 'Open a session', detail: 'It begins as the application’s template has it. A session that is open already is joined.', action: 'Open',
      fields: h('label', {},
        'Name',
        h('input', { name: 'id', required: true, pattern: '[A-Za-z0-9_.:\\-]{1,128}', autocomplete: 'off' }),
      ), read: (form) => form.elements.id.value,
    })
    if (!id) return
    await this.attempt(async () => {
      if (!this.sessions.some(({ session }) => session === id)) {
        try {
          await this.client.join(id)
          await this.listSessions()
        } catch (error) {
          // A session's own token opens none, but joins its own.
          if (error.status !== 403) throw error
        }
      }
      await this.join(id)
    })
  }

  keyDown(event) {
    const isFind = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey
    if (isFind) {
      event.preventDefault()
      return this.palette.open()
    }
    if (event.key === 'F10') {
      event.preventDefault()
      return place('menubar').querySelector('[data-key^="bar "]')?.focus()
    }
    // Where somebody types, chooses or presses a button, keys mean that.
    const isTaken = event.defaultPrevented || document.querySelector('dialog[open]') || event.target.closest?.('input, textarea, select, .menus, [role=tablist]')
      || (event.target.closest?.('button, [role=button], a') && ['Enter', ' '].includes(event.key))
    if (isTaken || !this.mirror) return
    const keys = keysOf(event, { layout: this.layout }).filter((key) => this.claims(key))
    if (!keys.length) return
    event.preventDefault()
    this.attempt(() => this.session.press(keys[0]))
  }

  /** True if a command or a responder declares a key. */
  claims(key) {
    const { mirror } = this
    for (const { item } of itemsIn(mirror.menu)) {
      if ([item, ...(item.alternates ?? [])].some((one) => one.key && isSameKey(one.key, key))) return true
    }
    const isDeclared = ({ keyCommands }) => keyCommands?.some((command) => isSameKey(command, key))
    return [...this.classes.values()].some(isDeclared) || Object.values(mirror.document.responders).some(isDeclared)
  }

  note(request, response) {
    const [name] = request.path.split('?')
    const isOwn = request.method === 'GET' || [
      'commands/validate',
      'commands/search',
      'rules/check',
      'keys/resolve',
    ].includes(name)
    if (isOwn && response.ok) return
    this.drawer.events.note({
      kind: response.ok ? 'request' : 'refused',
      name: `${response.status}`,
      text: `${request.method} /${request.path} ${request.body ?? ''}`,
      request,
    })
  }

  /** Says something for a few seconds. */
  notice(title, detail, kind = '') {
    const notice = h('div.notice', { class: kind }, h('b', {}, title), detail && h('span', {}, detail))
    const notices = place('notices')
    notices.append(notice)
    while (notices.children.length > 3) notices.firstChild.remove()
    setTimeout(() => notice.remove(), kind === 'bad' ? 9000 : 5000)
  }

  // The page.

  renderAll() {
    this.renderChrome()
    for (const part of [this.menubar, this.toolbar, this.graph, this.inspector, this.drawer]) part.render()
    this.attempt(() => this.touchbar.render())
    this.look(this.view)
  }

  /** Shows one of the views that a narrow window has room for. */
  look(view) {
    this.view = view
    document.body.dataset.view = view
    const names = { graph: 'Responders', inspector: 'Inspector', drawer: 'Panels' }
    show(place('views'), Object.entries(names).map(([name, title]) => h('button', {
      type: 'button', role: 'tab', 'aria-selected': String(name === view), 'aria-controls': name, 'data-key': `view ${name}`, onclick: () => this.look(name),
    }, title)))
  }

  renderChrome() {
    const { mirror, session } = this
    const state = !mirror ? 'none' : mirror.isClosed ? 'closed' : mirror.isConnected ? 'live' : 'broken'
    const words = { none: 'no session', closed: 'closed', live: 'live', broken: 'connecting again' }
    const names = [...new Set([...this.sessions.map((one) => one.session), ...(session ? [session.id] : [])])]
    show(place('chrome'),
      h('div.brand', {}, h('img', { src: 'icon.svg', alt: '', width: 22, height: 22 }), h('span', {}, 'menud')),
      h('label.session', {}, h('span.away', {}, 'Session'), h('select', {
        'data-key': 'session',
        onchange: (event) => this.join(event.target.value),
      },
        names.length ? names.map((name) => h('option',
          { value: name, selected: name === session?.id },
          name,
        )) : h('option', {}, 'none'))),
      h('button.quiet',
        {
          type: 'button',
          'data-key': 'open',
          'aria-label': 'Open a session',
          title: 'Open a session',
          onclick: () => this.openSession(),
        },
        '+',
      ),
      h('span.status', { class: state },
        h('i'),
        words[state],
        mirror && h('span.revision', {}, `revision ${mirror.revision}`),
      ),
      h('span.gap'),
      h('button.find',
        { type: 'button', 'data-key': 'find', onclick: () => this.palette.open() },
        'Find a command',
        h('kbd', {}, '⌘K'),
      ),
      session && curlButton(this, { path: session.path('menu') }, 'the menu'),
      h('button.quiet',
        {
          type: 'button',
          'data-key': 'theme',
          'aria-label': 'Light or dark',
          title: 'Light or dark',
          onclick: () => { setTheme(isDark() ? 'light' : 'dark') },
        },
        '◐',
      ))
    document.title = session ? `${session.id} · menud` : 'menud'
  }
}

const isDark = () => getComputedStyle(document.documentElement).colorScheme === 'dark'

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme
  if (theme) localStorage.setItem('menud.theme', theme)
}

new Console().start()
