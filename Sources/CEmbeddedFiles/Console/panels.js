// The panels at the bottom, one of which is visible.

import { h, roving, show } from '../client/elements/dom.js'
import { ControllersPanel } from './controllers.js'
import { DeliveriesPanel } from './deliveries.js'
import { DiagnosticsPanel } from './diagnostics.js'
import { EventsPanel } from './events.js'
import { HistoryPanel } from './history.js'
import { KeymapPanel } from './keymap.js'
import { StatePanel } from './state.js'
import { UndoPanel } from './undo.js'

export class Drawer {
  constructor(app, place) {
    this.app = app
    this.place = place
    this.panels = [
      new StatePanel(app),
      new ControllersPanel(app),
      new UndoPanel(app),
      new HistoryPanel(app),
      new DeliveriesPanel(app),
      new KeymapPanel(app),
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
    this.place.querySelector('[role=tab][aria-selected=true]').scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  async update() {
    this.#renderTabs()
    await this.shown.update()
  }

  renderSoon() {
    this.timer ??= setTimeout(() => { this.timer = undefined; this.render() }, 60)
  }

  render() {
    const { app, shown } = this
    this.tabs ??= h('div.tabs', { role: 'tablist', 'aria-label': 'Panels' })
    this.body ??= h('div.body')
    if (!this.tabs.isConnected) this.place.replaceChildren(this.tabs, this.body)
    this.#renderTabs()
    const content = app.session ? shown.render() : h('p.hint.pad', {}, 'No session.')
    // A panel that keeps its frame has drawn itself in it.
    if (content === this.content) return
    this.content = content
    show(this.body, h('div.tabpanel',
      { role: 'tabpanel', id: 'panel', 'aria-labelledby': `tab-${shown.id}`, class: shown.id },
      h('h2.away', {}, shown.title), content))
  }

  #renderTabs() {
    const titles = this.panels.map(({ id, title, count }) => `${id} ${title} ${count} ${id === this.shown.id}`).join()
    if (!this.tabs || titles === this.titles) return
    this.titles = titles
    show(this.tabs, this.panels.map((panel) => h('button', {
      type: 'button', role: 'tab', id: `tab-${panel.id}`, 'aria-selected': String(panel === this.shown), 'aria-controls': 'panel',
      tabindex: panel === this.shown ? 0 : -1, 'data-key': `tab ${panel.id}`,
      onclick: () => this.open(panel.id),
      onfocus: () => { if (panel !== this.shown) this.open(panel.id) },
    }, panel.title, panel.count > 0 && h('span.count', {}, String(panel.count)))))
    if (!this.tabs.isRoving) { this.tabs.isRoving = true; roving(this.tabs) }
  }
}
