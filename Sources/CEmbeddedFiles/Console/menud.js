// menud.js: a client of menud for browsers and Node 20, in one module without dependencies.
//
//   const client = new Client('http://localhost:8080')
//   const session = client.session('demo')
//   const mirror = await session.follow({ document: true, menu: true })
//   await session.perform('applyFiveStarRating:')
//
// In reading order: JSON to the byte, the changes of a mirror, requests, sessions, mirrors, streams, deliveries, keys.
// Its types are in menud.d.ts.

// MARK: JSON to the byte

/** A number whose text JavaScript would write differently: 5.0, or an integer beyond 2^53. */
export class Numeral {
  constructor(text) { this.text = text }
  valueOf() { return Number(this.text) }
  toJSON() { return Number(this.text) }
  toString() { return this.text }
}

/**
 * Reads JSON so that `write` gives the same bytes: objects are maps, which keep the order of their members,
 * and numbers that would lose their text are numerals.
 */
export function parse(text) {
  let at = 0
  const number = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y
  const words = { t: ['true', true], f: ['false', false], n: ['null', null] }

  const fail = () => { throw new SyntaxError(`This is not JSON at ${at}.`) }
  const skip = () => { while (' \t\n\r'.includes(text[at]) && at < text.length) at += 1 }
  const take = (character) => {
    skip()
    if (text[at] !== character) return false
    at += 1
    return true
  }

  function string() {
    const start = at
    at += 1
    while (true) {
      const end = text.indexOf('"', at)
      if (end < 0) fail()
      let backslashes = 0
      while (text[end - 1 - backslashes] === '\\') backslashes += 1
      at = end + 1
      if (backslashes % 2) continue
      const quoted = text.slice(start, at)
      return quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1)
    }
  }

  function value() {
    skip()
    const first = text[at]
    if (first === '"') return string()
    if (take('{')) return object()
    if (take('[')) return array()
    if (first in words && text.startsWith(words[first][0], at)) {
      at += words[first][0].length
      return words[first][1]
    }
    number.lastIndex = at
    const source = number.exec(text)?.[0] ?? fail()
    at += source.length
    return String(Number(source)) === source ? Number(source) : new Numeral(source)
  }

  function object() {
    const members = new Map()
    if (take('}')) return members
    do {
      skip()
      const name = text[at] === '"' ? string() : fail()
      if (!take(':')) fail()
      members.set(name, value())
    } while (take(','))
    return take('}') ? members : fail()
  }

  function array() {
    const elements = []
    if (take(']')) return elements
    do elements.push(value()); while (take(','))
    return take(']') ? elements : fail()
  }

  const whole = value()
  skip()
  return at === text.length ? whole : fail()
}

/** Writes JSON as menud does, whether its objects are maps or plain. */
export function write(value) {
  if (value instanceof Numeral) return value.text
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = value instanceof Map ? [...value] : Object.entries(value)
  const told = members.filter(([, value]) => value !== undefined)
  return `{${told.map(([name, value]) => `${quoted(name)}:${write(value)}`).join(',')}}`
}

// menud has no short escape for these two.
const quoted = (text) => JSON.stringify(text).replace(/\\(?:[bf]|u.{4}|.)/g, (escape) =>
  escape === '\\b' ? '\\u0008' : escape === '\\f' ? '\\u000c' : escape)

/** The same value with plain objects and numbers. Members with names like 7 lose their place. */
export function plain(value) {
  if (value instanceof Numeral) return Number(value.text)
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value, ([name, member]) => [name, plain(member)]))
  }
  return Array.isArray(value) ? value.map(plain) : value
}

const clone = (value) =>
  value instanceof Map ? new Map(Array.from(value, ([name, member]) => [name, clone(member)]))
    : Array.isArray(value) ? value.map(clone) : value

// MARK: The changes of a mirror

const tokens = (pointer) =>
  pointer.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const child = (value, token) =>
  value instanceof Map ? value.get(token) : Array.isArray(value) ? value[Number(token)] : undefined

const at = (value, place) => place.reduce(child, value)

/** Sets a member at a position among the others; behind them without one. */
function insert(object, name, value, position) {
  if (position === undefined) return object.set(name, value)
  object.delete(name)
  const behind = [...object].slice(position)
  for (const [other] of behind) object.delete(other)
  object.set(name, value)
  for (const [other, member] of behind) object.set(other, member)
  return object
}

