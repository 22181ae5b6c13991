// The history of a session: who asked for what, and what came of it.

import { plain } from '../client/menud.js'
import { h } from '../client/elements/dom.js'
import { quoted, reasons } from '../client/elements/words.js'
import { curlButton, moment } from './elements.js'
import { Panel } from './state.js'
import { changeList } from './tried.js'
import { brief } from './values.js'

const kinds = { '': 'Everything', command: 'Commands', operations: 'Other changes', refusal: 'Refusals' }

export class HistoryPanel extends Panel {
  id = 'history'
  title = 'History'
  kind = ''
  actor = ''
  entries = []

  async update() { await this.ask() }

  get #query() { return { kind: this.kind || undefined, actor: this.actor || undefined } }

  /** Reads the latest entries, as many as are shown, or those before them too. */
  async ask({ isMore = false } = {}) {
    const { app } = this
    const { session } = app
    if (!session || app.isHindered) return
    // Of several questions, the last one counts.
    const question = (this.question ?? 0) + 1
    this.question = question
    const most = session.id === this.known?.session ? this.entries.length + (isMore ? 50 : 0) : 0
    let [entries, cursor, since] = [[], undefined, 0]
    do {
      const page = await app.question(() => this.#page({ ...this.#query, cursor, limit: Math.min(200, Math.max(50, most - entries.length)) }))
      if (!page || question !== this.question || session !== app.session) return
      entries = [...entries, ...page.entries]
      cursor = page.next && new URLSearchParams(page.next.split('?')[1]).get('cursor')
      since = page.since
    } while (cursor && entries.length < most)
    Object.assign(this, { entries, cursor, known: { session: session.id, since } })
    app.drawer.render()
  }

  /** A page of the history, in which an integer beyond 2^53 is a numeral. */
  async #page(query) { return plain((await this.app.client.get(this.app.session.path('history'), query)).exact, true) }

  render() {
    const { app, entries, known } = this
    const isKnown = known?.session === app.session.id
    return [h('div.tools', {},
      curlButton(app, () => ({ path: app.session.path('history'), query: this.#query }), 'the history'),
      h('select', {
        'aria-label': 'Kind', 'data-key': 'history kind', value: this.kind, onchange: ({ target }) => this.#choose({ kind: target.value }),
      }, Object.entries(kinds).map(([value, name]) => h('option', { value, selected: value === this.kind }, name))),
      h('input', {
        type: 'search', 'aria-label': 'Actor', placeholder: 'Anybody', 'data-key': 'history actor', value: this.actor, maxlength: 128,
        onchange: ({ target }) => this.#choose({ actor: target.value.trim() }),
      })),
    !isKnown ? h('p.hint.pad', {}, app.view.hindrance ?? 'Looking…') : h('div.scroll', { 'data-scroll': 'history', tabindex: 0, role: 'group', 'aria-label': 'History' },
      h('ol.history', {}, entries.map((entry) => this.#row(entry))),
      this.cursor ? h('button.link', { type: 'button', 'data-key': 'earlier', onclick: () => this.ask({ isMore: true }) }, 'Earlier')
        : h('p.hint', {}, known.since > 0 ? `Nothing is known of what was before revision ${known.since}.`
          : this.kind || this.actor ? 'There is nothing else of this kind.' : 'That is all since the session was opened.'))]
  }

  #choose(choice) {
    Object.assign(this, choice)
    this.ask()
  }

  #row(entry) {
    const { revision, time, kind, actor, changes = [] } = entry
    return h('li', { class: kind },
      h('time', { datetime: time, title: time }, isOfToday(time) ? moment(time) : `${new Date(time).toLocaleDateString('en-GB')} ${moment(time)}`),
      h('span.count', { title: `Revision ${revision}` }, String(revision)),
      h('span.chip', { title: actor.kind }, actor.label),
      h('span.what', {}, this.#subject(entry)),
      changes.length > 0 && changeList(`history ${revision}`, changes))
  }

  /** The request in words. A command is a link to the inspector. */
  #subject({ revision, command, itemKey, title, action, key, parameters, target, operations, reason, explanation, undoName }) {
    const { app } = this
    const name = command ?? action
    const what = command && app.commands.has(command)
      ? h('button.link', { type: 'button', 'data-key': `history ${revision} ${command}`, title: 'Inspect it', onclick: () => app.inspect(command, { itemKey }) }, title || command)
      : title || name ? h('b', {}, title || name) : h('b', {}, operations ? operations.map(({ op }) => op).join(', ') : 'Something else')
    return [what, key && ' by a key', parameters && [' with ', h('code', {}, brief(parameters, 80))], target && ` at ${target}`,
      reason && [': ', h('em', {}, explanation ?? `${reasons[reason] ?? reason}.`)], undoName && undoName !== title && `, undone as ${quoted(undoName)}`]
  }
}

const isOfToday = (time) => new Date(time).toDateString() === new Date().toDateString()
