// The keys that mean something now, shown while ⌘ (Ctrl elsewhere) or ? is held, and the strokes that can follow.

import { itemsIn, symbolsOf } from '../client/menud.js'
import { h, show } from './elements.js'
import { speak } from './languages.js'
import { quoted, whyNot } from './words.js'

/** The milliseconds for which a key is held before the sheet is shown. */
const delay = 600
/** The milliseconds after a stroke before the strokes that can follow are shown. */
const delayOfStrokes = 300

export class KeySheet {
  constructor(app) { this.app = app }

  listen() {
    document.addEventListener('keydown', (event) => this.#down(event), true)
    document.addEventListener('keyup', ({ key }) => { if (key === this.held) this.#up() }, true)
    addEventListener('blur', () => this.#close())
    document.addEventListener('pointerdown', () => this.#close(), true)
  }

  /** Shows the strokes that can follow, once the mirror waits for one. */
  follow(mirror) {
    mirror.addEventListener('strokes', () => {
      this.#close()
      if (mirror.strokes.length) this.timer = setTimeout(() => this.#open(), delayOfStrokes)
    })
  }

  /** Opens it at once for ?, which stays if it is only tapped, and for a modifier that is held. */
  #down(event) {
    const { key, repeat, ctrlKey, metaKey, altKey } = event
    if (repeat || (this.sheet && ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'Shift'].includes(key))) return
    const isOpen = Boolean(this.sheet)
    this.#close()
    if (isOpen && key === 'Escape') {
      this.app.mirror?.endStrokes()
      return void event.preventDefault()
    }
    const isTyping = event.target.closest?.('input, textarea, select') || document.querySelector('dialog[open]')
    if (!this.app.mirror || this.app.mirror.strokes.length || isTyping) return
    if (key === '?' && !ctrlKey && !metaKey && !altKey && !isOpen && !this.app.mirror.means(event, { layout: this.app.layout })) {
      event.preventDefault()
      this.#open()
      // So that it is read aloud, and can be scrolled.
      this.former = document.activeElement
      this.sheet.focus({ preventScroll: true })
      this.#hold(key, () => { this.isHeld = true })
    } else if (['Meta', 'Control'].includes(key)) this.#hold(key, () => { this.isHeld = true; this.#open() })
  }

  #hold(key, act) {
    this.held = key
    this.isHeld = false
    this.timer = setTimeout(act, delay)
  }

  #up() {
    clearTimeout(this.timer)
    this.held = undefined
    if (this.isHeld) this.#close()
  }

  #open() {
    if (!this.app.mirror) return
    const { strokes } = this.app.mirror
    const title = strokes.length ? `${symbolsOf(strokes)} …` : 'Keys'
    this.sheet = h('section.keysheet', { 'aria-label': title, role: 'region', tabindex: -1 }, h('h2', {}, title))
    this.list = h('div.groups', strokes.length ? { role: 'status' } : {})
    this.sheet.append(this.list, h('footer', {}, h('kbd', {}, 'esc'), ' closes'))
    document.body.append(this.sheet)
    this.render()
  }

  #close() {
    clearTimeout(this.timer)
    this.held = undefined
    if (!this.sheet) return
    const hadFocus = this.sheet.contains(document.activeElement)
    this.sheet.remove()
    this.sheet = undefined
    if (hadFocus && this.former?.isConnected) this.former.focus({ preventScroll: true })
    this.former = undefined
  }

  render() {
    if (!this.sheet) return
    const { mirror } = this.app
    const { strokes: begun = [], continuations = [] } = mirror ?? {}
    const keys = begun.length ? continuations : mirror?.keys.filter(({ action }) => action) ?? []
    const places = new Map()
    for (const { item, titles } of itemsIn(mirror?.menu)) if (!places.has(item.command)) places.set(item.command, titles[0])
    const groups = new Map()
    for (const key of keys) {
      const name = this.#group(key, places)
      groups.set(name, [...(groups.get(name) ?? []), key])
    }
    speak(this.list, mirror)
    show(this.list, groups.size ? Array.from(groups, ([name, keys]) => h('div.group', {},
      h('h3', {}, name), h('ul', {}, keys.map((key) => this.#row(key))))) : h('p.hint', {}, 'No key means anything now.'))
  }

  #group({ command, responder }, places) {
    return command ? places.get(command) || 'Commands' : `Of ${quoted(responder)}`
  }

  #row(key) {
    const { strokes, title, discoverabilityTitle, action, enabled } = key
    return h('li', { class: enabled ? '' : 'off' },
      h('span.name', {}, discoverabilityTitle || title || action, !enabled && h('small', {}, whyNot(key))),
      h('kbd', { dir: 'ltr' }, symbolsOf(strokes.slice(this.app.mirror.strokes.length))))
  }
}