/**
 * Makes an operation of a JSON Patch on an exact value, in place, and returns the value, which is another one
 * when the operation is on the whole. A member that is added stands at `position`, if there is one.
 */
export function edit(root, operation, prefix = []) {
  const place = [...prefix, ...tokens(operation.get('path'))]
  const from = operation.has('from') ? [...prefix, ...tokens(operation.get('from'))] : []
  switch (operation.get('op')) {
    case 'add': return add(root, place, operation.get('value'), operation.get('position'))
    case 'replace': return replace(root, place, operation.get('value'))
    case 'remove': return remove(root, place)
    case 'copy': return add(root, place, clone(at(root, from)))
    case 'move': {
      const moved = at(root, from)
      return add(remove(root, from), place, moved)
    }
    default: return root
  }
}

function add(root, place, value, position) {
  if (!place.length) return value
  const name = place.at(-1)
  const holder = at(root, place.slice(0, -1))
  if (holder instanceof Map) insert(holder, name, value, position)
  else holder.splice(name === '-' ? holder.length : Number(name), 0, value)
  return root
}

function replace(root, place, value) {
  if (!place.length) return value
  const holder = at(root, place.slice(0, -1))
  if (holder instanceof Map) holder.set(place.at(-1), value)
  else holder[Number(place.at(-1))] = value
  return root
}

function remove(root, place) {
  if (!place.length) return null
  const holder = at(root, place.slice(0, -1))
  if (holder instanceof Map) holder.delete(place.at(-1))
  else holder.splice(Number(place.at(-1)), 1)
  return root
}

/** Merges a JSON Merge Patch (RFC 7396) into an exact value, and returns it. */
export function merge(target, patch) {
  if (!(patch instanceof Map)) return patch
  const object = target instanceof Map ? target : new Map()
  for (const [name, value] of patch) {
    if (value === null) object.delete(name)
    else object.set(name, merge(object.get(name), value))
  }
  return object
}

/** Applies a change, as answers and events tell it, to a session's exact document, and returns that. */
export function apply(document, change) {
  const responder = change.get('responder')
  const host = document.get('responders')?.get(responder)
  const selector = change.get('selector')
  const value = change.get('value')
  switch (change.get('change')) {
    case 'state': return edit(document, change, ['state'])
    case 'mergedState':
      return document.set('state', merge(document.get('state'), change.get('patch')))
    case 'firstResponder': return document.set('firstResponder', responder)
    case 'keyWindow': case 'mainWindow': case 'modalWindow':
      return document.set(change.get('change'), change.get('window'))
    case 'responder':
      document.get('responders').set(responder, value)
      break
    case 'responderRemoved':
      document.get('responders').delete(responder)
      break
    case 'properties':
      host?.set('properties', merge(host.get('properties'), change.get('patch')))
      break
    case 'handler':
      host?.get('handlers').set(selector, value)
      if (host) sort(host.get('handlers'))
      break
    case 'handlerRemoved':
      host?.get('handlers').delete(selector)
      break
    case 'keyCommands':
      setKeyCommands(host, value)
      break
    case 'registration': {
      const tokens = document.get('registrations')?.get(responder)
      for (const [object, member] of [
        [host?.get('coordinator')?.get('handlers'), value], [tokens, change.get('token')],
      ]) {
        object?.delete(selector)
        object?.set(selector, member)
      }
      break
    }
    case 'registrationRemoved': {
      // The selector may have got another token by now.
      const tokens = document.get('registrations')?.get(responder)
      if (tokens?.get(selector) !== change.get('token')) break
      host?.get('coordinator')?.get('handlers')?.delete(selector)
      tokens.delete(selector)
      break
    }
    case 'messageQueue': {
      const waiting = (document.get('messages') ?? []).slice(change.get('removed') ?? 0)
      return document.set('messages', [...waiting, ...(change.get('added') ?? [])])
    }
    case 'delivery': return document.set('deliveries', [...(document.get('deliveries') ?? []), value])
    case 'deliveryState': {
      const delivery = document.get('deliveries')?.find((one) => one.get('id') === change.get('delivery'))
      for (const [name, member] of value) delivery?.set(name, member)
      return document
    }
    case 'deliveryForgotten':
      return document.set(
        'deliveries',
        (document.get('deliveries') ?? []).filter((one) => one.get('id') !== change.get('delivery')),
      )
    // An operation on the document, whatever it is called; the others say why it is changed.
    default: return change.has('op') ? edit(document, change) : document
  }
  return document
}

