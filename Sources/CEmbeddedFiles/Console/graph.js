// The responders as a drawing: who follows whom, the chain from the first responder on, forwarders and late
// responders beside their hosts, and the way that a question took.

import { curlButton, h, head, show } from './elements.js'

const size = { width: 132, height: 40, across: 22, up: 36, margin: 18 }
/** Beyond this many, those that are not on the chain are left out. */
const most = 120

/** Asks which responder follows which: chains are asked for until every responder is on one. */
export async function chainsOf(session, document) {
  const next = new Map()
  const focused = (await session.chain()).chain.map(({ responder }) => responder)
  const note = (chain) => chain.forEach((responder, index) => next.set(responder, chain[index + 1] ?? null))
  note(focused)
  const rest = Object.keys(document.responders)
  const isHolder = (id) => rest.some((other) => Object.values(document.responders[other]).includes(id))
  // Those that nothing refers to are likely to be the beginning of a long chain.
  const waiting = [...rest.filter((id) => !isHolder(id)), ...rest]
  for (const id of waiting) {
    if (next.has(id) || next.size > most) continue
    note((await session.chain({ from: id })).chain.map(({ responder }) => responder))
  }
  return { next, chain: focused }
}

/** Places the responders: who follows stands above, those before it beside each other below. */
function placed(next, chain, hasAside) {
  const before = new Map()
  for (const [id, after] of next) before.set(after, [...(before.get(after) ?? []), id])
  // The chain goes straight up at the left.
  const rank = (id) => (chain.includes(id) ? 0 : 1)
  const places = new Map()
  let width = 0
  const place = (id, level) => {
    const below = (before.get(id) ?? []).sort((a, b) => rank(a) - rank(b))
    const start = width
    for (const other of below) place(other, level + 1)
    places.set(id, { x: start, level })
    width = Math.max(width, start + (hasAside(id) ? 1.95 : 1))
  }
  const roots = [...(before.get(null) ?? [])].sort((a, b) => rank(a) - rank(b))
  for (const root of roots.filter((id) => rank(id) === 0 || before.has(id))) place(root, 0)
  const lonely = roots.filter((id) => !places.has(id))
  const depth = Math.max(0, ...Array.from(places.values(), ({ level }) => level))
  return { places, lonely, width: Math.max(1, width), depth }
}

export class Graph {
  constructor(app, place) {
    this.app = app
    this.place = place
    this.structure = undefined
    /** The steps of a trace, and what it came to. */
    this.path = undefined
  }

  /** Asks who follows whom, if that may have changed. */
  async update() {
    const { app } = this
    if (!app.mirror?.document) return this.render()
    const session = app.session
    const structure = await chainsOf(session, app.mirror.document)
    if (session !== app.session) return
    this.structure = structure
    this.render()
  }

  /** Draws the way that a trace took. */
  trace(path) {
    this.path = path
    this.render()
  }

