// The layout of a graph: each responder is below its next responder. The places depend on these links alone, so
// that nothing moves with focus.

export const size = { width: 132, height: 40, across: 22, up: 36, margin: 18, aside: 124 }
/** The number of leaves below one responder from which they form a block. */
const row = 6

/**
 * The places of responders by id: `{x, y, block}`, the blocks of leaves, and the total size.
 *
 * `ranks` keeps the order in which responders first appeared; `hasAside` is true for one that needs room beside
 * it.
 */
export function layout(next, ranks, hasAside) {
  const below = new Map()
  for (const [id, after] of next) {
    if (!ranks.has(id)) ranks.set(id, ranks.size)
    const holder = after !== null && next.has(after) ? after : null
    if (below.has(holder)) below.get(holder).push(id)
    else below.set(holder, [id])
  }
  const depths = depthsOf(below)
  for (const [holder, ids] of below) {
    // The longest chain goes straight up at the left.
    if (holder === null || ids.length <= 200) ids.sort((a, b) => depths.get(b) - depths.get(a) || ranks.get(a) - ranks.get(b))
  }
  const pen = new Pen(below, hasAside)
  const roots = below.get(null) ?? []
  for (const root of roots.filter((id) => below.has(id))) pen.tree(root)
  pen.lonely(roots.filter((id) => !below.has(id)))
  return pen
}

/** The length of the longest path below each responder. */
function depthsOf(below) {
  const depths = new Map()
  const order = []
  const waiting = [...(below.get(null) ?? [])]
  while (waiting.length) {
    const id = waiting.pop()
    order.push(id)
    for (const other of below.get(id) ?? []) waiting.push(other)
  }
  for (const id of order.reverse()) {
    let depth = 0
    for (const other of below.get(id) ?? []) depth = Math.max(depth, 1 + depths.get(other))
    depths.set(id, depth)
  }
  return depths
}

/** Places one responder after the other. */
class Pen {
  places = new Map()
  /** Frames of leaves that stand together: `{host, ids, columns, x, y, width, height}`. */
  blocks = []
  #right = size.margin
  #bottom = 0

  constructor(below, hasAside) {
    this.below = below
    this.hasAside = hasAside
  }

  get width() { return Math.max(this.#right, size.margin + size.width) }
  get height() { return this.#bottom + size.margin }

  /**
   * Places a responder with everything below it, to the right of the previous ones. Not recursive, since chains
   * can be long.
   */
  tree(root) {
    const waiting = [{ place: root, level: 0 }]
    while (waiting.length) {
      const { place, finish, block, host, level } = waiting.pop()
      if (place !== undefined) waiting.push(...this.#node(place, level).reverse())
      else if (block) this.#block(host, block, level)
      else this.#reach(this.places.get(finish).x + (this.hasAside(finish) ? size.width + 10 + size.aside : size.width) + size.across)
    }
  }

  /** Places a responder, and returns those to place next. */
  #node(id, level) {
    this.places.set(id, this.#note({ x: this.#right, y: size.margin + level * (size.height + size.up) }))
    const all = this.below.get(id) ?? []
    const leaves = all.filter((other) => !this.below.has(other))
    const isBlock = leaves.length > row
    const others = isBlock ? all.filter((other) => this.below.has(other)) : all
    return [
      ...others.map((other) => ({ place: other, level: level + 1 })),
      ...(isBlock ? [{ block: leaves, host: id, level: level + 1 }] : []),
      { finish: id },
    ]
  }

  #reach(right) { this.#right = Math.max(this.#right, right) }

  #note(place) {
    this.#bottom = Math.max(this.#bottom, place.y + size.height)
    return place
  }

  #block(host, ids, level) {
    const columns = Math.ceil(Math.sqrt(ids.length / 1.5))
    const [stepX, stepY] = [size.width + 8, size.height + 8]
    const x = this.#right
    const y = size.margin + level * (size.height + size.up)
    const block = {
      host, ids, columns, x, y,
      width: Math.min(columns, ids.length) * stepX + 8, height: Math.ceil(ids.length / columns) * stepY + 8,
    }
    ids.forEach((id, index) => this.places.set(id, this.#note({
      x: x + 8 + (index % columns) * stepX, y: y + 8 + Math.floor(index / columns) * stepY, block,
    })))
    this.blocks.push(block)
    this.#bottom = Math.max(this.#bottom, y + block.height)
    this.#reach(x + block.width + size.across)
  }

  /** Places the responders without links in rows below. */
  lonely(ids) {
    if (!ids.length) return
    const step = size.width + size.across
    const columns = Math.max(3, Math.floor(this.width / step), Math.ceil(Math.sqrt(ids.length / 1.5)))
    const top = this.#bottom + (this.places.size ? 44 : size.margin)
    this.noteY = top - 10
    ids.forEach((id, index) => this.places.set(id, this.#note({
      x: size.margin + (index % columns) * step, y: top + Math.floor(index / columns) * (size.height + 12), isLonely: true,
    })))
    this.#reach(size.margin + Math.min(columns, ids.length) * step)
  }
}
