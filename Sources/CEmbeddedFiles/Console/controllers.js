// View controllers in their containers, and the navigation that a front end would report.

import { h } from '../client/elements/dom.js'
import { quoted } from '../client/elements/words.js'
import { curlButton, rows } from './elements.js'
import { Panel } from './state.js'

const rowHeight = 32

export class ControllersPanel extends Panel {
  id = 'controllers'
  title = 'View controllers'

  render() {
    const { app } = this
    const document = app.mirror?.document
    if (!document) return h('p.hint', {}, 'No session.')
    const list = flattened(document.responders)
    const tools = h('div.tools', {}, curlButton(app, { path: app.session.path('responders') }, 'the responders'))
    if (!list.length) return [tools, h('p.hint.pad', {}, 'This session has no view controllers.')]
    return [tools, rows(list.length, rowHeight, (index) => this.#row(list[index]), {
      'data-scroll': 'controllers', tabindex: 0, role: 'group', 'aria-label': 'View controllers',
    })]
  }

  #row({ id, controller, depth, how, holder, count }) {
    const row = h('div.controller', { class: how },
      h('b', {}, id),
      h('span.kind', {}, controller.class ?? ''),
      how && h('span.chip', {}, how),
      this.#actions({ id, controller, how, holder, count }))
    row.style.paddingLeft = `${22 * Math.min(depth, 12)}px`
    return row
  }

  #actions({ id, controller, how, holder, count }) {
    const { app } = this
    const button = (title, mutation) => h('button.quiet', {
      type: 'button', 'data-key': `${title} ${id}`, 'aria-label': `${title} ${id}`, disabled: app.isHindered,
      onclick: () => app.change(`${title} ${quoted(id)}`, (options) => app.session.mutate([mutation], options)),
    }, title)
    return [h('span.gap'),
      h('button.quiet',
        { type: 'button', 'data-key': `show ${id}`, 'aria-label': `Show ${id} in the graph`, onclick: () => app.reveal(id) },
        'Show',
      ),
      /Navigation/.test(controller.class ?? '') && count > 1
        && button('Pop', { op: 'popViewController', navigationController: id, by: 'user' }),
      how === 'tab' && button('Select', { op: 'selectViewController', container: holder, viewController: id }),
      how === 'presented' && button('Dismiss', { op: 'dismiss', viewController: id })]
  }
}

/** The view controllers as rows, each after the one that contains or presents it. */
function flattened(responders) {
  const all = new Map(Object.entries(responders).filter(([, { kind }]) => kind === 'viewController'))
  const presented = new Map()
  const children = new Map()
  const note = (map, holder, id) => map.set(holder, [...(map.get(holder) ?? []), id])
  for (const [id, { presentingViewController, parent }] of all) {
    if (presentingViewController) note(presented, presentingViewController, id)
    if (parent) note(children, parent, id)
  }
  for (const [id, { viewControllers }] of all) {
    if (viewControllers) children.set(id, viewControllers.filter((child) => all.has(child)))
  }
  const below = new Set([...children.values(), ...presented.values()].flat())
  const list = []
  const waiting = [...all.keys()].filter((id) => !below.has(id)).reverse().map((id) => ({ id, depth: 0, how: '' }))
  while (waiting.length) {
    const row = waiting.pop()
    const controller = all.get(row.id)
    if (!controller) continue
    const inside = children.get(row.id) ?? []
    list.push({ ...row, controller, count: inside.length })
    const next = [
      ...inside.map((id, index) => ({ id, how: place(controller, id, index, inside.length) })),
      ...(presented.get(row.id) ?? []).map((id) => ({ id, how: 'presented' })),
    ]
    waiting.push(...next.reverse().map((child) => ({ ...child, depth: row.depth + 1, holder: row.id })))
  }
  return list
}

function place({ class: name, selectedViewController }, child, index, count) {
  if (selectedViewController) return selectedViewController === child ? 'selected' : 'tab'
  if (/Navigation/.test(name ?? '')) return index === count - 1 ? 'top' : 'below'
  return ''
}
