// An evaluated rule with the values of its parts, as in the engine's answer; nothing is evaluated here.

import { h } from '../client/elements/dom.js'

/** The maximum number of parts that are listed. */
const most = 14

/** A rule of a step of a trace. */
export function ruleFigure(asked, { place, rule, value, fault, explanation }) {
  const name = place.replace(/^validate\//, '')
  const kind = fault !== undefined ? 'failed' : value === 'true' ? 'yes' : value === 'false' ? 'no' : ''
  return h('figure.cel', { class: kind },
    h('figcaption', {}, h('b', {}, name), h('span', {}, ` of ${asked}`), h('output', { class: kind, title: value }, fault !== undefined ? '⚠ fails' : value)),
    source(rule, explanation),
    fault !== undefined && h('p.error', {}, fault),
    h('dl', {}, parts(explanation).map((part) => h('div', { class: part.decisive ? 'decisive' : '' },
      h('dt', { title: part.text }, part.text, part.element === undefined ? '' : h('small', {}, ` element ${part.element}`)),
      h('dd', { title: part.value ?? part.fault, class: part.fault === undefined ? '' : 'error' }, part.value ?? part.fault ?? '')))))
}

/** The parts of a rule from the whole to the smallest, each once; `state` alone is omitted. */
function parts({ parts }) {
  const met = new Set()
  const isNew = ({ text, element }) => {
    const key = `${text} ${element}`
    const is = !met.has(key)
    met.add(key)
    return is
  }
  return [...parts].sort((a, b) => (b.end - b.start) - (a.end - a.start)).filter(isNew).filter(({ text }) => text !== 'state').slice(0, most)
}

/** The text of a rule, with the parts that make it false underlined. Their places are in bytes. */
function source(rule, { reasons }) {
  const bytes = new TextEncoder().encode(rule)
  const text = (start, end) => new TextDecoder().decode(bytes.slice(start, end))
  const shown = []
  let at = 0
  for (const { start, end } of [...reasons].sort((a, b) => a.start - b.start)) {
    if (start < at) continue
    shown.push(text(at, start), h('mark', {}, text(start, end)))
    at = end
  }
  return h('pre.source', {}, shown, text(at, bytes.length))
}
