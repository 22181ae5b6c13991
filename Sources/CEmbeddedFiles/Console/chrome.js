// The console's own controls: the sessions, the state of the connection, the theme.

import { symbolsOf } from '../client/menud.js'
import { h, show } from '../client/elements/dom.js'
import { ask } from '../client/elements/forms.js'
import { quoted } from '../client/elements/words.js'
import { curlButton } from './elements.js'
import { languageControl } from './languages.js'

const themes = { '': ['As the system is', '◐'], light: ['Light', '☀'], dark: ['Dark', '☾'] }

export class Chrome {
  constructor(app, place) {
    this.app = app
    this.place = place
  }

  render() {
    const { app } = this
    const { mirror, session } = app
    const state = app.isOffline ? 'broken' : !mirror ? 'none' : mirror.isClosed ? 'closed' : mirror.isConnected ? 'live' : 'waiting'
    const words = { none: 'no session', closed: 'closed', live: 'live', waiting: 'connecting', broken: 'not connected' }
    const theme = localStorage.getItem('menud.theme') ?? ''
    const [said, sign] = themes[theme] ?? themes['']
    show(this.place,
      h('div.brand', {}, h('img', { src: 'icon.svg', alt: '', width: 22, height: 22 }), h('span', {}, 'menud')),
      h('label.session', {}, h('span.away', {}, 'Session'), h('select', {
        'data-key': 'session',
        onchange: (event) => app.join(event.target.value), onfocus: () => app.listAgain(), onpointerdown: () => app.listAgain(),
      }, this.#sessions())),
      h('button.quiet', {
        type: 'button', 'data-key': 'open', 'aria-label': 'Open a session', title: 'Open a session', onclick: () => openSession(app),
      }, '+'),
      h('span.status', { class: state }, h('i'), h('span.word', {}, words[state]),
        mirror && h('span.revision', {}, `revision ${mirror.revision}`)),
      h('span.gap'),
      languageControl(app),
      h('button.find', { type: 'button', 'data-key': 'find', 'aria-label': 'Find a command', onclick: () => app.palette.open() },
        h('span', {}, 'Find a command'), h('kbd', {}, symbolsOf({ input: 'k', modifiers: ['command'] }))),
      session && curlButton(app, { path: session.path('menu') }, 'the menu'),
      h('button.quiet.theme', {
        type: 'button', 'data-key': 'theme', 'aria-label': `Theme: ${said.toLowerCase()}`, title: `Theme: ${said.toLowerCase()}`,
        onclick: () => { setTheme(following(theme)); this.render() },
      }, sign))
    document.title = session ? `${session.id} · menud` : 'menud'
  }

  /** Draws the list of sessions alone, which may be open, if there are others now. */
  renderSessions() {
    const list = this.place.querySelector('[data-key=session]')
    const options = this.#sessions().flat().filter(Boolean)
    const names = (options) => Array.from(options, ({ value }) => value).join()
    if (names(options) !== names(list.options)) show(list, options)
  }

  #sessions() {
    const { sessions, session } = this.app
    const names = [...new Set([...sessions.map((one) => one.session), ...(session ? [session.id] : [])])]
    return [
      !session && h('option', { value: '', selected: true }, names.length ? 'choose…' : 'none'),
      names.map((name) => h('option', { value: name, selected: name === session?.id }, name)),
    ]
  }
}

const following = (theme) => ({ '': 'light', light: 'dark', dark: '' })[theme] ?? ''

/** Sets the theme: light, dark, or that of the system. */
export function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
  if (theme) localStorage.setItem('menud.theme', theme)
  else localStorage.removeItem('menud.theme')
}

/** Opens a session of a name, or joins it. */
async function openSession(app) {
  const id = await ask({
    title: 'Open a session', detail: 'It begins as the application’s template has it. A session that is open already is joined.', action: 'Open',
    fields: h('label', {},
      'Name',
      h('input', { name: 'id', required: true, pattern: '[A-Za-z0-9_.:\\-]{1,128}', autocomplete: 'off' }),
    ),
    read: (form) => form.elements.id.value,
  })
  if (!id) return
  await app.asking(`The session ${quoted(id)} is not opened`, async () => {
    await app.listSessions()
    if (!app.sessions.some(({ session }) => session === id)) {
      try {
        await app.client.join(id)
        await app.listSessions()
      } catch (error) {
        // A session's own token opens no session, but joins its own.
        if (error.status !== 403) throw error
      }
    }
    await app.join(id)
  })
}

/** Asks for a token; undefined if there is none. */
export const askForToken = (problem) => ask({
  title: 'A token, please', action: 'Go on',
  detail: `${problem.message} It is kept in this tab until that is closed, and sent to this server only.`,
  fields: h('label', {},
    'Token',
    h('input', { name: 'token', type: 'password', required: true, autocomplete: 'off' }),
  ),
  read: (form) => form.elements.token.value.trim(),
})
