// The panels below but for the state: view controllers, undo, deliveries, diagnostics, events.

import { symbolsOf } from './menud.js'
import { brief, curlButton, h, moment, show } from './elements.js'
import { Panel, StatePanel } from './state.js'

/** View controllers in their containers, and what a front end would report of its navigation. */
export class ControllersPanel extends Panel {
  id = 'controllers'
  title = 'View controllers'

  render() {
    const { app } = this
    const document = app.mirror?.document
    if (!document) return h('p.hint', {}, 'No session.')
    const isController = ([, { kind }]) => kind === 'viewController'
    const all = new Map(Object.entries(document.responders).filter(isController))
    const presented = (id) => [...all].filter(
      ([, other]) => other.presentingViewController === id,
    ).map(([other]) => other)
    const children = (id) => all.get(id)?.viewControllers ?? [...all].filter(
      ([, other]) => other.parent === id,
    ).map(([other]) => other)
    const below = new Set([...all.keys()].flatMap((id) => [...children(id), ...presented(id)]))
    const roots = [...all.keys()].filter((id) => !below.has(id))
    const tree = (id, how) => {
      const controller = all.get(id)
      const below = children(id)
      return h('li', {}, h('div.controller', { class: how },
        h('b', {}, id),
        h('span.kind', {}, controller.class ?? ''),
        how && h('span.chip', {}, how),
        this.#actions(id, controller, below, how),
      ),
        below.length + presented(id).length > 0 && h('ul.tree', {},
          below.map((child, index) => tree(
            child,
            this.#place(controller, child, index, below),
          )), presented(id).map((child) => tree(child, 'presented'))))
    }
    return [h('div.tools', {}, curlButton(app, { path: app.session.path('responders') }, 'the responders')),
      h('div.scroll', { 'data-scroll': 'controllers', tabindex: 0, role: 'group', 'aria-label': 'View controllers' },
        roots.length ? h('ul.tree', {}, roots.map((id) => tree(id))) : h(
          'p.hint',
          {},
          'This session has no view controllers.',
        ))]
  }

  #place({ class: name, selectedViewController }, child, index, all) {
    if (selectedViewController) return selectedViewController === child ? 'selected' : 'tab'
    if (/Navigation/.test(name ?? '')) return index === all.length - 1 ? 'top' : 'below'
    return ''
  }

  #actions(id, controller, below, how) {
    const button = (title, mutation) => h('button.quiet', {
      type: 'button', 'data-key': `${title} ${id}`, 'aria-label': `${title} ${id}`, onclick: () => this.app.attempt(
        () => this.app.session.mutate([mutation]),
      ),
    }, title)
    return [h('span.gap'),
      /Navigation/.test(controller.class ?? '') && below.length > 1 && button(
        'Pop',
        { op: 'popViewController', navigationController: id, by: 'user' },
      ),
      how === 'tab' && button(
        'Select',
        { op: 'selectViewController', container: this.#holder(id), viewController: id },
      ),
      how === 'presented' && button('Dismiss', { op: 'dismiss', viewController: id })]
  }

  #holder(id) {
    return Object.entries(this.app.mirror.document.responders).find(
      ([, { viewControllers }]) => viewControllers?.includes(id),
    )?.[0]
  }
}

/** What can be undone and redone. */
export class UndoPanel extends Panel {
  id = 'undo'
  title = 'Undo'

  render() {
    const { app } = this
    const undo = app.mirror?.document?.undo
    if (!undo) return h('p.hint', {}, 'No session.')
    const stacks = [[null, undo.session], ...Object.entries(undo.responders)]
    const list = (groups, name) => h('div', {},
      h('h3', {}, name),
      groups.length ? h('ol.stack', {},
        groups.map(({ actionName, actions }) => h('li', {},
          actionName ?? 'unnamed',
          h('small', {}, `${actions} ${actions === 1 ? 'change' : 'changes'}`),
        )),
      ) : h('p.hint', {}, 'empty'),
    )
    return [h('div.tools', {}, curlButton(
      app,
      { method: 'POST', path: app.session.path('undo'), body: {} },
      'undoing',
    ),
      h('button',
        {
          type: 'button',
          'data-key': 'undo',
          disabled: !undo.session.canUndo,
          onclick: () => app.attempt(() => app.session.undo()),
        },
        undo.session.undoMenuItemTitle,
      ),
      h('button',
        {
          type: 'button',
          'data-key': 'redo',
          disabled: !undo.session.canRedo,
          onclick: () => app.attempt(() => app.session.redo()),
        },
        undo.session.redoMenuItemTitle,
      )),
    h('div.scroll', {
      'data-scroll': 'undo',
      tabindex: 0,
      role: 'group',
      'aria-label': 'Undo stacks',
    }, stacks.map(([owner, stack]) => h('div.stacks', {},
      h('h3.owner', {}, owner ?? 'Session'), list(stack.undo, 'Undo'), list(stack.redo, 'Redo'))))]
  }
}

