// Parts of the page that its panels share.

import { write } from '../client/menud.js'
import { h, show } from '../client/elements/dom.js'

/** A request as a shell command, without the token. */
export function curl(client, { method = 'GET', path, query, body, type = 'application/json' }) {
  const url = client.url + (Array.isArray(path) ? client.path(path, query) : path)
  const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`
  const parts = ['curl']
  if (method !== 'GET' && !(method === 'POST' && body !== undefined && type === 'application/json')) parts.push('-X', method)
  if (client.token) parts.push('-H', '"Authorization: Bearer $MENUD_TOKEN"')
  const text = body === undefined ? undefined : typeof body === 'string' ? body : write(body)
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

/** The numbers of elements to draw, by the name of the list, where the user asked for more. */
const drawn = new Map()

/** The names of the parts that the user unfolded. */
const unfolded = new Set()

/** Resets the lists with this prefix to their first elements, and folds the parts. */
export function forget(name) {
  for (const kept of [drawn, unfolded]) for (const key of [...kept.keys()]) if (key.startsWith(name)) kept.delete(key)
}

/** A part that can be unfolded, and stays so when it is drawn anew. */
export function fold(name, summary, ...content) {
  return h('details', {
    open: unfolded.has(name), ontoggle: ({ target: { open } }) => (open ? unfolded.add(name) : unfolded.delete(name)),
  }, h('summary', { 'data-key': name }, summary), content)
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
