// The keys of a session on the page, and the sheet that shows them while ⌘ (Ctrl elsewhere) or ? is held, with the strokes
// that can follow.

import { isInField, itemsIn, symbolsOf } from '../menud.js'
import { h, keepingFocus, show } from './dom.js'
import { MenudElement, viewAt } from './element.js'
import { openDialog } from './notices.js'
import { tell } from './view.js'
import { whyNot, words } from './words.js'

/** The milliseconds for which a key is held before the sheet is shown. */
const delay = 600
/** The milliseconds after a stroke before the strokes that can follow are shown. */
const delayOfStrokes = 300

/** The elements on the page, in order. */
let all = []

/** Those that a key is for: of the session that the focused part shows; elsewhere all, of which the first one takes it. */
function meant(event) {
  const view = viewAt(event.composedPath()[0])
  const own = view ? all.filter((keys) => keys.view === view) : []
  return own.length ? own : all
}

/** Presses the keys of the page in the session, and shows what they mean. */
export class Keys extends MenudElement {
  #sheet
  #list
  #timer
  #held
  #isHeld = false
  #giveBack

  connectedCallback() {
    super.connectedCallback()
    all.push(this)
    document.addEventListener('keydown', this.#down, true)
    document.addEventListener('keyup', this.#up, true)
    document.addEventListener('keydown', this.#press)
    document.addEventListener('pointerdown', this.#close, true)
    addEventListener('blur', this.#close)
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#down, true)
    document.removeEventListener('keyup', this.#up, true)
    document.removeEventListener('keydown', this.#press)
    document.removeEventListener('pointerdown', this.#close, true)
    removeEventListener('blur', this.#close)
    this.#close()
    all = all.filter((keys) => keys !== this)
    super.disconnectedCallback()
  }

  viewChanged(former) {
    former?.removeEventListener('strokes', this.#stroked)
    this.view?.addEventListener('strokes', this.#stroked)
    this.#close()
  }

  /** Shows the strokes that can follow, once the mirror waits for one. */
  #stroked = () => {
    this.#close()
    if (this.mirror?.strokes.length) this.#timer = setTimeout(() => this.#open(), delayOfStrokes)
  }

  /** Presses a key, unless the focused element takes it, or the page prevents `menud-key`. */
  #press = (event) => {
    const { view, mirror } = this
    const [inner] = event.composedPath()
    const isTaken = inner.closest?.('button, [role=button], a, summary') && ['Enter', ' '].includes(event.key)
    const isField = isInField(event)
    // An element's own open menus and fields keep their keys; those of the page are left to the mirror.
    const isOwn = inner.getRootNode().host?.localName.startsWith('menud-')
    const isInside = isOwn && (isField || inner.closest('.keysheet') || inner.closest('.menus')?.querySelector('.popup'))
    const letter = (event.metaKey || event.ctrlKey) && !event.altKey ? event.key?.toLowerCase() : ''
    // A text that is edited has its own clipboard, selection and undo. Selected text of the page is copied.
    const isEditing = letter && isField && 'acvxyz'.includes(letter)
    const isCopying = letter === 'c' && !event.shiftKey && !event.target.localName?.startsWith('menud-') && getSelection().type === 'Range'
    if (isTaken || isEditing || isCopying || isInside || !meant(event).includes(this) || openDialog() || !mirror || !tell(this, 'menud-key', { event })) return
    // In a session that has ended, a key says so.
    if (mirror.isClosed && !isField && mirror.means(event, { layout: view.layout })) {
      event.preventDefault()
      return void view.press(mirror.reads(event, { layout: view.layout }), { from: this })
    }
    mirror.handle(event, { layout: view.layout, press: (key) => view.press(key, { from: this }) })?.catch(() => undefined)
  }

  /** Opens the sheet at once for ?, which stays if it is only tapped, and for a modifier that is held. */
  #down = (event) => {
    const { key, repeat, ctrlKey, metaKey, altKey } = event
    if (repeat || (this.#sheet && ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'Shift'].includes(key))) return
    const isOpen = Boolean(this.#sheet)
    this.#close()
    const { view, mirror } = this
    if (isOpen && key === 'Escape') {
      mirror?.endStrokes()
      return void event.preventDefault()
    }
    const shows = meant(event).find((keys) => keys.mirror && !keys.hasAttribute('no-sheet')) === this
    if (!shows || mirror.strokes.length || isInField(event) || openDialog() || event.defaultPrevented) return
    if (key === '?' && !ctrlKey && !metaKey && !altKey && !isOpen && !mirror.means(event, { layout: view.layout })) {
      event.preventDefault()
      this.#giveBack = keepingFocus()
      this.#open()
      // So that it is read aloud, and can be scrolled.
      this.#sheet.focus({ preventScroll: true })
      this.#hold(key, () => { this.#isHeld = true })
    } else if (['Meta', 'Control'].includes(key)) this.#hold(key, () => { this.#isHeld = true; this.#open() })
  }

  #hold(key, act) {
    this.#held = key
    this.#isHeld = false
    this.#timer = setTimeout(act, delay)
  }

  #up = ({ key }) => {
    if (key !== this.#held) return
    clearTimeout(this.#timer)
    this.#held = undefined
    if (this.#isHeld) this.#close()
  }

  #open() {
    if (!this.mirror) return
    const { strokes } = this.mirror
    const title = strokes.length ? `${symbolsOf(strokes)} …` : words.keys
    this.#list = h('div.groups', strokes.length ? { role: 'status' } : {})
    this.#sheet = h('section.keysheet', { 'aria-label': title, role: 'region', tabindex: -1, part: 'sheet' },
      h('h2', {}, title), this.#list, h('footer', {}, h('kbd', {}, words.escape), ` ${words.closes}`))
    this.show(this.#sheet)
    this.render()
  }

  #close = () => {
    clearTimeout(this.#timer)
    this.#held = undefined
    if (!this.#sheet) return
    const hadFocus = this.#sheet.contains(this.shadowRoot.activeElement)
    this.#sheet.remove()
    this.#sheet = undefined
    if (hadFocus) this.#giveBack?.()
    this.#giveBack = undefined
  }

  render() {
    if (!this.#sheet) return
    const { mirror } = this
    const { strokes: begun = [], continuations = [] } = mirror ?? {}
    const keys = begun.length ? continuations : mirror?.keys.filter(({ action }) => action) ?? []
    const places = new Map()
    for (const { item, titles } of itemsIn(mirror?.menu)) if (!places.has(item.command)) places.set(item.command, titles[0])
    const groups = new Map()
    for (const key of keys) {
      const name = key.command ? places.get(key.command) || words.others : words.of(key.responder)
      groups.set(name, [...(groups.get(name) ?? []), key])
    }
    show(this.#list, groups.size ? Array.from(groups, ([name, keys]) => h('div.group', {},
      h('h3', {}, name), h('ul', {}, keys.map((key) => this.#row(key))))) : h('p.hint', {}, words.noKeys))
  }

  #row(key) {
    const { strokes, title, discoverabilityTitle, action, enabled } = key
    return h('li', { class: enabled ? '' : 'off' },
      h('span.name', {}, discoverabilityTitle || title || action, !enabled && h('small', {}, whyNot(key))),
      h('kbd', { dir: 'ltr', part: 'key' }, symbolsOf(strokes.slice(this.mirror.strokes.length))))
  }
}
