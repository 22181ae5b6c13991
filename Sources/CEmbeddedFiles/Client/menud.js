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
 * Reads JSON so that `write` gives the same bytes: objects are maps, which keep the order of members, and numbers
 * that would lose their text are numerals.
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

/** Writes JSON as menud does; objects are maps or plain, or have `toJSON`. Other values are refused. */
export function write(value) {
  if (value instanceof Numeral || typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  if (typeof value?.toJSON === 'function') return write(value.toJSON())
  const isJSON = typeof value === 'number' ? Number.isFinite(value) : !['function', 'symbol'].includes(typeof value)
  if (!isJSON) throw new Problem(422, { detail: `JSON has no ${typeof value === 'number' ? value : typeof value}.` })
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = value instanceof Map ? [...value] : Object.entries(value)
  const told = members.filter(([, value]) => value !== undefined)
  return `{${told.map(([name, value]) => `${quoted(String(name))}:${write(value)}`).join(',')}}`
}

// menud has no short escapes for these two.
const quoted = (text) => JSON.stringify(text).replace(/\\(?:[bf]|u.{4}|.)/g, (escape) =>
  escape === '\\b' ? '\\u0008' : escape === '\\f' ? '\\u000c' : escape)

/**
 * Returns the value with plain objects and numbers. Members with names like 7 lose their place. With `isExact`, integers
 * beyond 2^53 stay numerals.
 */
export function plain(value, isExact = false) {
  if (value instanceof Numeral) return isExact && Math.abs(value) > Number.MAX_SAFE_INTEGER ? value : Number(value.text)
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value, ([name, member]) => [name, plain(member, isExact)]))
  }
  return Array.isArray(value) ? value.map((element) => plain(element, isExact)) : value
}

/**
 * Returns the new value with the identical parts of the old one, so that equal parts are identical. If everything
 * is equal, returns the old value.
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

/** Returns the value with plain objects and numbers, always the same object for one value. It must not be modified. */
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
 * The objects and arrays that one event has created, and may modify. All others are copied first, so that
 * unchanged parts stay identical.
 */
class Draft {
  #own = new WeakSet()

  /** Returns the value itself if it was created here, else a copy. */
  own(value) {
    if (this.#own.has(value)) return value
    const copy = value instanceof Map ? new Map(value) : [...value]
    this.#own.add(copy)
    return copy
  }

  /** Returns the whole with one part replaced by the result of `change`; unchanged if there is no such part. */
  change(whole, place, change) {
    if (!place.length) return change(whole)
    const [token, ...rest] = place
    const old = child(whole, token)
    if (old === undefined) return whole
    return this.set(whole, token, this.change(old, rest, change))
  }

  /** Returns an object or an array with a member or an element replaced. */
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

/** Sets a member at a position among the others; at the end without one. */
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
 * Applies an operation of a JSON Patch to an exact value, and returns the new value, which shares its unchanged
 * parts with the old one. An added member is placed at `position`, if there is one.
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

/** The name of an exact item among its menu's: its command, and its key if it is from data. */
const itemNameOf = (item) => JSON.stringify([item.get('command'), item.get('itemKey')])

/** Takes items from data out of a menu's children, and puts those that moved or came at their places. */
function rearrange(children, edit) {
  const [removed, moved, inserted] = ['removed', 'moved', 'inserted'].map((name) => edit.get(name) ?? [])
  if (!removed.length && !moved.length && !inserted.length) return children
  const taken = new Set([...removed, ...moved].map(itemNameOf))
  const items = new Map(children.filter((child) => taken.has(itemNameOf(child))).map((child) => [itemNameOf(child), child]))
  const rest = children.filter((child) => !taken.has(itemNameOf(child)))
  const placed = [
    ...moved.map((item) => [item.get('at'), items.get(itemNameOf(item))]),
    ...inserted.map((place) => [place.get('at'), place.get('item')]),
  ].sort(([one], [other]) => Number(one) - Number(other))
  const all = []
  let next = 0
  for (const [at, item] of placed) {
    while (all.length < Number(at) && next < rest.length) all.push(rest[next++])
    all.push(item)
  }
  return [...all, ...rest.slice(next)]
}

/** Applies the edits of a change to an exact menu, and returns the new menu; unchanged parts stay identical. */
function editMenus(menu, edits) {
  const withChildren = (menu, change) => {
    const children = menu.get('children').map(change)
    return children.every((child, index) => child === menu.get('children')[index]) ? menu : new Map(menu).set('children', children)
  }
  const replace = (menu, name, value) => menu.get('identifier') === name ? keeping(menu, value)
    : withChildren(menu, (child) => child.has('command') ? child : replace(child, name, value))
  const place = (menu, told) => {
    const own = told.get(menu.get('identifier'))
    const children = own?.rearranged.reduce(rearrange, menu.get('children'))
    const arranged = own?.rearranged.length ? new Map(menu).set('children', children) : menu
    return withChildren(arranged, (child) => {
      if (!child.has('command')) return place(child, told)
      const item = own?.items.get(itemNameOf(child))
      return item ? keeping(child, item) : child
    })
  }
  // Items are inserted together, before a menu is replaced.
  let told = new Map()
  const placed = () => told.size ? place(menu, told) : menu
  for (const edit of edits) {
    const name = edit.get('menu')
    if (edit.has('value')) {
      menu = replace(placed(), name, edit.get('value'))
      told = new Map()
    } else {
      const { items = [], rearranged = [] } = told.get(name) ?? {}
      const all = [...items, ...(edit.get('items') ?? []).map((item) => [itemNameOf(item), item])]
      const moves = ['removed', 'moved', 'inserted'].some((member) => edit.has(member))
      told.set(name, { items: new Map(all), rearranged: moves ? [...rearranged, edit] : rearranged })
    }
  }
  return placed()
}

/** Applies a JSON Merge Patch (RFC 7396) to an exact value, and returns the new value. */
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
 * Applies a change from an answer or an event to a session's exact document, and returns the new document, which
 * shares its unchanged parts with the old one.
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
    // An operation on the document, with any change; the other changes only explain it.
    default: return change.has('op') ? edit(document, change, [], draft) : document
  }
}

/** The last registration comes after the others. */
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
  // The selector may have another token by now.
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

/** Key commands come after the handlers; an empty list is omitted. */
function withKeyCommands(host, value, draft) {
  const changed = draft.own(host)
  changed.delete('keyCommands')
  if (value.length) insert(changed, 'keyCommands', value, [...changed.keys()].indexOf('handlers') + 1)
  return changed
}

// MARK: Requests

/** A request that was refused (RFC 9457). `reason` is the reason for which an item is disabled. */
export class Problem extends Error {
  constructor(status, document, retryAfter = 0) {
    super(document.detail ?? document.title ?? `The answer was ${status}.`)
    this.name = 'Problem'
    this.status = status
    this.document = document
    this.retryAfter = retryAfter
    this.type = document.type
    this.title = document.title
    this.reason = document.reason
    this.explanation = document.explanation
    this.confirmation = document.confirmation
    this.pointer = document.pointer
    this.errors = document.errors ?? []
  }

