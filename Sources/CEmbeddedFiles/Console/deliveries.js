// The deliveries to the application, and queued messages.

import { h } from '../client/elements/dom.js'
import { quoted } from '../client/elements/words.js'
import { curlButton, moment, some } from './elements.js'
import { brief } from './values.js'
import { Panel } from './state.js'
import { deliveryStates } from './words.js'

export class DeliveriesPanel extends Panel {
  id = 'deliveries'
  title = 'Deliveries'

  /** The unsettled deliveries, then the others, the last first. */
  get list() { return [...(this.app.mirror?.document?.deliveries ?? [])].reverse().sort((a, b) => isOpen(b) - isOpen(a)) }
  get count() { return this.list.filter(isOpen).length }

  render() {
    const { app, list } = this
    const tools = h('div.tools', {}, curlButton(app, { path: app.session.path('deliveries') }, 'the deliveries'))
    const messages = this.#messages(app.mirror?.document?.messages ?? [])
    if (!list.length) {
      return [tools, messages, h('p.hint.pad', {}, 'No handler has delivered anything to the application.')]
    }
    return [tools, messages, h('div.scroll', { 'data-scroll': 'deliveries', tabindex: 0, role: 'group', 'aria-label': 'Deliveries' },
      h('ol', {}, some('deliveries', list, (delivery) => this.#row(delivery))))]
  }

  #messages(messages) {
    const { app } = this
    return messages.length > 0 && h('div.waiting', {},
      h('h3', {}, 'Messages that wait'),
      h('ol.plain', {}, messages.slice(0, 20).map(
        (message) => h('li', {}, h('code', {}, message.message), ` from ${message.from}`),
      )),
      h('button', {
        type: 'button', 'data-key': 'process', disabled: app.isHindered,
        onclick: () => app.change(
          'Processing messages',
          (options) => app.session.change('POST', ['messages', 'process'], {}, options),
        ),
      }, 'Process them'))
  }

  #row(delivery) {
    const { id, title, command, value, state, claim } = delivery
    const selector = command ?? delivery.invocation.selector
    return h('li.delivery', { class: state },
      h('span.count', {}, String(id)),
      h('div.what', {},
        h('b', {}, title || selector),
        h('code', { title: brief(value, 1000) }, brief(value, 80)),
      ),
      h('span.chip', { class: state }, claim && state === 'claimed' ? `claimed by ${claim.by ?? 'somebody'}` : deliveryStates[state] ?? state),
      h('p.outcome', {}, this.#outcome(delivery)),
      isOpen(delivery) ? h('div.actions', {}, this.#actions(delivery)) : undefined)
  }

  /** The outcome of a delivery, with the time and the worker. */
  #outcome({ state, claim, claims, when, settled, settledBy, result, problem }) {
    const name = claim?.by ?? settledBy
    const by = name ? ` by ${name}` : ''
    const at = (time) => (time === null || time === undefined ? '' : ` at ${moment(time)}`)
    const tries = claims > 1 ? `, claimed ${claims} times` : ''
    if (state === 'failed') {
      const why = [problem?.title, problem?.detail].filter(Boolean).join(': ')
      return `${why || brief(problem, 200)} (failed${by}${at(settled)}${tries})`
    }
    if (state === 'replied') return `${result === null ? 'Done' : brief(result, 200)} (answered${by}${at(settled)}${tries})`
    if (claim) {
      const word = state === 'cancelling' ? 'Is to be given up' : 'Claimed'
      const part = claim.progress === null ? '' : `${Math.floor(claim.progress * 100)} %`
      const told = [part, claim.message].filter(Boolean).join(', ')
      return `${told && `${told}. `}${word}${by} until${at(claim.until).slice(3)} (delivered${at(when)}${tries})`
    }
    if (state === 'open') return `Waits for a worker since${at(when).slice(3)}${tries}`
    return `${deliveryStates[state] ?? state}${at(settled)}${tries}`
  }

  #actions(delivery) {
    const { app } = this
    const { id, state, claim } = delivery
    const deliveries = app.session.deliveries({ by: 'console' })
    const button = (name, send) => h('button.quiet', {
      type: 'button', 'data-key': `${name} ${id}`, 'aria-label': `${name} delivery ${id}`, disabled: app.isHindered,
      onclick: () => app.change(`${name} ${quoted(`delivery ${id}`)}`, send),
    }, name)
    const mine = async () => (claim?.by === 'console' ? delivery : deliveries.claim(id))
    return [
      state === 'open' && button('Claim', (options) => deliveries.claim(id, options)),
      button('Reply', async (options) => deliveries.reply(await mine(), { result: true }, options)),
      button('Fail', async (options) => deliveries.fail(
        await mine(),
        { title: 'It failed', detail: 'Somebody chose so in the console.' },
        options,
      )),
      button('Cancel', (options) => deliveries.cancel(id, options)),
    ]
  }
}

const isOpen = ({ state }) => ['open', 'claimed', 'cancelling'].includes(state)
