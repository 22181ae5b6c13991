// menud.js: a client of menud for browsers and Node 20, in one module without dependencies.
//
//   const client = new Client('http://localhost:8080')
//   const session = client.session('demo')
//   const mirror = await session.follow({ document: true, menu: true })
//   await session.perform('applyFiveStarRating:')
//
// In reading order: JSON to the byte, the changes of a mirror, requests, sessions, mirrors, streams, deliveries, keys,
// menus.
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

/**
 * The new value, but with the old one's parts where they are the same, so that what is equal is identical. A value
 * that is the same altogether is the old one.
 */
function keeping(old, value) {
  if (old === value) return old
  if (old instanceof Numeral && value instanceof Numeral) return old.text === value.text ? old : value
  if (old instanceof Map && value instanceof Map) {
    const names = old.keys()
    let isSame = old.size === value.size
    const kept = new Map(Array.from(value, ([name, member]) => {
      const part = keeping(old.get(name), member)
      isSame &&= names.next().value === name && part === old.get(name)
      return [name, part]
    }))
    return isSame ? old : kept
  }
  if (!Array.isArray(old) || !Array.isArray(value)) return value
  const kept = value.map((element, index) => keeping(old[index], element))
  return old.length === kept.length && kept.every((element, index) => element === old[index]) ? old : kept
}

const plains = new WeakMap()

/** The same value with plain objects and numbers, which is one and the same for one value. It is not to be changed. */
function shared(value) {
  if (value instanceof Numeral) return Number(value.text)
  if (value === null || typeof value !== 'object') return value
  if (!plains.has(value)) {
    plains.set(value, Array.isArray(value) ? value.map(shared)
      : Object.fromEntries(Array.from(value, ([name, member]) => [name, shared(member)])))
  }
  return plains.get(value)
}

// MARK: The changes of a mirror

const tokens = (pointer) =>
  pointer.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const child = (value, token) =>
  value instanceof Map ? value.get(token) : Array.isArray(value) ? value[Number(token)] : undefined

const at = (value, place) => place.reduce(child, value)

/**
 * Objects and arrays that one event has made, and may change. All others are copied before they are changed, so that
 * what did not change stays identical.
 */
class Draft {
  #own = new WeakSet()