  render() {
    const { app } = this
    const tools = [
      h('button.quiet', { type: 'button', 'data-key': 'context', onclick: (event) => {
        const { left, bottom } = event.currentTarget.getBoundingClientRect()
        app.attempt(() => app.menubar.openContext(left, bottom + 4))
      } }, 'Context menu'),
      h('span.legend', {}, h('i.chain'), 'chain', h('i.forward'), 'forwarder', h('i.late'), 'late responder'),
      app.session && curlButton(app, { path: app.session.path('chain') }, 'the chain'),
    ]
    if (!this.structure || !app.mirror?.document) {
      return show(this.place, head('graph-title', 'Responders', tools), h('p.hint.pad', {}, 'Nothing to show yet.'))
    }
    show(this.place, head(
      'graph-title',
      'Responders',
      tools,
    ), h('div.canvas', { 'data-scroll': 'graph', tabindex: 0, role: 'group', 'aria-label': 'Responder graph; activate one to give it focus', oncontextmenu: (event) => {
      event.preventDefault()
      app.attempt(() => app.menubar.openContext(event.clientX, event.clientY))
    } }, this.#drawing()))
  }

  #drawing() {
    const { app, structure } = this
    const { responders, firstResponder } = app.mirror.document
    const { next, chain } = structure
    const hasAside = (id) => Boolean(
      responders[id]?.coordinator || responders[id]?.lateResponders?.responders?.some((late) => !next.has(late)),
    )
    const { places, lonely, width, depth } = placed(next, chain, hasAside)
    const asides = this.#asides(responders, places)
    const columns = Math.max(1, Math.floor(width))
    const rows = depth + 1 + Math.ceil(lonely.length / columns)
    const x = (column) => size.margin + column * (size.width + size.across)
    const y = (row) => size.margin + row * (size.height + size.up)
    const at = new Map()
    for (const [id, { x: column, level }] of places) at.set(id, { x: x(column), y: y(level) })
    lonely.forEach((id, index) => at.set(
      id,
      { x: x(index % columns), y: y(depth + 1 + Math.floor(index / columns)) + 14, isLonely: true },
    ))
    for (const [id, aside] of asides) {
      const host = at.get(aside.host)
      at.set(
        id,
        {
          x: host.x + size.width + 10,
          y: host.y + size.height / 2 - 11 + 26 * aside.index - 13 * (aside.count - 1),
          aside,
        },
      )
    }
    const asked = this.#asked()
    const late = new Set(Object.values(responders).flatMap(({ lateResponders }) => lateResponders?.responders ?? []))
    const lines = []
    for (const [id, after] of next) {
      if (after === null || !at.has(id) || !at.has(after)) continue
      const isOnChain = chain.includes(id) && chain.includes(after)
      const isWalked = asked.edges.has(`${id} ${after}`)
      lines.push({
        rank: isWalked ? 2 : isOnChain ? 1 : 0,
        line: this.#line(at.get(id), at.get(after), isWalked ? 'walked' : isOnChain ? 'chain' : 'edge'),
      })
    }
    for (const [id, { host, kind }] of asides) lines.push({
      rank: asked.nodes.has(id) ? 2 : 0,
      line: this.#side(at.get(host), at.get(id), asked.nodes.has(id) ? `walked ${kind}` : kind),
    })
    lines.sort((a, b) => a.rank - b.rank)
    const nodes = [...at].map(([id, place]) => this.#node(id, place, {
      responder: responders[id], isLate: late.has(id), isFirst: id === firstResponder, isOnChain: chain.includes(id), verdict: asked.nodes.get(id),
      isTarget: this.path?.target === id,
    }))
    const right = Math.max(...Array.from(at.values(), ({ x, aside }) => x + (aside ? 124 : size.width))) + size.margin
    return h('svg', {
      viewBox: `0 0 ${right} ${y(rows) - size.up + size.margin + (lonely.length ? 14 : 0)}`,
      width: right, height: y(rows) - size.up + size.margin + (lonely.length ? 14 : 0), role: 'group', 'aria-label': 'Responders',
    }, lines.map(({ line }) => line),
    lonely.length > 0 && h('text.note', { x: size.margin, y: y(depth + 1) + 6 }, 'on no chain'), nodes)
  }

  /** Forwarders, late responders and undo managers that were asked, beside their hosts. */
  #asides(responders, places) {
    const asides = new Map()
    const note = (id, host, kind, name) => {
      const others = [...asides.values()].filter((other) => other.host === host)
      asides.set(id, { host, kind, name, index: others.length })
    }
    for (const [host, responder] of Object.entries(responders)) {
      if (!places.has(host)) continue
      if (responder.coordinator) note(`${host}/forwarder`, host, 'forward', 'forwarder')
      for (const id of responder.lateResponders?.responders ?? []) if (!places.has(id)) note(id, host, 'late', id)
    }
    for (const { asked } of this.path?.steps ?? []) {
      const [host, kind] = asked.split('/')
      if (kind === 'undoManager' && places.has(host) && !asides.has(asked)) note(
        asked,
        host,
        'forward',
        'undo manager',
      )
    }
    for (const aside of asides.values()) aside.count = [...asides.values()].filter(
      ({ host }) => host === aside.host,
    ).length
    return asides
  }

  /** What each responder that was asked answered, and the edges that were walked. */
  #asked() {
    const nodes = new Map()
    const edges = new Set()
    let last
    for (const { asked, question, answer } of this.path?.steps ?? []) {
      // The search for a key asks one responder after the other without a word about it.
      if (question === 'keyCommands' && last && this.structure.next.get(last) === asked) edges.add(`${last} ${asked}`)
      last = question === 'keyCommands' ? asked : undefined
      if (question === 'next') {
        if (answer) edges.add(`${asked} ${answer}`)
      } else if (question === 'redirect' || question === 'forwardingTarget') nodes.set(
        asked,
        typeof answer === 'string' ? 'via' : 'no',
      )
      else if (answer === true || answer?.enabled === true) nodes.set(asked, 'yes')
      else if (!nodes.has(asked) || answer?.enabled === false) nodes.set(
        asked,
        answer?.enabled === false ? 'blocked' : 'no',
      )
    }
    return { nodes, edges }
  }

  #line(from, to, kind) {
    const [x1, y1, x2, y2] = [from.x + size.width / 2, from.y, to.x + size.width / 2, to.y + size.height]
    const middle = y2 + size.up / 2
    const radius = Math.min(10, Math.abs(x1 - x2) / 2)
    const bend = x1 === x2 ? `M${x1} ${y1}V${y2}`
      : `M${x1} ${y1}V${middle + radius}q0 ${-radius} ${-radius} ${-radius}H${x2 + radius}q${-radius} 0 ${-radius} ${-radius}V${y2}`
    return h('path', { d: bend, class: `line ${kind}` })
  }

  #side(host, place, kind) {
    return h('path',
      {
        d: `M${host.x + size.width} ${host.y + size.height / 2}H${place.x - 5}V${place.y + 11}h5`,
        class: `line ${kind}`,
      },
    )
  }

  #node(id, { x, y, aside, isLonely }, { responder, isFirst, isOnChain, isLate, verdict, isTarget }) {
    const { app } = this
    // Between these two are a host's late responders.
    const [host, end] = id.split('/late-')
    const name = aside?.name ?? (end ? { initial: 'late responders', last: 'end of these' }[end] : id)
    const focusable = responder && !isFirst
    const says = [
      id, responder?.kind, responder?.class && `class ${responder.class}`, isFirst && 'first responder', isOnChain && 'on the chain',
      verdict && {
        via: 'passes it on',
        yes: 'answers',
        no: 'does not answer',
        blocked: 'answers, but says no',
      }[verdict],
      isTarget && 'target',
    ].filter(Boolean).join(', ')
    const width = aside ? 114 : size.width
    const height = aside ? 22 : size.height
    const fit = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)
    return h('g', {
      class: [
        'node',
        isFirst ? 'first' : '',
        isOnChain ? 'onchain' : '',
        aside ? aside.kind : isLate ? 'late' : end ? 'hook' : '',
        isLonely ? 'lonely' : '',
        verdict ?? '',
        isTarget ? 'target' : '',
      ].filter(Boolean).join(' '),
      transform: `translate(${x} ${y})`, role: 'button', tabindex: 0, 'aria-label': says, 'aria-current': isFirst ? 'true' : undefined,
      'data-key': `node ${id}`, 'data-responder': id,
      onclick: () => focusable && app.focus(id),
      onkeydown: (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        if (focusable) app.focus(id)
      },
    }, h('title', {}, says), h('rect', { width, height, rx: aside ? 11 : 9 }),
    aside ? h('text.aside', { x: 12, y: 15 }, fit(name, 15))
      : [
        h('text.name', { x: 12, y: 17 }, fit(name, 17)),
        h('text.kind', { x: 12, y: 31 }, fit(end ? `of ${host}` : responder?.class ?? responder?.kind ?? '', 20)),
      ],
    isFirst && h('circle.focus', { cx: width - 13, cy: 13, r: 4 }),
    verdict === 'no' && h('path.cross', { d: `M${width - (isFirst ? 28 : 16)} 10l6 6m0 -6l-6 6` }),
    isTarget && h('path.tick', { d: `M${width - 19} ${height - 12}l4 4 7 -8` }))
  }
}
