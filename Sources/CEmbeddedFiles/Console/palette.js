// The palette: commands by typed text.

import { keyOn, symbolsOf } from '../client/menud.js'
import { curlButton, h, show } from './elements.js'
import { speak } from './languages.js'
import { ParameterForm } from './parameters.js'
import { counted, whyNot } from './words.js'

/** The maximum number of listed commands. */
const most = 50

export class Palette {
  constructor(app) {
    this.app = app
    this.items = []
    this.total = 0
    this.at = 0
  }

  async open() {
    if (this.dialog || !this.app.session) return
    this.input = h('input', {
      type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'found', 'aria-autocomplete': 'list', 'aria-label': 'Find a command',
      placeholder: 'Find a command', autocomplete: 'off', spellcheck: 'false', oninput: () => this.#search(), onkeydown: (event) => this.#key(event),
    })
    this.list = h('ul.found', { id: 'found', role: 'listbox', 'aria-label': 'Commands' })
    this.nothing = h('p.nothing', { role: 'status' })
    this.count = h('span.count')
    this.dialog = h('dialog.palette', {
      'aria-label': 'Palette', onclose: () => { this.dialog.remove(); this.dialog = undefined; this.form?.dismiss() },
      onclick: (event) => { if (event.target === this.dialog) this.dialog.close() },
    })
    this.finder = [h('div.query', {},
      this.input,
      this.count,
      curlButton(this.app, () => ({ method: 'POST', path: ['commands', 'search'], body: this.#body }), 'the search'),
    ), this.list, this.nothing, footer({ '↩': 'performs', '⇧↩': 'inspects', esc: 'closes' })]
    this.dialog.append(...this.finder)
    document.body.append(this.dialog)
    this.dialog.showModal()
    this.input.focus()
    await this.#search()
  }

  get #body() { return { session: this.app.session.id, query: this.input.value, limit: most, disabled: true } }

  /** Searches again, in the session's present language. */
  update() { if (this.dialog && !this.form) this.#search() }

  async #search() {
    const { query, session, ...options } = this.#body
    this.asked = query
    const { app } = this
    const answer = await app.question(() => app.session.searchPage(query, options))
    // A late answer is not for the present query.
    if (query !== this.asked || !this.dialog) return
    if (!answer) {
      this.nothing.textContent = `The server ${app.isOffline ? 'is not reached' : 'cannot answer now'}: nothing can be found until it answers.`
      return
    }
    this.items = answer.items
    this.total = answer.total
    this.at = 0
    this.#render()
  }

  #render() {
    const { items, total } = this
    this.count.textContent = !items.length ? '' : total > items.length ? `${items.length} of ${total.toLocaleString('en')}` : counted(total, 'command')
    this.nothing.textContent = items.length ? '' : this.input.value.trim() ? 'No command matches.' : 'There is nothing to perform.'
    this.list.hidden = !items.length
    this.input.setAttribute('aria-expanded', String(items.length > 0))
    this.input.removeAttribute('aria-activedescendant')
    speak(this.list, this.app.mirror)
    show(this.list, items.map((item, index) => h('li', {
      role: 'option', id: `found-${index}`, 'aria-selected': String(index === this.at), 'aria-disabled': String(!item.enabled), title: whyNot(item), 'aria-description': whyNot(item),
      class: [item.enabled ? '' : 'off', item.reason === 'ruleError' ? 'failed' : ''].join(' '),
      onclick: (event) => this.#choose(item, event.shiftKey), onpointermove: () => { if (this.at !== index) { this.at = index; this.#mark() } },
    }, h('span.mark', { 'aria-hidden': 'true' }, { on: '✓', mixed: '–', off: '' }[item.state]),
    h('span.name', {},
      this.#marked(item),
      item.menus.length > 0 && h('small', {}, item.menus.join(' › ')),
      !item.enabled && h('small.reason', { 'aria-hidden': 'true' }, whyNot(item)),
    ),
    keyOn(item.key) && h('kbd', { dir: 'ltr' }, symbolsOf(item.key)))))
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
      String(index === this.at),
    )
    const here = this.list.children[this.at]
    here?.scrollIntoView({ block: 'nearest' })
    if (here?.id) this.input.setAttribute('aria-activedescendant', here.id)
  }

  #key(event) {
    event.stopPropagation()
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step && this.items.length) {
      this.at = Math.abs(step) === 1 ? (this.at + step + this.items.length) % this.items.length : Math.max(
        0,
        Math.min(this.items.length - 1, this.at + step),
      )
      this.#mark()
    } else if (event.key === 'Enter' && this.items[this.at]) this.#choose(this.items[this.at], event.shiftKey)
    else return
    event.preventDefault()
  }

  #choose(item, inspects) {
    const { app } = this
    if (inspects || !item.enabled) {
      this.dialog.close()
      app.inspect(item.command, { itemKey: item.itemKey })
    } else if (item.itemKey === undefined && app.commands.get(item.command)?.parameters) {
      app.perform(item.command, { asks: true, ask: (form) => this.#ask(form) })
    } else {
      this.dialog.close()
      app.perform(item.command, { itemKey: item.itemKey, itemTitle: item.title })
    }
  }

  /** Shows a form in place of the list, until it is sent; Escape goes back to the list. */
  async #ask(options) {
    const { dialog } = this
    if (!dialog || this.form) return undefined
    const form = new ParameterForm({ ...options, cancel: 'Back' })
    this.form = form
    form.element.addEventListener('keydown', (event) => {
      event.stopPropagation()
      if (event.key !== 'Escape') return
      event.preventDefault()
      form.dismiss()
    })
    dialog.replaceChildren(form.element, footer({ '↩': `${options.action.toLowerCase()}s`, esc: 'goes back' }))
    form.focus()
    let isBack = false
    try {
      const answer = await form.answer
      isBack = !answer && dialog.open
      return answer
    } finally {
      this.form = undefined
      if (isBack) {
        dialog.replaceChildren(...this.finder)
        this.input.focus()
      } else dialog.close()
    }
  }
}

const footer = (keys) => h('footer', {}, Object.entries(keys).map(([key, does]) => h('span', {}, h('kbd', {}, key), ` ${does}`)))