function sort(object) {
  const members = [...object].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  object.clear()
  for (const [name, member] of members) object.set(name, member)
}

/** Key commands stand behind the handlers; none are no member. */
function setKeyCommands(responder, value) {
  if (!responder) return
  responder.delete('keyCommands')
  if (!value.length) return
  insert(responder, 'keyCommands', value, [...responder.keys()].indexOf('handlers') + 1)
}

// MARK: Requests

/** A request that was refused (RFC 9457). `reason` says why an item cannot be performed. */
export class Problem extends Error {
  constructor(status, document) {
    super(document.detail ?? document.title ?? `The answer was ${status}.`)
    this.name = 'Problem'
    this.status = status
    this.document = document
    this.type = document.type
    this.title = document.title
    this.reason = document.reason
    this.pointer = document.pointer
    this.errors = document.errors ?? []
  }
}

const delay = (time, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, time)
  signal?.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason) }, { once: true })
})

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const isPassing = (status) => [429, 502, 503, 504].includes(status)

/** A menud server, and the token with which it is asked. */
export class Client {
  constructor(url, { token, fetch = globalThis.fetch, attempts = 6 } = {}) {
    this.url = String(url).replace(/\/*$/, '/')
    this.token = token
    this.attempts = attempts
    this.send = (...request) => fetch(...request)
    this.observers = new Set()
    // The streams of its mirrors and of those of the sessions that it opened, by the parts that they tell.
    this.streams = new Map()
  }

  /**
   * Sends a request and returns its answer. What changes something has an idempotency key, so that it can be
   * sent again when its connection breaks, and is done once.
   *
   * Throws `Problem` when it is refused.
   */
  async request(method, path, { query, body, type = 'application/json', headers, key, signal, isQuestion } = {}) {
    const changes = method !== 'GET' && !isQuestion
    const sent = { ...headers }
    if (changes) sent['Idempotency-Key'] = `"${key ?? newKey()}"`
    if (body !== undefined) sent['Content-Type'] = type
    const request = { method, path: this.path(path, query), body: body === undefined ? undefined : write(body), type }
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= this.attempts
      try {
        const response = await this.fetch(request.path, { method, body: request.body, headers: sent, signal })
        const text = await response.text()
        this.tell(request, response, text)
        if (response.ok || response.status === 304) return new Answer(response, text)
        if (isLast || !isPassing(response.status)) throw new Problem(response.status, problem(response, text))
        await delay(1000 * Number(response.headers.get('Retry-After') ?? 0) || 100 * 2 ** attempt, signal)
      } catch (error) {
        if (error instanceof Problem || signal?.aborted || isLast) throw error
        await delay(100 * 2 ** attempt, signal)
      }
    }
  }

  /** `fetch` on this server, with the token. */
  fetch(path, { headers, ...options } = {}) {
    const authorization = this.token ? { Authorization: `Bearer ${this.token}` } : {}
    return this.send(this.url + path, { ...options, headers: { ...authorization, ...headers }, cache: 'no-store' })
  }

  /** A path below the server's, each of its parts escaped, and a query without what is undefined. */
  path(parts, query = {}) {
    const path = [parts].flat().map((part) => encodeURIComponent(part).replaceAll('%3A', ':')).join('/')
    const told = Object.entries(query).filter(
      ([, value]) => value !== undefined && value !== false && `${value}` !== '',
    )
    const text = told.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
    return text ? `${path}?${text}` : path
  }

  tell(request, response, text) {
    for (const observe of this.observers) observe(request, response, text)
  }

  get(path, query, options) { return this.request('GET', path, { query, ...options }) }
  async ask(path, body, options) { return (await this.request('POST', path, { body, isQuestion: true, ...options })).body }

  /** A session that is open. */
  session(id, options) { return new Session(this, id, options) }

  /** Opens a session. Where tokens are asked for, it is asked with a token of its own from then on. */
  async open(opening = {}) {
    const { body } = await this.request('POST', ['sessions'], { body: opening })
    const client = body.token ? new Client(
      this.url,
      { token: body.token, fetch: this.send, attempts: this.attempts },
    ) : this
    client.streams = this.streams
    return new Session(client, body.session)
  }

  /** Opens a session, or joins it when it is open already. */
  async join(id, opening = {}) {
    try {
      return await this.open({ ...opening, id })
    } catch (error) {
      if (error.type !== '/problems/session-exists') throw error
      return this.session(id)
    }
  }

  async sessions() { return (await this.get(['sessions'])).body.sessions }
  async commands() { return (await this.get(['commands'])).body.commands }
  async classes() { return (await this.get(['classes'])).body.classes }
  checkRule(rule, variables, options) { return this.ask(['rules', 'check'], { rule, variables, options }) }
}

function problem(response, text) {
  try {
    return JSON.parse(text)
  } catch {
    return { title: response.statusText, status: response.status }
  }
}

/** An answer: its text, and what it says. */
export class Answer {
  #body
  constructor(response, text) {
    this.status = response.status
    this.headers = response.headers
    this.text = text
  }
  get body() { return (this.#body ??= this.text ? JSON.parse(this.text) : null) }
  get exact() { return parse(this.text) }
}

// MARK: Sessions

/** A session: questions about it, and changes of it. */
export class Session {
  constructor(client, id) {
    this.client = client
    this.id = id
  }

  path(...parts) { return ['sessions', this.id, ...parts] }
  async read(parts, query) { return (await this.client.get(this.path(...[parts].flat()), query)).body }
  async change(method, parts, body, { dryRun, explain, ...options } = {}) {
    const query = { dryRun, explain }
    return (await this.client.request(method, this.path(...[parts].flat()), { query, body, ...options })).body
  }

  // Questions.

  document() { return this.read([]) }
  menu(options) { return this.read('menu', { ...options, modifiers: options?.modifiers?.join() }) }
  chain(options) { return this.read('chain', options) }
  undoManagers() { return this.read('undo') }
  touchBar(options) { return this.read('touch-bar', options) }
  userActivity(options) { return this.read('user-activity', options) }
  diagnostics() { return this.read('diagnostics') }
  messages() { return this.read('messages') }
  async keyConflicts() { return (await this.client.get(['keys', 'conflicts'], { session: this.id })).body.conflicts }
  async validate(commands, options) {
    return (await this.client.ask(['commands', 'validate'], { session: this.id, commands, ...options })).items
  }
  target(action, options) { return this.client.ask(['targets', 'resolve'], { session: this.id, action, ...options }) }
  resolve(key, options) { return this.client.ask(['keys', 'resolve'], { session: this.id, key, ...options }) }
  async search(query, options) {
    return (await this.client.ask(['commands', 'search'], { session: this.id, query, ...options })).items
  }

  // Changes.

  async perform(command, options) {
    return this.#post(['commands', 'perform'], { command }, options)
  }
  async send(action, options) { return this.#post(['commands', 'perform'], { action }, options) }
  async #post(path, body, { key, signal, ...options } = {}) {
    const whole = { session: this.id, ...body, ...options }
    return (await this.client.request('POST', path, { body: whole, key, signal })).body
  }

  /**
   * Presses a key: a browser's event, or `{input, modifiers}`. A key that can be read in several ways, such as
   * shift and =, is tried in the order of `keysOf`. Returns undefined if it means nothing here.
   */
  async press(event, { layout, isMac, ...options } = {}) {
    const keys = 'input' in event ? [event] : keysOf(event, { layout, isMac })
    for (const key of keys) {
      try {
        return await this.#post(['keys', 'press'], { key }, options)
      } catch (error) {
        if (error.reason !== 'noMatch') throw error
      }
    }
  }

  focus(responder, options) { return this.change('PUT', 'first-responder', { responder }, options) }

  /** Changes the state by a JSON Patch, which is an array, or else by a JSON Merge Patch. */
  patch(patch, options) {
    const type = Array.isArray(patch) ? 'application/json-patch+json' : 'application/merge-patch+json'
    return this.change('PATCH', 'state', patch, { type, ...options })
  }

  /** Makes mutations, all or none. */
  mutate(mutations, options) { return this.change('POST', 'mutations', { mutations }, options) }
  undo(options) { return this.change('POST', 'undo', {}, options) }
  redo(options) { return this.change('POST', 'redo', {}, options) }
  close(options) { return this.change('DELETE', [], undefined, options) }

  /** Follows the session: a mirror that holds what is asked for, once it holds it. */
  async follow(what = {}) {
    const mirror = new Mirror(this, what)
    await mirror.begun
    return mirror
  }

  deliveries(options) { return new Deliveries(this, options) }
}

// MARK: Mirrors

/**
 * A copy of a session that follows it by events: what GET answers, to the byte. Its events are `reset`, `change`,
 * `closed` with a `reason`, and `connection`, when it breaks or is there again.
 */
export class Mirror extends EventTarget {
  #stream
  #listener
  #begin
  #plain = {}

  constructor(session, what) {
    super()
    this.session = session
    this.what = what
    this.exact = { document: undefined, menu: undefined, items: new Map() }
    this.isConnected = false
    this.isClosed = false
    this.begun = new Promise((resolve, reject) => { this.#begin = { resolve, reject } })
    this.begun.catch(() => {})
    this.#listener = {
      session,
      what,
      take: (event, told) => this.#take(event, told),
      connected: (isConnected) => this.#connected(isConnected),
      end: (reason, error) => this.#end(reason, error),
    }
    this.#stream = Stream.for(this.#listener)
    this.#stream.join(this.#listener)
  }

  // What it holds. The texts are those of GET, to the byte.

  get document() { return this.#plainly('document') }
  get menu() { return this.#plainly('menu') }
  get state() { return this.document?.state }
  get documentText() { return write(this.exact.document) }
  get menuText() { return write(this.exact.menu) }
  item(command) { return plain(this.exact.items.get(command)) }
  get items() { return Array.from(this.exact.items.values(), plain) }

  /** Resolves once it holds a revision, such as that of an answer. */
  async reaches(revision) {
    while (!(this.revision >= revision) && !this.isClosed) {
      await new Promise((resolve) => this.addEventListener('told', resolve, { once: true }))
    }
  }

  /** Stops following. */
  close() {
    this.isClosed = true
    this.#stream.leave(this.#listener)
    this.#stream.turn()
  }

  #plainly(name) { return (this.#plain[name] ??= plain(this.exact[name])) }

  #take(event, told) {
    if (event === 'reset') this.#reset(told)
    if (event === 'change') this.#change(told)
    if (event === 'closed' && told.get('reason') !== 'draining') this.#end(told.get('reason'))
  }

  #reset(told) {
    this.revision = told.get('revision')
    this.catalogRevision = told.get('catalogRevision')
    this.exact = { document: told.get('document'), menu: told.get('menu'), items: new Map() }
    this.#plain = {}
    this.#takeItems(told.get('items'))
    this.#begin.resolve()
    this.#dispatch('reset', told)
  }

  #change(told) {
    const { exact } = this
    for (const change of told.get('changes') ?? []) exact.document = apply(exact.document, change)
    exact.document?.set('revision', told.get('revision'))
    if (told.has('menu')) exact.menu = told.get('menu')
    for (const operation of told.get('menuEdits') ?? []) exact.menu = edit(exact.menu, operation)
    this.#plain = { menu: told.has('menu') || told.has('menuEdits') ? undefined : this.#plain.menu }
    this.#takeItems(told.get('items'))
    this.revision = told.get('revision')
    this.catalogRevision = told.get('catalogRevision')
    this.#dispatch('change', told)
  }

  #takeItems(items) {
    for (const item of items ?? []) this.exact.items.set(item.get('command'), item)
  }

  #connected(isConnected) {
    // Whoever holds nothing yet is not there, although others on its stream are.
    if (this.isConnected === isConnected || (isConnected && this.revision === undefined)) return
    this.isConnected = isConnected
    this.#dispatch('connection')
  }

