// The responders as a drawing: their links, the chain from the first responder on, forwarders and late
// responders beside their hosts, and the path of a trace. Only the visible part is drawn.

import { h, show } from '../client/elements/dom.js'
import { curlButton, head } from './elements.js'
import { layout, size } from './layout.js'
import { node, pathBetween, pathBeside } from './nodes.js'
import { asides, visited } from './way.js'

/** The margin drawn around the visible part, in pixels. */
const beyond = 160
const smallest = 0.12
/** Below this scale, blocks of leaves are drawn as one. */
const coarse = 0.3

export class Graph {
  constructor(app, place) {
    this.app = app
    this.place = place
    /** The steps of a trace, and its outcome. */
    this.path = undefined
    this.ranks = new Map()
    this.query = ''
    this.frame = this.#frame()
  }

  /** Drops the session. */
  clear() {
    this.structure = this.drawing = this.path = this.scale = this.view = undefined
    this.active = undefined
    this.ranks = new Map()
  }

  /** Reads the links if they may have changed, otherwise the chain only. */
  async update({ isStructure }) {
    const { app } = this
    const { session } = app
    if (!app.mirror?.document) return this.render()
    if (isStructure || !this.structure) {
      const answer = await app.question(() => session.read('chains'))
      if (!answer || session !== app.session) return
      this.structure = { next: new Map(Object.entries(answer.next)), chain: answer.chain }
      this.drawing = undefined
    } else {
      const answer = await app.question(() => session.chain())
      if (!answer || session !== app.session) return
      this.structure = { ...this.structure, chain: answer.chain.map(({ responder }) => responder) }
    }
    // Scrolled first, so that it is drawn once.
    const isThere = Boolean(this.view)
    if (isThere) this.#showFirst({ draws: false })
    this.render()
    if (!isThere || isStructure) this.#showFirst()
  }

  /** Draws the path of a trace. */
  trace(path) {
    this.path = path
    this.drawing = undefined
    this.render()
  }

  // The frame, which stays.

  #frame() {
    const { app } = this
    const zoom = (title, sign, by) => h('button.quiet', {
      type: 'button', 'aria-label': title, title, 'data-key': `zoom ${sign}`, onclick: () => this.zoom(by),
    }, sign)
    this.search = h('input.search', {
      type: 'search', placeholder: 'Find a responder', 'aria-label': 'Find a responder', autocomplete: 'off', spellcheck: 'false', size: 14,
      oninput: () => this.#find(this.search.value),
      onkeydown: (event) => {
        if (event.key !== 'Enter' || !this.found?.length) return
        event.preventDefault()
        this.#goTo(this.at + (event.shiftKey ? -1 : 1))
      },
    })
    this.count = h('span.hint', { role: 'status' })
    this.tools = h('div.tools')
    this.space = h('div.space')
    this.layer = h('div.layer')
    this.canvas = h('div.canvas', {
      tabindex: 0, role: 'group', 'aria-label': 'Responder graph; activate one to give it focus',
      onscroll: () => { if (!this.#isDrawn) this.#soon() },
      oncontextmenu: (event) => {
        event.preventDefault()
        app.asking('The context menu is not shown', () => app.contextMenu.openAt(event.clientX, event.clientY))
      },
      onkeydown: (event) => this.#key(event),
    }, this.space, this.layer)
    this.canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      this.zoom(Math.exp(-event.deltaY / 300), event)
    }, { passive: false })
    new ResizeObserver(() => { this.box = undefined; this.#soon() }).observe(this.canvas)
    const foot = h('div.foot', {},
      h('span.legend', {}, h('i.chain'), 'chain', h('i.forward'), 'forwarder', h('i.late'), 'late responder'),
      h('span.gap'),
      zoom('Smaller', '−', 1 / 1.4), h('button.quiet', {
        type: 'button', 'data-key': 'zoom fit', title: 'Show all of it', onclick: () => this.#fit(),
      }, 'Fit'), zoom('Larger', '+', 1.4))
    return [head('graph-title', 'Responders', this.search, this.count, this.tools), this.canvas, foot]
  }

  render() {
    const { app } = this
    if (!this.canvas.isConnected) this.place.replaceChildren(...this.frame)
    show(this.tools, h('button.quiet', { type: 'button', 'data-key': 'context', onclick: (event) => {
      const { left, bottom } = event.currentTarget.getBoundingClientRect()
      app.asking('The context menu is not shown', () => app.contextMenu.openAt(left, bottom + 4))
    } }, 'Context menu'), app.session && curlButton(app, { path: app.session.path('chains') }, 'the chains'))
    this.#draw()
  }

  // The places of all responders.

  get #drawn() {
    const { app, structure } = this
    if (!structure || !app.mirror?.document) return undefined
    const { responders } = app.mirror.document
    if (this.drawing) return this.drawing
    const hasAside = (id) => Boolean(
      responders[id]?.coordinator || responders[id]?.lateResponders?.responders?.some((late) => !structure.next.has(late)),
    )
    const pen = layout(structure.next, this.ranks, hasAside)
    const beside = asides(responders, pen.places, this.path?.steps)
    const places = new Map([...pen.places, ...beside])
    const late = new Set(Object.values(responders).flatMap(({ lateResponders }) => lateResponders?.responders ?? []))
    // The bar above the responders with the same next responder.
    const bars = new Map()
    for (const [id, after] of structure.next) {
      const [from, to] = [pen.places.get(id), pen.places.get(after)]
      if (!from || !to || from.block) continue
      const bar = bars.get(after) ?? { to, left: to.x, right: to.x, y: from.y }
      bar.left = Math.min(bar.left, from.x)
      bar.right = Math.max(bar.right, from.x)
      bars.set(after, bar)
    }
    const right = Math.max(pen.width, ...Array.from(beside.values(), ({ x }) => x + size.aside))
    return (this.drawing = { places, late, bars, blocks: pen.blocks, noteY: pen.noteY, width: right + size.margin, height: pen.height })
  }