  /** The value itself if it was made here, else a copy of it. */
  own(value) {
    if (this.#own.has(value)) return value
    const copy = value instanceof Map ? new Map(value) : [...value]
    this.#own.add(copy)
    return copy
  }

  /** The whole, in which the part at a place is what `change` makes of it; as it was if there is no such place. */
  change(whole, place, change) {
    if (!place.length) return change(whole)
    const [token, ...rest] = place
    const old = child(whole, token)
    if (old === undefined) return whole
    return this.set(whole, token, this.change(old, rest, change))
  }

  /** An object or an array with this member, or element, in its place. */
  set(holder, token, value) {
    if (child(holder, token) === value) return holder
    const changed = this.own(holder)
    if (changed instanceof Map) changed.set(token, value)
    else changed[Number(token)] = value
    return changed
  }

  delete(object, name) {
    if (!object?.has(name)) return object
    const changed = this.own(object)
    changed.delete(name)
    return changed
  }
}

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
 * Makes an operation of a JSON Patch on an exact value, and returns the new one, which has the parts of the old one that
 * did not change. A member that is added stands at `position`, if there is one.
 */
export function edit(root, operation, prefix = [], draft = new Draft()) {
  const place = [...prefix, ...tokens(operation.get('path'))]
  const from = operation.has('from') ? [...prefix, ...tokens(operation.get('from'))] : []
  switch (operation.get('op')) {
    case 'add': return add(root, place, operation.get('value'), draft, operation.get('position'))
    case 'replace':
      return place.length ? draft.change(root, place.slice(0, -1), (holder) => draft.set(holder, place.at(-1), operation.get('value')))
        : operation.get('value')
    case 'remove': return remove(root, place, draft)
    case 'copy': return add(root, place, at(root, from), draft)
    case 'move': {
      const moved = at(root, from)
      return add(remove(root, from, draft), place, moved, draft)
    }
    default: return root
  }
}

function add(root, place, value, draft, position) {
  if (!place.length) return value
  const name = place.at(-1)
  return draft.change(root, place.slice(0, -1), (holder) => {
    const changed = draft.own(holder)
    if (changed instanceof Map) insert(changed, name, value, position)
    else changed.splice(name === '-' ? changed.length : Number(name), 0, value)
    return changed
  })
}

function remove(root, place, draft) {
  if (!place.length) return null
  const name = place.at(-1)
  return draft.change(root, place.slice(0, -1), (holder) => {
    if (holder instanceof Map) return draft.delete(holder, name)
    const changed = draft.own(holder)
    changed.splice(Number(name), 1)
    return changed
  })
}

/** Makes the edits of a change to an exact menu, and returns the new one; what does not change stays identical. */
function editMenus(menu, edits) {
  const withChildren = (menu, change) => {
    const children = menu.get('children').map(change)
    return children.every((child, index) => child === menu.get('children')[index]) ? menu : new Map(menu).set('children', children)
  }
  const replace = (menu, name, value) => menu.get('identifier') === name ? keeping(menu, value)
    : withChildren(menu, (child) => child.has('command') ? child : replace(child, name, value))
  const place = (menu, told) => withChildren(menu, (child) => {
    if (!child.has('command')) return place(child, told)
    const item = told.get(menu.get('identifier'))?.get(child.get('command'))
    return item ? keeping(child, item) : child
  })
  // Items are placed all at once, up to a menu that is replaced.
  let told = new Map()
  const placed = () => told.size ? place(menu, told) : menu
  for (const edit of edits) {
    const name = edit.get('menu')
    if (edit.has('value')) {
      menu = replace(placed(), name, edit.get('value'))
      told = new Map()
    } else {
      const items = edit.get('items').map((item) => [item.get('command'), item])
      told.set(name, new Map([...(told.get(name) ?? []), ...items]))
    }
  }
  return placed()
}

/** Merges a JSON Merge Patch (RFC 7396) into an exact value, and returns the new one. */
export function merge(target, patch, draft = new Draft()) {
  if (!(patch instanceof Map)) return patch
  let object = target instanceof Map ? target : new Map()
  for (const [name, value] of patch) {
    object = value === null ? draft.delete(object, name)
      : draft.set(object, name, merge(object.get(name), value, draft))
  }
  return object
}

/**
 * Applies a change, as answers and events tell it, to a session's exact document, and returns the new one, which has the
 * parts of the old one that did not change.
 */
export function apply(document, change, draft = new Draft()) {
  const responder = change.get('responder')
  const selector = change.get('selector')
  const value = change.get('value')
  const changing = (place, make) => draft.change(document, place, make)
  const ofHost = (member, make) => changing(['responders', responder, member], make)
  const ofDeliveries = (make) => draft.set(document, 'deliveries', make(document.get('deliveries') ?? []))
  switch (change.get('change')) {
    case 'state': return edit(document, change, ['state'], draft)
    case 'mergedState': return changing(['state'], (state) => merge(state, change.get('patch'), draft))
    case 'firstResponder': return draft.set(document, 'firstResponder', responder)
    case 'keyWindow': case 'mainWindow': case 'modalWindow':
      return draft.set(document, change.get('change'), change.get('window'))
    case 'responder': return changing(['responders'], (all) => draft.set(all, responder, keeping(all.get(responder), value)))
    case 'responderRemoved': return changing(['responders'], (all) => draft.delete(all, responder))
    case 'properties':
      return changing(['responders', responder], (host) =>
        draft.set(host, 'properties', merge(host.get('properties'), change.get('patch'), draft)))
    case 'handler': return ofHost('handlers', (handlers) => sorted(draft.set(handlers, selector, value), draft))
    case 'handlerRemoved': return ofHost('handlers', (handlers) => draft.delete(handlers, selector))
    case 'keyCommands': return changing(['responders', responder], (host) => withKeyCommands(host, value, draft))
    case 'registration': return register(document, change, draft)
    case 'registrationRemoved': return deregister(document, change, draft)
    case 'messageQueue': {
      const waiting = (document.get('messages') ?? []).slice(change.get('removed') ?? 0)
      return draft.set(document, 'messages', [...waiting, ...(change.get('added') ?? [])])
    }
    case 'delivery': return ofDeliveries((all) => [...all, value])
    case 'deliveryState':
      return ofDeliveries((all) => all.map((one) =>
        one.get('id') === change.get('delivery') ? new Map([...one, ...value]) : one))
    case 'deliveryForgotten':
      return ofDeliveries((all) => all.filter((one) => one.get('id') !== change.get('delivery')))
    // An operation on the document, whatever it is called; the others say why it is changed.
    default: return change.has('op') ? edit(document, change, [], draft) : document
  }
}

/** The last registration stands behind the others. */
function register(document, change, draft) {
  const [host, selector] = [change.get('responder'), change.get('selector')]
  const placed = (member) => (object) => {
    const changed = draft.own(object)
    changed.delete(selector)
    return changed.set(selector, member)
  }
  const registered = draft.change(document, ['responders', host, 'coordinator', 'handlers'], placed(change.get('value')))
  return draft.change(registered, ['registrations', host], placed(change.get('token')))
}

function deregister(document, change, draft) {
  const [host, selector] = [change.get('responder'), change.get('selector')]
  // The selector may have got another token by now.
  if (at(document, ['registrations', host, selector]) !== change.get('token')) return document
  const without = (object) => draft.delete(object, selector)
  const removed = draft.change(document, ['responders', host, 'coordinator', 'handlers'], without)
  return draft.change(removed, ['registrations', host], without)
}

function sorted(object, draft) {
  const members = [...object].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const changed = draft.own(object)
  changed.clear()
  for (const [name, member] of members) changed.set(name, member)
  return changed
}

/** Key commands stand behind the handlers; none are no member. */
function withKeyCommands(host, value, draft) {
  const changed = draft.own(host)
  changed.delete('keyCommands')
  if (value.length) insert(changed, 'keyCommands', value, [...changed.keys()].indexOf('handlers') + 1)
  return changed
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

/** True if an error is an answer that will be the same next time. */
const isRefusal = (error) => error instanceof Problem && !isPassing(error.status)

/** Does something again and again, ever more slowly, for as long as nobody answers, or nobody can now. */
async function persistently(attempt, signal) {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (signal?.aborted || isRefusal(error)) throw error
      await delay(Math.min(30_000, 250 * 2 ** failures) * (0.5 + Math.random() / 2), signal)
    }
  }
}

