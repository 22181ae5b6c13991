// The language of a session (M14): the control that sets it, and the way in which its texts are read and laid out.

import { h } from './elements.js'

/** The scripts that are written from right to left. */
const fromTheRight = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Mend', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** Marks an element that shows texts of a session with their language and direction. */
export function speak(element, mirror) {
  const { locale } = mirror?.document ?? {}
  for (const [name, value] of [['lang', locale], ['dir', locale && direction(locale)]]) {
    if (value) element.setAttribute(name, value)
    else element.removeAttribute(name)
  }
}

function direction(tag) {
  try {
    return fromTheRight.has(new Intl.Locale(tag).maximize().script) ? 'rtl' : 'ltr'
  } catch {
    // The browser knows no such language.
    return 'ltr'
  }
}

/** The name of a language as its speakers write it; the tag if the browser knows none. */
function nameOf(tag) {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag)
  } catch {
    return tag
  }
}

/** The list of the application's languages; undefined if it has strings in none. */
export function languageControl(app) {
  const { mirror, locales, session } = app
  if (!mirror || !locales.length) return undefined
  const now = mirror.document?.locale ?? ''
  const option = (tag) => h('option', { value: tag, selected: tag === now, lang: tag || undefined }, tag ? nameOf(tag) : 'Declared')
  return h('label.language', {}, h('span.away', {}, 'Language'), h('select', {
    'data-key': 'language', title: 'Language', disabled: app.isOffline || mirror.isClosed,
    onchange: async ({ target: { value } }) => {
      const answer = await app.change('The change of the language', (options) => session.setLocale(value || null, options))
      // If it was refused, the list shows the present language again.
      if (!answer) app.chrome.render()
    },
  }, [...new Set(['', ...locales, now])].map(option)))
}
