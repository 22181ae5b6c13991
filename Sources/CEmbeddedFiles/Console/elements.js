// Elements of the page, made by functions: the page has no markup in strings.

const svgNames = new Set(['svg', 'g', 'path', 'rect', 'circle', 'text', 'title', 'defs', 'marker', 'tspan'])

/** Creates an element: `h('button.quiet', { onclick }, 'Copy')`. Undefined properties are omitted. */
export function h(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split('.')
  const isDrawn = svgNames.has(tag)
  const element = isDrawn ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag)
  if (classes.length) element.setAttribute('class', classes.join(' '))
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (key === 'class') element.setAttribute('class', [...classes, value].filter(Boolean).join(' '))
    else if (key === 'style') Object.assign(element.style, value)
    else if (['value', 'checked', 'disabled', 'selected', 'indeterminate', 'open'].includes(key)) element[key] = value
    else element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.flat(Infinity).filter(
    (child) => child !== undefined && child !== null && child !== false,
  ))
  return element
}

let pressed
const postponed = new Map()
if (globalThis.document) {
  document.addEventListener('pointerdown', (event) => { pressed = event.target }, true)
  for (const name of ['pointerup', 'pointercancel', 'blur']) {
    globalThis.addEventListener(name, () => {
      pressed = undefined
      // After the click that this event ends.
      if (postponed.size) setTimeout(() => { for (const [container, children] of postponed) show(container, children) })
    }, true)
  }
}

/**
 * Replaces the children. Keyboard focus and scrolling are kept. A pressed element stays until it is released, so
 * that no click is lost.
 */
export function show(container, ...children) {
  if (pressed && container.contains(pressed)) return void postponed.set(container, children)
  postponed.delete(container)
  const active = document.activeElement
  const key = container.contains(active) ? active.dataset.key : undefined
  const scrolled = new Map(Array.from(
    container.querySelectorAll('[data-scroll]'),
    (part) => [part.dataset.scroll, [part.scrollTop, part.scrollLeft]],
  ))
  container.replaceChildren(...children.flat(Infinity).filter(Boolean))
  for (const part of container.querySelectorAll('[data-scroll]')) {
    [part.scrollTop, part.scrollLeft] = scrolled.get(part.dataset.scroll) ?? [0, 0]
  }
  if (key) container.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true })
}

