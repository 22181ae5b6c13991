// The palette: commands by typed text.

import { keyOn, symbolsOf } from '../menud.js'
import { h, isComposing, show } from './dom.js'
import { MenudElement } from './element.js'
import { ParameterForm } from './forms.js'
import { closeMenus } from './menus.js'
import { openModal, placeOfNotices } from './notices.js'
import { inspect } from './view.js'
import { words } from './words.js'

/** The maximum number of listed commands. */
const most = 50
/** The milliseconds after a change of the session before the commands are found again. */
const delay = 200

/** A dialog that finds commands; ⌘K or Control-K opens it, or `open()`. */
export class Palette extends MenudElement {
  #items = []
  #total = 0
  #at = 0
  #asked
  /** The moment of the session for which the list was found, and the list, as text. */
  #state
  #shown
  #timer
  #isTyped = false
  #dialog
  #finder
  #form

  connectedCallback() {
    super.connectedCallback()
    document.addEventListener('keydown', this.#keyOnPage)
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#keyOnPage)
    this.#dialog?.close()
    super.disconnectedCallback()
  }

  /** The key of the palette, unless the session has a meaning for it. */
  #keyOnPage = (event) => {
    // A browser that fills a field in tells no key.
    const isFind = event.key?.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey
    const { mirror, layout } = this.view ?? {}
    if (!isFind || event.defaultPrevented || this.hasAttribute('no-shortcut') || mirror?.strokes.length || mirror?.means(event, { layout })) return
    event.preventDefault()
    this.open()
  }

  /** The body of the search. */
  get question() { return { session: this.session.id, query: this.input.value, limit: most, disabled: true } }

