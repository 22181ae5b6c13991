// The state of a session as text to edit, with what would change.

import { brief, curlButton, difference, h, show } from './elements.js'

/** A panel with a name, which is asked for what it shows when it is looked at. */
export class Panel {
  constructor(app) { this.app = app }
  /** Asks anew after a change; most need not. */
  async update() { this.app.drawer.render() }
}

/** The state as text to edit, with what would change and a dry run. */
export class StatePanel extends Panel {
  id = 'state'
  title = 'State'
  text = undefined
  base = undefined
  tried = undefined

  async update() {
    // What somebody is typing stays.
    if (this.text === undefined) this.app.drawer.render()
    else this.#refresh()
  }

  get #edited() {
    try {
      return { value: JSON.parse(this.text) }
    } catch (error) {
      return { error: error.message }
    }
  }

  #edits() {
    const { value, error } = this.#edited
    if (error) return { error }
    return { edits: difference(this.base, value) }
  }

  render() {
    const { app } = this
    const state = app.mirror?.state ?? {}
    const text = this.text ?? JSON.stringify(state, null, 2)
    this.result = h('div.result',
      { 'data-scroll': 'edits', tabindex: 0, role: 'group', 'aria-label': 'What would change' },
    )
    this.#refresh()
    const patch = () => (this.text === undefined ? [] : (this.#edits().edits ?? []).map(
      ({ before, ...operation }) => operation,
    ))
    return [h('div.tools', {},
      curlButton(
        app,
        () => ({
          method: 'PATCH',
          path: app.session.path('state'),
          body: patch(),
          type: 'application/json-patch+json',
        }),
        'the change',
      ),
      h('button.quiet',
        { type: 'button', 'data-key': 'state discard', onclick: () => { this.#discard() } },
        'Discard',
      ),
      h('button', { type: 'button', 'data-key': 'state try', onclick: () => this.#send(true) }, 'Try'),
      h('button.primary', { type: 'button', 'data-key': 'state apply', onclick: () => this.#send(false) }, 'Apply')),
    h('div.split', {}, h('textarea.code', {
      spellcheck: 'false', 'aria-label': 'The state as JSON', 'data-key': 'state text', 'data-scroll': 'state', value: text,
      oninput: (event) => {
        if (this.text === undefined) this.base = app.mirror.state
        this.text = event.target.value
        this.tried = undefined
        this.#refresh()
      },
    }), this.result)]
  }

  #refresh() {
    if (!this.result) return
    const hint = 'Edit the state; what differs is shown here. Try answers what would happen, and keeps nothing.'
    if (this.text === undefined) return show(this.result, h('p.hint', {}, hint))
    const { edits, error } = this.#edits()
    if (error) return show(this.result, h('p.error', {}, error))
    const isBehind = JSON.stringify(this.base) !== JSON.stringify(this.app.mirror.state)
    const warning = 'The state has changed meanwhile. Only the places below are changed.'
    show(this.result,
      isBehind && h('p.warning', {}, warning),
      edits.length ? h('ul.edits', {}, edits.map(edited)) : h('p.hint', {}, 'Nothing differs.'),
      this.tried && dryRun(this.tried),
    )
  }

  #discard() {
    this.text = undefined
    this.tried = undefined
    this.app.drawer.render()
  }

  async #send(dryRun) {
    const { edits, error } = this.text === undefined ? { edits: [] } : this.#edits()
    if (error || !edits.length) return this.app.notice('Nothing to apply', error ?? 'Edit the state first.')
    const patch = edits.map(({ before, ...operation }) => operation)
    const answer = await this.app.attempt(() => this.app.session.patch(patch, { dryRun }))
    if (!answer) return
    if (!dryRun) return this.#discard()
    this.tried = answer
    this.#refresh()
  }
}

/** A place that differs, with what was there and what is. */
const edited = ({ op, path, before, value }) => h('li', { class: op },
  h('code', {}, path || '/'),
  before !== undefined && h('del', {}, brief(before)),
  value !== undefined && h('ins', {}, brief(value)),
)

/** What a dry run answered. */
const dryRun = ({ changes, revision }) => h('div.tried', {},
  h('h3', {}, 'Dry run'),
  h('ul.plain', {}, changes.map(({ change, op, path, value, ...rest }) => h('li', {},
    h('span.rule', {}, change),
    ' ',
    op ? `${op} ${path}${value === undefined ? '' : ` = ${brief(value, 40)}`}` : brief(rest),
  ))),
  h('p.hint', {}, `Nothing was kept; the revision would be ${revision + 1}.`),
)
