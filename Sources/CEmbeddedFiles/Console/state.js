// The state of a session as text to edit, with the resulting changes. A large state is shown in parts.

import { h, show } from '../client/elements/dom.js'
import { counted } from '../client/elements/words.js'
import { curlButton, rows } from './elements.js'
import { changeList } from './tried.js'
import { brief, difference, exceeds, isSame, part } from './values.js'

/** A named panel; its content is read when it is visible. */
export class Panel {
  constructor(app) { this.app = app }
  /** Reads its content again after a change; most panels need not. */
  async update() { this.app.drawer.render() }
}

/** The maximum length of a text to edit, in characters. */
const longest = 40_000
const rowHeight = 28

/** The state as text to edit, with the resulting changes and a dry run. */
export class StatePanel extends Panel {
  id = 'state'
  title = 'State'
  /** The path of the part that is shown. */
  path = []
  text = undefined
  base = undefined
  tried = undefined

  get #part() { return part(this.app.mirror?.state ?? {}, this.path) }

  async update() {
    const { value } = this.#part
    // Unsaved text stays, and unchanged content is not drawn again.
    if (this.text !== undefined) this.#refresh()
    else if (this.shown === undefined || !isSame(this.shown, value)) this.app.drawer.render()
  }

  get #edited() {
    try {
      return { value: JSON.parse(this.text) }
    } catch (error) {
      return { error: `This is not JSON: ${error.message}` }
    }
  }

  #edits() {
    const { value, error } = this.#edited
    if (error) return { error }
    return { edits: difference(this.base, value, this.path) }
  }

  render() {
    const { value, path } = this.#part
    if (this.text === undefined) this.path = path
    this.shown = value
    const isText = this.text !== undefined || value === null || typeof value !== 'object' || !exceeds(value, longest)
    return [this.#tools(isText), path.length > 0 || !isText ? this.#way() : undefined, isText ? this.#editor(value) : this.#browser(value)]
  }

  #tools(isText) {
    const { app } = this
    const patch = () => (this.text === undefined ? [] : (this.#edits().edits ?? []).map(({ before, ...operation }) => operation))
    const button = (key, title, onclick, kind = '') => h(`button${kind}`, {
      type: 'button', 'data-key': `state ${key}`, disabled: app.isOffline && key !== 'discard', onclick,
    }, title)
    return h('div.tools', {},
      curlButton(app, () => ({
        method: 'PATCH', path: app.session.path('state'), body: patch(), type: 'application/json-patch+json',
      }), 'the change'),
      isText && [
        button('discard', 'Discard', () => this.#discard(), '.quiet'),
        button('try', 'Try', () => this.#send(true)),
        button('apply', 'Apply', () => this.#send(false), '.primary'),
      ])
  }

  /** The path of the part that is shown; each name is a link. */
  #way() {
    const go = (length) => { this.#discard(this.path.slice(0, length)) }
    return h('nav.way', { 'aria-label': 'The part of the state' },
      ['state', ...this.path].map((name, index) => h('button.quiet', {
        type: 'button', 'data-key': `way ${index}`, 'aria-current': index === this.path.length ? 'true' : undefined,
        onclick: () => go(index),
      }, String(name))))
  }

  /** The members of a part that is too long to be shown as text. */
  #browser(value) {
    const names = Object.keys(value)
    const row = (index) => h('div.member', {}, h('button.quiet', {
      type: 'button', 'data-key': `member ${names[index]}`, onclick: () => this.#discard([...this.path, names[index]]),
    }, h('b', {}, names[index]), h('code', {}, brief(value[names[index]], 120))))
    return [
      h('p.hint.pad', {}, `This part is long: ${counted(names.length, Array.isArray(value) ? 'element' : 'member')}. Choose one to see and edit it.`),
      rows(names.length, rowHeight, row, { 'data-scroll': `members ${this.path.join()}`, tabindex: 0, role: 'group', 'aria-label': 'Members' }),
    ]
  }

  #editor(value) {
    this.result = h('div.result',
      { 'data-scroll': 'edits', tabindex: 0, role: 'group', 'aria-label': 'What would change' },
    )
    this.#refresh()
    return h('div.split', {}, h('textarea.code', {
      spellcheck: 'false', 'aria-label': 'The state as JSON', 'data-key': 'state text', 'data-scroll': 'state',
      value: this.text ?? JSON.stringify(value, null, 2),
      oninput: (event) => {
        if (this.text === undefined) this.base = value
        this.text = event.target.value
        this.tried = undefined
        this.#refresh()
      },
    }), this.result)
  }

  #refresh() {
    if (!this.result) return
    const hint = 'Edit the state; what differs is shown here. Try answers what would happen, and keeps nothing.'
    if (this.text === undefined) return show(this.result, h('p.hint', {}, hint))
    const { edits, error } = this.#edits()
    if (error) return show(this.result, h('p.error', {}, error))
    const isBehind = !isSame(this.base, this.#part.value)
    const warning = 'The state has changed meanwhile. Only the places below are changed.'
    show(this.result,
      isBehind && h('p.warning', {}, warning),
      edits.length ? h('ul.edits', {}, edits.slice(0, 200).map(edited)) : h('p.hint', {}, 'Nothing differs.'),
      this.tried && dryRun(this.tried),
    )
  }

  /** Shows a part unchanged, and drops the typed text. */
  #discard(path = this.path) {
    this.path = path
    this.text = undefined
    this.tried = undefined
    this.app.drawer.render()
  }

  async #send(dryRun) {
    const { app } = this
    const { edits, error } = this.text === undefined ? { edits: [] } : this.#edits()
    if (error || !edits.length) return app.notice('Nothing to apply', error ?? 'Edit the state first.')
    const patch = edits.map(({ before, ...operation }) => operation)
    const answer = await app.change(
      dryRun ? 'The dry run' : 'The change of the state',
      (options) => app.session.patch(patch, { ...options, dryRun }),
    )
    if (!answer) return
    if (!dryRun) return this.#discard()
    this.tried = answer
    this.#refresh()
  }
}

/** A difference, with the value before and after. */
const edited = ({ op, path, before, value }) => h('li', { class: op },
  h('code', {}, path || '/'),
  before !== undefined && h('del', {}, brief(before)),
  value !== undefined && h('ins', {}, brief(value)),
)

/** The answer of a dry run. */
const dryRun = ({ changes, revision }) => h('div.tried', {},
  h('h3', {}, 'Dry run'),
  changeList('tried', changes),
  h('p.hint', {}, `Nothing was kept; the revision would be ${revision + 1}.`),
)
