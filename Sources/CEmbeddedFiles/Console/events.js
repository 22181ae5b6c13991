// The events and requests, the last first.

import { h } from '../client/elements/dom.js'
import { curlButton, moment } from './elements.js'
import { Panel } from './state.js'

export class EventsPanel extends Panel {
  id = 'events'
  title = 'Events'
  entries = []
  isPaused = false

  /** Records an event of the mirror, or a request of this page. */
  note(entry) {
    if (this.isPaused) return
    this.entries.unshift({ time: Date.now(), ...entry })
    this.entries.length = Math.min(this.entries.length, 200)
    if (this.app.drawer.isShown(this)) this.app.drawer.renderSoon()
  }

  render() {
    const { app } = this
    return [h('div.tools', {},
      curlButton(app, { path: app.session.path('events'), query: { document: true, menu: 'root' } }, 'the events'),
      h('button.quiet',
        { type: 'button', 'data-key': 'pause', 'aria-pressed': String(this.isPaused), onclick: () => { this.isPaused = !this.isPaused; app.drawer.render() } },
        this.isPaused ? 'Go on' : 'Pause',
      ),
      h('button.quiet',
        { type: 'button', 'data-key': 'clear', onclick: () => { this.entries = []; app.drawer.render() } },
        'Clear',
      )),
    h('ol.log', { 'data-scroll': 'log', tabindex: 0, 'aria-label': 'Events and requests' },
      this.entries.map((entry, index) => h('li', { class: entry.kind },
        h('time', {}, moment(entry.time)), h('span.chip', {}, entry.name), h('span.text', { title: entry.text }, entry.text),
        entry.request && curlButton(app, entry.request, `request ${this.entries.length - index}`))))]
  }
}
