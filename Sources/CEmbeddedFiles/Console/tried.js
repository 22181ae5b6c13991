// A command that was tried: the changes that it would make, and the plan that makes exactly these.

import { h } from '../client/elements/dom.js'
import { quoted } from '../client/elements/words.js'
import { moment, some } from './elements.js'
import { brief } from './values.js'

/** The problems of a plan by which nothing can be performed any more. */
const endsOfPlans = ['/problems/expired-plan', '/problems/foreign-plan', '/problems/unknown-plan']

/** The changes of an answer; `name` is that of the list. */
export const changeList = (name, changes) => h('ul.plain', {}, some(name, changes, ({ change, op, path, value, ...rest }) => h('li', {},
  h('span.rule', {}, change),
  ' ',
  op ? `${op} ${path}${value === undefined ? '' : ` = ${brief(value, 40)}`}` : brief(rest),
)))

export class Trial {
  constructor(app, { what, command, details }) {
    this.app = app
    this.session = app.session
    this.what = what
    this.command = command
    this.details = details
    /** The answer with the changes that are shown. */
    this.answer = undefined
    /** `shown`, `changed`, `ended` or `done`. */
    this.outcome = 'shown'
  }

  /** Makes a dry run; undefined without an answer. */
  async run() {
    const { app, session, command, details } = this
    const answer = await app.connection.change(`The dry run of ${this.what}`, (options) => session.perform(command, { ...options, ...details, dryRun: true, item: true }))
    return answer && this.#becomes('shown', answer)
  }

  /** Does exactly what is shown, or else shows why nothing was done. */
  async perform() {
    const { app, session, answer: { plan } } = this
    try {
      const answer = await app.confirming(this.what, (options) => session.performPlan(plan, options))
      return answer && this.#becomes('done', answer)
    } catch (error) {
      if (error.type === '/problems/plan-changed') return this.#becomes('changed', error.document)
      if (!endsOfPlans.includes(error.type)) throw error
      this.detail = error.message
      return this.#becomes('ended', this.answer)
    }
  }

  #becomes(outcome, answer) {
    this.outcome = outcome
    this.answer = answer
    return this
  }

  render() {
    const { app, outcome, answer: { changes, item, confirmation = item?.before?.confirmation } } = this
    const asked = ['shown', 'changed'].includes(outcome) && confirmation?.title
    const button = (key, title, work) => h('button.primary', {
      type: 'button', 'data-key': key, disabled: app.isHindered, onclick: () => app.inspector.follow(this, work),
    }, title)
    return h('div.block.trial', { 'data-key': 'tried', tabindex: -1, role: 'group', 'aria-labelledby': 'tried-title', 'aria-describedby': 'tried-says' },
      h('h3', { id: 'tried-title' }, outcome === 'done' ? 'What happened' : 'What would happen'),
      h('p', { id: 'tried-says', class: { done: 'success', changed: 'warning', ended: 'warning' }[outcome] }, this.#says),
      asked && h('p', {}, `A person is asked first: ${quoted(asked)}`),
      changes.length ? h('div.tried', {}, changeList('trace tried', changes)) : h('p.hint', {}, 'Nothing changes.'),
      outcome === 'ended' && h('div.row', {}, button('try again', 'Try again', () => this.run())),
      ['shown', 'changed'].includes(outcome) && h('div.row', {}, button('do exactly this', 'Do exactly this', () => this.perform())))
  }

  get #says() {
    const { outcome, answer: { revision, planExpires } } = this
    switch (outcome) {
      case 'done': return `This was done, exactly as it was shown. It is revision ${revision}.`
      case 'ended': return `Nothing was done. ${this.detail}`
      case 'changed': return `Nothing was done, since something else would happen now. This can be done until ${moment(planExpires)}.`
      default: return `Nothing was done yet. This can be done until ${moment(planExpires)}.`
    }
  }
}
