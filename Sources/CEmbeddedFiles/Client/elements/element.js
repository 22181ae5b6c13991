// What all elements have in common: the session that they show, its language, and their style.

import { h, setAgain, show } from './dom.js'
import { speak } from './language.js'
import { placeOfNotices } from './notices.js'
import { sheetsIn } from './style.js'
import { SessionView } from './view.js'

/** The elements on the page: they look for their session again when one comes or goes. */
const connected = new Set()

export function sessionsChanged() { for (const element of connected) element.attach() }

/** An element that shows a session: its own, or that of the `menud-session` that `for` names or that is around it. */
export class MenudElement extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ['for', 'label']
  #own
  #view

  constructor() {
    super()
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = sheetsIn(this.ownerDocument)
  }

  /** Another document takes the style away. */
  adoptedCallback() { this.shadowRoot.adoptedStyleSheets = sheetsIn(this.ownerDocument) }

  /** The session of menud.js that it shows. */
  get session() { return this.#view?.session }
  set session(session) { this.view = session && SessionView.of(session) }

  /** The mirror of menud.js that it shows, with document, menu and keys; by default it follows the session itself. */
  get mirror() { return this.#view?.mirror }
  set mirror(mirror) { this.view = mirror && SessionView.of(mirror.session, mirror) }

  get view() { return this.#view }
  set view(view) {
    this.#own = view
    this.attach()
  }

  connectedCallback() {
    setAgain(this, ['session', 'mirror', 'view', ...this.constructor.properties ?? []])
    connected.add(this)
    placeOfNotices()
    this.attach()
  }

  disconnectedCallback() {
    connected.delete(this)
    this.attach()
  }

  attributeChangedCallback() { if (this.isConnected) this.attach() }

  /** Shows the session that is its own now. */
  attach() {
    const view = connected.has(this) ? this.#own ?? providerOf(this)?.view : undefined
    if (view === this.#view) return view && this.update()
    const former = this.#view
    former?.removeEventListener('change', this.#changed)
    this.#view = view
    view?.addEventListener('change', this.#changed)
    view?.acquire()
    this.viewChanged(former)
    former?.release()
    this.update()
  }

  #changed = () => this.update()

  /** The session that is shown has changed. */
  viewChanged() {}

  /** Shows what the session is now. */
  update() {
    speak(this, this.#view?.mirror)
    this.render()
  }

  render() {}

  /** Replaces the content. */
  show(...children) { show(this.shadowRoot, ...children) }

  /** The image of an item or a menu, if the page shows images. */
  image({ image }) {
    const address = image && this.#view?.imageOf?.(image)
    return address && h('img.image', { src: address, alt: '', part: 'image' })
  }
}

/** The view of the session that a part of the page shows, or is in; undefined outside of all. */
export function viewAt(part) {
  for (let node = part; node; node = node.getRootNode?.().host) {
    const around = node.closest?.('menud-session')
    if (node instanceof MenudElement || around) return (node instanceof MenudElement ? node : around).view
  }
  return undefined
}

/** The `menud-session` of an element, in its part of the page or around it. */
function providerOf(element) {
  const id = element.getAttribute('for')
  if (id) return element.getRootNode().getElementById?.(id)
  for (let node = element; node; node = node.getRootNode().host) {
    const provider = node.closest('menud-session')
    if (provider) return provider
  }
  return undefined
}