/** What handlers gave to the application to do, and messages that wait. */
export class DeliveriesPanel extends Panel {
  id = 'deliveries'
  title = 'Deliveries'

  /** Those that nobody has settled, and then the others, the last first. */
  get list() { return [...(this.app.mirror?.document?.deliveries ?? [])].reverse().sort((a, b) => isOpen(b) - isOpen(a)) }
  get count() { return this.list.filter(isOpen).length }

  render() {
    const { app, list } = this
    const messages = app.mirror?.document?.messages ?? []
    return [h('div.tools', {}, curlButton(app, { path: app.session.path('deliveries') }, 'the deliveries')),
      h('div.scroll', { 'data-scroll': 'deliveries', tabindex: 0, role: 'group', 'aria-label': 'Deliveries' },
        list.length ? h('ul.rows', {}, list.map((delivery) => this.#row(delivery))) : h(
          'p.hint',
          {},
          'No handler has delivered anything to the application.',
        ),
        messages.length > 0 && [h('h3', {}, 'Messages that wait'), h(
          'ol.plain',
          {},
          messages.map((message) => h('li', {}, h('code', {}, message.message), ` from ${message.from}`)),
        ),
          h('button',
            {
              type: 'button',
              'data-key': 'process',
              onclick: () => app.attempt(() => app.session.change('POST', ['messages', 'process'], {})),
            },
            'Process them',
          )])]
  }

  #row(delivery) {
    const { app } = this
    const { id, title, command, value, state, claim, result, problem } = delivery
    const deliveries = app.session.deliveries({ by: 'console' })
    const button = (name, work) => h('button.quiet',
      {
        type: 'button',
        'data-key': `${name} ${id}`,
        'aria-label': `${name} delivery ${id}`,
        onclick: () => app.attempt(work),
      },
      name,
    )
    const mine = async () => (claim?.by === 'console' ? delivery : deliveries.claim(id))
    const told = { replied: ['→ ', brief(result)], failed: ['→ ', problem?.title ?? brief(problem)] }[state]
    return h('li', {}, h('span.count', {}, String(id)), h('b', {}, title ?? command ?? delivery.invocation.selector),
      h('span.chip', { class: state },
        claim ? `${state} by ${claim.by ?? 'somebody'}` : state,
      ), h('code', {}, brief(value), told), h('span.gap'),
      isOpen(delivery) && [
        state === 'open' && button('Claim', () => deliveries.claim(id)),
        button('Reply', async () => deliveries.reply(await mine(), { result: true })),
        button('Fail', async () => deliveries.fail(await mine(), { title: 'It failed in the console' })),
        button('Cancel', () => deliveries.cancel(id)),
      ])
  }
}

const isOpen = ({ state }) => ['open', 'claimed'].includes(state)

/** What can never work, and keys that are claimed twice. */
export class DiagnosticsPanel extends Panel {
  id = 'diagnostics'
  title = 'Diagnostics'

  async update() {
    if (this.app.drawer.isShown(this)) await this.ask()
  }

  async ask() {
    const { session } = this.app
    const [diagnostics, conflicts] = await Promise.all([session.diagnostics(), session.keyConflicts()])
    if (session !== this.app.session) return
    this.diagnostics = diagnostics
    this.conflicts = conflicts
    this.app.drawer.render()
  }

  static titles = {
    cycles: 'Chains that lead back into themselves', unhandled: 'Commands that nobody can handle', unhandledAlternates: 'Alternates that nobody can handle',
    unhandledKeyCommands: 'Key commands that nobody can handle', unhooked: 'Handlers that are never asked', unreachableRegistries: 'Registries out of reach',
    deadProxies: 'Proxies for nobody', ignoredDelegates: 'Delegates that are passed over', brokenDelegates: 'Delegates that lack a message',
    shadowed: 'Handlers that others hide', failing: 'Rules that fail', detached: 'On no chain from the first responder',
  }

