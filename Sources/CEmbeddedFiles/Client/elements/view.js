// A session as the elements show it, and what a person does with it.

import { itemsIn, symbolsOf, Unreached } from '../menud.js'
import { ask, askParameters, demands } from './forms.js'
import { notify } from './notices.js'
import { isUnreached, quoted, refusal, whyNot, words } from './words.js'

/** The milliseconds after which changes are shown, so that several consecutive ones are one. */
const delay = 16
/** The milliseconds after which commands whose mirror was refused may be followed again. */
const pause = 5000
/** The maximum number of characters of the names in one mirror, as in an address, whose length is bounded. */
const longestNames = 4000

const views = new WeakMap()

/**
 * The part that elements share: the mirror of a session, the commands that are not in its menu, and how a command is performed.
 * Its event `change` says that they are to be shown anew.
 */
export class SessionView extends EventTarget {
  #users = 0
  #mirror
  #isOwn = false
  #declarations = new Map()
  #wanted = new Map()
  /** The mirrors of wanted commands that are not in the menu. */
  #aside = []
  /** The commands that `#aside` follows, or will follow. */
  #besideMenu = []
  #timer

  /** The keyboard layout of the browser, where it tells it. */
  layout = undefined
  /** Returns the address of an image by its name; without it images are not shown. */
  imageOf = undefined

  constructor(session) {
    super()
    this.session = session
  }

  /** The view of a session, or of a mirror that the page has; always the same one. */
  static of(session, mirror) {
    const key = mirror ?? session
    if (!views.has(key)) {
      const view = new SessionView(session)
      if (mirror) view.show(mirror)
      views.set(key, view)
    }
    return views.get(key)
  }

