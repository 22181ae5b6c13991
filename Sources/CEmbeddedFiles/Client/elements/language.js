// The language of a session (M14): the way in which its texts are read and laid out.

/** The scripts that are written from right to left. */
const fromTheRight = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Mend', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** Marks an element that shows texts of a session with their language and direction (M14). */
export function speak(element, mirror) {
  const { locale } = mirror?.document ?? {}
  const said = element.spoken ?? {}
  if (said.locale === locale) return
  element.spoken = { locale }
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
