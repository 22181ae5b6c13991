// Notices: they are shown for a few seconds and read aloud, in the dialog that is open, if there is one.

import { focused, h, keepingFocus } from './dom.js'
import { speak } from './language.js'
import { sheetsIn } from './style.js'

/** The milliseconds for which it is shown. */
const time = 7000

let place
/** The dialogs of the elements that were opened, the last one at the end. */
let dialogs = []
/** Focuses what was focused before the last dialog, until it has closed. */
let latest

/** The part of the page for notices, which must be there before something is said: in a modal dialog nothing else is read. */
export function placeOfNotices() {
  if (!place) {
    place = document.createElement('menud-notices')
    place.attachShadow({ mode: 'open' }).adoptedStyleSheets = sheetsIn(document)
    place.shadowRoot.append(h('div.notices', { role: 'status', 'aria-live': 'polite', part: 'notices' }))
  }
  const dialog = openDialog()
  const around = dialog?.matches(':modal') ? dialog : document.body
  if (place.parentNode !== around) {
    around.append(place)
    dialog?.addEventListener('close', placeOfNotices, { once: true })
  }
  return place.shadowRoot.firstChild
}

/** True if a dialog is open, in the page. */
const isShown = ({ open, isConnected }) => open && isConnected

/** True if nothing has focus. */
const isNowhere = () => [null, document.body].includes(document.activeElement)

/** Opens a dialog of an element. Once it is closed, focus is where it was, also if that is drawn anew meanwhile. */
export function openModal(dialog) {
  // Another dialog may have closed just now.
  const giveBack = isNowhere() && latest ? latest : keepingFocus()
  latest = giveBack
  dialog.addEventListener('close', () => {
    if (isNowhere()) giveBack()
    if (latest === giveBack) latest = undefined
  }, { once: true })
  dialogs = [...dialogs.filter(isShown), dialog]
  dialog.showModal()
  placeOfNotices()
}

/** The innermost open dialog: one of the elements, else the one with focus, else a modal one of the page. */
export function openDialog() {
  const own = dialogs.filter(isShown).at(-1)
  if (own) return own
  for (let node = focused(); node; node = node.getRootNode().host) {
    const dialog = node.closest('dialog[open]')
    if (dialog) return dialog
  }
  return document.querySelector('dialog:modal') ?? undefined
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