/** A request as a shell command, without the token. */
export function curl(client, { method = 'GET', path, query, body, type = 'application/json' }) {
  const url = client.url + (Array.isArray(path) ? client.path(path, query) : path)
  const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`
  const parts = ['curl']
  if (method !== 'GET' && !(method === 'POST' && body !== undefined && type === 'application/json')) parts.push('-X', method)
  if (client.token) parts.push('-H', '"Authorization: Bearer $MENUD_TOKEN"')
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  if (text !== undefined && type === 'application/json') parts.push('--json', quote(text))
  else if (text !== undefined) parts.push('-H', quote(`Content-Type: ${type}`), '--data', quote(text))
  return [...parts, quote(url)].join(' ')
}

/** A button that copies a request as a shell command. */
export function curlButton(app, request, what = 'this') {
  return h('button.quiet.curl', {
    type: 'button', 'aria-label': `Copy ${what} as curl`, title: `Copy ${what} as curl`, 'data-key': `curl ${what}`,
    onclick: async () => {
      const text = curl(app.client, typeof request === 'function' ? request() : request)
      try {
        await navigator.clipboard.writeText(text)
        app.notice('Copied', text)
      } catch {
        app.notice('Copy it from here', text)
      }
    },
  }, 'curl')
}

/** The head of a panel: its title, and the controls beside it. */
export function head(id, title, ...children) {
  return h('div.head', {}, h('h2', { id }, title), h('div.tools', {}, children))
}

/** A small dialog; resolves with the result of `read`, or undefined if it is dismissed. */
export function ask({ title, detail, fields, action, read }) {
  return new Promise((resolve) => {
    const form = h('form', { method: 'dialog', onsubmit: (event) => {
      event.preventDefault()
      dialog.close()
      resolve(read(form))
    } },
    h('h2', {}, title), detail && h('p', { id: 'dialog-detail' }, detail), fields,
    h('div.row', {}, h('button', { type: 'button', onclick: () => { dialog.close(); resolve() } }, 'Cancel'),
      h('button.primary', { type: 'submit' }, action)))
    const dialog = h('dialog',
      { role: detail && 'alertdialog', 'aria-label': title, 'aria-describedby': detail && 'dialog-detail', oncancel: () => resolve(), onclose: () => dialog.remove() },
      form,
    )
    document.body.append(dialog)
    dialog.showModal()
  })
}

/** A row of buttons with one tab stop; the arrow keys reach the others, in a row from the right the other way round. */
export function roving(container, { items = 'button', previous = 'ArrowLeft', next = 'ArrowRight' } = {}) {
  const all = () => Array.from(container.querySelectorAll(items))
  const choose = (item) => { for (const other of all()) other.tabIndex = other === item ? 0 : -1 }
  choose(all().find((item) => item === document.activeElement) ?? all()[0])
  container.addEventListener('focusin', (event) => choose(event.target.closest(items)))
  container.addEventListener('keydown', (event) => {
    const list = all()
    const at = list.indexOf(event.target)
    const step = next === 'ArrowRight' && container.closest('[dir=rtl]') ? -1 : 1
    const places = { [previous]: at - step, [next]: at + step, Home: 0, End: list.length - 1 }
    if (at < 0 || !(event.key in places)) return
    event.preventDefault()
    event.stopPropagation()
    list[(places[event.key] + list.length) % list.length].focus()
  })
  return container
}

/** The numbers of elements to draw, by the name of the list, where the user asked for more. */
const drawn = new Map()

/** Resets the lists with this prefix to their first elements. */
export function forget(name) {
  for (const key of [...drawn.keys()]) if (key.startsWith(name)) drawn.delete(key)
}

/** The first of many things, with a button that draws as many again. The number is kept under the name of the list. */
export function some(name, things, draw, { most = 50, tag = 'li' } = {}) {
  const count = Math.max(most, drawn.get(name) ?? 0)
  const rest = things.length - count
  const first = things.slice(0, count).map(draw)
  if (rest <= 0) return first
  const more = h(`${tag}.more`, {}, h('button.link', {
    type: 'button', 'data-key': `more ${name}`,
    onclick: () => {
      drawn.set(name, count + most)
      const hadKeyboard = more.contains(document.activeElement)
      const next = some(name, things, draw, { most, tag }).slice(count).flat(Infinity).filter(Boolean)
      more.replaceWith(...next)
      if (hadKeyboard) next.at(-1).querySelector?.('button.link')?.focus()
    },
  }, `… and ${rest.toLocaleString('en')} more`))
  return [...first, more]
}

/**
 * A virtual list of rows of equal height; only visible rows are drawn. `draw` creates the row at an index; its
 * place is set here.
 */
export function rows(count, height, draw, properties = {}) {
  const list = h('div.virtual', { role: 'list' })
  list.style.height = `${count * height}px`
  const place = h('div.scroll', properties, list)
  let shown = ''
  const render = () => {
    const first = Math.max(0, Math.floor(place.scrollTop / height) - 4)
    const last = Math.min(count, Math.ceil((place.scrollTop + (place.clientHeight || 400)) / height) + 4)
    if (shown === `${first} ${last}`) return
    shown = `${first} ${last}`
    show(list, Array.from({ length: Math.max(0, last - first) }, (_, index) => {
      const row = draw(first + index)
      row.setAttribute('role', 'listitem')
      row.setAttribute('aria-setsize', count)
      row.setAttribute('aria-posinset', first + index + 1)
      row.style.top = `${(first + index) * height}px`
      return row
    }))
  }
  place.addEventListener('scroll', render)
  // It has no size before it is on the page.
  requestAnimationFrame(render)
  render()
  return place
}

export const moment = (time) => new Date(time).toTimeString().slice(0, 8)
