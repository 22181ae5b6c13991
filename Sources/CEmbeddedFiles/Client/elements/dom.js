// Elements made by functions: there is no markup in strings.

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

/** Sets properties again that a framework has set on an element before it was defined. */
export function setAgain(element, names) {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue
    const value = element[name]
    delete element[name]
    element[name] = value
  }
}

/** The elements that the pressed pointer is on, the innermost first. */
let pressed = []
const postponed = new Map()
if (globalThis.document) {
  document.addEventListener('pointerdown', (event) => { pressed = event.composedPath() }, true)
  for (const name of ['pointerup', 'pointercancel', 'blur']) {
    globalThis.addEventListener(name, () => {
      pressed = []
      // After the click that this event ends.
      if (postponed.size) setTimeout(() => { for (const [container, children] of postponed) show(container, children) })
    }, true)
  }
}

/**
 * Replaces the children. Keyboard focus and scrolling are kept; focus of an element that is gone goes to its place. A
 * pressed element stays until it is released, so that no click is lost.
 */
export function show(container, ...children) {
  if (pressed.includes(container)) return void postponed.set(container, children)
  postponed.delete(container)
  const active = activeIn(container)
  const giveBack = active && keepingFocus(active, container)
  const scrolled = new Map(Array.from(
    container.querySelectorAll('[data-scroll]'),
    (part) => [part.dataset.scroll, [part.scrollTop, part.scrollLeft]],
  ))
  container.replaceChildren(...children.flat(Infinity).filter(Boolean))
  for (const part of container.querySelectorAll('[data-scroll]')) {
    [part.scrollTop, part.scrollLeft] = scrolled.get(part.dataset.scroll) ?? [0, 0]
  }
  giveBack?.()
}

/** The focused element in a part of the page, or in a shadow tree; undefined if it is elsewhere. */
export function activeIn(container) {
  const active = container.getRootNode().activeElement
  return active && container.contains(active) ? active : undefined
}

/** The focused element, whatever shadow tree it is in. */
export function focused() {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}

/** The selector by which an element is found again once it is drawn anew; undefined if it has no name. */
function selectorOf({ dataset }) {
  const name = ['key', 'scroll'].find((name) => dataset?.[name])
  return name && `[data-${name}="${CSS.escape(dataset[name])}"]`
}

/** The places near an element: its neighbours with a tab stop, those before it first, then the parts around it. */
function placesNear(element, within) {
  const around = element?.parentElement
  const stops = Array.from(around?.querySelectorAll('[data-key], [data-scroll]') ?? [])
    .filter((stop) => stop === element || (stop.tabIndex >= 0 && !stop.contains(element)))
  const at = stops.indexOf(element)
  const near = at < 0 ? [] : [...stops.slice(0, at).reverse(), ...stops.slice(at + 1)]
  // A menu that scrolls could have focus, but its items are meant.
  for (let part = around; part && part !== within; part = part.parentElement) if (part.role !== 'menu') near.push(part)
  return near.map(selectorOf).filter(Boolean)
}

/** True while the pressed key has moved focus to another element, for which its repetitions are not meant. */
let isMoved = false
globalThis.document?.addEventListener('keydown', (event) => {
  if (!event.repeat) isMoved = false
  else if (isMoved && event.key === 'Enter') event.preventDefault()
}, true)

function focuses(element) {
  element?.focus({ preventScroll: true })
  return Boolean(element?.matches(':focus'))
}

/**
 * Returns what focuses the focused element again, also one that is drawn anew meanwhile, with its selected text. If it is
 * gone or disabled, the nearest place that can have focus gets it. Answers true if something did.
 */
export function keepingFocus(element = focused(), within = element?.getRootNode()) {
  const selector = element && selectorOf(element)
  const near = placesNear(element, within)
  const { selectionStart: start, selectionEnd: end, selectionDirection: direction } = element ?? {}
  return () => {
    const same = element?.isConnected ? element : selector && within.querySelector(selector)
    if (focuses(same)) {
      if (same !== element && typeof start === 'number') same.setSelectionRange?.(start, end, direction)
      return true
    }
    isMoved = near.some((place) => focuses(within.querySelector(place))) || focuses(within?.closest?.('[tabindex]'))
    return isMoved
  }
}

/** True if a key belongs to an input method: Enter ends a composition. Safari tells it by the code alone. */
export const isComposing = (event) => event.isComposing || event.keyCode === 229

/** True if an element is laid out from right to left. */
export const isFromRight = (element) => getComputedStyle(element).direction === 'rtl'

/** A row of buttons with one tab stop; the arrow keys reach the others, in a row from the right the other way round. */
export function roving(container, { items = 'button', previous = 'ArrowLeft', next = 'ArrowRight' } = {}) {
  const all = () => Array.from(container.querySelectorAll(items))
  const choose = (item) => { for (const other of all()) other.tabIndex = other === item ? 0 : -1 }
  choose(all().find((item) => item === focused()) ?? all()[0])
  container.addEventListener('focusin', (event) => {
    const item = event.target.closest(items)
    // What a page puts into a slot is focused too.
    if (all().includes(item)) choose(item)
  })
  container.addEventListener('keydown', (event) => {
    const list = all()
    const at = list.indexOf(event.target)
    const step = next === 'ArrowRight' && isFromRight(container) ? -1 : 1
    const places = { [previous]: at - step, [next]: at + step, Home: 0, End: list.length - 1 }
    if (at < 0 || !(event.key in places)) return
    event.preventDefault()
    event.stopPropagation()
    list[(places[event.key] + list.length) % list.length].focus()
  })
  return container
}
