// The menu bar: the main menu of a session.

import { activeIn, h, keepingFocus } from './dom.js'
import { Menus, titleOf, titlesOf } from './menus.js'
import { words } from './words.js'

/** The menu bar, and the menus that open from it. F10 leads to it. */
export class MenuBar extends Menus {
  #titles = []
  /** Focuses what was focused before the bar; undefined if Tab leads into it. */
  #former
  #hindrance = h('div.hindrance', { role: 'status', part: 'hindrance' })

  connectedCallback() {
    super.connectedCallback()
    document.addEventListener('keydown', this.#keyOnPage)
    document.addEventListener('focusin', this.#forget)
    this.addEventListener('pointerdown', this.#remember)
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#keyOnPage)
    document.removeEventListener('focusin', this.#forget)
    this.removeEventListener('pointerdown', this.#remember)
    super.disconnectedCallback()
  }

  #keyOnPage = (event) => {
    if (event.key !== 'F10' || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.defaultPrevented) return
    event.preventDefault()
    this.focus()
  }

  #remember = () => { if (!activeIn(this.shadowRoot)) this.#former = keepingFocus() }
  #forget = (event) => { if (!event.composedPath().includes(this)) this.#former = undefined }

  /** Focuses the first menu. */
  focus() {
    this.#remember()
    this.#focusFirstTitle()
  }

  #focusFirstTitle() { this.shadowRoot.querySelector('[data-key^="bar "]')?.focus() }

  giveBack(path) { if (!this.#former?.()) this.returnFocus(path) }

  returnFocus([first]) {
    if (first === undefined) return
    const title = this.find(`bar ${first}`)
    if (title) title.focus()
    else this.#focusFirstTitle()
  }

  render() {
    const { view } = this
    const { menu, hindrance } = view ?? {}
    const label = this.getAttribute('label') ?? words.menuBar
    if (!menu) return this.show(h('div.menubar.menus.empty', { part: 'bar' }, hindrance ?? words.noSession))
    this.#titles = titlesOf(menu)
    this.prune({ children: this.#titles })
    const stop = this.#titles.find(({ identifier }) => identifier === this.path[0]) ?? this.#titles[0]
    this.draw(h('div.menubar.menus', {
      role: 'menubar', 'aria-label': label, part: 'bar', onkeydown: (event) => this.#keyInBar(event),
    }, this.#titles.map((child) => this.#title(child, child === stop))),
    this.#hindrance)
    // The same element tells of all hindrances, so that they are read aloud.
    this.#hindrance.textContent = hindrance ?? ''
  }

  #title(menu, isStop) {
    const { identifier } = menu
    const isOpen = this.path[0] === identifier
    return h('div.title', { role: 'none' }, h('button', {
      ...titleOf(menu), 'aria-expanded': String(isOpen), part: 'title', tabindex: isStop ? 0 : -1, 'data-key': `bar ${identifier}`,
      onclick: () => this.open(isOpen ? [] : [identifier]),
      onpointermove: () => { if (this.path.length && !isOpen) this.open([identifier]) },
    }, menu.title || identifier), isOpen && this.popup(menu, [identifier], menu.title || identifier))
  }

  /** Opens the neighbour of the open menu. */
  step(by) {
    const here = this.#titles.findIndex(({ identifier }) => identifier === this.path[0])
    this.open([this.#titles[(here + by + this.#titles.length) % this.#titles.length].identifier])
    return true
  }

  #keyInBar(event) {
    if (event.target.closest('.popup')) return
    const index = this.#titles.findIndex(({ identifier }) => `bar ${identifier}` === event.target.dataset.key)
    const key = this.keyOf(event)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step) {
      const { identifier } = this.#titles[(index + step + this.#titles.length) % this.#titles.length]
      if (this.path.length) this.open([identifier])
      this.find(`bar ${identifier}`)?.focus()
    } else if (['ArrowDown', 'Enter', ' '].includes(key)) {
      this.open([this.#titles[index].identifier])
      this.focusFirst()
    } else if (key === 'Escape') this.close(true)
    else if (key === 'Tab') return this.leave()
    else {
      const text = this.typing(event)
      if (text === undefined) return
      this.findTyped(Array.from(this.shadowRoot.querySelectorAll('.menubar > .title > button')), index, text)
    }
    event.preventDefault()
    event.stopPropagation()
  }
}