  render() {
    const { app, diagnostics, conflicts } = this
    const tools = h('div.tools', {},
      curlButton(app, { path: app.session.path('diagnostics') }, 'the diagnostics'),
      curlButton(app, { path: ['keys', 'conflicts'], query: { session: app.session.id } }, 'the key conflicts'),
    )
    if (!diagnostics) return [tools, h('p.hint', {}, 'Looking…')]
    const found = Object.entries(DiagnosticsPanel.titles).filter(([name]) => diagnostics[name]?.length)
    const text = (entry) => (typeof entry === 'string' ? entry : Array.isArray(entry) ? entry.join(' → ') : Object.entries(entry).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : brief(value)}`,
    ).join(' · '))
    return [tools, h('div.scroll', {
      'data-scroll': 'diagnostics',
      tabindex: 0,
      role: 'group',
      'aria-label': 'Diagnostics',
    },
      h('div.cards', {}, found.map(([name, title]) => [name, title, diagnostics[name]]).map(([name, title, entries]) => h(
        'div.card',
        { class: name === 'detached' ? 'mild' : '' },
        h('h3', {}, title, h('span.count', {}, String(entries.length))),
        h('ul.plain', {}, entries.map((entry) => h('li', {}, text(entry)))),
      )),
        h('div.card', { class: conflicts.length ? '' : 'good' }, h('h3', {},
          'Key conflicts',
          h('span.count', {}, String(conflicts.length)),
        ),
          conflicts.length ? h('ul.plain', {},
            conflicts.map(({ key, winner, shadowed }) => h('li', {},
              h('kbd', {}, symbolsOf(key)),
              ' ',
              h('b', {}, name(winner)),
              ' hides ',
              shadowed.map((other) => `${name(other.claim ?? other)} (${other.why ?? ''})`).join(', '),
            )),
          ) : h('p.hint', {}, 'No key is claimed twice on this chain.')),
        found.filter(([name]) => name !== 'detached').length === 0 && h(
          'div.card.good',
          {},
          h('h3', {}, 'Nothing found'),
          h('p.hint', {},
            diagnostics.allRulesTried ? 'Every command has a handler, every rule was tried, and none fails.' : 'Not every rule could be tried.',
          ),
        )))]
    function name(claim) { return claim?.title ?? claim?.command ?? claim?.action ?? claim?.responder ?? '' }
  }
}

/** What was told and what was asked, the last first. */
export class EventsPanel extends Panel {
  id = 'events'
  title = 'Events'
  entries = []
  isPaused = false

  /** Notes an event of the mirror, or a request of this page. */
  note(entry) {
    if (this.isPaused) return
    this.entries.unshift({ time: Date.now(), ...entry })
    this.entries.length = Math.min(this.entries.length, 200)
    if (this.app.drawer.isShown(this)) this.app.drawer.renderSoon()
  }

  render() {
    const { app } = this
    return [h('div.tools', {}, curlButton(
      app,
      { path: app.session.path('events'), query: { document: true, menu: 'root' } },
      'the events',
    ),
      h('button.quiet',
        { type: 'button', 'data-key': 'pause', 'aria-pressed': String(this.isPaused), onclick: () => { this.isPaused = !this.isPaused; app.drawer.render() } },
        this.isPaused ? 'Go on' : 'Pause',
      ),
      h('button.quiet',
        { type: 'button', 'data-key': 'clear', onclick: () => { this.entries = []; app.drawer.render() } },
        'Clear',
      )),
    h('ol.log', {
      'data-scroll': 'log',
      tabindex: 0,
      'aria-label': 'Events and requests',
    }, this.entries.map((entry, index) => h('li', { class: entry.kind },
      h('time', {}, moment(entry.time)), h('span.chip', {}, entry.name), h('span.text', {}, entry.text),
      entry.request && curlButton(app, entry.request, `request ${this.entries.length - index}`))))]
  }
}

/** The panels, one of which is shown. */
export class Drawer {
  constructor(app, place) {
    this.app = app
    this.place = place
    this.panels = [
      new StatePanel(app),
      new ControllersPanel(app),
      new UndoPanel(app),
      new DeliveriesPanel(app),
      new DiagnosticsPanel(app),
      new EventsPanel(app),
    ]
    this.shown = this.panels[0]
  }

  get events() { return this.panels.at(-1) }
  isShown(panel) { return this.shown === panel }

  open(id) {
    this.shown = this.panels.find((panel) => panel.id === id)
    this.shown.ask?.()
    this.render()
    this.place.querySelector('[aria-selected=true]').scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  async update() { await this.shown.update() }

  renderSoon() {
    this.timer ??= setTimeout(() => { this.timer = undefined; this.render() }, 60)
  }

  render() {
    const tab = (panel, index) => h('button', {
      type: 'button', role: 'tab', id: `tab-${panel.id}`, 'aria-selected': String(panel === this.shown), 'aria-controls': 'panel', tabindex: panel === this.shown ? 0 : -1,
      'data-key': `tab ${panel.id}`, onclick: () => this.open(panel.id),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
        if (!step) return
        event.preventDefault()
        event.stopPropagation()
        const next = this.panels[(index + step + this.panels.length) % this.panels.length]
        this.open(next.id)
        this.place.querySelector(`#tab-${next.id}`).focus()
      },
    }, panel.title, panel.count > 0 && h('span.count', {}, String(panel.count)))
    show(this.place, h('div.tabs', { role: 'tablist', 'aria-label': 'Panels' }, this.panels.map(tab)),
      h('div.tabpanel',
        { role: 'tabpanel', id: 'panel', 'aria-labelledby': `tab-${this.shown.id}`, class: this.shown.id },
        this.app.session ? this.shown.render() : h('p.hint.pad', {}, 'No session.'),
      ))
  }
}
