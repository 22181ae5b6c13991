// The responders in a trace: the answer of each, and the path of the search.

import { size } from './layout.js'

/** The answer of each responder in a trace, and the links that were followed. */
export function visited(path, next) {
  const nodes = new Map()
  const edges = new Set()
  let last
  for (const { asked, question, answer, error } of path?.steps ?? []) {
    // The search for a key visits one responder after the other without a step for it.
    if (question === 'keyCommands' && last && next.get(last) === asked) edges.add(`${last} ${asked}`)
    last = question === 'keyCommands' ? asked : undefined
    if (question === 'next') {
      if (answer) edges.add(`${asked} ${answer}`)
    } else if (error) nodes.set(asked, 'failed')
    else if (nodes.get(asked) === 'failed') continue
    else if (question === 'redirect' || question === 'forwardingTarget') nodes.set(asked, typeof answer === 'string' ? 'via' : 'no')
    else if (answer?.enabled === false) nodes.set(asked, 'blocked')
    else if (answer === true || answer?.enabled === true) nodes.set(asked, 'yes')
    else if (question === 'canPerformAction') nodes.set(asked, 'refuses')
    else if (!nodes.has(asked)) nodes.set(asked, 'no')
  }
  return { nodes, edges }
}

/** Forwarders, late responders and undo managers in the trace, beside their hosts. */
export function asides(responders, places, steps = []) {
  const byHost = new Map()
  const met = new Set()
  const note = (id, host, kind, name) => {
    if (met.has(id)) return
    met.add(id)
    if (!byHost.has(host)) byHost.set(host, [])
    byHost.get(host).push({ id, host, kind, name })
  }
  for (const [host, { coordinator, lateResponders }] of Object.entries(responders)) {
    if (!places.has(host)) continue
    if (coordinator) note(`${host}/forwarder`, host, 'forward', 'forwarder')
    for (const id of lateResponders?.responders ?? []) if (!places.has(id)) note(id, host, 'late', id)
  }
  for (const { asked } of steps) {
    const [host, kind] = asked.split('/')
    if (kind === 'undoManager' && places.has(host)) note(asked, host, 'forward', 'undo manager')
  }
  const all = new Map()
  for (const [host, list] of byHost) {
    const { x, y } = places.get(host)
    list.forEach(({ id, ...aside }, index) => all.set(id, {
      x: x + size.width + 10, y: y + size.height / 2 - 11 + 26 * index - 13 * (list.length - 1), width: 114, height: 22, aside,
    }))
  }
  return all
}
