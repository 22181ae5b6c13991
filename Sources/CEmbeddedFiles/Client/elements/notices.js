// What is said to a person for a few seconds, and read aloud.

import { h } from './dom.js'
import { speak } from './language.js'
import { sheet } from './style.js'

/** The milliseconds for which it is shown. */
const time = 7000

let place

/** The part of the page for notices, which must be there before something is said. */
export function placeOfNotices() {
  if (place?.isConnected) return place.shadowRoot.firstChild
  place = document.createElement('menud-notices')
  const root = place.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  root.append(h('div.notices', { role: 'status', 'aria-live': 'polite', part: 'notices' }))
  document.body.append(place)
  return root.firstChild
}

/** Says something; a visible notice is not repeated. */
export function notify(view, title, detail) {
  const notices = placeOfNotices()
  speak(place, view.mirror)
  const text = `${title} ${detail ?? ''}`
  Array.from(notices.children).find((notice) => notice.dataset.text === text)?.remove()
  const notice = h('div.notice', { part: 'notice', 'data-text': text }, h('b', {}, title), detail && h('span', {}, detail))
  notices.append(notice)
  while (notices.children.length > 3) notices.firstChild.remove()
  setTimeout(() => notice.remove(), time)
}