  async open() {
    if (this.#dialog || !this.view?.session) return
    closeMenus()
    this.input = h('input', {
      type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'found', 'aria-autocomplete': 'list', 'aria-label': words.find,
      placeholder: words.find, autocomplete: 'off', spellcheck: 'false', part: 'input', oninput: () => { this.#isTyped = true; this.#search() }, onkeydown: (event) => this.#key(event),
    })
    this.list = h('ul.found', { id: 'found', role: 'listbox', 'aria-label': words.commands, part: 'list' })
    this.nothing = h('p.nothing', { role: 'status' })
    this.count = h('span.count')
    const dialog = h('dialog.palette', {
      'aria-label': words.palette, part: 'dialog', onclose: () => this.#closed(),
      onclick: (event) => { if (event.target === dialog) dialog.close() },
    })
    this.#dialog = dialog
    this.#finder = [
      h('div.query', {}, this.input, this.count, h('slot', { name: 'tools' })), this.list, this.nothing,
      footer({ '↩': words.performs, ...(this.hasAttribute('inspects') ? { '⇧↩': words.inspects } : {}), [words.escape]: words.closes }),
    ]
    dialog.append(...this.#finder)
    this.shadowRoot.append(dialog)
    openModal(dialog)
    this.input.focus()
    this.#isTyped = true
    await this.#search()
  }

  close() { this.#dialog?.close() }

  #closed() {
    this.#dialog.remove()
    this.#dialog = undefined
    this.#form?.dismiss()
  }

  /** Searches again once the session has changed; several consecutive changes are one. */
  update() {
    super.update()
    const { view, mirror } = this
    const state = [mirror?.revision, mirror?.catalogRevision, view?.hindrance].join()
    if (state === this.#state) return
    this.#state = state
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#dialog && !this.#form) this.#search()
    }, delay)
  }

  viewChanged() { this.#dialog?.close() }

  async #search() {
    const { view } = this
    const { session, ...question } = this.question
    this.#asked = question
    const { query, ...options } = question
    const answer = view.hindrance ? undefined : await view.asking(() => view.session.searchPage(query, { ...options, ...view.place() }))
    // A late answer is not for the present question.
    if (question !== this.#asked || !this.#dialog) return
    if (!answer) {
      // What was found cannot be performed now.
      if (this.#items.length) this.#fill()
      this.nothing.textContent = view.hindrance === words.unreached ? words.cannotSearchOffline : view.hindrance ?? words.cannotSearch
      this.#shown = undefined
      return
    }
    // An equal list is not drawn again, and not read aloud again.
    const shown = JSON.stringify(answer.items)
    if (!this.#isTyped && shown === this.#shown) return
    this.#shown = shown
    const { command, itemKey } = (!this.#isTyped && this.#items[this.#at]) || {}
    this.#isTyped = false
    this.#items = answer.items
    this.#total = answer.total
    this.#at = Math.max(0, answer.items.findIndex((item) => item.command === command && item.itemKey === itemKey))
    this.#fill()
  }

  #fill() {
    const { view } = this
    const [items, total] = [this.#items, this.#total]
    this.count.textContent = items.length ? words.found(items.length, total) : ''
    this.nothing.textContent = items.length ? '' : this.input.value.trim() ? words.nothingFound : words.nothingToPerform
    this.list.hidden = !items.length
    this.input.setAttribute('aria-expanded', String(items.length > 0))
    this.input.removeAttribute('aria-activedescendant')
    show(this.list, items.map((item, index) => h('li', {
      role: 'option', id: `found-${index}`, 'aria-selected': String(index === this.#at), 'aria-disabled': String(!view.isEnabled(item)),
      title: view.whyNot(item), 'aria-description': view.whyNot(item), part: view.isEnabled(item) ? 'option' : 'option disabled',
      class: [view.isEnabled(item) ? '' : 'off', item.reason === 'ruleError' ? 'failed' : ''].join(' '),
      onclick: (event) => this.#choose(item, event.shiftKey), onpointermove: () => { if (this.#at !== index) { this.#at = index; this.#mark() } },
    }, h('span.mark', { 'aria-hidden': 'true' }, { on: '✓', mixed: '–', off: '' }[item.state] || this.image(item)),
    h('span.name', {},
      this.#marked(item),
      item.menus.length > 0 && h('small', {}, item.menus.join(' › ')),
      !item.enabled && h('small.reason', { 'aria-hidden': 'true', part: 'reason' }, view.whyNot(item)),
    ),
    keyOn(item.key) && h('kbd', { dir: 'ltr', part: 'key' }, symbolsOf(item.key)))))
    this.#mark()
  }

  #marked({ title, ranges }) {
    const parts = []
    let end = 0
    for (const [start, stop] of ranges) {
      parts.push(title.slice(end, start), h('mark', {}, title.slice(start, stop)))
      end = stop
    }
    return [...parts, title.slice(end)]
  }

  #mark() {
    for (const [index, option] of Array.from(this.list.children).entries()) option.setAttribute(
      'aria-selected',
      String(index === this.#at),
    )
    const here = this.list.children[this.#at]
    here?.scrollIntoView({ block: 'nearest' })
    if (here?.id) this.input.setAttribute('aria-activedescendant', here.id)
  }

  #key(event) {
    event.stopPropagation()
    if (isComposing(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    const items = this.#items
    if (step && items.length) {
      this.#at = Math.abs(step) === 1 ? (this.#at + step + items.length) % items.length : Math.max(
        0,
        Math.min(items.length - 1, this.#at + step),
      )
      this.#mark()
    } else if (event.key === 'Enter' && items[this.#at]) this.#choose(items[this.#at], event.shiftKey)
    else return
    event.preventDefault()
  }

  async #choose(item, isShifted) {
    const { view } = this
    const isInspecting = this.hasAttribute('inspects')
    if (!view.isEnabled(item) || (isInspecting && isShifted)) {
      if (isInspecting) this.#dialog.close()
      return inspect(this, item)
    }
    const details = { itemKey: item.itemKey, itemTitle: item.title, from: this }
    if (item.itemKey === undefined && (await view.declaration(item.command))?.parameters) {
      return view.perform(item.command, { ...details, asks: true, ask: (form) => this.#ask(form) })
    }
    this.#dialog?.close()
    return view.perform(item.command, details)
  }

  /** Shows a form in place of the list, until it is sent; Escape goes back to the list. */
  async #ask(options) {
    const dialog = this.#dialog
    if (!dialog || this.#form) return undefined
    const form = new ParameterForm({ ...options, cancel: words.back })
    this.#form = form
    form.element.addEventListener('keydown', (event) => {
      event.stopPropagation()
      if (event.key !== 'Escape' || isComposing(event)) return
      event.preventDefault()
      form.dismiss()
    })
    dialog.replaceChildren(form.element, footer({ '↩': words.performs, [words.escape]: words.goesBack }))
    placeOfNotices()
    form.focus()
    let isBack = false
    try {
      const answer = await form.answer
      isBack = !answer && dialog.open
      return answer
    } finally {
      this.#form = undefined
      if (isBack) {
        dialog.replaceChildren(...this.#finder)
        placeOfNotices()
        this.input.focus()
      } else dialog.close()
    }
  }
}

const footer = (keys) => h('footer', {}, Object.entries(keys).map(([key, does]) => h('span', {}, h('kbd', {}, key), ` ${does}`)))
