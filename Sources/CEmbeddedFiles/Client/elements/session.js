// The session that the elements in it show: `<menud-session server="https://menud.example.org" name="desk">`.

import { Client } from '../menud.js'
import { setAgain } from './dom.js'
import { sessionsChanged } from './element.js'
import { SessionView } from './view.js'

/** Connects to a session, and gives it to the elements that are in it, or that name it in `for`. */
export class MenudSession extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ['server', 'name', 'images']
  #token
  #client
  #own
  #view
  #timer
  /** True until a change of what it is has been made. */
  #isDue = true
  #begin

  /** Resolves once it has a session. */
  begun = new Promise((resolve) => { this.#begin = resolve })

  /** The token of the requests. It is no attribute, since attributes are for everybody to read. */
  get token() { return this.#token }
  set token(token) {
    if (token === this.#token) return
    this.#token = token
    this.#renew()
  }

  /** The client of menud.js, if the page has one. */
  get client() { return this.#client }
  set client(client) {
    this.#client = client
    this.#renew()
  }

  /** The session of menud.js. */
  get session() { return this.#view?.session }
  set session(session) { this.view = session && SessionView.of(session) }

  /** The mirror of menud.js; undefined until the session is followed. */
  get mirror() { return this.#view?.mirror }
  set mirror(mirror) { this.view = mirror && SessionView.of(mirror.session, mirror) }

  get view() { return this.#view }
  set view(view) {
    this.#own = view
    this.#renew()
  }

  get server() { return this.getAttribute('server') ?? location.origin }
  get name() { return this.getAttribute('name') ?? '' }

  connectedCallback() {
    setAgain(this, ['token', 'client', 'session', 'mirror', 'view'])
    if (this.#isDue) this.#renew()
    else sessionsChanged()
  }

  disconnectedCallback() { sessionsChanged() }

  attributeChangedCallback(name) {
    if (name !== 'images') return this.#renew()
    this.#picture()
    this.#view?.changed()
  }

  /** Makes the view anew, once all attributes and properties are set. */
  #renew() {
    clearTimeout(this.#timer)
    this.#isDue = true
    this.#timer = setTimeout(() => {
      if (!this.isConnected) return
      this.#isDue = false
      this.#view = this.#own ?? (this.name ? new SessionView(this.#made().session(this.name)) : undefined)
      if (this.hasAttribute('images')) this.#picture()
      sessionsChanged()
      if (this.#view) this.#begin()
    })
  }

  #made() { return this.#client ?? new Client(this.server, { token: this.#token }) }

  /** `images` is the address of an image, with `{name}` in place of its name. */
  #picture() {
    const pattern = this.getAttribute('images')
    if (this.#view) this.#view.imageOf = pattern ? (name) => pattern.replace('{name}', encodeURIComponent(name)) : undefined
  }
}