  get mirror() { return this.#mirror }
  get menu() { return this.#mirror?.menu }

  /** Why nothing can be performed now, in words; undefined if the session is followed. */
  get hindrance() {
    const mirror = this.#mirror
    if (this.problem) return refusal(this.problem).detail
    if (!mirror) return this.session ? words.connecting : words.noSession
    if (mirror.isClosed) return words.sessionEnded
    return mirror.isConnected || mirror.isPaused ? undefined : words.unreached
  }

  /** The item of a command, or the item from data with a key. */
  itemOf(command, itemKey) {
    for (const { item } of itemsIn(this.menu)) if (item.command === command && item.itemKey === itemKey) return item
    return itemKey === undefined ? this.#aside.map((mirror) => mirror.item(command)).find(Boolean) : undefined
  }

  /** The responder at which the search begins, and the window that counts as key: those of the mirror, unless `origin` names one. */
  place(origin) {
    const { from, window } = this.#mirror?.what ?? {}
    return { from: origin ?? from, window }
  }

  /** Why an item is disabled, in words; undefined if it can be performed. */
  whyNot(item) { return whyNot(item) ?? this.hindrance }

  isEnabled(item) { return item.enabled && !this.hindrance }

  // Following.

  /** Begins to follow the session, for the first element. */
  acquire() {
    this.#users += 1
    if (this.#users > 1) return
    navigator.keyboard?.getLayoutMap?.().then((layout) => { this.layout = layout }, () => undefined)
    this.follow()
  }

  /** Ends following once no element shows the session any more; one that is moved comes back at once. */
  release() {
    this.#users -= 1
    setTimeout(() => {
      if (this.#users > 0) return
      this.#endAside()
      if (!this.#isOwn) return
      this.#mirror?.close()
      this.show(undefined)
    })
  }

  /** Follows the session until it is followed or refused. */
  async follow() {
    const { session } = this
    while (session && !this.#mirror && this.#users > 0) {
      try {
        const mirror = await session.follow({ document: true, menu: true, keys: true })
        if (this.#mirror || !this.#users) return mirror.close()
        this.show(mirror)
        this.#isOwn = true
      } catch (error) {
        if (!isUnreached(error)) {
          this.problem = error
          return this.changed()
        }
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }
  }

  /** Shows a mirror, of this session or another one. */
  show(mirror) {
    const former = this.#mirror
    for (const name of ['reset', 'change', 'connection', 'closed']) former?.removeEventListener(name, this.#told)
    former?.removeEventListener('strokes', this.#stroked)
    if (mirror !== former) this.#endAside()
    this.#mirror = mirror
    this.#isOwn = false
    this.problem = undefined
    if (mirror) this.session = mirror.session
    for (const name of ['reset', 'change', 'connection', 'closed']) mirror?.addEventListener(name, this.#told)
    mirror?.addEventListener('strokes', this.#stroked)
    this.changed()
  }

  #told = () => this.changed()
  #stroked = () => this.dispatchEvent(new Event('strokes'))

  /** Tells the elements, once several consecutive changes are over. */
  changed() {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#followAside()
      this.dispatchEvent(new Event('change'))
    }, delay)
  }

  /** Follows a command too that may not be in the menu, until the returned function is called. */
  want(command) {
    const count = this.#wanted.get(command) ?? 0
    this.#wanted.set(command, count + 1)
    if (!count) this.changed()
    return () => {
      const left = this.#wanted.get(command) - 1
      if (left) this.#wanted.set(command, left)
      else this.#wanted.delete(command)
    }
  }

  /** Follows the wanted commands that are not in the menu, in few mirrors. */
  async #followAside() {
    if (!this.menu || !this.#users || !this.#wanted.size) return
    const inMenu = new Set(Array.from(itemsIn(this.menu), ({ item }) => item.itemKey === undefined && item.command))
    const commands = [...this.#wanted.keys()].filter((command) => !inMenu.has(command))
    if (commands.every((command) => this.#besideMenu.includes(command))) return
    this.#besideMenu = commands
    const follow = (commands) => this.session.follow({ commands, ...this.place() }).catch(() => undefined)
    const lists = inShortLists(commands)
    const mirrors = (await Promise.all(lists.map(follow))).filter(Boolean)
    if (commands !== this.#besideMenu) return mirrors.forEach((mirror) => mirror.close())
    if (mirrors.length < lists.length) setTimeout(() => { if (commands === this.#besideMenu) this.#besideMenu = [] }, pause)
    // After a refusal, former mirrors stay for commands that are not followed now.
    const followed = new Set(mirrors.flatMap(({ what }) => what.commands))
    const kept = this.#aside.filter(({ what }) => what.commands.some((command) => commands.includes(command) && !followed.has(command)))
    for (const mirror of this.#aside) if (!kept.includes(mirror)) mirror.close()
    this.#aside = [...mirrors, ...kept]
    for (const mirror of mirrors) for (const name of ['reset', 'change']) mirror.addEventListener(name, this.#told)
    this.changed()
  }

  #endAside() {
    for (const mirror of this.#aside) mirror.close()
    this.#aside = []
    this.#besideMenu = []
  }

  // Performing.

  /** The declaration of a command; undefined if it cannot be read. */
  async declaration(command) {
    const { catalogRevision } = this.#mirror ?? {}
    const known = this.#declarations.get(command)
    if (known && known.catalogRevision === catalogRevision) return known.value
    try {
      const { body } = await this.session.client.get(['commands', command])
      this.#declarations.set(command, { catalogRevision, value: body })
      return body
    } catch {
      return undefined
    }
  }

  /**
   * Performs a command, after asking for its parameters if it needs some. `from` is the element that asks; `origin` is the
   * responder at which the search begins, by default that of the mirror, or the first responder.
   */
  perform(command, details = {}) {
    const { session } = this
    const { itemKey, modifiers, from, origin } = details
    if (!tell(from, 'menud-perform', { command, itemKey, modifiers })) return undefined
    return this.complete(command, details, words.perform, async (what, said) => {
      const answer = await this.confirming(what, (options) => session.perform(command, { ...options, ...said, ...this.place(origin) }), { from, command, itemKey })
      if (answer) tell(from, 'menud-performed', { command, itemKey, answer })
      return answer
    })
  }

  /** Sends a command with its modifiers and parameters, or an item from data of it, which brings its parameters. */
  async complete(command, { modifiers, itemKey, itemTitle, asks, from, origin, ask = askParameters } = {}, action, send) {
    const item = this.itemOf(command, itemKey)
    const what = quoted(itemTitle || item?.title || command)
    const complete = (parameters) => send(what, { modifiers, parameters, itemKey })
    return this.doing(what, async () => {
      if (itemKey !== undefined || asks === false || !(asks || (item?.needsParameters ?? true))) return complete()
      const { title, description, parameters } = await this.declaration(command) ?? {}
      if (!parameters || !(asks ?? item?.needsParameters ?? demands(parameters))) return complete()
      const read = () => this.session.form(command, { modifiers, ...this.place(origin) })
      const { schema, errors } = await read()
      return ask({ view: this, title: item?.title || title || command, description, schema, errors, action, send: complete, read })
    }, { command, modifiers, itemKey, from })
  }

  /** Makes a change, after asking the person if its command needs a confirmation. */
  async confirming(what, send, asked) {
    try {
      return await this.change(what, send, asked)
    } catch (error) {
      if (error.type !== '/problems/needs-confirmation') throw error
      const { title, message: detail, button: action = error.document.item.title } = error.confirmation
      if (!await ask({ view: this, title, detail, action, read: () => true })) return undefined
      return this.change(what, (options) => send({ ...options, confirmed: true }), asked)
    }
  }

  /** Presses a key of the session; its command may need parameters. */
  press(key, { from } = {}) {
    const { session } = this
    const what = words.key(symbolsOf(key))
    return this.doing(what, async () => {
      try {
        const answer = await this.confirming(what, (options) => session.press(key, { ...this.place(), ...options, final: true, throws: true }), { from })
        if (answer) tell(from, 'menud-performed', { key, command: answer.command, answer })
        return answer
      } catch (error) {
        if (error.type === '/problems/not-performed' && !error.explanation) return void this.notice(words.doesNothing(what), words.keyDoesNothing)
        if (error.status !== 422) throw error
        const { matches } = await session.resolve(key, { ...this.place(), final: true })
        const command = matches.find(({ outcome }) => outcome === 'chosen')?.command
        if (!command) throw error
        return this.perform(command, { asks: true, from })
      }
    }, { from })
  }

  // A page with other ways to tell and to repeat replaces these.

  /** Makes a change of the session. Without a connection it is refused in words. */
  async change(what, send, asked) {
    const { hindrance, problem = new Unreached(hindrance) } = this
    if (!hindrance) return send({})
    return this.#refuse(problem, words.notDone(what), hindrance === words.unreached ? words.nothingSent : hindrance, asked)
  }

  /** Runs a person's request; undefined if it is refused, which is said. */
  async doing(what, work, asked) {
    try {
      return await work()
    } catch (error) {
      const { title, detail } = isUnreached(error) ? { title: what ? words.notDone(what) : words.busy, detail: words.unreached } : refusal(error, what)
      return this.#refuse(error, title, detail, asked)
    }
  }

  /** Says why something is refused, unless the page does. */
  #refuse(problem, title, detail, { from, command, itemKey } = {}) {
    if (tell(from, 'menud-refused', { command, itemKey, problem, title, detail })) this.notice(title, detail)
  }

  /** Asks something for a person; undefined if there is no answer. */
  async asking(work) { return this.doing(undefined, work) }

  /** Says something to the person. */
  notice(title, detail) { notify(this, title, detail) }
}

/** The commands in their order, in lists whose names are short enough for an address. */
function inShortLists(commands) {
  const lists = []
  let length = Infinity
  for (const command of commands) {
    const { length: own } = encodeURIComponent(`${command},`)
    length += own
    if (length > longestNames) [length] = [own, lists.push([])]
    lists.at(-1).push(command)
  }
  return lists
}

/** Tells the page about something that an element does; false if the page prevents it. */
export function tell(element, name, detail) {
  return element?.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true })) ?? true
}

/** Tells the page that an item is to be explained; unless it does so, the reason of a disabled one is said. */
export function inspect(element, item, modifiers) {
  const { command, itemKey } = item
  if (!tell(element, 'menud-inspect', { command, itemKey, modifiers, item })) return
  const reason = element.view.whyNot(item)
  if (reason) element.view.notice(words.notDone(`“${item.title}”`), reason)
}