  /** The size of the panel, cached since reading it forces a layout of the page. */
  get #room() {
    const { canvas } = this
    return (this.box ??= { width: canvas.clientWidth, height: canvas.clientHeight })
  }

  get #scale() {
    const drawn = this.#drawn
    if (this.scale !== undefined || !drawn) return this.scale ?? 1
    const { width, height } = this.#room
    if (!width || !height) return 1
    return Math.max(0.75, Math.min(1.15, (width - 2) / drawn.width, (height - 2) / drawn.height))
  }

  /** Zooms around the middle or the pointer. */
  zoom(by, pointer) {
    const { canvas } = this
    const before = this.#scale
    this.scale = Math.max(smallest, Math.min(3, before * by))
    const box = canvas.getBoundingClientRect()
    const [x, y] = pointer ? [pointer.clientX - box.left, pointer.clientY - box.top] : [canvas.clientWidth / 2, canvas.clientHeight / 2]
    const [left, top] = [(canvas.scrollLeft + x) / before, (canvas.scrollTop + y) / before]
    this.#draw()
    canvas.scrollTo(left * this.scale - x, top * this.scale - y)
    this.#draw()
  }

  /** Fits as much of the drawing as is still legible, around the first responder. */
  #fit() {
    const drawn = this.#drawn
    if (!drawn) return
    const { clientWidth: width, clientHeight: height } = this.canvas
    this.scale = Math.max(smallest, Math.min(1.15, (width - 2) / drawn.width, (height - 2) / drawn.height))
    this.#draw()
    this.#showFirst({ always: true })
  }

  /** True if the visible part is drawn already, as after a little scrolling. */
  get #isDrawn() {
    const { view, canvas } = this
    if (!view) return false
    const scale = this.#scale
    const [left, top] = [canvas.scrollLeft / scale, canvas.scrollTop / scale]
    const { width, height } = this.drawing ?? {}
    return left >= view.x && top >= view.y && Math.min(width, left + canvas.clientWidth / scale) <= view.x + view.width
      && Math.min(height, top + canvas.clientHeight / scale) <= view.y + view.height
  }

  #soon() {
    this.timer ??= requestAnimationFrame(() => { this.timer = undefined; this.#draw() })
  }

  #draw() {
    const { app, canvas } = this
    const drawn = this.#drawn
    canvas.classList.toggle('empty', !drawn)
    if (!drawn) {
      Object.assign(this.space.style, { width: '0', height: '0' })
      return show(this.layer, h('p.hint.pad', {}, app.session ? 'Nothing to show yet.' : 'No session.'))
    }
    const scale = this.#scale
    const [width, height] = [drawn.width * scale, drawn.height * scale]
    Object.assign(this.space.style, { width: `${width}px`, height: `${height}px` })
    // A drawing smaller than its panel is centred.
    const [left, top] = [Math.max(0, (canvas.clientWidth - width) / 2), Math.max(0, (canvas.clientHeight - height) / 2)]
    // A margin beyond the visible part, so that scrolling shows no gap.
    const [x, y] = [Math.max(0, (canvas.scrollLeft - beyond) / scale), Math.max(0, (canvas.scrollTop - beyond) / scale)]
    const view = {
      x, y, width: Math.min(drawn.width, (canvas.scrollLeft + canvas.clientWidth + beyond) / scale) - x,
      height: Math.min(drawn.height, (canvas.scrollTop + canvas.clientHeight + beyond) / scale) - y,
    }
    this.view = view
    Object.assign(this.layer.style, { left: `${left + x * scale}px`, top: `${top + y * scale}px` })
    show(this.layer, h('svg', {
      viewBox: `${view.x} ${view.y} ${view.width} ${view.height}`, width: view.width * scale, height: view.height * scale,
      role: 'group', 'aria-label': 'Responders',
    }, this.#parts(drawn, view, scale < coarse)))
  }

  /** The visible parts of the drawing: lines first, then responders, those of the chain first. */
  #parts(drawn, view, isCoarse) {
    const { app, structure, path } = this
    const { responders, firstResponder } = app.mirror.document
    const isSeen = ({ x, y, width = size.width, height = size.height }) =>
      x + width > view.x && x < view.x + view.width && y + height > view.y && y < view.y + view.height
    const onChain = new Map(structure.chain.map((id, index) => [id, index]))
    const { nodes, edges } = visited(path, structure.next)
    const isShown = (id, place) => isSeen(place) && !(isCoarse && place.block && !nodes.has(id) && !onChain.has(id) && !this.found?.includes(id))
    const shown = [...drawn.places].filter(([id, place]) => isShown(id, place) || id === this.#active)
    const rank = (id) => onChain.get(id) ?? structure.chain.length
    shown.sort(([a], [b]) => rank(a) - rank(b))
    const lines = this.#lines(drawn, isSeen, { shown, edges, nodes })
    const found = new Set(this.found)
    return [
      drawn.blocks.filter(isSeen).map((block) => this.#block(block, isCoarse)),
      lines,
      drawn.noteY && h('text.note', { x: size.margin, y: drawn.noteY }, 'on no chain'),
      shown.map(([id, place]) => node(app, id, place, {
        responder: responders[id], isLate: drawn.late.has(id), isFirst: id === firstResponder, isOnChain: onChain.has(id),
        verdict: nodes.get(id), isTarget: path?.target === id, isFound: found.has(id), isActive: id === this.#active,
      })),
    ]
  }

  #block({ host, ids, x, y, width, height }, isCoarse) {
    return h('g.block', { class: isCoarse ? 'coarse' : '' },
      h('rect', { x, y, width, height, rx: 14 }),
      isCoarse && h('text', { x: x + width / 2, y: y + height / 2, style: { fontSize: `${Math.max(14, Math.min(96, width / 14))}px` } },
        `${ids.length.toLocaleString('en')} before ${host}`))
  }

  #lines(drawn, isSeen, { shown, edges, nodes }) {
    const { next } = this.structure
    const lines = []
    for (const bar of drawn.bars.values()) {
      const box = { x: bar.left, y: bar.to.y, width: bar.right - bar.left + size.width, height: bar.y - bar.to.y + size.height }
      if (isSeen(box) && bar.left < bar.right) lines.push([0, h('path.line.edge', {
        d: `M${bar.left + size.width / 2} ${bar.y - size.up / 2}H${bar.right + size.width / 2}`,
      })])
      if (isSeen(box)) lines.push([0, h('path.line.edge', {
        d: `M${bar.to.x + size.width / 2} ${bar.to.y + size.height}V${bar.y - size.up / 2}`,
      })])
    }
    for (const block of drawn.blocks) {
      const host = drawn.places.get(block.host)
      if (host && (isSeen(block) || isSeen(host))) lines.push([0, h('path.line.edge', {
        d: pathBetween({ x: block.x, y: block.y }, host),
      })])
    }
    // The lines of the chain and of the trace are always drawn; all others if they are visible.
    const chain = this.structure.chain.slice(1).map((after, index) => [this.structure.chain[index], after, 'chain'])
    const walked = Array.from(edges, (edge) => [...edge.split(' '), 'walked'])
    for (const [id, after, kind] of [...chain, ...walked]) {
      const [from, to] = [drawn.places.get(id), drawn.places.get(after)]
      if (!from || !to || (kind === 'chain' && edges.has(`${id} ${after}`))) continue
      const box = { x: Math.min(from.x, to.x), y: to.y, width: Math.abs(from.x - to.x) + size.width, height: from.y - to.y + size.height }
      if (isSeen(box)) lines.push([kind === 'walked' ? 2 : 1, h('path', { class: `line ${kind}`, d: pathBetween(from, to) })])
    }
    for (const [id, { aside, ...place }] of shown) {
      if (aside) {
        const kind = nodes.has(id) ? `walked ${aside.kind}` : aside.kind
        lines.push([nodes.has(id) ? 2 : 0, h('path', { class: `line ${kind}`, d: pathBeside(drawn.places.get(aside.host), place) })])
      } else if (!place.block && drawn.places.has(next.get(id))) {
        lines.push([0, h('path.line.edge', { d: `M${place.x + size.width / 2} ${place.y}v${-size.up / 2}` })])
      }
    }
    return lines.sort(([a], [b]) => a - b).map(([, line]) => line)
  }

  // Keyboard navigation.

  /** The responder with the tab stop. */
  get #active() {
    const { places } = this.#drawn ?? {}
    if (!places) return undefined
    return places.has(this.active) ? this.active : this.structure.chain[0] ?? places.keys().next().value
  }

  /** Scrolls a responder to the middle, and gives it keyboard focus. */
  reveal(id, { hasKeyboard = true } = {}) {
    const place = this.#drawn?.places.get(id)
    if (!place) return false
    const { canvas } = this
    if (this.#scale < 0.5) this.scale = 0.9
    const scale = this.#scale
    this.active = id
    this.#draw()
    canvas.scrollTo((place.x + size.width / 2) * scale - canvas.clientWidth / 2, (place.y + size.height / 2) * scale - canvas.clientHeight / 2)
    this.#draw()
    if (hasKeyboard) this.layer.querySelector(`[data-key="${CSS.escape(`node ${id}`)}"]`)?.focus({ preventScroll: true })
    return true
  }

  /** Scrolls to the first responder if it is not visible. */
  #showFirst({ always = false, draws = true } = {}) {
    const place = this.#drawn?.places.get(this.structure?.chain[0])
    if (!place) return
    const { canvas } = this
    const scale = this.#scale
    const [x, y] = [place.x * scale - canvas.scrollLeft, place.y * scale - canvas.scrollTop]
    const isSeen = x >= 0 && y >= 0 && x + size.width * scale <= canvas.clientWidth && y + size.height * scale <= canvas.clientHeight
    if (isSeen && !always) return
    canvas.scrollTo((place.x + size.width / 2) * scale - canvas.clientWidth / 2, (place.y + size.height) * scale - canvas.clientHeight * 0.8)
    if (draws) this.#draw()
  }

  #find(query) {
    const text = query.trim().toLowerCase()
    const { responders = {} } = this.app.mirror?.document ?? {}
    const fits = (id) => id.toLowerCase().includes(text) || (responders[id]?.class ?? '').toLowerCase().includes(text)
    this.found = text && this.#drawn ? [...this.#drawn.places.keys()].filter(fits) : undefined
    this.at = -1
    if (this.found?.length) return this.#goTo(0)
    this.count.textContent = this.found ? 'none' : ''
    this.#draw()
  }

  #goTo(index) {
    const { found } = this
    this.at = (index + found.length) % found.length
    this.count.textContent = `${this.at + 1} of ${found.length.toLocaleString('en')}`
    this.reveal(found[this.at], { hasKeyboard: false })
  }

  /** The arrow keys move keyboard focus between responders. */
  #key(event) {
    const id = event.target.closest?.('.node')?.dataset.responder
    if (!id || event.metaKey || event.ctrlKey || event.altKey) return
    const to = this.#neighbour(id, event.key)
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (to) this.reveal(to)
  }

  #neighbour(id, key) {
    const { next, chain } = this.structure
    const { places } = this.#drawn
    const here = places.get(id)
    const beside = (step) => {
      const row = [...places].filter(([, { y, aside }]) => !aside && Math.abs(y - here.y) < 2).sort((a, b) => a[1].x - b[1].x).map(([other]) => other)
      return row[row.indexOf(id) + step] ?? null
    }
    const below = () => {
      const all = [...next].filter(([, after]) => after === id).map(([other]) => other)
      return all.find((other) => chain.includes(other)) ?? all.sort((a, b) => places.get(a).x - places.get(b).x)[0] ?? null
    }
    switch (key) {
      case 'ArrowUp': return here.aside?.host ?? next.get(id) ?? null
      case 'ArrowDown': return below()
      case 'ArrowLeft': return beside(-1)
      case 'ArrowRight': return beside(1)
      case 'Home': return chain[0] ?? null
      case 'End': return chain.at(-1) ?? null
      default: return undefined
    }
  }
}