  #end(reason, error) {
    this.isClosed = true
    this.reason = reason
    this.#stream.leave(this.#listener)
    this.#begin.reject(error ?? new Problem(404, { detail: `The session '${this.session.id}' is closed.` }))
    this.#connected(false)
    this.#dispatch('closed')
  }

  #dispatch(name, told) {
    const event = new Event(name)
    event.told = told && plain(told)
    event.reason = this.reason
    this.dispatchEvent(event)
    if (name !== 'connection') this.dispatchEvent(new Event('told'))
  }
}

// MARK: Streams

/** The most sessions on a stream; menud has the same limit by default (events.sessions). */
const mostOnStream = 16

/**
 * The events of several sessions over one connection, since browsers open six to a server at most. Whoever listens
 * on it asks for the same parts of another session.
 */
class Stream {
  #listeners = new Set()
  /** The names of the sessions that the last id tells of: whoever begins must not go on from there. */
  #told = new Set()
  #streams
  #turn = new AbortController()
  #isRunning = false
  #lastID
  #retry = 2000

  /** The stream that a listener is to join: one that tells the same parts and has room, else a new one. */
  static for({ session, what }) {
    const { streams } = session.client
    const parts = JSON.stringify(what)
    if (!streams.has(parts)) streams.set(parts, new Set())
    const alike = streams.get(parts)
    const isFree = (stream) => stream.#listeners.size < mostOnStream && !stream.#told.has(session.id)
    return [...alike].find(isFree) ?? new Stream(alike)
  }

