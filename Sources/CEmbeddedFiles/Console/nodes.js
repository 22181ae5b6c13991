// One responder of the drawing, and the lines between responders.

import { h } from '../client/elements/dom.js'
import { size } from './layout.js'

const verdicts = {
  via: 'passes it on', yes: 'answers', no: 'does not answer', refuses: 'cannot perform it now', blocked: 'answers, but says no',
  failed: 'its rule failed',
}

const fit = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** A responder at its place: a button that gives it focus. */
export function node(app, id, { x, y, aside, isLonely }, is) {
  const { responder, isFirst, isOnChain, isLate, verdict, isTarget, isFound, isActive } = is
  // Between these two are a host's late responders.
  const [host, end] = id.split('/late-')
  const name = aside?.name ?? (end ? { initial: 'late responders', last: 'end of these' }[end] : id)
  const focusable = responder && !isFirst
  const says = [
    id, responder?.kind, responder?.class && `class ${responder.class}`, isFirst && 'first responder', isOnChain && 'on the chain',
    verdicts[verdict], isTarget && 'target',
  ].filter(Boolean).join(', ')
  const width = aside ? 114 : size.width
  const height = aside ? 22 : size.height
  const focus = () => { app.graph.active = id; if (focusable) app.focus(id) }
  const classes = {
    first: isFirst, onchain: isOnChain, [aside?.kind]: aside, late: isLate && !aside, hook: end, lonely: isLonely, [verdict]: verdict,
    target: isTarget, found: isFound,
  }
  return h('g.node', {
    class: Object.keys(classes).filter((kind) => classes[kind]).join(' '),
    transform: `translate(${x} ${y})`, role: 'button', tabindex: isActive ? 0 : -1, 'aria-label': says, 'aria-current': isFirst ? 'true' : undefined,
    'data-key': `node ${id}`, 'data-responder': id,
    onclick: focus,
    onfocus: () => { app.graph.active = id },
    onkeydown: (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      focus()
    },
  }, h('title', {}, says), h('rect', { width, height, rx: aside ? 11 : 9 }),
  aside ? h('text.aside', { x: 12, y: 15 }, fit(name, 15))
    : [
      h('text.name', { x: 12, y: 17 }, fit(name, 16)),
      h('text.kind', { x: 12, y: 31 }, verdict === 'failed' ? 'rule failed' : fit(end ? `of ${host}` : responder?.class ?? responder?.kind ?? '', 19)),
    ],
  isFirst && h('circle.focus', { cx: width - 13, cy: 13, r: 4 }),
  ['no', 'refuses'].includes(verdict) && h('path.cross', { d: `M${width - (isFirst ? 28 : 16)} 10l6 6m0 -6l-6 6` }),
  verdict === 'failed' && h('path.bang', { d: `M${width - (isFirst ? 25 : 13)} 8v6m0 3.6v.4` }),
  isTarget && verdict !== 'failed' && h('path.tick', { d: `M${width - 19} ${height - 12}l4 4 7 -8` }))
}

/** A line from a responder up to the next one. */
export function pathBetween(from, to) {
  const [x1, y1, x2, y2] = [from.x + size.width / 2, from.y, to.x + size.width / 2, to.y + size.height]
  if (Math.abs(x1 - x2) < 1) return `M${x1} ${y1}V${y2}`
  const middle = y1 - size.up / 2
  const radius = Math.min(10, Math.abs(x1 - x2) / 2)
  const side = x1 > x2 ? 1 : -1
  return `M${x1} ${y1}V${middle + radius}q0 ${-radius} ${-radius * side} ${-radius}H${x2 + radius * side}`
    + `q${-radius * side} 0 ${-radius * side} ${-radius}V${y2}`
}

/** A line from a host to a node beside it. */
export const pathBeside = (host, place) =>
  `M${host.x + size.width} ${host.y + size.height / 2}H${place.x - 5}V${place.y + 11}h5`