/** How a request is sent, apart from what it says. */
const sending = ({ key, signal, headers, wait, ...said } = {}) => [{ key, signal, headers, wait }, said]

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
    // The last change of each session, which the next one waits for.
    this.turns = new Map()
  }

  /**
   * Sends a request and returns its answer. What changes something has an idempotency key, so that it can be
   * sent again when its connection breaks, and is done once. With `wait` the answer may come so many seconds later
   * (RFC 7240).
   *
   * Throws `Problem` when it is refused.
   */
  async request(method, path, { query, body, type = 'application/json', headers, key, signal, wait, isQuestion } = {}) {
    const changes = method !== 'GET' && !isQuestion
    const sent = { ...headers }
    if (wait) sent.Prefer = `wait=${wait}`
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
    client.turns = this.turns
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

  /** Sends a change, once the answer to the change before it is there: they are done in the order of the calls. */
  change(method, parts, body, { dryRun, explain, ...options } = {}) {
    const path = this.path(...[parts].flat())
    return this.#inTurn(options.signal, () => this.#send(method, path, body, { query: { dryRun, explain }, ...options }))
  }

  /** Does something once the changes of the session before it are answered. */
  async #inTurn(signal, make) {
    const { turns } = this.client
    const before = turns.get(this.id)
    const turn = (async () => {
      await before?.catch(() => {})
      signal?.throwIfAborted()
      return make()
    })()
    turns.set(this.id, turn)
    try {
      return await turn
    } finally {
      if (turns.get(this.id) === turn) turns.delete(this.id)
    }
  }

  async #send(method, path, body, options) {
    return (await this.client.request(method, path, { body, ...options })).body
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

  perform(command, options) { return this.#post(['commands', 'perform'], { command }, options) }
  send(action, options) { return this.#post(['commands', 'perform'], { action }, options) }

  /**
   * A message that can be sent. With `wait` its deliveries are waited for behind its turn: by the same request with the
   * same key, which is not done again.
   */
  #message(path, body, options) {
    const [{ wait, key = newKey(), ...how }, said] = sending(options)
    const whole = { session: this.id, ...body, ...said }
    const send = (wait) => this.#send('POST', path, whole, { ...how, key, wait })
    const isOpen = ({ state }) => state === 'open' || state === 'claimed'
    const isAwaited = (answer) => wait && !answer.dryRun && answer.deliveries?.some(isOpen)
    return { send, settled: (answer) => isAwaited(answer) ? send(wait) : answer }
  }

  async #post(path, body, options) {
    const message = this.#message(path, body, options)
    return message.settled(await this.#inTurn(options?.signal, () => message.send()))
  }

  /**
   * Presses a key: a browser's event, or `{input, modifiers}`. A key that can be read in several ways, such as
   * shift and =, is tried in the order of `keysOf`. Returns undefined if it does nothing here: it means nothing, or what
   * it means is disabled. `resolve` says why.
   */
  async press(event, { layout, isMac, key: name, ...options } = {}) {
    const keys = 'input' in event ? [event] : keysOf(event, { layout, isMac })
    const messages = keys.map((key, index) => this.#message(
      ['keys', 'press'], { key }, { ...options, key: name && (index ? `${name}.${index}` : name) },
    ))
    const [message, answer] = await this.#inTurn(options.signal, async () => {
      for (const message of messages) {
        try {
          return [message, await message.send()]
        } catch (error) {
          if (error.type !== '/problems/not-performed') throw error
        }
      }
      return []
    })
    return message?.settled(answer)
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
  #items

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

  get document() { return shared(this.exact.document) }
  get menu() { return shared(this.exact.menu) }
  get state() { return this.document?.state }
  get documentText() { return write(this.exact.document) }
  get menuText() { return write(this.exact.menu) }
  item(command) { return shared(this.exact.items.get(command)) }
  get items() { return (this.#items ??= Array.from(this.exact.items.values(), shared)) }

  /** Calls a function after each event, until the function that it returns is called: React's `useSyncExternalStore`. */
  subscribe = (listener) => {
    this.addEventListener('told', listener)
    this.addEventListener('connection', listener)
    return () => {
      this.removeEventListener('told', listener)
      this.removeEventListener('connection', listener)
    }
  }

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

  #take(event, told) {
    if (event === 'reset') this.#reset(told)
    if (event === 'change') this.#change(told)
    if (event === 'closed' && told.get('reason') !== 'draining') this.#end(told.get('reason'))
  }

  #reset(told) {
    this.revision = told.get('revision')
    this.catalogRevision = told.get('catalogRevision')
    const { exact } = this
    exact.document = keeping(exact.document, told.get('document'))
    exact.menu = keeping(exact.menu, told.get('menu'))
    const items = exact.items
    exact.items = new Map()
    this.#takeItems(told.get('items'), items)
    this.#begin.resolve()
    this.#dispatch('reset', told)
  }

  #change(told) {
    const { exact } = this
    const draft = new Draft()
    for (const change of told.get('changes') ?? []) exact.document = apply(exact.document, change, draft)
    if (exact.document) exact.document = draft.set(exact.document, 'revision', told.get('revision'))
    if (told.has('menu')) exact.menu = keeping(exact.menu, told.get('menu'))
    exact.menu = editMenus(exact.menu, told.get('menuEdits') ?? [])
    this.#takeItems(told.get('items'))
    this.revision = told.get('revision')
    this.catalogRevision = told.get('catalogRevision')
    this.#dispatch('change', told)
  }

  /** Takes the items that were told; those of `before` that are as they were are the same. */
  #takeItems(told, before = this.exact.items) {
    for (const item of told ?? []) {
      const command = item.get('command')
      this.exact.items.set(command, keeping(before.get(command), item))
      this.#items = undefined
    }
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
    const { session } = this
    const body = { by: this.by, commands: this.commands }
    const path = ['deliveries', 'claim']
    // Whoever waits has no turn, since all changes behind it would wait as well.
    const answer = wait ? (await session.client.request('POST', session.path(...path), { body, wait, signal })).body
      : await session.change('POST', path, body, { signal })
    return answer?.delivery
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
        const delivery = await persistently(() => this.next({ wait, signal }), signal)
        if (delivery) await this.#settle(delivery, handle, signal)
      } catch (error) {
        if (signal?.aborted) return
        throw error
      }
    }
  }

  async #settle(delivery, handle, signal) {
    const time = Math.max(1000, (Date.parse(delivery.claim.until) - Date.now()) / 3)
    const timer = setInterval(() => this.renew(delivery).catch((error) => {
      if (isRefusal(error)) clearInterval(timer)
    }), time)
    const settle = (word, said) => {
      const key = newKey()
      return persistently(() => this[word](delivery, said, { key }), signal)
    }
    try {
      const [word, said] = await Promise.resolve(delivery).then(handle)
        .then((answer) => ['reply', answer ?? {}], (error) => ['fail', { title: String(error?.message ?? error) }])
      await settle(word, said).catch((error) => {
        if (isRefusal(error) && error.status !== 409) return settle('fail', { title: error.message })
        throw error
      })
    } catch (error) {
      // It was settled or claimed by somebody else, or it is gone with its session.
      if (!isRefusal(error)) throw error
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
const names = {
  UIKeyInputUpArrow: 'Up', UIKeyInputDownArrow: 'Down', UIKeyInputLeftArrow: 'Left', UIKeyInputRightArrow: 'Right',
  UIKeyInputEscape: 'Esc', UIKeyInputPageUp: 'PgUp', UIKeyInputPageDown: 'PgDn', UIKeyInputHome: 'Home',
  UIKeyInputEnd: 'End', UIKeyInputDelete: 'Del', '\b': 'Backspace', '\r': 'Enter', '\t': 'Tab', ' ': 'Space',
}

/** A key as menus of the platform show it: ⌥⇧⌘X, and Ctrl+Alt+Shift+X on everything but Apple's. */
export function symbolsOf({ input, modifiers = [] }, { isMac = runsOnMac() } = {}) {
  const marks = isMac ? [['control', '⌃'], ['alternate', '⌥'], ['shift', '⇧'], ['command', '⌘']]
    : [['command', 'Ctrl'], ['control', 'Super'], ['alternate', 'Alt'], ['shift', 'Shift']]
  const held = marks.filter(([name]) => modifiers.includes(name)).map(([, mark]) => mark)
  const name = (isMac ? symbols : names)[input] ?? input.replace(/^UIKeyInput/, '').toUpperCase()
  return isMac ? [...held, name].join('') : [...held, name].join('+')
}

/** True if two keys are one: the case of a letter says nothing, caps lock and the numeric pad neither. */
export function isSameKey(a, b) {
  const decisive = ({ modifiers = [] }) =>
    ['command', 'shift', 'alternate', 'control'].filter((name) => modifiers.includes(name)).join()
  return a.input.toLowerCase() === b.input.toLowerCase() && decisive(a) === decisive(b)
}

// MARK: Menus

/** All items of a menu, in its order, with the titles of the menus around each. */
export function* itemsIn(menu, titles = []) {
  for (const child of menu?.children ?? []) {
    if ('children' in child) yield* itemsIn(child, child.title ? [...titles, child.title] : titles)
    else yield { item: child, titles }
  }
}

/** The item as it is while modifiers are held (M11): the alternate that takes the most of them, or itself. */
export function shown(item, held) {
  const matches = ({ alternate }) => alternate.modifiers.every((name) => held.includes(name))
  const found = (item.alternates ?? []).filter(matches)
  return found.sort((a, b) => b.alternate.modifiers.length - a.alternate.modifiers.length)[0] ?? item
}

/**
 * True if a command of the menu, a responder of the document or one of the classes declares a key, so that it is worth
 * pressing: all others are the browser's.
 */
export function claims(key, { menu, document, classes = [] }) {
  const isKey = (declared) => declared?.input !== undefined && isSameKey(declared, key)
  for (const { item } of itemsIn(menu)) {
    if ([item, ...(item.alternates ?? [])].some((one) => isKey(one.key))) return true
  }
  return [...Object.values(document?.responders ?? {}), ...classes].some(({ keyCommands }) => keyCommands?.some(isKey))
}
