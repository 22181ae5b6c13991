// Declarations that can never work, and conflicting keys: each finding as a sentence, with names that link to
// the graph and to the inspector.

import { symbolsOf } from '../client/menud.js'
import { h } from '../client/elements/dom.js'
import { counted } from '../client/elements/words.js'
import { curlButton } from './elements.js'
import { Panel } from './state.js'
import { keyReasons, responderOf } from './words.js'

/** The maximum number of findings of one kind. */
const most = 100

const deadReasons = {
  noRootViewController: 'it has no root view controller',
  rootUnowned: 'nobody owns its root view controller',
  parentNotStarted: 'its parent is not started',
}

/** The findings by kind: a title, and a sentence for each. Names of responders and commands are links. */
const kinds = {
  failing: ['Rules that fail', ({ responder, command, code }, { receiver, action, command: id, always, error }) => [
    'The rule ', code(error.rule), ' of ', responder(receiver), action ? [' for ', command(id ?? action, action)] : '',
    ` (${error.place}) fails${always ? ' in any state' : ''}: ${error.message}`,
  ]],
  unhandled: ['Commands that nobody can handle', ({ command }, id) => [command(id), ' is handled by no responder.']],
  unhandledAlternates: ['Alternates that nobody can handle', ({ command, code }, one) => [
    command(one.command), ` with ${one.modifiers.join(' and ')} held sends `, code(one.action), ', which no responder handles.',
  ]],
  unhandledKeyCommands: ['Key commands that nobody can handle', ({ responder, code, key }, one) => [
    key(one.key), ' of ', responder(one.responder), ' sends ', code(one.action), ', which no responder handles.',
  ]],
  cycles: ['Chains that lead back into themselves', ({ responders }, chain) => [responders(chain, ' → '), ' is a circle.']],
  unhooked: ['Responders that are never asked', ({ responder, responders }, { host, unreachable }) => [
    'Behind ', responder(host), ' nobody is asked, since its registry is not hooked at its end: ', responders(unreachable), '.',
  ]],
  unreachableRegistries: ['Registries out of reach', ({ responder }, id) => [
    'The late responders of ', responder(id), ' are asked only while focus is at it or below it.',
  ]],
  deadProxies: ['Proxies for nobody', ({ responder }, id) => [responder(id), ' stands for a responder that is gone.']],
  ignoredDelegates: ['Delegates that are passed over', ({ responder }, id) => [
    'The application does not go on to its delegate ', responder(id), ', which is a view or a view controller.',
  ]],
  brokenDelegates: ['Delegates that lack a message', ({ responder, code }, one) => [
    responder(one.delegate), ', the delegate of ', responder(one.responder), `, lacks what ${one.protocol} requires: `,
    one.missing.map((selector) => [' ', code(selector)]), '.',
  ]],
  shadowed: ['Handlers that others hide', ({ responder, command }, { action, winner, shadowed }) => [
    responder(winner), ' answers to ', command(undefined, action), ' before ', responder(shadowed), ' is asked.',
  ]],
  coordinatingCycles: ['Coordinators in a circle', ({ responders }, chain) => [responders(chain, ' → '), ' is a circle.']],
  cut: ['Coordinating chains that end early', ({ responder }, id) => [
    'Behind ', responder(id), ' the coordinating chain ends, since what it belongs to is no responder.',
  ]],
  rootless: ['Coordinators without a root', ({ responder }, id) => [responder(id), ' has no root view controller.']],
  goneSenders: ['Messages of responders that are gone', ({ code }, id) => [
    code(id), ' is gone, and a message of it still waits.',
  ]],
  replaced: ['Coordinators that were replaced', ({ responder }, id) => [
    'Another coordinator was started in the place of ', responder(id), '.',
  ]],
  dead: ['Coordinators that nothing reaches', ({ responder }, { coordinator, reason }) => [
    responder(coordinator), ' is started, and nothing reaches it: ', deadReasons[reason] ?? reason, '.',
  ]],
  detached: ['On no chain to the application', ({ responder }, id) => [
    responder(id), ' is on no chain that ends at the application.',
  ]],
}

export class DiagnosticsPanel extends Panel {
  id = 'diagnostics'
  title = 'Diagnostics'

