// The steps of a trace: the deciding ones, and all of them as sentences.

import { h } from '../client/elements/dom.js'
import { counted } from '../client/elements/words.js'
import { fold, some } from './elements.js'

/** A sentence with its quoted names emphasized. */
export const emphasized = (text) => text.split(/'([^']+)'/).map((part, index) => (index % 2 ? h('b', {}, part) : part))

/** The answer of a step: yes, no, or a failed rule. */
const kindOf = ({ answer, error }) =>
  error ? 'failed' : answer === true || answer?.enabled === true ? 'yes' : answer === false || answer?.enabled === false ? 'no' : ''

/** The steps that decide an item's state. */
export function decisive({ trace, reason, isEnabled }) {
  const failed = trace.filter(({ error }) => error)
  if (reason === 'ruleError' && failed.length) return failed
  const validated = trace.filter(({ question }) => question === 'validate').slice(-1)
  if (['enabled', 'ruleFalse', 'declaredDisabled'].includes(reason) && validated.length) return validated
  const able = trace.filter(({ question }) => question === 'canPerformAction')
  if (isEnabled) return able.filter(({ answer }) => answer === true).slice(-1)
  const last = trace.filter(({ question }) => ['cycle', 'handler', 'proxied', 'doesNotRecognizeSelector'].includes(question)).slice(-1)
  if (last.length) return last
  const refused = trace.filter(({ question, answer }) => ['canPerformAction', 'when', 'enabled', 'passOver'].includes(question) && answer === false)
  return refused
}

/** True if a step only says that its responder is not involved. */
const isIdle = ({ question, answer, error }) => !error && (question === 'next'
  || (question === 'respondsToSelector' && answer === false) || (question === 'redirect' && answer === null)
  || (question === 'keyCommands' && Array.isArray(answer) && !answer.length))

const isNo = ({ question }) => question === 'respondsToSelector' || question === 'keyCommands'

/** The steps in order; a run of uninvolved responders is one line. */
function folded(trace) {
  const groups = []
  trace.forEach((step, index) => {
    const last = groups.at(-1)
    if (isIdle(step) && last?.isIdle) last.steps.push({ step, index })
    else groups.push({ isIdle: isIdle(step), steps: [{ step, index }] })
  })
  return groups
}

/** One step as a line. */
export function line(app, step, index) {
  return h('li', {
    class: [kindOf(step), step.question === 'next' ? 'next' : ''].join(' '),
    onpointerenter: () => app.mark(step.asked), onpointerleave: () => app.mark(undefined),
  }, h('span.rule', {}, step.rule), h('span.says', {}, emphasized(step.says.replace(/^[A-Z]\d+: /, ''))),
  step.explanation && h('ul.why', {}, step.explanation.map((text) => h('li', {}, text))),
  step.error && h('div.error', {}, step.error.message),
  index !== undefined && h('span.away', {}, `step ${index + 1}`))
}

/** All steps of a trace; runs can be unfolded. */
export function list(app, trace) {
  const lines = folded(trace).flatMap(({ isIdle, steps }) => {
    const asked = [...new Set(steps.filter(({ step }) => isNo(step)).map(({ step }) => step.asked))]
    return isIdle && asked.length > 1 ? [{ steps, asked }] : steps
  })
  return h('ol.steps', {}, some('trace steps', lines, ({ step, index, steps, asked }) =>
    (steps ? unasked(app, steps, asked) : line(app, step, index)), { most: 100 }))
}

/** A run of uninvolved responders, as one line that can be unfolded. */
function unasked(app, steps, asked) {
  const names = asked.length > 6 ? [...asked.slice(0, 3), '…', ...asked.slice(-2)] : asked
  const what = steps.some(({ step }) => step.question === 'keyCommands') ? 'have no such key' : 'do not respond'
  const [{ index }] = steps
  const summary = [h('span.rule', {}, 'R3'), h('span', {}, `${counted(asked.length, 'responder')} asked, ${what}: `), h('span.names', {}, names.join(', '))]
  return h('li.fold', {}, fold(`trace fold ${index}`, summary,
    h('ol.steps', {}, some(`trace fold ${index}`, steps, ({ step, index }) => line(app, step, index), { most: 100 }))))
}
