// Elements of the page, made by functions: the page has no markup in strings.

const svgNames = new Set(['svg', 'g', 'path', 'rect', 'circle', 'text', 'title', 'defs', 'marker', 'tspan'])

/** Makes an element: `h('button.quiet', { onclick }, 'Copy')`. Properties that are undefined are left out. */
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
      // Behind the click that this is the end of.
      if (postponed.size) setTimeout(() => { for (const [container, children] of postponed) show(container, children) })
    }, true)
  }
}

/**
 * Shows children in place of those there are. Keyboard focus and scrolling stay where they were. What is being
 * pressed stays until it is released, so that no click is lost.
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

/** A request as a command for a shell. A token is not copied. */
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

/** A button that copies a request as a command. */
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

/** The head of a panel: its title, and what belongs beside it. */
export function head(id, title, ...children) {
  return h('div.head', {}, h('h2', { id }, title), h('div.tools', {}, children))
}

/** A small dialog; resolves with what `read` returns, or undefined when it is left. */
export function ask({ title, detail, fields, action, read }) {
  return new Promise((resolve) => {
    const form = h('form', { method: 'dialog', onsubmit: (event) => {
      event.preventDefault()
      dialog.close()
      resolve(read(form))
    } },
    h('h2', {}, title), detail && h('p', {}, detail), fields,
    h('div.row', {}, h('button', { type: 'button', onclick: () => { dialog.close(); resolve() } }, 'Cancel'),
      h('button.primary', { type: 'submit' }, action)))
    const dialog = h('dialog',
      { 'aria-label': title, oncancel: () => resolve(), onclose: () => dialog.remove() },
      form,
    )
    document.body.append(dialog)
    dialog.showModal()
  })
}

/** What differs between two values, as operations of a JSON Patch, each with the value before. */
export function difference(before, after, path = '') {
  const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (isObject(before) && isObject(after)) {
    const escape = (name) => name.replaceAll('~', '~0').replaceAll('/', '~1')
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
    return [
      ...gone.map((name) => ({ op: 'remove', path: `${path}/${escape(name)}`, before: before[name] })),
      ...Object.keys(after).flatMap((name) => Object.hasOwn(before, name)
        ? difference(before[name], after[name], `${path}/${escape(name)}`)
        : [{ op: 'add', path: `${path}/${escape(name)}`, value: after[name] }]),
    ]
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((value, index) => difference(before[index], value, `${path}/${index}`))
  }
  return [{ op: 'replace', path, before, value: after }]
}

/** A value in one line, shortened. */
export function brief(value, length = 60) {
  const text = JSON.stringify(value) ?? ''
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

export const moment = (time) => new Date(time).toTimeString().slice(0, 8)
