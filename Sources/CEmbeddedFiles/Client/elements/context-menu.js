// The context menu of a part of the page.

import { h, keepingFocus } from './dom.js'
import { Menus } from './menus.js'
import { words } from './words.js'

/**
 * The context menu of the element around it, at the pointer or, by the keyboard, at the focused element. Its items are
 * those of the responder that was clicked, if the page tracks responders, else of the focused one.
 */
export class ContextMenu extends Menus {
  #giveBack
  #place
  #from
  #menu

  connectedCallback() {
    super.connectedCallback()
    this.#place = this.parentElement ?? this.parentNode.host
    this.#place?.addEventListener('contextmenu', this.#asked)
  }

  disconnectedCallback() {
    this.#place?.removeEventListener('contextmenu', this.#asked)
    super.disconnectedCallback()
  }

  #asked = (event) => {
    if (event.defaultPrevented || event.composedPath().includes(this) || !this.view?.menu || this.hasAttribute('manual')) return
    event.preventDefault()
    const { target, clientX, clientY } = event
    const box = target.getBoundingClientRect()
    const isAtPointer = clientX || clientY
    const from = event.composedPath().find(({ dataset }) => dataset?.responder)?.dataset.responder
    this.openAt(isAtPointer ? clientX : box.left, isAtPointer ? clientY : box.bottom, { from })
  }

  /** Shows the menu at a place in the window, by default that of the focused responder. */
  openAt(x, y, { from } = {}) {
    const { view } = this
    this.#giveBack = keepingFocus()
    this.#from = from
    return view.asking(async () => {
      const { menu } = await view.session.menu({ kind: 'context', ...view.place(this.origin) })
      if (view !== this.view) return
      this.#menu = menu
      this.at = { x, y }
      this.open(['context'])
      this.focusFirst()
    })
  }

  /** The responder that was clicked, if the session has it. */
  get origin() {
    const { responders = {} } = this.mirror?.document ?? {}
    return this.#from !== undefined && Object.hasOwn(responders, this.#from) ? this.#from : undefined
  }

  returnFocus() { this.#giveBack?.() }

  /** An open menu follows the session. */
  async update() {
    super.update()
    const { view } = this
    const revision = view?.mirror?.revision
    if (!this.path.length || view.hindrance || revision === this.revision) return
    this.revision = revision
    const answer = await view.session.menu({ kind: 'context', ...view.place(this.origin) }).catch(() => undefined)
    if (!answer || view !== this.view || !this.path.length) return
    this.#menu = answer.menu
    this.render()
  }

  render() {
    if (!this.path.length || !this.#menu || !this.view) return this.show()
    this.prune({ children: [{ ...this.#menu, identifier: 'context', options: [] }] })
    this.draw(h('div.menus.context', {},
      this.popup(this.#menu, ['context'], words.contextMenu, { left: `${this.at.x}px`, top: `${this.at.y}px` })))
  }
}