  /**
   * The mistakes of a command's parameters by their names, each as a list of sentences; those that are about no single
   * parameter have the name ''.
   */
  get fields() {
    const fields = {}
    const faults = this.errors.length ? this.errors : [{ pointer: this.pointer ?? '', detail: this.message }]
    for (const { pointer = '', detail } of faults) {
      const tokens = pointer.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
      const start = tokens.indexOf('parameters') + 1
      const name = (start && tokens[start]) ?? /The member '(.*)' is missing\b/.exec(detail)?.[1] ?? ''
      const field = start ? name : ''
      if (!Object.hasOwn(fields, field)) Object.defineProperty(fields, field, { value: [], enumerable: true })
      // A single mistake is told with the command.
      fields[field].push(detail.replace(/^The parameters of the command '[^']*' do not fit\. /, ''))
    }
    return fields
  }
}

/** The maximum number of characters of an address: request heads have at most 16 KiB, of which a browser needs some. */
const longestPath = 14000

/** A request without an answer: the connection failed, or the timeout passed. `cause` is the platform's error. */
export class Unreached extends Error {
  constructor(message, options) {
    super(message, options)
    this.name = 'Unreached'
  }
}

/** Settles like a promise, or rejects when a signal aborts the wait. */
const unlessAborted = (promise, signal) => new Promise((resolve, reject) => {
  const stop = () => reject(signal.reason)
  promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
})

/** The greatest delay of a timer, in milliseconds. */
const longestDelay = 2 ** 31 - 1

/** Runs `work` with a timeout in milliseconds and a signal that aborts it. */
async function within(time, { signal, message }, work) {
  signal?.throwIfAborted()
  const over = new AbortController()
  const stop = () => over.abort(signal.reason)
  const timer = setTimeout(() => over.abort(new Unreached(message)), Math.min(time, longestDelay))
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await unlessAborted(work(over.signal), over.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

const delay = (time, signal) => {
  let timer
  const over = new Promise((resolve) => { if (!signal?.aborted) timer = setTimeout(resolve, Math.min(time, longestDelay)) })
  return unlessAborted(over, signal).finally(() => clearTimeout(timer))
}

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const isPassing = (status) => [429, 502, 503, 504].includes(status)

/** True if an error is a final answer: a retry would have the same result. */
export const isRefusal = (error) => error instanceof Problem && !isPassing(error.status)

/** Retries with growing pauses while the server does not answer, or is unavailable. */
async function persistently(attempt, signal) {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (signal?.aborted || isRefusal(error)) throw error
      const pause = Math.min(30_000, 250 * 2 ** failures) * (0.5 + Math.random() / 2)
      await delay(Math.max(pause, 1000 * (error.retryAfter ?? 0)), signal)
    }
  }
}

/** Separates the options of sending a request from its contents. */
const sending = ({ key, signal, headers, wait, timeout, confirm, ...said } = {}) => [{ key, signal, headers, wait, timeout }, said]

/** A menud server, and the token of its requests. */
export class Client {
  constructor(url, { token, fetch = globalThis.fetch, attempts = 6, timeout = 30, shares = true } = {}) {
    this.url = String(url).replace(/\/*$/, '/')
    this.token = token
    this.attempts = attempts
    this.timeout = timeout
    this.send = (...request) => fetch(...request)
    this.observers = new Set()
    this.shares = shares
    // Shared with the clients of the sessions that it opened: the feeds of their mirrors and the streams that
    // carry these, the shares with other tabs, and the last change of each session, which the next one waits
    // for.
    this.family = { feeds: new Map(), streams: new Set(), shared: new Map(), turns: new Map() }
  }

  /**
   * Sends a request and returns its answer. A change has an idempotency key, so that it can be retried when its
   * connection breaks, and is done once. With `wait` the answer may come that many seconds later (RFC 7240), in whole
   * seconds, and at most as many as the server permits, 25 by default.
   *
   * After `timeout` seconds it is given up, over all attempts, and a connection that is silent for half of them
   * counts as broken.
   *
   * Throws `Problem` if it is refused, and `Unreached` if there was no answer.
   */
  async request(method, path, options = {}) {
    const { query, body, type = 'application/json', headers, key, signal, wait = 0, timeout = this.timeout, isQuestion } = options
    const changes = method !== 'GET' && !isQuestion
    const sent = { ...headers }
    if (wait) sent.Prefer = `wait=${Math.ceil(wait)}`
    if (changes) sent['Idempotency-Key'] = `"${key ?? newKey()}"`
    if (body !== undefined) sent['Content-Type'] = type
    const request = { method, path: this.path(path, query), body: body === undefined ? undefined : write(body), type }
    const deadline = Date.now() + 1000 * (timeout + wait)
    for (let attempt = 1; ; attempt += 1) {
      const time = Math.min(deadline - Date.now(), 1000 * (timeout / 2 + wait))
      const { response, text, error } = await this.#attempt(request, sent, signal, time)
      if (response) this.tell(request, response, text)
      if (response?.ok || response?.status === 304) return new Answer(response, text)
      const failure = error ?? problem(response, text)
      const pause = 1000 * (failure.retryAfter ?? 0) || 100 * 2 ** attempt
      const isOver = attempt >= this.attempts || Date.now() + pause >= deadline
      if (isOver || isRefusal(failure)) throw failure
      await delay(pause, signal)
    }
  }

  /**
   * Sends a request once: returns its answer with the text, or throws the error that there was none within the
   * time.
   */
  async #attempt({ method, path, body }, headers, signal, time) {
    try {
      return await within(time, { signal, message: 'The server did not answer in time.' }, async (signal) => {
        const response = await this.fetch(path, { method, body, headers, signal })
        return { response, text: await response.text() }
      })
    } catch (error) {
      signal?.throwIfAborted()
      return { error: error instanceof Unreached || error instanceof Problem ? error : new Unreached('The server is not reached.', { cause: error }) }
    }
  }

  /**
   * `fetch` on this server, with the token. Throws `Problem` for an address that the server would not read: its refusal
   * has no headers for pages of other origins, and a browser takes it for a lost connection.
   */
  async fetch(path, { headers, ...options } = {}) {
    if (path.length > longestPath) {
      const detail = `The address has ${path.length} characters, and at most ${longestPath} are read. Ask about fewer commands.`
      throw new Problem(414, { title: 'URI Too Long', detail, status: 414 })
    }
    const authorization = this.token ? { Authorization: `Bearer ${this.token}` } : {}
    return this.send(this.url + path, { ...options, headers: { ...authorization, ...headers }, cache: 'no-store' })
  }

  /**
   * A path below the server's, with each part escaped, and a query without undefined and false values. A list
   * becomes one word with commas in it; an empty one is omitted.
   */
  path(parts, query = {}) {
    const path = [parts].flat().map((part) => encodeURIComponent(part).replaceAll('%3A', ':')).join('/')
    const told = Object.entries(query).filter(
      ([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && !value.length),
    )
    const text = told.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
    return text ? `${path}?${text}` : path
  }

  tell(request, response, text) {
    for (const observe of this.observers) observe(request, response, text)
  }

  get(path, query, options) { return this.request('GET', path, { query, ...options }) }
  async ask(path, body, options) { return (await this.request('POST', path, { body, isQuestion: true, ...options })).body }

  /** Returns an open session; sends no request. */
  session(id, options) { return new Session(this, id, options) }

  /** Opens a session. If tokens are required, its requests have a token of its own from then on. */
  async open(opening = {}) {
    const { body } = await this.request('POST', ['sessions'], { body: opening })
    const client = body.token ? new Client(
      this.url,
      { token: body.token, fetch: this.send, attempts: this.attempts, timeout: this.timeout, shares: this.shares },
    ) : this
    client.family = this.family
    return new Session(client, body.session)
  }

  /** Opens a session, or joins it if it is open already. */
  join(id, opening = {}) { return this.open({ ...opening, id, join: true }) }

  async sessions() { return (await this.get(['sessions'])).body.sessions }
  async commands() { return (await this.get(['commands'])).body.commands }
  async classes() { return (await this.get(['classes'])).body.classes }
  /** The tags of the languages among which a session can choose (M14). */
  async locales() { return (await this.get(['locales'])).body.locales }
  /** The names of the keymaps (K9). */
  async keymaps() { return (await this.get(['keymaps'])).body.keymaps }
  /**
   * The `entries` of a keymap, and its `tag` for `If-Match`; `default` stands for the keys of the commands on the platform.
   */
  async keymap(name, { isMac } = {}) {
    const { body, headers } = await this.get(['keymaps', name], { platform: platformOf(isMac) })
    return { ...body, tag: headers.get('ETag') }
  }
  /** Puts a keymap in place of one of its name. Returns it with `remarks` on entries that mean nothing. */
  async putKeymap(name, entries, options) {
    return (await this.request('PUT', ['keymaps', name], { body: { entries }, ...options })).body
  }
  async removeKeymap(name, options) { await this.request('DELETE', ['keymaps', name], options) }
  checkRule(rule, variables, options) { return this.ask(['rules', 'check'], { rule, variables, options }) }
}

function problem({ status, statusText, headers }, text) {
  // A date, as proxies may send it, counts as none.
  const retryAfter = Number(headers.get('Retry-After')) || 0
  try {
    return new Problem(status, JSON.parse(text), retryAfter)
  } catch {
    return new Problem(status, { title: statusText, status }, retryAfter)
  }
}

/** An answer: its text, and its parsed body. */
export class Answer {
  #body
  constructor(response, text) {
    this.status = response.status
    this.headers = response.headers
    this.text = text
  }
  /** The parsed JSON; null without a body. Throws `Unreached` if it is no JSON: something else answered. */
  get body() { return (this.#body ??= this.text.trim() ? this.#parsed(JSON.parse) : null) }
  get exact() { return this.#parsed(parse) }

  #parsed(parse) {
    try {
      return parse(this.text)
    } catch (error) {
      throw new Unreached('The answer is no JSON.', { cause: error })
    }
  }
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

  /**
   * Sends a change once the previous one is answered: changes are made in the order of the calls. A change whose
   * turn does not come in time is not sent.
   */
  change(method, parts, body, { dryRun, explain, query, ...options } = {}) {
    const path = this.path(...[parts].flat())
    const told = { ...options, query: { ...query, dryRun, explain } }
    return this.inTurn(options, (timeout) => this.#send(method, path, body, { ...told, timeout }))
  }

  /** Calls a function once earlier changes of the session are answered, with the seconds that are left. */
  async inTurn({ signal, timeout = this.client.timeout } = {}, make) {
    const { turns } = this.client.family
    const before = turns.get(this.id) ?? Promise.resolve()
    const start = Date.now()
    const message = 'It was not sent: the changes before it had no answer in time.'
    const turn = within(1000 * timeout, { signal, message }, () => before)
      .then(() => make(timeout - (Date.now() - start) / 1000))
    // A change that is given up still holds back later ones until the earlier ones are answered.
    const end = Promise.allSettled([before, turn])
    turns.set(this.id, end)
    end.then(() => { if (turns.get(this.id) === end) turns.delete(this.id) })
    return turn
  }

  /** The field that names the session where only the body does, for load balancers; it is encoded as in a path. */
  get #field() { return { 'Menud-Session': this.client.path(this.id) } }
  #ask(path, body) { return this.client.ask(path, { session: this.id, ...body }, { headers: this.#field }) }

  async #send(method, path, body, options) {
    return (await this.client.request(method, path, { body, ...options })).body
  }

  // Questions.

  document() { return this.read([]) }
  menu(options) { return this.read('menu', options) }
  chain(options) { return this.read('chain', options) }
  undoManagers() { return this.read('undo') }
  /** A page of the history: `entries`, the latest first, and the address of the next page in `next` (T5). */
  history(options) { return this.read('history', options) }
  touchBar(options) { return this.read('touch-bar', options) }
  /** The form of a command: its item, and in `schema` the schema of its parameters as it is now (P4). */
  async form(command, options) {
    return plain((await this.client.get(this.path('commands', command, 'form'), options)).exact, true)
  }
  /** The keys that mean something now, in order (K7). */
  async keys({ isMac, ...options } = {}) { return (await this.read('keys', { platform: platformOf(isMac), ...options })).keys }
  userActivity(options) { return this.read('user-activity', options) }
  diagnostics() { return this.read('diagnostics') }
  messages() { return this.read('messages') }
  async keyConflicts(options) { return (await this.client.get(['keys', 'conflicts'], { session: this.id, ...options })).body.conflicts }
  async validate(commands, options) {
    return (await this.#ask(['commands', 'validate'], { commands, ...options })).items
  }
  /** The answers to `validate` after each list of mutations in `assuming`; nothing is kept (M13). */
  async assume(assuming, commands, options) {
    return (await this.#ask(['commands', 'validate'], { commands, assuming, ...options })).assumed
  }
  target(action, options) { return this.#ask(['targets', 'resolve'], { action, ...options }) }
  resolve(key, { isMac, ...options } = {}) {
    return this.#ask(['keys', 'resolve'], { key, platform: platformOf(isMac), ...options })
  }
  async search(query, options) { return (await this.searchPage(query, options)).items }
  /** A page of a search's results: the items, their number in `total`, and the offset of the next page in `next`. */
  searchPage(query, options) { return this.#ask(['commands', 'search'], { query, ...options }) }

  // Changes.

  /** Performs a command; undefined if it needs a confirmation, and `confirm` answers false. */
  perform(command, options) { return this.#post(['commands', 'perform'], { command }, options) }
  /** Does exactly what the dry run showed that answered this plan, once; else throws `plan-changed`. */
  performPlan(plan, options) { return this.#post(['commands', 'perform'], { plan }, options) }
  send(action, options) { return this.#post(['commands', 'perform'], { action }, options) }

  /**
   * Sends a message. With `wait`, the wait for its deliveries is after its turn: by the same request with the
   * same key, which is not performed again.
   */
  #message(path, body, options) {
    const [{ wait, key = newKey(), headers, ...how }, said] = sending(options)
    const whole = { session: this.id, ...body, ...said }
    const named = { ...how, key, headers: { ...this.#field, ...headers } }
    const send = (options) => this.#send('POST', path, whole, { ...named, ...options })
    const isOpen = ({ state }) => ['open', 'claimed', 'cancelling'].includes(state)
    const isAwaited = (answer) => wait && !answer.dryRun && answer.deliveries?.some(isOpen)
    return { send, settled: (answer) => isAwaited(answer) ? send({ wait }) : answer }
  }

  async #post(path, body, options) {
    const message = this.#message(path, body, options)
    try {
      return await message.settled(await this.inTurn(options, (timeout) => message.send({ timeout })))
    } catch (error) {
      return this.#confirmed(error, path, body, options)
    }
  }

  /**
   * Asks `confirm` about a refused message that needs a confirmation, and sends it again if the answer is true;
   * else the result is undefined. Later changes of the session do not wait for the answer.
   */
  async #confirmed(error, path, body, { confirm, key, ...options } = {}) {
    if (!confirm || error.type !== '/problems/needs-confirmation' || options.confirmed) throw error
    if (!await confirm(error.confirmation)) return undefined
    return this.#post(path, body, { ...options, key: key && `${key}.confirmed`, confirmed: true })
  }

  /** Names the keymap of the session, or null for none (K9). */
  useKeymap(keymap, options) { return this.change('PUT', 'keymap', { keymap }, options) }
  /** Sets the language of the session's texts, or null for those that are declared (M14). */
  setLocale(locale, options) { return this.change('PUT', 'locale', { locale }, options) }

  /**
   * Presses a key: a browser's event, `{input, modifiers}`, or an array of strokes. A key with several readings, such as
   * shift and =, is tried in the order of `keysOf`. Returns undefined if it has no effect here: no command matches, the
   * command is disabled, `confirm` answers false, or it is the beginning of longer keys and not `final` (K8). `resolve`
   * returns the reason; with `throws` the refusal is thrown.
   */
  async press(event, { layout, isMac, key: name, throws, ...options } = {}) {
    const keys = readingsOf(event, { layout, isMac })
    const bodies = keys.map((key) => ({ key, platform: platformOf(isMac) }))
    const named = (index) => ({ ...options, key: name && (index ? `${name}.${index}` : name) })
    const messages = bodies.map((body, index) => this.#message(['keys', 'press'], body, named(index)))
    // The reading of the key that was sent last.
    let last = 0
    const attempt = async (timeout) => {
      let refusal
      for (const [index, message] of messages.entries()) {
        last = index
        try {
          return [message, await message.send({ timeout })]
        } catch (error) {
          if (error.type !== '/problems/not-performed') throw error
          if (!refusal?.explanation) refusal = error
          // Another reading is not for who waits for a stroke.
          if (error.reason === 'pending') break
        }
      }
      if (throws && refusal) throw refusal
      return []
    }
    try {
      const [message, answer] = await this.inTurn(options, attempt)
      return await message?.settled(answer)
    } catch (error) {
      return this.#confirmed(error, ['keys', 'press'], bodies[last], named(last))
    }
  }

  /** Moves focus; with `window` in a window that need not be key. */
  focus(responder, { window, ...options } = {}) {
    return this.change('PUT', 'first-responder', { responder, window }, options)
  }

  /**
   * Changes the state by a JSON Patch, which is an array, or else by a JSON Merge Patch, in which null removes a
   * member. With `undo`, a name, it is registered as an undo group; with `coalesce` it joins the previous group
   * with the same key (U6). `window` names the window whose undo manager registers it.
   */
  patch(patch, { undo, coalesce, window, ...options } = {}) {
    const type = Array.isArray(patch) ? 'application/json-patch+json' : 'application/merge-patch+json'
    return this.change('PATCH', 'state', patch, { type, ...options, query: { ...options.query, undo, coalesce, window } })
  }

  /** Applies mutations atomically. */
  mutate(mutations, options) { return this.change('POST', 'mutations', { mutations }, options) }
  undo({ responder, ...options } = {}) { return this.change('POST', 'undo', { responder }, options) }
  redo({ responder, ...options } = {}) { return this.change('POST', 'redo', { responder }, options) }
  close(options) { return this.change('DELETE', [], undefined, options) }

  /** Follows parts of the session; resolves with a mirror that has its contents. */
  async follow(what = {}) {
    const mirror = new Mirror(this, what)
    await mirror.begun
    return mirror
  }

  deliveries(options) { return new Deliveries(this, options) }
}

// MARK: Mirrors

/**
 * A copy of a session, updated by events: the answers of GET, to the byte. Its events are `reset`, `change`,
 * `closed` with a `reason`, `connection`, when the connection breaks, pauses (`isPaused`), or is back, and `strokes`, when
 * `handle` has begun, continued or ended a key of several strokes.
 *
 * In a hidden page it pauses, unless it is to continue in the `background`, and catches up when the page is
 * shown.
 */
export class Mirror extends EventTarget {
  #feed
  #begin
  #items = { of: undefined, plain: [] }
  #strokes = []
  #stop
  /** True while the last key belongs to a key of several strokes, so that its repetitions mean nothing. */
  #isHeld = false

  constructor(session, what) {
    super()
    this.session = session
    this.what = what
    this.isClosed = false
    this.begun = new Promise((resolve, reject) => { this.#begin = { resolve, reject } })
    this.begun.catch(() => {})
    this.#feed = Feed.for(session, what)
    this.#feed.join(this)
    if (this.revision !== undefined) this.#begin.resolve()
  }

  // Its contents, with the texts of GET to the byte.

  get exact() { return this.#feed.exact }
  get revision() { return this.#feed.revision }
  get catalogRevision() { return this.#feed.catalogRevision }
  get isConnected() { return this.#feed.isConnected === true && !this.isClosed }
  /** True if it is paused, since the page is hidden. */
  get isPaused() { return !this.isClosed && !this.#feed.isCarried }
  get document() { return shared(this.exact.document) }
  get menu() { return shared(this.exact.menu) ?? undefined }
  get state() { return this.document?.state }
  get documentText() { return write(this.exact.document) }
  get menuText() { return write(this.exact.menu) }
  item(command) { return shared(this.exact.items.get(command)) }
  get items() {
    const { items } = this.exact
    if (this.#items.of !== items) this.#items = { of: items, plain: Array.from(items.values(), shared) }
    return this.#items.plain
  }
  get deliveries() { return shared(this.exact.deliveries) }
  /** The keys that mean something, in order (K7); with `keys` among the parts. */
  get keys() { return shared(this.exact.keys) ?? [] }
  /** The tools that the session's agents list with `?tools=enabled`; with `tools` among the parts. */
  get tools() { return shared(this.exact.tools) ?? [] }

  /** The strokes of a key that `handle` has begun, and that is not complete (K8); usually none. */
  get strokes() { return this.#strokes }

  /** The enabled keys that begin with `strokes` and are longer, in order; without strokes, none. */
  get continuations() { return this.#strokes.length ? this.#meaning(this.#strokes).continuations : [] }

  /**
   * The meaning of a browser's event, of a pressed key `{input, modifiers}`, or of an array of strokes, behind the strokes
   * so far and without asking: the first enabled key that matches, with `continuations`, the longer enabled keys that
   * begin so. If there are only these, they are all that it has. Undefined if the event is not for menud. Of an event with
   * several readings, the first one that means something or begins a longer key is taken.
   */
  means(event, options) {
    const { meaning, continuations } = this.#reading(event, options) ?? {}
    return meaning || continuations?.length ? { ...meaning, continuations } : undefined
  }

  /** The key that an event means, as `press` takes it; undefined if the event is not for menud. */
  reads(event, options) {
    const strokes = this.#reading(event, options)?.strokes
    return strokes?.length === 1 ? strokes[0] : strokes
  }

  /**
   * Presses the key of a browser's event, if it means something, and prevents what the browser would do. Returns the
   * result of `press`; undefined if the event is not for menud, somebody has prevented it, or it is typed in a field
   * without command or control.
   *
   * A key that is the beginning of longer ones waits for the next event (K8): if it means something itself, `timeout`
   * milliseconds, after which it is pressed; else `patience` milliseconds, after which it is forgotten. The result is
   * that of `press`, or undefined once another event has come. An event that continues nothing ends the strokes; nothing
   * else gets it, nor the repetitions of a held key. Strokes also end with an event that somebody has prevented, and when
   * the window loses focus. Keys are pressed by `press`, by default the session's.
   */
  handle(event, { layout, isMac = this.what.isMac, timeout = 1000, patience = 5000, press = this.#press, ...options } = {}) {
    if (this.isClosed || !readingsOf(event, { layout, isMac }).length) return undefined
    if (event.defaultPrevented) {
      this.endStrokes()
      return undefined
    }
    // A key that is held is one stroke, also of the strokes that it has ended.
    if (event.repeat && this.#isHeld) {
      event.preventDefault?.()
      return undefined
    }
    const hasBegun = this.#strokes.length > 0
    this.#isHeld = false
    const reading = this.#reading(event, { layout, isMac })
    if (!hasBegun && !reading) return undefined
    const isShortcut = reading?.strokes[0].modifiers?.some((name) => ['command', 'control'].includes(name))
    if (!hasBegun && !isShortcut && isInField(event)) return undefined
    event.preventDefault?.()
    const { strokes, meaning, continuations } = reading ?? { strokes: [], continuations: [] }
    this.#isHeld = hasBegun || continuations.length > 0
    this.#wait(continuations.length ? strokes : [])
    if (!reading) return Promise.resolve()
    const perform = () => press(strokes.length === 1 ? strokes[0] : strokes, { isMac, final: true, ...options })
    if (!continuations.length) return perform()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#stop = undefined
        this.#wait([])
        if (meaning) Promise.resolve().then(perform).then(resolve, reject)
        else resolve()
      }, meaning ? timeout : patience)
      this.#stop = () => { clearTimeout(timer); resolve() }
    })
  }

  #press = (key, options) => {
    const { from, window } = this.what
    return this.session.press(key, { from, window, ...options })
  }

  #blurred = () => this.endStrokes()

  /** Ends a key of several strokes that `handle` has begun; nothing is pressed. */
  endStrokes() { this.#wait([]) }

  #wait(strokes) {
    const [former, stop] = [this.#strokes, this.#stop]
    this.#strokes = strokes
    this.#stop = undefined
    stop?.()
    if (strokes.length) globalThis.addEventListener?.('blur', this.#blurred)
    else globalThis.removeEventListener?.('blur', this.#blurred)
    if (former.length || strokes.length) this.dispatchEvent(new Event('strokes'))
  }

  /** The reading of an event behind the strokes so far: the first one that means something. */
  #reading(event, { layout, isMac = this.what.isMac } = {}) {
    for (const key of readingsOf(event, { layout, isMac })) {
      const strokes = [...this.#strokes, ...(Array.isArray(key) ? key : [key])]
      const { meaning, continuations } = this.#meaning(strokes)
      if (meaning || continuations.length) return { strokes, meaning, continuations }
    }
    return undefined
  }

  #meaning(strokes) {
    const continuations = []
    let found
    for (const key of this.keys) {
      // Of a key that is not for this token, there are the strokes alone.
      const match = (key.enabled ?? true) && matchesStrokes(key.strokes, strokes)
      if (match === 'whole') found ??= key
      else if (match && key.action) continuations.push(key)
    }
    return { meaning: found?.action ? found : undefined, continuations }
  }

  /** Calls a function after each event, until the returned function is called: React's `useSyncExternalStore`. */
  subscribe = (listener) => {
    for (const name of ['told', 'connection']) this.addEventListener(name, listener)
    return () => { for (const name of ['told', 'connection']) this.removeEventListener(name, listener) }
  }

  /** Resolves once it has a revision, such as that of an answer. */
  async reaches(revision) {
    while (!(this.revision >= revision) && !this.isClosed) {
      await new Promise((resolve) => this.addEventListener('moved', resolve, { once: true }))
    }
  }

  /** Stops following. */
  close() {
    if (this.isClosed) return
    this.isClosed = true
    this.endStrokes()
    this.#feed.leave(this)
    this.dispatchEvent(new Event('told'))
    this.moved()
  }

  // Called by its feed.

  told(event, told) {
    this.#begin.resolve()
    this.#dispatch(event, told)
  }
  /** Its revision is another one, with or without an event. */
  moved() { this.dispatchEvent(new Event('moved')) }
  connected() { this.#dispatch('connection') }
  ended(reason, error) {
    this.isClosed = true
    this.endStrokes()
    this.reason = reason
    this.error = error
    this.#begin.reject(error ?? new Problem(404, { detail: `The session '${this.session.id}' is closed.` }))
    this.#dispatch('connection')
    this.#dispatch('closed')
  }

  #dispatch(name, told) {
    const event = new Event(name)
    event.told = told && shared(told)
    event.reason = this.reason
    this.dispatchEvent(event)
    if (name === 'connection') return
    this.dispatchEvent(new Event('told'))
    this.moved()
  }
}

// MARK: Feeds

/** The parts of a session to follow, in the syntax of a selection after its name. */
function partsOf({ document, menu, kind, commands, modifiers, keys, isMac, tools, from, window, deliveries }) {
  const parts = {
    document: document ? 'true' : '', menu: menu === true ? 'root' : menu, kind, commands: commands?.join(),
    modifiers: modifiers?.join(), keys: keys ? 'true' : '', platform: keys ? platformOf(isMac) : '',
    tools: tools ? 'true' : '', from, window, deliveries: deliveries?.join(),
  }
  return Object.entries(parts).filter(([, value]) => value).map(([name, value]) => `;${name}=${value}`).join('')
}

/** A name for a selection, the same for the same parts, so that menud makes their events once (FNV-1a, two halves). */
function nameOf(parts) {
  let [a, b] = [0x811c9dc5, 0x01000193]
  for (let index = 0; index < parts.length; index += 1) {
    a = Math.imul(a ^ parts.charCodeAt(index), 0x01000193)
    b = Math.imul(b ^ parts.charCodeAt(index), 0x85ebca6b)
  }
  return [a, b].map((half) => (half >>> 0).toString(36)).join('-')
}

/** True if an id is of an earlier moment of the same incarnation than another one. */
function isOlder(id, other) {
  const read = (one) => one?.split('~')[0].split('.').map((part, index) => (index ? Number(part) : part))
  const [a, b] = [read(id), read(other)]
  return Boolean(a && b) && a[0] === b[0] && a[1] <= b[1] && a[2] <= b[2] && (a[1] < b[1] || a[2] < b[2])
}

/** The feeds of this page. */
const feeds = new Set()

const isHidden = () => globalThis.document?.visibilityState === 'hidden'
globalThis.document?.addEventListener('visibilitychange', () => { for (const feed of feeds) feed.update() })

/** The contents of all mirrors of a page with the same parts of a session, and the id of the last event. */
class Feed {
  /** The other tabs that it is carried for. */
  tabs = new Set()
  isCarried = false
  isConnected = false
  exact = { document: undefined, menu: undefined, items: new Map(), keys: undefined, tools: undefined, deliveries: [] }
  #mirrors = new Set()
  #key
  #carrier

  /** Returns the feed with these parts, else a new one. */
  static for(session, what, parts = partsOf(what)) {
    const { feeds } = session.client.family
    const key = JSON.stringify([session.client.url, session.client.token, session.id, parts])
    if (!feeds.has(key)) feeds.set(key, new Feed(session, what, parts, key))
    return feeds.get(key)
  }

  constructor(session, what, parts, key) {
    this.session = session
    this.what = what
    this.parts = parts
    this.name = nameOf(parts)
    this.#key = key
    this.#carrier = Share.for(session.client) ?? {
      add: (feed) => { feed.stream = Stream.for(feed) },
      remove: (feed, isTold) => feed.stream.leave(feed, isTold),
    }
    feeds.add(this)
  }

  /** Its name among the feeds of one token. */
  get place() { return `${this.session.id} ${this.parts}` }
  /** The incarnation of the session in its id. */
  get opening() { return this.id?.split('.')[0] }
  /** True if this page needs it: it has no contents yet, the page is visible, or it continues in the background. */
  get isNeeded() {
    const isAwake = ({ what }) => what.background || !isHidden() || this.revision === undefined
    return [...this.#mirrors].some(isAwake)
  }

  join(mirror) {
    this.#mirrors.add(mirror)
    this.update()
  }

  leave(mirror) {
    this.#mirrors.delete(mirror)
    this.update()
  }

  /** Has a stream carry it while it is needed. */
  update(isTold = false) {
    const isCarried = !this.isEnded && (this.isNeeded || this.tabs.size > 0)
    if (isCarried !== this.isCarried) {
      this.isCarried = isCarried
      if (isCarried) this.#carrier.add(this)
      else this.#carrier.remove(this, isTold)
      if (!isCarried) {
        this.connected(false)
        // Reported again if the connection is missing when it is needed again.
        this.isConnected = undefined
      }
    } else if (isCarried) this.#carrier.changed?.()
    if (this.#mirrors.size || this.tabs.size) return
    feeds.delete(this)
    this.session.client.family.feeds.delete(this.#key)
  }

  /** Applies an event, and passes it on to other tabs. */
  take(event, told, id, text) {
    const before = this.id
    if (event === 'reset') this.#reset(told)
    if (event === 'change') this.#change(told)
    this.id = id ?? this.id
    if (!event && id) this.#move(id)
    this.#carrier.tell?.(this, { type: 'event', event, text, before, id: this.id })
    const isLast = event === 'closed' && told.get('reason') !== 'draining'
    if (isLast) this.end(told.get('reason'))
    else if (event && event !== 'closed') for (const mirror of this.#mirrors) mirror.told(event, told)
    // Everything needed to begin is there.
    if (event === 'reset') this.update()
  }

  /** Its contents, as the data of a `reset`. */
  get resetText() {
    const { document, menu, items, keys, tools, deliveries } = this.exact
    return write({
      session: this.session.id, revision: this.revision, catalogRevision: this.catalogRevision,
      document, menu, items: [...items.values()], keys, tools, deliveries,
    })
  }

  /** An id alone tells the revisions with which the contents are up to date (E4). */
  #move(id) {
    const [, catalogRevision, revision] = /^[^.]*\.(\d+)\.(\d+)/.exec(id) ?? []
    if (this.revision === undefined || revision === undefined) return
    this.revision = Number(revision)
    this.catalogRevision = Number(catalogRevision)
    for (const mirror of this.#mirrors) mirror.moved()
  }

  #reset(told) {
    const { exact } = this
    const isTold = new Set(told.get('items')?.map((item) => item.get('command')))
    if ([...exact.items.keys()].some((command) => !isTold.has(command))) {
      exact.items = new Map([...exact.items].filter(([command]) => isTold.has(command)))
    }
    exact.document = keeping(exact.document, told.get('document'))
    exact.menu = keeping(exact.menu, told.get('menu'))
    exact.keys = keeping(exact.keys, told.get('keys'))
    exact.tools = keeping(exact.tools, told.get('tools'))
    exact.deliveries = keeping(exact.deliveries, told.get('deliveries') ?? [])
    this.#takeItems(told)
  }

  #change(told) {
    const { exact } = this
    const draft = new Draft()
    for (const change of told.get('changes') ?? []) exact.document = apply(exact.document, change, draft)
    if (exact.document) exact.document = draft.set(exact.document, 'revision', told.get('revision'))
    if (told.has('menu')) exact.menu = keeping(exact.menu, told.get('menu'))
    exact.menu = editMenus(exact.menu, told.get('menuEdits') ?? [])
    if (told.has('keys')) exact.keys = keeping(exact.keys, told.get('keys'))
    if (told.has('tools')) exact.tools = keeping(exact.tools, told.get('tools'))
    const changed = told.get('deliveries') ?? []
    const gone = new Set([...(told.get('deliveriesGone') ?? []), ...changed.map((one) => one.get('id'))])
    if (gone.size) {
      exact.deliveries = [...exact.deliveries.filter((one) => !gone.has(one.get('id'))), ...changed]
        .sort((a, b) => a.get('id') - b.get('id'))
    }
    this.#takeItems(told)
  }

  /** Applies the items and revisions of an event. If they are null, there are none. */
  #takeItems(told) {
    this.revision = told.get('revision')
    this.catalogRevision = told.get('catalogRevision')
    const { exact } = this
    const items = new Map(told.get('items') === null ? [] : exact.items)
    for (const item of told.get('items') ?? []) {
      const command = item.get('command')
      items.set(command, keeping(items.get(command), item))
    }
    const isSame = items.size === exact.items.size && [...items].every(([command, item]) => item === exact.items.get(command))
    if (!isSame) exact.items = items
  }

  connected(isConnected) {
    // A feed without contents is not connected, although its stream may be.
    if (this.isConnected === isConnected || (isConnected && this.revision === undefined)) return
    this.isConnected = isConnected
    this.#carrier.tell?.(this, { type: 'connection', isConnected })
    for (const mirror of this.#mirrors) mirror.connected()
  }

  end(reason, error) {
    this.isEnded = true
    this.#carrier.tell?.(this, { type: 'end', reason, problem: error && { status: error.status, document: error.document } })
    const ended = [...this.#mirrors]
    this.#mirrors.clear()
    this.tabs.clear()
    this.update(true)
    for (const mirror of ended) mirror.ended(reason, error)
  }
}

// MARK: Streams

/**
 * The maximum number of feeds on a stream; menud has the same limits by default (events.sessions,
 * events.selections).
 */
const mostOnStream = 16
/** The maximum number of characters of a stream's selections, since request heads are bounded. */
const longestSelections = 5000

/**
 * The events of several feeds over one connection, since browsers open at most six to a server, for all tabs
 * together. Each feed resumes after its last event.
 */
class Stream {
  #feeds = new Set()
  #streams
  #turn = new AbortController()
  #isRunning = false
  #retry = 2000
  /** The maximum number of feeds. */
  #most = mostOnStream

  /** Adds a feed to a stream with room, else to a new one. */
  static for(feed) {
    const { streams } = feed.session.client.family
    const isFree = (stream) => stream.#feeds.size < stream.#most && stream.#hasRoom(feed)
    const stream = [...streams].find(isFree) ?? new Stream(streams)
    stream.#join(feed)
    return stream
  }

  constructor(streams) { this.#streams = streams }

  #hasRoom({ session, parts }) {
    const all = [...this.#feeds]
    const length = all.reduce((sum, feed) => sum + feed.parts.length + feed.session.id.length + 50, parts.length)
    return length < longestSelections && (all[0]?.session.client.url ?? session.client.url) === session.client.url
  }

  #join(feed) {
    this.#feeds.add(feed)
    this.#streams.add(this)
    this.turn()
    if (!this.#isRunning) this.#run()
  }

  /** Removes a feed, and reconnects without it unless menud ended it (`isTold`). */
  leave(feed, isTold) {
    this.#feeds.delete(feed)
    if (!this.#feeds.size) this.#streams.delete(this)
    if (!this.#feeds.size || !isTold) this.turn()
  }

  /** Reconnects for the present feeds, which resume where they are; not without any. */
  turn() { this.#turn.abort() }

  async #run() {
    this.#isRunning = true
    while (true) {
      // Feeds that begin at the same moment share a connection.
      await undefined
      if (!this.#feeds.size) break
      const { signal } = (this.#turn = new AbortController())
      let pause = this.#retry * (0.5 + Math.random())
      try {
        await this.#follow([...this.#feeds], signal)
      } catch (error) {
        if (!signal.aborted && isRefusal(error)) await this.#refused(error)
        pause = Math.max(pause, 1000 * (error.retryAfter ?? 0))
      }
      if (signal.aborted) continue
      for (const feed of this.#feeds) feed.connected(false)
      await delay(pause, signal).catch(() => {})
    }
    this.#isRunning = false
  }

  async #follow(feeds, signal) {
    const connection = new AbortController()
    const stop = () => connection.abort()
    signal.addEventListener('abort', stop, { once: true })
    const [{ session: { client } }] = feeds
    // The service sends a heartbeat every 15 seconds, unless it is configured otherwise.
    const silence = Math.min(...feeds.map(({ what }) => what.silence ?? 45))
    let timer
    const isAlive = () => { clearTimeout(timer); timer = setTimeout(stop, 1000 * silence) }
    try {
      isAlive()
      const path = await this.#path(feeds, connection.signal)
      const known = feeds.map(({ id }) => id).filter(Boolean).join()
      const headers = { Accept: 'text/event-stream', ...(known && { 'Last-Event-ID': known }) }
      const response = await client.fetch(path, { headers, signal: connection.signal })
      if (response.status === 204) return feeds.forEach((feed) => feed.end('sessionClosed'))
      if (!response.ok) throw problem(response, await response.text())
      // A resumed stream refuses none of its sessions.
      if (known) this.#endUnknown()
      // A feed that missed nothing gets no event.
      this.#connected()
      for await (const event of eventsOf(response.body, isAlive)) {
        if (event.retry) this.#retry = event.retry
        this.#take(event)
        this.#connected()
        if (signal.aborted) return
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      stop()
    }
  }

  /** The path of the events. Sessions with different tokens need a ticket each. */
  async #path(feeds, signal) {
    const [{ session: { client } }] = feeds
    const sessions = new Map(feeds.map(({ session }) => [session.id, session]))
    const isOneToken = feeds.every(({ session }) => session.client.token === client.token)
    const tickets = isOneToken ? [] : await Promise.all(
      Array.from(sessions.values(), async (session) =>
        (await session.client.request('POST', session.path('tickets'), { isQuestion: true, signal })).body.ticket),
    )
    const selections = new Set(feeds.map(({ name, parts, session }) => {
      const isOfAll = feeds.filter((feed) => feed.name === name).length === sessions.size
      return `${name}${isOfAll ? '' : `;session=${session.id}`}${parts}`
    }))
    return client.path('events', { sessions: [...sessions.keys()], ticket: tickets })
      + Array.from(selections, (text) => `&select=${encodeURIComponent(text).replace(/%3[ABD]|%2C/g, decodeURIComponent)}`).join('')
  }

  #take({ event, data, id }) {
    const told = data === undefined ? undefined : parse(data)
    const feed = told && [...this.#feeds].find(({ session, name }) =>
      session.id === told.get('session') && name === told.get('selection'))
    // Of a session that was closed meanwhile there is no id.
    if (id === undefined && feed?.id) this.#tell(feed, event, told, feed.id, data)
    // The ids of all selections. At most one of them belongs to no feed yet: that of the event's feed.
    for (const one of id?.split(',') ?? []) {
      const [opening] = one.split('.')
      const [, name] = one.split('~')
      const owner = [...this.#feeds].find((other) => other.name === name && other.opening === opening)
      if (owner === feed || (!owner && feed?.name === name)) this.#tell(feed, event, told, one, data)
      else if (owner && owner.id !== one) owner.take(undefined, undefined, one)
    }
  }

  #tell(feed, event, told, id, data) {
    if (!feed) return
    try {
      feed.take(event, told, id, data)
    } catch (error) {
      // A change that cannot be applied is followed by a reset.
      feed.id = undefined
      throw error
    }
  }

  #connected() { for (const feed of this.#feeds) feed.connected(true) }

  /** Ends the feeds whose sessions or parts make the server refuse the stream. */
  async #refused(error) {
    const all = [...this.#feeds]
    const refusals = all.length === 1 ? [error] : await Promise.all(all.map(({ session, name, parts }) =>
      session.read('changes', { select: name + parts }).then(() => undefined, (error) => error)))
    if (!refusals.some(Boolean)) return this.#split(all)
    for (const [index, feed] of all.entries()) {
      const own = refusals[index]
      if (isRefusal(own)) feed.end(own.status === 404 && feed.id ? 'sessionClosed' : own.message, own)
    }
  }

  /** Moves half of the feeds to another stream: together they are too many for this server. */
  #split(all) {
    const other = new Stream(this.#streams)
    this.#most = other.#most = Math.ceil(all.length / 2)
    for (const feed of all.slice(this.#most)) {
      this.#feeds.delete(feed)
      feed.stream = other
      other.#join(feed)
    }
  }

  /** Ends the feeds that have not begun, if their sessions are refused. Every token of a feed may validate, here nothing. */
  async #endUnknown() {
    const feeds = [...this.#feeds].filter(({ id }) => !id)
    await Promise.all(feeds.map((feed) => feed.session.validate([]).catch((error) => {
      if (isRefusal(error)) feed.end(error.status === 404 ? 'sessionClosed' : error.message, error)
    })))
  }
}

// MARK: Tabs

/**
 * The feeds of all tabs of an origin with one token at one server. One tab leads: its streams carry the feeds of
 * all tabs, and it passes the events on. When it is closed or hidden, another tab takes over, and resumes where
 * each feed is.
 *
 * The lock decides which tab leads. Tabs communicate over a channel; its name has a digest of the token, so that
 * tabs with another token neither lead nor receive these events.
 */
class Share {
  #client
  /** The name of this tab; another one each time it joins the others. */
  #tab
  #feeds = new Map()
  #isJoining = false
  #channel
  #leave
  #name
  #turn
  #release
  #isLeading = false
  /** The other tabs, while they live. */
  #others = new Set()

  /** The share for a client's feeds; undefined if the browser cannot share, as without HTTPS. */
  static for(client) {
    const canShare = client.shares && globalThis.document && globalThis.navigator?.locks && globalThis.BroadcastChannel
      && globalThis.crypto?.subtle
    if (!canShare) return undefined
    const { shared } = client.family
    if (!shared.has(client.token)) shared.set(client.token, new Share(client))
    return shared.get(client.token)
  }

  constructor(client) { this.#client = client }

  /** Joins the other tabs, while there are feeds. */
  async #join() {
    if (this.#isJoining) return
    this.#isJoining = true
    this.#tab = newKey()
    const { url, token = '' } = this.#client
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${url} ${token}`)))
    // Tabs with a former version of this module communicate otherwise.
    this.#name = `menud tabs ${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
    // Held while this tab has feeds, so that the leader detects its end; it takes a tab without it for one that is gone.
    await new Promise((held) => navigator.locks.request(`${this.#name} ${this.#tab}`, () => new Promise((leave) => {
      this.#leave = leave
      held()
    })))
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.onmessage = ({ data }) => this.#hear(data)
    this.#isJoining = false
    for (const feed of this.#feeds.values()) this.#begin(feed)
    this.changed()
  }

  // Called by feeds.

  add(feed) {
    this.#feeds.set(feed.place, feed)
    if (this.#channel) this.#begin(feed)
    else this.#join()
    this.changed()
  }

  remove(feed, isTold) {
    this.#feeds.delete(feed.place)
    if (feed.stream) feed.stream.leave(feed, isTold)
    else this.#say({ type: 'drop', place: feed.place })
    feed.stream = undefined
    this.changed()
  }

  /** Leads, or waits to lead, while this tab itself needs a feed; leaves the other tabs without any feed. */
  changed() {
    if (!this.#channel) return
    const isNeeded = [...this.#feeds.values()].some((feed) => feed.isNeeded)
    if (isNeeded && !this.#turn) this.#compete()
    if (!isNeeded && this.#turn) this.#retire()
    if (this.#feeds.size || !this.#channel) return
    this.#channel.close()
    this.#channel = undefined
    this.#leave()
  }

  /** Passes a feed's event on to other tabs. */
  tell(feed, message) {
    if (this.#isLeading) this.#say({ ...message, place: feed.place })
  }

  // The leader.

  #compete() {
    const { signal } = (this.#turn = new AbortController())
    navigator.locks.request(this.#name, { signal }, () => signal.aborted ? undefined : new Promise((release) => {
      this.#release = release
      this.#isLeading = true
      for (const feed of this.#feeds.values()) this.#begin(feed)
      this.#say({ type: 'lead' })
    })).catch(() => {})
  }

  #retire() {
    this.#turn.abort()
    this.#turn = undefined
    this.#isLeading = false
    // Feeds that only other tabs need are carried by the next leader.
    for (const feed of [...this.#feeds.values()]) {
      feed.tabs.clear()
      feed.update()
    }
    this.#release?.()
    this.#release = undefined
  }

  #begin(feed) {
    if (this.#isLeading) feed.stream ??= Stream.for(feed)
    else this.#want(feed)
  }

  // The messages between tabs.

  #say(message) { this.#channel?.postMessage({ ...message, from: this.#tab }) }

  #want(feed) {
    const { place, session, parts, id } = feed
    feed.isAsking = true
    this.#say({ type: 'want', place, session: session.id, parts, id })
  }

  #hear(message) {
    if (this.#isLeading) return this.#lead(message)
    if (message.type === 'lead') for (const feed of this.#feeds.values()) this.#want(feed)
    const feed = this.#feeds.get(message.place)
    if (!feed || (message.to && message.to !== this.#tab)) return
    switch (message.type) {
      case 'state': return this.#takeState(feed, message)
      case 'event': return this.#takeEvent(feed, message)
      case 'connection': return feed.connected(message.isConnected)
      case 'end': {
        const { problem } = message
        return feed.end(message.reason, problem && new Problem(problem.status, problem.document))
      }
    }
  }

  #lead({ type, from, place, session, parts, id }) {
    if (type === 'drop') return this.#drop(from, this.#feeds.get(place))
    if (type !== 'want') return
    const feed = this.#feeds.get(place) ?? Feed.for(this.#client.session(session), {}, parts)
    feed.tabs.add(from)
    feed.update()
    this.#watch(from)
    if (feed.revision === undefined) return
    const text = feed.id === id ? undefined : feed.resetText
    this.#say({ type: 'state', place, to: from, id: feed.id, text, isConnected: feed.isConnected })
  }

  #drop(tab, feed) {
    if (feed?.tabs.delete(tab)) feed.update()
  }

  /** Stops following for a tab that is gone. */
  #watch(tab) {
    if (this.#others.has(tab)) return
    this.#others.add(tab)
    navigator.locks.request(`${this.#name} ${tab}`, () => {
      this.#others.delete(tab)
      for (const feed of [...this.#feeds.values()]) this.#drop(tab, feed)
    })
  }

  #takeState(feed, { id, text, isConnected }) {
    feed.isAsking = false
    // The leader may have to catch up; its next event then shows whether this tab missed one.
    if (text !== undefined && !isOlder(id, feed.id)) feed.take('reset', parse(text), id)
    // The leader may not know the state yet.
    if (isConnected !== undefined) feed.connected(isConnected)
  }

  #takeEvent(feed, { event, text, before, id }) {
    // A repeated event, or one that a reset included already.
    if ((id === feed.id || isOlder(id, feed.id)) && event !== 'closed') return
    if (event === 'reset' || event === 'closed' || before === feed.id) {
      feed.isAsking = false
      return feed.take(event, text === undefined ? undefined : parse(text), id)
    }
    // This tab missed an event.
    if (!feed.isAsking) this.#want(feed)
  }
}

/** The maximum number of characters of an event; `menud.py` has the same. */
const longestEvent = 2 ** 28

/** The events of a stream of Server-Sent Events (HTML, 9.2). */
async function* eventsOf(stream, isAlive) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let event = {}
  while (true) {
    const { value, done } = await reader.read()
    if (done) return
    isAlive()
    rest += value
    if (rest.length + (event.data?.length ?? 0) > longestEvent) throw new Error('An event is too long.')
    // A long line is not read again for each of its pieces.
    if (!value.includes('\n')) continue
    const lines = rest.split('\n')
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

/** The deliveries of a session to the application: claimed, worked on, and settled once. */
export class Deliveries {
  /**
   * `by` is a worker name that other clients see; `commands` are those whose deliveries are claimed, by default
   * all.
   */
  constructor(session, { by, commands } = {}) {
    this.session = session
    this.by = by
    this.commands = commands
  }

  async list(options) { return (await this.session.read('deliveries', options)).deliveries }
  async get(id) { return (await this.session.read(['deliveries', String(id)])).delivery }

  /** Claims the first open delivery; undefined if there is none within `wait` seconds, at most 25 by default. */
  async next({ wait = 0, signal } = {}) {
    return this.#send('claim', { by: this.by, commands: this.commands }, { wait, signal })
  }

  claim(id, options) { return this.#change(id, 'claim', { by: this.by }, options) }
  renew(delivery, { progress, message } = {}, options) {
    return this.#change(delivery.id, 'renew', { claim: delivery.claim.number, progress, message }, options)
  }
  reply(delivery, { result, mutations, undo } = {}, options) {
    return this.#change(delivery.id, 'reply', { claim: delivery.claim.number, result, mutations, undo }, options)
  }
  fail(delivery, problem, options) {
    return this.#change(delivery.id, 'fail', { claim: delivery.claim.number, problem }, options)
  }
  cancel(id, options) { return this.#change(id, 'cancel', {}, options) }
  giveUp(delivery, options) { return this.#change(delivery.id, 'cancel', { claim: delivery.claim.number }, options) }

  #change(id, word, body, options) { return this.#send([String(id), word], body, options) }

  /** Sends a change that waits for no other one, so that no delay lets a worker's claim expire. */
  async #send(parts, body, { dryRun, explain, ...options } = {}) {
    return (await this.#answer(parts, body, { query: { dryRun, explain }, ...options })).body?.delivery
  }

  #answer(parts, body, options) {
    return this.session.client.request('POST', this.session.path('deliveries', ...[parts].flat()), { body, ...options })
  }

  /**
   * Works until it is aborted: claims one delivery after the other, calls `handle`, which returns `{result,
   * mutations, undo}` or nothing, and settles it; with a problem if `handle` throws. The claim is renewed
   * meanwhile. A stream reports open deliveries, so that no request waits. It ends with the session.
   *
   * `handle` gets the delivery and `{signal, progress}`. `progress(part, message)` tells how far it is, from 0 to 1.
   * `signal` aborts when the delivery is to be cancelled, or its claim is lost; if `handle` throws then, the delivery is
   * given up.
   */
  async work(handle, { signal } = {}) {
    if (signal?.aborted) return
    const mirror = new Mirror(this.session, { deliveries: ['open'], background: true })
    const stop = () => mirror.close()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      while (!mirror.isClosed) {
        const claimed = mirror.deliveries.some((one) => this.#takes(one)) ? await this.#claimNext(mirror, signal) : undefined
        if (claimed) await this.#settle(claimed, handle, signal)
        else if (!mirror.isClosed) await new Promise((resolve) => mirror.addEventListener('told', resolve, { once: true }))
      }
      if (mirror.error && mirror.reason !== 'sessionClosed') throw mirror.error
    } catch (error) {
      if (!signal?.aborted && error.type !== '/problems/unknown-session') throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      stop()
    }
  }

  #takes({ command }) { return !this.commands || this.commands.includes(command) }

  /**
   * Claims the next delivery, once the mirror has the claims of workers in other tabs; returns the answer, undefined if
   * another worker was faster.
   */
  async #claimNext(mirror, signal) {
    const { client, id } = this.session
    const claim = async () => {
      if (!mirror.deliveries.some((one) => this.#takes(one))) return undefined
      const options = { key: newKey(), signal }
      const answer = await persistently(async () => {
        const answer = await this.#answer('claim', { by: this.by, commands: this.commands }, options)
        // A page of a proxy, which is no JSON, throws here, and is asked again.
        return answer.body ? answer : undefined
      }, signal)
      // The mirror gets the claim as a change.
      if (answer) await Promise.race([mirror.reaches(answer.body.revision), delay(1000)])
      else await delay(50, signal)
      return answer
    }
    const { locks } = globalThis.document ? navigator : {}
    return locks ? locks.request(`menud claims ${client.url} ${id}`, claim) : claim()
  }

  async #settle(claimed, handle, signal) {
    const { delivery } = claimed.body
    const [cancellation, over] = [new AbortController(), new AbortController()]
    const progress = this.#keep(claimed, cancellation, over.signal)
    const settle = (word, said) => {
      const key = newKey()
      return persistently(() => this[word](delivery, ...(said ? [said] : []), { key }), signal)
    }
    try {
      const [word, said] = await Promise.resolve()
        .then(() => handle(delivery, { signal: cancellation.signal, progress }))
        // A result that is not JSON is a failure.
        .then((answer) => write(answer) && ['reply', answer ?? {}])
        .catch((error) => cancellation.signal.aborted ? ['giveUp'] : ['fail', { title: String(error?.message ?? error) }])
      await settle(word, said).catch((error) => {
        if (isRefusal(error) && error.status !== 409) return settle('fail', { title: error.message })
        throw error
      })
    } catch (error) {
      // Another worker settled or claimed it, or its session is closed.
      if (!isRefusal(error)) throw error
    } finally {
      over.abort()
    }
  }

  /**
   * Renews a claim until its work is over, and aborts `cancellation` when the work is to end. Returns the function that
   * tells progress.
   */
  #keep({ body: { delivery }, headers }, cancellation, over) {
    let time = timeToRenew(delivery, headers)
    let [news, timer] = []
    // True while news wait for a renewal that is soon, on its way, or to be repeated.
    let isDue = false
    const plan = (time) => {
      clearTimeout(timer)
      if (!over.aborted) timer = setTimeout(renew, time)
    }
    const soon = () => {
      isDue = true
      plan(250)
    }
    const renew = async () => {
      const told = news
      news = undefined
      isDue = true
      try {
        const body = { claim: delivery.claim.number, ...told }
        const answer = await this.#answer([String(delivery.id), 'renew'], body, { signal: over })
        if (answer.body.delivery.state === 'cancelling') cancellation.abort()
        time = timeToRenew(answer.body.delivery, answer.headers)
      } catch (error) {
        if (isRefusal(error) && [401, 403, 404, 409].includes(error.status)) return cancellation.abort(error)
        // News can be refused; then they are dropped.
        if (isRefusal(error) && told) return renew()
        news = news || told ? { ...told, ...news } : undefined
        return plan(time)
      }
      isDue = false
      plan(time)
      if (news) soon()
    }
    over.addEventListener('abort', () => clearTimeout(timer), { once: true })
    plan(time)
    return (progress, message) => {
      // What is not told now stays as it was told before.
      news = { ...news, ...(progress !== undefined && { progress }), ...(message !== undefined && { message }) }
      if (!isDue) soon()
    }
  }
}

/** The milliseconds until a claim is renewed: a third of what is left, by the server's clock if the answer tells it. */
function timeToRenew({ claim }, headers) {
  const [until, now] = [claim.until, headers.get('Date')].map(Date.parse)
  // The clock of this machine may be behind.
  return Math.max(1000, (now ? until - now : Math.min(30_000, until - Date.now())) / 3)
}

// MARK: Keys

const namedKeys = {
  ArrowUp: ['UIKeyInputUpArrow'], ArrowDown: ['UIKeyInputDownArrow'],
  ArrowLeft: ['UIKeyInputLeftArrow'], ArrowRight: ['UIKeyInputRightArrow'],
  Escape: ['UIKeyInputEscape'], PageUp: ['UIKeyInputPageUp'], PageDown: ['UIKeyInputPageDown'],
  Home: ['UIKeyInputHome'], End: ['UIKeyInputEnd'],
  // The delete key of a Mac is backspace elsewhere.
  Delete: ['UIKeyInputDelete'], Backspace: ['UIKeyInputDelete', '\b'],
  Enter: ['\r'], Tab: ['\t'], Spacebar: [' '],
}
for (let number = 1; number <= 12; number += 1) namedKeys[`F${number}`] = [`UIKeyInputF${number}`]

/** The characters of keys on the US layout, by code, for an unknown layout. */
const usual = {
  Minus: '-', Equal: '=', BracketLeft: '[', BracketRight: ']', Backslash: '\\', Semicolon: ';', Quote: "'",
  Backquote: '`', Comma: ',', Period: '.', Slash: '/', Space: ' ',
}
const typedBy = (code) =>
  /^Key[A-Z]$/.test(code) ? code[3].toLowerCase() : /^(Digit|Numpad)\d$/.test(code) ? code.at(-1) : usual[code]

const runsOnMac = () => /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')
const platformOf = (isMac = runsOnMac()) => isMac ? 'apple' : 'other'

/** The key of an item on the platform, if it differs by platform; undefined without one. */
export function keyOn(key, { isMac } = {}) {
  return key && !('input' in key) && !Array.isArray(key) ? key[platformOf(isMac)] : key
}

/** True if an event is typed in a field, also in one of a shadow tree. */
export function isInField(event) {
  const field = (event.composedPath?.()[0] ?? event.target)?.closest?.('input, textarea, select, [contenteditable]')
  return Boolean(field) && (field.getAttribute?.('contenteditable') !== 'false' || field.matches('input, textarea, select'))
}

/** The possible keys of an event, or the key or strokes themselves. */
const readingsOf = (event, options) => Array.isArray(event) || 'input' in event ? [event] : keysOf(event, options)

/**
 * The possible keys of a browser's event, as UIKit names them, the likeliest first; none for a modifier alone, a
 * dead key, and input method composition.
 *
 * `key` decides if it is one letter of the layout; if modifiers changed it, or it is not a letter that a command
 * could be declared with, the key's `code` and the layout decide.
 */
export function keysOf(event, { layout, isMac = runsOnMac() } = {}) {
  const { key, code = '' } = event
  // A browser that fills a field in tells no key.
  if (typeof key !== 'string' || event.isComposing || key === 'Dead' || key === 'Process' || key === 'Unidentified') return []
  const modifiers = modifiersOf(event, isMac)
  const combination = (input, others = modifiers) => ({ input, modifiers: others })
  if (namedKeys[key]) return namedKeys[key].map((input) => combination(input))
  if ([...key].length !== 1) return []
  const bare = layout?.get?.(code) ?? typedBy(code)
  const isTyped = event.getModifierState?.('AltGraph')
  const isShortcut = ['command', 'control', 'alternate'].some((name) => modifiers.includes(name)) && !isTyped
  const keys = []
  // The key is hidden by a modifier that composes, such as option on a Mac, or by a script without Latin
  // letters.
  const isHidden = isShortcut && bare && (modifiers.includes('alternate') || !/^[\u0020-\u007e\u00a0-\u024f]$/u.test(key))
  if (!isHidden) {
    const letter = key.toLowerCase()
    const isLetter = letter !== key.toUpperCase()
    keys.push(combination(isLetter ? letter : key))
    // Shift may be part of the character: ? is declared with shift or without it.
    if (!isLetter && modifiers.includes('shift')) {
      keys.push(combination(key, modifiers.filter((name) => name !== 'shift')))
    }
  }
  if (bare && !keys.some(({ input }) => input === bare) && (isHidden || modifiers.includes('shift'))) {
    keys.push(combination(bare))
  }
  return keys
}

/** The pressed modifiers of an event. Control is command on keyboards without a command key. */
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

/**
 * A key as menus of the platform show it: ⌥⇧⌘X on Apple's, Ctrl+Alt+Shift+X elsewhere, with spaces between several
 * strokes. Empty without a key.
 */
export function symbolsOf(key, { isMac = runsOnMac() } = {}) {
  const onPlatform = keyOn(key, { isMac })
  if (Array.isArray(onPlatform)) return onPlatform.map((stroke) => symbolsOf(stroke, { isMac })).join(' ')
  const { input, modifiers = [] } = onPlatform ?? {}
  if (input === undefined) return ''
  const marks = isMac ? [['control', '⌃'], ['alternate', '⌥'], ['shift', '⇧'], ['command', '⌘']]
    : [['command', 'Ctrl'], ['control', 'Super'], ['alternate', 'Alt'], ['shift', 'Shift']]
  const held = marks.filter(([name]) => modifiers.includes(name)).map(([, mark]) => mark)
  const name = (isMac ? symbols : names)[input] ?? input.replace(/^UIKeyInput/, '').toUpperCase()
  return isMac ? [...held, name].join('') : [...held, name].join('+')
}

/**
 * True if a pressed key is the declared one (K4): without regard to the case of letters, and with the modifiers command,
 * shift, alternate and control alone; caps lock and the numeric pad count if they are declared.
 */
export function matchesKey({ input, modifiers = [] }, { input: pressed, modifiers: held = [] }) {
  const folded = (text) => text.normalize().toLowerCase().normalize()
  return folded(input) === folded(pressed) && modifiers.every((name) => held.includes(name))
    && held.every((name) => modifiers.includes(name) || name === 'alphaShift' || name === 'numericPad')
}

/** 'whole' if the pressed strokes are the declared ones (K4), 'beginning' if these begin with them (K8); else undefined. */
export function matchesStrokes(declared, pressed) {
  if (pressed.length > declared.length || !pressed.every((stroke, index) => matchesKey(declared[index], stroke))) return undefined
  return pressed.length === declared.length ? 'whole' : 'beginning'
}

const texts = {
  UIKeyInputUpArrow: 'up', UIKeyInputDownArrow: 'down', UIKeyInputLeftArrow: 'left', UIKeyInputRightArrow: 'right',
  '\b': 'backspace', '\t': 'tab', '\r': 'enter', ' ': 'space',
}
const textsOfPad = { '*': 'multiply', '+': 'add', '-': 'subtract', '.': 'decimal', '/': 'divide', ',': 'separator' }

/** The text of a key, or of strokes, as keymaps and VS Code's keybindings write it (K9): `ctrl+k ctrl+s`. */
export function textOfKey(key, { isMac = runsOnMac() } = {}) {
  const written = isMac ? [['control', 'ctrl'], ['shift', 'shift'], ['alternate', 'alt'], ['command', 'cmd']]
    : [['command', 'ctrl'], ['shift', 'shift'], ['alternate', 'alt'], ['control', 'meta']]
  return (Array.isArray(key) ? key : [key]).map(({ input, modifiers = [] }) => {
    const held = written.filter(([name]) => modifiers.includes(name)).map(([, text]) => text)
    const isOfPad = modifiers.includes('numericPad') && (/^\d$/.test(input) || input in textsOfPad)
    const name = isOfPad ? `numpad${input in textsOfPad ? `_${textsOfPad[input]}` : input}`
      : texts[input] ?? input.replace(/^UIKeyInput/, '').toLowerCase()
    return [...held, name].join('+')
  }).join(' ')
}

// MARK: Menus

/** All items of a menu, in order, with the titles of the menus around each. */
export function* itemsIn(menu, titles = []) {
  for (const child of menu?.children ?? []) {
    if ('children' in child) yield* itemsIn(child, child.title ? [...titles, child.title] : titles)
    else yield { item: child, titles }
  }
}

/** The item while modifiers are pressed (M11): the alternate that matches the most of them, or itself. */
export function shown(item, held) {
  const matches = ({ alternate }) => alternate.modifiers.every((name) => held.includes(name))
  const found = (item.alternates ?? []).filter(matches)
  return found.sort((a, b) => b.alternate.modifiers.length - a.alternate.modifiers.length)[0] ?? item
}

// MARK: Tracking

/** Elements that have focus while a command is chosen: they are no responders. */
const choosing = 'menud-menu-bar, menud-context-menu, menud-tool-bar, menud-touch-bar, menud-button, menud-palette, menud-keys, '
  + '[role=menubar], [role=menu], [role=toolbar]'

/** The changes that one request may have. */
const most = 1000

/**
 * Tells a session of the responders in a part of a page, and of its focus:
 *
 *   <main data-responder="list" data-class="AlbumList"> … <li data-responder="cover" data-class="Cover" tabindex="0">
 *
 * An element with `data-responder` and `data-class` is a responder, a view unless `data-kind` names another kind, while it
 * is on the page. Its next responder is that of the element around it, the outermost one's is `under`, by default the key
 * window; `data-next` names another one. An element with `data-responder` alone stands for a responder that the session
 * has. The responder of the focused element becomes first responder.
 *
 * Everything that changes within `delay` milliseconds is one request, or one for each 1,000 changes. A change that is
 * refused is left out, and the others are sent again. Without an answer everything is repeated each second. All windows
 * share the names of responders: one that another window has removed is declared again, at once if `mirror` is given.
 * Returns a function that ends it, and removes the responders.
 */
export function track(root, session, options) {
  const tracker = new Tracker(root, session, options)
  return Object.assign(() => tracker.stop(), { flush: () => tracker.flush() })
}

class Tracker {
  /** The responders of this page that the session has, as they were told; undefined for one that it has otherwise. */
  #told = new Map()
  /** The focus to tell; undefined if it is told. */
  #focus
  /** The responder of the focused element; undefined if it has none. */
  #focused
  /** The focus that was told last. */
  #toldFocus
  /** The changes that were refused, as text. */
  #refused = new Set()
  /** The revision from which on a mirror has what was told. */
  #revision = 0
  #timer

  constructor(root, session, { under, window, mirror, delay = 16, ignore = choosing, onError = (error) => globalThis.reportError(error) } = {}) {
    Object.assign(this, { root, session, under: under ?? window, window, mirror, delay, ignore, onError })
    this.hasBegun = under !== undefined && window === undefined
    this.observer = new MutationObserver(() => {
      this.#note(root.ownerDocument.activeElement)
      this.#soon()
    })
    this.observer.observe(root, {
      subtree: true, childList: true, attributeFilter: ['data-responder', 'data-class', 'data-kind', 'data-next'],
    })
    root.addEventListener('focusin', this.#noted)
    // A key means what it means where the focus is now.
    root.ownerDocument.addEventListener('keydown', this.#flushed, true)
    for (const name of ['reset', 'change']) mirror?.addEventListener(name, this.#follow)
    this.#note(root.ownerDocument.activeElement)
    this.#soon()
  }

  #soon(delay = this.delay) { this.#timer ??= setTimeout(() => this.flush(), delay) }
  #flushed = () => { if (this.#timer !== undefined) this.flush() }
  #noted = ({ target }) => this.#note(target, true)

  /** Tells the responder of the focused element, if it is another one, or `isAnew`: others move the session's focus too. */
  #note(element, isAnew = false) {
    const responder = element?.closest(this.ignore) ? undefined : element?.closest('[data-responder]')
    const id = this.root.contains(responder) ? responder?.dataset.responder : undefined
    if (id === this.#focused && !isAnew) return
    this.#focused = id
    if (id === undefined) return
    this.#focus = id
    this.#soon()
  }

  /**
   * Declares again what another window has removed, or focuses the element of the session's first responder, if another
   * window has changed it.
   */
  #follow = ({ type }) => {
    const { firstResponder, responders } = this.mirror.document ?? {}
    if (!responders || (type === 'change' && this.mirror.revision < this.#revision)) return
    if (this.#compare(responders)) {
      this.#note(this.root.ownerDocument.activeElement, this.#toldFocus !== firstResponder)
      return this.#soon()
    }
    if (firstResponder === this.#toldFocus || this.#focus !== undefined) return
    this.#toldFocus = firstResponder
    const element = firstResponder && this.root.querySelector(`[data-responder="${CSS.escape(firstResponder)}"]`)
    if (!element || element.contains(this.root.ownerDocument.activeElement)) return
    element.focus()
    // The session has it already.
    if (this.#focus === firstResponder) this.#focus = undefined
  }

  /** Finds the told responders that the session does not have, or not with all their links; true if there are any. */
  #compare(responders) {
    let isOtherwise = false
    for (const [id, value] of this.#told) {
      const has = Object.hasOwn(responders, id)
      if (has && Object.keys(value ?? {}).every((name) => value[name] === undefined || name in responders[id])) continue
      isOtherwise = true
      if (has) this.#told.set(id, undefined)
      else this.#told.delete(id)
    }
    return isOtherwise
  }

  /** The responders of the page, those around others first. */
  #responders() {
    const found = new Map()
    if (this.isStopped) return found
    for (const element of [this.root, ...this.root.querySelectorAll('[data-responder][data-class]')]) {
      const { responder, class: name, kind = 'view', next } = element.dataset
      if (responder === undefined || name === undefined) continue
      const outer = element === this.root ? undefined : element.parentElement.closest('[data-responder]')
      const above = outer && this.root.contains(outer) ? outer.dataset.responder : this.under
      found.set(responder, { kind, class: name || undefined, [kind === 'view' ? 'superview' : 'next']: above, ...(next ? { next } : {}) })
    }
    return found
  }

  /** Sends what has changed, before what the page sends next. Resolves once everything so far is answered, or has no answer. */
  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.session.inTurn({}, () => this.#send()).catch((error) => isRefusal(error) ? this.onError(error) : this.#soon(1000))
  }

  async #send() {
    if (!this.hasBegun && !this.isStopped) await this.#find()
    await this.#tell(this.#responders())
  }

  async #tell(responders, isRest = false) {
    const all = this.#mutations(responders, isRest)
    const mutations = all.slice(0, most)
    if (!mutations.length) return
    try {
      this.#revision = (await this.#mutate(mutations)).revision
    } catch (error) {
      if (!isRefusal(error)) throw error
      const isGone = !isRest && error.type === '/problems/unresolved-reference' && await this.#find().catch(() => false)
      if (!isGone) this.#refuse(mutations, error)
      return this.#tell(responders, true)
    }
    for (const { op, responder, value } of mutations) {
      if (op === 'putResponder') this.#told.set(responder, value)
      else if (op === 'removeResponder') this.#told.delete(responder)
      else {
        this.#toldFocus = responder
        if (this.#focus === responder) this.#focus = undefined
      }
    }
    if (all.length > most) await this.#tell(responders, isRest)
  }

  /** The changes that are to be told. Refused ones are tried again once something else changes. */
  #mutations(responders, isRest) {
    const changes = Array.from(responders, ([responder, value]) => ({ op: 'putResponder', responder, value }))
      .filter(({ responder, value }) => JSON.stringify(value) !== JSON.stringify(this.#told.get(responder)))
    // A part without its class stays while others are in it.
    const around = new Set(Array.from(responders.values(), ({ superview, next }) => superview ?? next))
    const gone = [...this.#told.keys()].reverse().filter((id) => !responders.has(id) && !around.has(id))
    changes.push(...gone.map((responder) => ({ op: 'removeResponder', responder })))
    const isNew = (change) => !this.#refused.has(JSON.stringify(change))
    if (!isRest && changes.some(isNew)) this.#refused.clear()
    const moves = this.#focus === undefined || this.isStopped ? [] : [{ op: 'becomeFirstResponder', responder: this.#focus, window: this.window }]
    return [...changes.filter(isNew), ...moves]
  }

  async #mutate(mutations) {
    return (await this.session.client.request('POST', this.session.path('mutations'), { body: { mutations } })).body
  }

  /** Leaves the refused one of some mutations out; all of them if the refusal names none. */
  #refuse(mutations, error) {
    const [, index] = /^\/mutations\/(\d+)/.exec(error.pointer) ?? []
    for (const one of index === undefined ? mutations : [mutations[index]]) {
      this.#refused.add(JSON.stringify(one))
      if (one.op === 'becomeFirstResponder' && one.responder === this.#focus) this.#focus = undefined
    }
    this.onError(error)
  }

  /**
   * Reads the session: finds the responder that the outermost ones are in, and opens the page's own window. True if the
   * session does not have what was told.
   */
  async #find() {
    const { keyWindow, responders } = await this.session.document()
    this.under ??= keyWindow ?? undefined
    const lacksWindow = this.window !== undefined && !Object.hasOwn(responders, this.window)
    if (lacksWindow) await this.#mutate([{ op: 'putResponder', responder: this.window, value: { kind: 'window' } }])
    this.hasBegun = true
    return this.#compare(responders) || lacksWindow
  }

  stop() {
    this.isStopped = true
    this.observer.disconnect()
    this.root.removeEventListener('focusin', this.#noted)
    this.root.ownerDocument.removeEventListener('keydown', this.#flushed, true)
    for (const name of ['reset', 'change']) this.mirror?.removeEventListener(name, this.#follow)
    return this.flush()
  }
}
