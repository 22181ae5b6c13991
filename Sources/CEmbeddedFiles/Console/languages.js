// The control that sets the language of a session (M14).

import { h } from '../client/elements/dom.js'

/** The name of a language as its speakers write it; the tag if the browser knows none. */
function nameOf(tag) {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag)
  } catch {
    return tag
  }
}

/** The list of the application's languages; undefined if there are none to choose from. */
export function languageControl(app) {
  const { mirror, locales, session } = app
  if (!mirror || !locales.length) return undefined
  const now = mirror.document?.locale ?? ''
  const option = (tag) => h('option', { value: tag, selected: tag === now, lang: tag || undefined }, tag ? nameOf(tag) : 'Original')
  return h('label.language', {}, h('span.away', {}, 'Language'), h('select', {
    'data-key': 'language', title: 'Language', disabled: app.isHindered,
    onchange: async ({ target: { value } }) => {
      const answer = await app.change('The change of the language', (options) => session.setLocale(value || null, options))
      // If it was refused, the list shows the present language again.
      if (!answer) app.chrome.render()
    },
  }, [...new Set(['', ...locales, now])].map(option)))
}