  async update() { await this.ask() }

  async ask() {
    const { app } = this
    const { session } = app
    if (!session || app.isHindered) return
    const diagnostics = await app.question(() => session.diagnostics())
    if (!diagnostics || session !== app.session) return
    this.diagnostics = diagnostics
    app.drawer.render()
  }

  render() {
    const { app, diagnostics } = this
    const tools = h('div.tools', {},
      curlButton(app, { path: app.session.path('diagnostics') }, 'the diagnostics'),
      curlButton(app, { path: ['keys', 'conflicts'], query: { session: app.session.id } }, 'the key conflicts'))
    if (!diagnostics || diagnostics.session !== app.session.id) return [tools, h('p.hint.pad', {}, app.view.hindrance ?? 'Looking…')]
    const links = linksOf(app)
    const { coordinating } = diagnostics
    const all = { ...diagnostics, ...coordinating, cycles: diagnostics.cycles, coordinatingCycles: coordinating.cycles }
    const cards = Object.entries(kinds).filter(([kind]) => all[kind]?.length).map(([kind, [title, sentence]]) => card(
      title,
      all[kind],
      (entry) => sentence(links, entry),
      { class: kind === 'detached' ? 'mild' : kind === 'failing' ? 'bad' : '' },
    ))
    const isSound = cards.length === 0 || (cards.length === 1 && all.detached.length > 0)
    return [tools, h('div.scroll', { 'data-scroll': 'diagnostics', tabindex: 0, role: 'group', 'aria-label': 'Diagnostics' },
      h('div.cards', {}, cards, this.#keys(diagnostics.keyConflicts, links),
        isSound && h('div.card.good', {}, h('h3', {}, 'Nothing found'), h('p', {},
          diagnostics.allRulesTried ? 'Every command has a handler, every rule was tried, and none fails.'
            : 'Not every rule could be tried: there are too many.'))))]
  }

  #keys(conflicts, { key, claim }) {
    if (!conflicts) {
      return h('div.card.mild', {}, h('h3', {}, 'Key conflicts'), h('p', {}, 'There are too many keys to compare them all.'))
    }
    if (!conflicts.length) {
      return h('div.card.good', {}, h('h3', {}, 'Key conflicts'), h('p', {}, 'No key is claimed twice on this chain.'))
    }
    return card('Key conflicts', conflicts, (one) => [
      key(one.key), ' goes to ', claim(one.winner), ', not to ',
      one.shadowed.map((other, index) => [index ? ', nor to ' : '', claim(other), `, since ${keyReasons[other.why] ?? other.why}`]), '.',
    ])
  }
}

const card = (title, entries, sentence, properties = {}) => h('div.card', properties,
  h('h3', {}, title, h('span.count', {}, entries.length.toLocaleString('en'))),
  h('ul.plain', {}, entries.slice(0, most).map((entry) => h('li', {}, sentence(entry))),
    entries.length > most && h('li.hint', {}, `And ${counted(entries.length - most, 'more', 'more')}.`)))

/** Names as links: responders to the graph, commands to the inspector. */
function linksOf(app) {
  const link = (name, title, follow) => h('button.link', { type: 'button', 'data-key': `link ${title} ${name}`, title, onclick: follow }, name)
  const responder = (receiver) => link(receiver, 'Show it in the graph', () => app.reveal(responderOf(receiver)))
  const code = (text) => h('code', {}, text)
  const command = (id, action = id) => {
    const found = app.commands.get(id)?.id ?? [...app.commands.values()].find((one) => one.action === action)?.id
    return found ? link(app.commands.get(found).title || found, 'Inspect it', () => app.inspect(found)) : code(action)
  }
  const key = (combination) => h('kbd', {}, symbolsOf(combination))
  const claim = (one) => {
    if (one.command) return command(one.command)
    const holder = one.responder ? [' of ', responder(one.responder)] : one.class ? ` of the class ${one.class}` : ''
    return [one.title ? `“${one.title}”` : code(one.action ?? ''), holder]
  }
  const responders = (ids, between = ', ') => ids.slice(0, 20).map((id, index) => [index ? between : '', responder(id)])
  return { responder, responders, command, code, key, claim }
}
