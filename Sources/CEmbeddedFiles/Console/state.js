// The state of a session as text to edit, with the resulting changes. A large state is shown in parts.

import { parse } from '../client/menud.js'
import { h, show } from '../client/elements/dom.js'
import { ask } from '../client/elements/forms.js'
import { counted, quoted } from '../client/elements/words.js'
import { curlButton, rows } from './elements.js'
import { changeList } from './tried.js'
import { brief, difference, exceeds, guard, isAsBefore, isParted, isSame, lines, namesIn, part, partOf, pointer } from './values.js'

/** A named panel; its content is read when it is visible. */
export class Panel {
  constructor(app) { this.app = app }
  /** Reads its content again after a change; most panels need not. */
  async update() { this.app.drawer.render() }
}

/** The maximum length of a text to edit, in characters. */
const longest = 40_000
const rowHeight = 28

/** The differences that a typed text makes, if there is one, or in words that it is no JSON. */
function editsOf({ text, base, path }) {
  if (text === undefined) return { edits: [] }
  try {
    // The browser's message tells more.
    JSON.parse(text)
  } catch (error) {
    return { error: `This is not JSON: ${error.message}` }
  }
  return { edits: difference(part(base, path).value, parse(text), path) }
}

const isUnsaved = (draft) => editsOf(draft).edits?.length !== 0

/** The patch of differences. What they change is tested first, so that no change of somebody else is overwritten. */
function patchOf({ base }, edits = []) {
  const guards = new Map(edits.map(({ path }) => guard(base, path)).map(({ path, value }) => [pointer(path), value]))
  const tests = Array.from(guards, ([path, value]) => ({ op: 'test', path, value })).filter(({ value }) => value !== undefined)
  return [...tests, ...edits.map(({ op, path, value }) => ({ op, path: pointer(path), value }))]
}

/** The state as text to edit, with the resulting changes and a dry run. */
export class StatePanel extends Panel {
  id = 'state'
  title = 'State'
  /** By session, the path of the part that is shown, the text typed there, and the state that it began from. */
  #drafts = new Map()
  /** The value that is drawn, and the state that it is a part of. */
  #shown = {}