  constructor(streams) { this.#streams = streams }

  join(listener) {
    this.#listeners.add(listener)
    this.#told.add(listener.session.id)
    this.#streams.add(this)
    this.turn()
    if (!this.#isRunning) this.#run()
  }

  leave(listener) {
    this.#listeners.delete(listener)
    if (this.#listeners.size) return
    this.#streams.delete(this)
    this.turn()
  }

  /** Connects anew for those who listen now, and goes on where it is; not at all for nobody. */
  turn() { this.#turn.abort() }

  async #run() {
    this.#isRunning = true
    while (true) {
      // Those who begin to listen at the same moment are on one connection.
      await undefined
      if (!this.#listeners.size) break
      const { signal } = (this.#turn = new AbortController())
      try {
        await this.#follow([...this.#listeners], signal)
      } catch (error) {
        if (!signal.aborted && error instanceof Problem && !isPassing(error.status)) await this.#refused(error)
      }
      if (signal.aborted) continue
      for (const listener of this.#listeners) listener.connected(false)
      await delay(this.#retry * (0.5 + Math.random()), signal).catch(() => {})
    }
    this.#isRunning = false
  }

  async #follow(listeners, signal) {
    const connection = new AbortController()
    const stop = () => connection.abort()
    signal.addEventListener('abort', stop, { once: true })
    const [{ what, session: { client } }] = listeners
    // The service shows every 15 seconds that it is there, unless it is configured otherwise.
    let timer
    const isAlive = () => { clearTimeout(timer); timer = setTimeout(stop, 1000 * (what.silence ?? 45)) }
    try {
      isAlive()
      const path = await this.#path(listeners, connection.signal)
      const headers = { Accept: 'text/event-stream', ...(this.#lastID && { 'Last-Event-ID': this.#lastID }) }
      const response = await client.fetch(path, { headers, signal: connection.signal })
      if (response.status === 204) return listeners.forEach((listener) => listener.end('sessionClosed'))
      if (!response.ok) throw new Problem(response.status, problem(response, await response.text()))
      // A stream that goes on says nothing of sessions that are not there any more.
      if (this.#lastID && listeners.length > 1) this.#endMissing()
      // Whoever misses nothing is told nothing.
      this.#connected()
      for await (const event of eventsOf(response.body, isAlive)) {
        if (event.retry) this.#retry = event.retry
        if (event.data) this.#tell(event)
        if (event.id) this.#lastID = event.id
        this.#connected()
        if (signal.aborted) return
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      stop()
    }
  }

  /** The path of the events. Sessions that are asked with different tokens show a ticket each. */
  async #path(listeners, signal) {
    const [{ what, session: { client } }] = listeners
    const { document, menu, kind, commands, modifiers, from } = what
    const isOneToken = listeners.every(({ session }) => session.client.token === client.token)
    const tickets = isOneToken ? [] : await Promise.all(
      listeners.map(async ({ session }) =>
        (await session.client.request('POST', session.path('tickets'), { isQuestion: true, signal })).body.ticket),
    )
    return client.path('events', {
      sessions: listeners.map(({ session }) => session.id).join(), ticket: tickets.join(),
      document, menu: menu === true ? 'root' : menu, kind, commands: commands?.join(), modifiers: modifiers?.join(), from,
    })
  }

  #tell({ event, data }) {
    const told = parse(data)
    const listener = [...this.#listeners].find(({ session }) => session.id === told.get('session'))
    try {
      listener?.take(event, told)
    } catch (error) {
      // What cannot be applied is asked for anew.
      this.#lastID = undefined
      throw error
    }
  }

  #connected() { for (const listener of this.#listeners) listener.connected(true) }

  /** Ends those for whom the stream is refused: one because of its session, all because of what they ask for. */
  async #refused(error) {
    if (this.#listeners.size > 1 && [401, 403, 404].includes(error.status)) return this.#endMissing()
    for (const listener of this.#listeners) listener.end(error.message, error)
  }

  /** Ends those whose sessions are not there. */
  async #endMissing() {
    await Promise.all(Array.from(this.#listeners, (listener) => listener.session.chain().catch((error) => {
      if (!(error instanceof Problem) || isPassing(error.status)) return
      listener.end(error.status === 404 ? 'sessionClosed' : error.message, error)
    })))
  }
}

/** The events of a stream of Server-Sent Events (HTML, 9.2). */
async function* eventsOf(stream, isAlive) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let event = {}
  while (true) {
    const { value, done } = await reader.read()
    if (done) return
    isAlive()
    const lines = (rest + value).split('\n')
    rest = lines.pop()
    for (const line of lines.map((line) => line.replace(/\r$/, ''))) {
      if (line === '') {
        if (event.id || event.data || event.retry) yield event
        event = {}
        continue
      }
      const [, name, text] = /^([^:]*):? ?([^]*)$/.exec(line)
      if (name === 'data') event.data = event.data === undefined ? text : `${event.data}\n${text}`
      else if (name === 'retry') event.retry = Number(text)
      else if (name) event[name] = text
    }
  }
}

// MARK: Deliveries

/** What handlers of a session gave to the application to do: claimed, worked on, and settled once. */
export class Deliveries {
  /** `by` is a name that others see; `commands` are those whose deliveries are claimed, by default all. */
  constructor(session, { by, commands } = {}) {
    this.session = session
    this.by = by
    this.commands = commands
  }

  async list(options) { return (await this.session.read('deliveries', options)).deliveries }
  async get(id) { return (await this.session.read(['deliveries', String(id)])).delivery }

  /** Claims the first that is open; undefined if there is none for so many seconds. */
  async next({ wait = 0, signal } = {}) {
    const headers = wait ? { Prefer: `wait=${wait}` } : undefined
    const body = { by: this.by, commands: this.commands }
    return (await this.session.change('POST', ['deliveries', 'claim'], body, { headers, signal }))?.delivery
  }

  claim(id, options) { return this.#change(id, 'claim', { by: this.by }, options) }
  renew(delivery, options) { return this.#change(delivery.id, 'renew', { claim: delivery.claim.number }, options) }
  reply(delivery, { result, mutations } = {}, options) {
    return this.#change(delivery.id, 'reply', { claim: delivery.claim.number, result, mutations }, options)
  }
  fail(delivery, problem, options) {
    return this.#change(delivery.id, 'fail', { claim: delivery.claim.number, problem }, options)
  }
  cancel(id, options) { return this.#change(id, 'cancel', {}, options) }

  /**
   * Works until it is aborted: claims one delivery after the other, calls `handle`, which returns
   * `{result, mutations}` or nothing, and settles it; with a problem if `handle` throws. The claim is renewed
   * meanwhile.
   */
  async work(handle, { signal, wait = 20 } = {}) {
    while (!signal?.aborted) {
      try {
        const delivery = await this.next({ wait, signal })
        if (delivery) await this.#settle(delivery, handle)
      } catch (error) {
        if (signal?.aborted) return
        throw error
      }
    }
  }

  async #settle(delivery, handle) {
    const time = Math.max(1000, (Date.parse(delivery.claim.until) - Date.now()) / 3)
    const timer = setInterval(() => this.renew(delivery).catch(() => clearInterval(timer)), time)
    try {
      const answer = await handle(delivery)
      await this.reply(delivery, answer ?? {})
    } catch (error) {
      // It was settled or claimed by somebody else.
      if (error instanceof Problem && error.status === 409) return
      await this.fail(delivery, { title: error.message }).catch(() => {})
    } finally {
      clearInterval(timer)
    }
  }

  async #change(id, word, body, options) {
    return (await this.session.change('POST', ['deliveries', String(id), word], body, options)).delivery
  }
}

// MARK: Keys

const namedKeys = {
  ArrowUp: ['UIKeyInputUpArrow'], ArrowDown: ['UIKeyInputDownArrow'],
  ArrowLeft: ['UIKeyInputLeftArrow'], ArrowRight: ['UIKeyInputRightArrow'],
  Escape: ['UIKeyInputEscape'], PageUp: ['UIKeyInputPageUp'], PageDown: ['UIKeyInputPageDown'],
  Home: ['UIKeyInputHome'], End: ['UIKeyInputEnd'],
  // What Macs call delete is backspace elsewhere.
  Delete: ['UIKeyInputDelete'], Backspace: ['UIKeyInputDelete', '\b'],
  Enter: ['\r'], Tab: ['\t'], Spacebar: [' '],
}
for (let number = 1; number <= 12; number += 1) namedKeys[`F${number}`] = [`UIKeyInputF${number}`]

/** What keys would type on the layout of the United States, by their codes, where no layout is known. */
const usual = {
  Minus: '-', Equal: '=', BracketLeft: '[', BracketRight: ']', Backslash: '\\', Semicolon: ';', Quote: "'",
  Backquote: '`', Comma: ',', Period: '.', Slash: '/', Space: ' ',
}
const typedBy = (code) =>
  /^Key[A-Z]$/.test(code) ? code[3].toLowerCase() : /^(Digit|Numpad)\d$/.test(code) ? code.at(-1) : usual[code]

const runsOnMac = () => /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

/**
 * The keys that an event of a browser may mean, as UIKit names them, the likeliest first; none for a modifier
 * alone, a dead key, and what an input method takes.
 *
 * `key` decides where it is one letter of the layout; where modifiers changed it, or it is no letter that a
 * command could be declared with, the key's `code` and the layout do.
 */
export function keysOf(event, { layout, isMac = runsOnMac() } = {}) {
  const { key, code = '' } = event
  if (event.isComposing || key === 'Dead' || key === 'Process' || key === 'Unidentified') return []
  const modifiers = modifiersOf(event, isMac)
  const combination = (input, others = modifiers) => ({ input, modifiers: others })
  if (namedKeys[key]) return namedKeys[key].map((input) => combination(input))
  if ([...key].length !== 1) return []
  const bare = layout?.get?.(code) ?? typedBy(code)
  const isTyped = event.getModifierState?.('AltGraph')
  const isShortcut = ['command', 'control', 'alternate'].some((name) => modifiers.includes(name)) && !isTyped
  const keys = []
  // A modifier that composes, such as option on a Mac, or a script without Latin letters hides the key.
  const isHidden = isShortcut && bare && (modifiers.includes('alternate') || !/^[\u0020-\u007e\u00a0-\u024f]$/u.test(key))
  if (!isHidden) {
    const letter = key.toLowerCase()
    const isLetter = letter !== key.toUpperCase()
    keys.push(combination(isLetter ? letter : key))
    // Shift is a part of what types a sign: ? is declared with it and without.
    if (!isLetter && modifiers.includes('shift')) {
      keys.push(combination(key, modifiers.filter((name) => name !== 'shift')))
    }
  }
  if (bare && !keys.some(({ input }) => input === bare) && (isHidden || modifiers.includes('shift'))) {
    keys.push(combination(bare))
  }
  return keys
}

/** The modifiers that an event holds. Control is command where keyboards have no such key. */
export function modifiersOf(event, isMac = runsOnMac()) {
  const held = []
  const isTyping = event.getModifierState?.('AltGraph')
  if (isMac ? event.metaKey : event.ctrlKey && !isTyping) held.push('command')
  if (event.shiftKey) held.push('shift')
  if (event.altKey && !isTyping) held.push('alternate')
  if (isMac ? event.ctrlKey : event.metaKey) held.push('control')
  if (event.getModifierState?.('CapsLock')) held.push('alphaShift')
  if (event.code?.startsWith('Numpad')) held.push('numericPad')
  return held
}

const symbols = {
  UIKeyInputUpArrow: '↑', UIKeyInputDownArrow: '↓', UIKeyInputLeftArrow: '←', UIKeyInputRightArrow: '→',
  UIKeyInputEscape: '⎋', UIKeyInputPageUp: '⇞', UIKeyInputPageDown: '⇟', UIKeyInputHome: '↖', UIKeyInputEnd: '↘',
  UIKeyInputDelete: '⌫', '\b': '⌫', '\r': '↩', '\t': '⇥', ' ': '␣',
}

/** A key as menus show it: ⌥⇧⌘X. */
export function symbolsOf({ input, modifiers = [] }) {
  const marks = [['control', '⌃'], ['alternate', '⌥'], ['shift', '⇧'], ['command', '⌘']]
  const held = marks.filter(([name]) => modifiers.includes(name)).map(([, mark]) => mark).join('')
  return held + (symbols[input] ?? input.replace(/^UIKeyInput/, '').toUpperCase())
}

/** True if two keys are one: the case of a letter says nothing, caps lock and the numeric pad neither. */
export function isSameKey(a, b) {
  const decisive = ({ modifiers = [] }) =>
    ['command', 'shift', 'alternate', 'control'].filter((name) => modifiers.includes(name)).join()
  return a.input.toLowerCase() === b.input.toLowerCase() && decisive(a) === decisive(b)
}
