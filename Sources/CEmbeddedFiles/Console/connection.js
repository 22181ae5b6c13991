// The connection to the server: the message while it is lost, and the changes that wait for it.

import { Problem } from '../client/menud.js'
import { h, show } from '../client/elements/dom.js'
import { isBusy, isUnreached, words } from '../client/elements/words.js'
import { moment } from './elements.js'
import { endings } from './words.js'

/** The seconds for which a change without an answer is retried. */
const patience = 30

export class Connection {
  constructor(app, place) {
    this.app = app
    this.place = place
    /** The time since which the server is unreachable. */
    this.since = undefined
    /** The changes that were sent and not answered yet. */
    this.waiting = []
    this.found = []
  }

  get isLost() { return this.since !== undefined }

  /** Records that a request had no answer, or that the stream of events broke. */
  lost() {
    if (this.isLost) return
    this.since = Date.now()
    this.#changed()
    this.#ping()
  }

  /** Records that the server answers again. */
  back() {
    if (!this.isLost) return
    this.since = undefined
    for (const go of this.found.splice(0)) go()
    this.#changed()
  }

  /** Retries until the server answers; a page without a mirror has no other way to find out. */
  async #ping() {
    while (this.isLost) {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      if (!this.isLost) return
      try {
        const { ok } = await this.app.client.fetch('health/ready')
        const { mirror } = this.app
        if (ok && (!mirror || mirror.isClosed || mirror.isPaused || mirror.isConnected)) this.back()
      } catch {
        // The server is still unreachable.
      }
    }
  }

  /**
   * Makes a change. Without an answer, or if the server is overloaded, it is retried under the same key, so that
   * it is done once. A change begun while the connection is lost is refused with a message, one of a session that has ended by an error.
   */
  async change(what, send) {
    const { app } = this
    if (this.isLost) {
      app.notice(words.notDone(what), words.nothingSent, 'bad')
      return undefined
    }
    if (app.isHindered) throw new Problem(404, { type: '/problems/unknown-session', detail: words.sessionEnded })
    const entry = { what }
    const key = crypto.getRandomValues(new Uint32Array(4)).join('-')
    const deadline = Date.now() + 1000 * patience
    try {
      while (true) {
        try {
          const answer = await send({ key, timeout: Math.max(2, (deadline - Date.now()) / 1000) })
          app.unsay(words.notDone(what))
          return answer
        } catch (error) {
          if (!isUnreached(error) && !isBusy(error)) throw error
          entry.busy = isBusy(error) ? error.message : undefined
          if (Date.now() > deadline) break
          await this.#wait(entry, deadline)
        }
      }
    } finally {
      this.waiting = this.waiting.filter((other) => other !== entry)
      this.render()
    }
    app.notice(`${what} is given up`, entry.busy ?? `The server was not reached for ${patience} seconds.`, 'bad')
    return undefined
  }

  /** Waits until a change can be retried. */
  async #wait(entry, deadline) {
    if (!this.waiting.includes(entry)) this.waiting.push(entry)
    if (!entry.busy) this.lost()
    this.render()
    const found = new Promise((resolve) => { if (!entry.busy) this.found.push(resolve) })
    const longest = entry.busy ? 1000 : deadline + 100 - Date.now()
    await Promise.race([found, new Promise((resolve) => setTimeout(resolve, longest))])
  }

  #changed() {
    document.body.classList.toggle('offline', this.isLost)
    this.render()
    this.app.connectionChanged()
  }

  render() {
    const { app, since, waiting } = this
    // Changes that are sent again no longer wait.
    const left = this.isLost ? waiting : waiting.filter(({ busy }) => busy)
    const { mirror } = app
    if (!this.isLost && !left.length) {
      return show(this.place, mirror?.isClosed && h('div.banner', {}, h('b', {}, words.sessionEnded), h('span', {}, endings[mirror.reason])))
    }
    const what = left.map(({ what }) => what).join(', ')
    const lost = mirror ? `What stands here is revision ${mirror.revision}. Nothing can be changed until it answers; it is asked all the time.`
      : 'It is asked all the time.'
    show(this.place, h('div.banner', {},
      h('b', {}, this.isLost ? `The server is not reached since ${moment(since)}.` : 'The server cannot do everything now.'),
      h('span', {}, this.isLost ? lost : left[0].busy),
      what && h('span.waits', {}, `Sent again as soon as it ${this.isLost ? 'answers' : 'can'}: ${what}.`)))
  }
}