  constructor(app) {
    super(app)
    addEventListener('beforeunload', (event) => { if ([...this.#drafts.values()].some(isUnsaved)) event.preventDefault() })
  }

  get #draft() {
    const id = this.app.session?.id
    if (!this.#drafts.has(id)) this.#drafts.set(id, { path: [] })
    return this.#drafts.get(id)
  }

  get #state() { return this.app.mirror?.exact.document?.get('state') ?? new Map() }

  async update() {
    const [draft, state] = [this.#draft, this.#state]
    // Unsaved text stays, and unchanged content is not drawn again.
    if (draft.text !== undefined) this.#refresh(draft)
    else if (isSame(this.#shown.value, part(state, draft.path).value)) this.#shown.state = state
    else this.app.drawer.render()
  }

  render() {
    const [draft, state] = [this.#draft, this.#state]
    const { value, path } = part(state, draft.path)
    if (draft.text === undefined) draft.path = path
    this.#shown = { value, state }
    const isText = draft.text !== undefined || !isParted(value) || !exceeds(value, longest)
    return [
      this.#tools(draft, isText), draft.path.length > 0 || !isText ? this.#way(draft) : undefined,
      isText ? this.#editor(draft, value) : this.#browser(draft, value),
    ]
  }

  #tools(draft, isText) {
    const { app } = this
    const button = (key, title, onclick, kind = '') => h(`button${kind}`, {
      type: 'button', 'data-key': `state ${key}`, disabled: app.isHindered && key !== 'discard', onclick,
    }, title)
    return h('div.tools', {},
      curlButton(app, () => ({
        method: 'PATCH', path: app.session.path('state'), body: patchOf(draft, editsOf(draft).edits), type: 'application/json-patch+json',
      }), 'the change'),
      isText && [
        button('discard', 'Discard', () => this.#discard(draft), '.quiet'),
        // Focus of one that is disabled goes to the other one, not to Discard.
        h('div.row', {}, button('try', 'Try', () => this.#send(true)), button('apply', 'Apply', () => this.#send(false), '.primary')),
      ])
  }

  /** The path of the part that is shown; each name is a link. */
  #way(draft) {
    const question = { title: 'Discard the text?', detail: `What you typed in ${quoted(draft.path.join(' › ') || 'state')} is not applied.`, action: 'Discard' }
    const go = async (length) => {
      if (!isUnsaved(draft) || await ask({ ...question, read: () => true })) this.#discard(draft, draft.path.slice(0, length))
    }
    return h('nav.way', { 'aria-label': 'The part of the state' },
      ['state', ...draft.path].map((name, index) => h('button.quiet', {
        type: 'button', 'data-key': `way ${index}`, 'aria-current': index === draft.path.length ? 'true' : undefined,
        onclick: () => go(index),
      }, String(name))))
  }

  /** The members of a part that is too long to be shown as text. */
  #browser(draft, value) {
    const names = namesIn(value)
    const row = (index) => h('div.member', {}, h('button.quiet', {
      type: 'button', 'data-key': `member ${names[index]}`, onclick: () => this.#discard(draft, [...draft.path, names[index]]),
    }, h('b', {}, names[index]), h('code', {}, brief(partOf(value, names[index]), 120))))
    return [
      h('p.hint.pad', {}, `This part is long: ${counted(names.length, Array.isArray(value) ? 'element' : 'member')}. Choose one to see and edit it.`),
      rows(names.length, rowHeight, row, { 'data-scroll': `members ${draft.path.join()}`, tabindex: 0, role: 'group', 'aria-label': 'Members' }),
    ]
  }

  #editor(draft, value) {
    const shown = this.#shown
    this.result = h('div.result',
      { 'data-scroll': 'edits', tabindex: 0, role: 'group', 'aria-label': 'What would change' },
    )
    this.#refresh(draft)
    return h('div.split', {}, h('textarea.code', {
      spellcheck: 'false', 'aria-label': 'The state as JSON', 'data-key': 'state text', 'data-scroll': 'state',
      value: draft.text ?? lines(value),
      oninput: (event) => {
        if (draft.text === undefined) draft.base = shown.state
        draft.text = event.target.value
        draft.tried = undefined
        this.#refresh(draft)
      },
    }), this.result)
  }

  #refresh(draft) {
    if (!this.result || draft !== this.#draft) return
    const hint = 'Edit the state; what differs is shown here. Try answers what would happen, and keeps nothing.'
    if (draft.text === undefined) return show(this.result, h('p.hint', {}, hint))
    const { edits, error } = editsOf(draft)
    if (error) return show(this.result, h('p.error', {}, error))
    const valueIn = (state) => part(state, draft.path).value
    const warning = this.#clash(draft, edits) ?? (isSame(valueIn(draft.base), valueIn(this.#state)) ? undefined
      : 'The state has changed meanwhile. Only the places below are changed.')
    show(this.result,
      warning && h('p.warning', {}, warning),
      edits.length ? h('ul.edits', {}, edits.slice(0, 200).map(edited)) : h('p.hint', {}, 'Nothing differs.'),
      draft.tried && dryRun(draft.tried),
    )
  }

  /** In words, that somebody else has changed what is to be changed; undefined if nobody has. */
  #clash({ base }, edits) {
    const state = this.#state
    const place = edits.map(({ path }) => guard(base, path)).find((place) => !isAsBefore(state, place))
    return place && `${pointer(place.path) || 'The state'} has changed meanwhile, so that this cannot be applied. Copy what you need, discard the text, and edit the state as it is now.`
  }

  /** Shows a part unchanged, and drops the typed text. */
  #discard(draft, path = draft.path) {
    Object.assign(draft, { path, text: undefined, base: undefined, tried: undefined })
    this.app.drawer.render()
  }

  async #send(dryRun) {
    const { app } = this
    const draft = this.#draft
    const { text } = draft
    const { edits, error } = editsOf(draft)
    if (error || !edits.length) return app.notice('Nothing to apply', error ?? 'Edit the state first.')
    const what = dryRun ? 'The dry run' : 'The change of the state'
    const clash = this.#clash(draft, edits)
    if (clash) return app.notice(`${what} was not done`, clash, 'bad')
    const patch = patchOf(draft, edits)
    const answer = await app.change(what, (options) => app.session.patch(patch, { ...options, dryRun }))
    // What was typed meanwhile is kept.
    if (!answer || text !== draft.text) return
    if (!dryRun) return this.#discard(draft)
    draft.tried = answer
    this.#refresh(draft)
  }
}

/** A difference, with the value before and after. */
const edited = ({ op, path, before, value }) => h('li', { class: op },
  h('code', {}, pointer(path) || '/'),
  before !== undefined && h('del', {}, brief(before)),
  value !== undefined && h('ins', {}, brief(value)),
)

/** The answer of a dry run. */
const dryRun = ({ changes, revision }) => h('div.tried', {},
  h('h3', {}, 'Dry run'),
  changeList('tried', changes),
  h('p.hint', {}, `Nothing was kept; the revision would be ${revision + 1}.`),
)
