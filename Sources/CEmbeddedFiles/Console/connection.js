// The connection to the server: what is said while it is lost, and what waits for it.

import { h, moment, show } from './elements.js'
import { isUnreached } from './words.js'

/** For how many seconds a change that had no answer is sent again. */
const patience = 30

export class Connection {
  constructor(app, place) {
    this.app = app
    this.place = place
    /** The time since which the server is not reached. */
    this.since = undefined
    /** What was sent and had no answer yet. */
    this.waiting = []
    this.found = []
  }

  get isLost() { return this.since !== undefined }

  /** Notes that a request had no answer, or that the stream of events broke. */
  lost() {
    if (this.isLost) return
    this.since = Date.now()
    this.#changed()
    this.#ping()
  }

  /** Notes that the server answers again. */
  back() {
    if (!this.isLost) return
    this.since = undefined
    for (const go of this.found.splice(0)) go()
    this.#changed()
  }

  /** Asks until the server answers; a page that has no mirror is not told otherwise. */
  async #ping() {
    while (this.isLost) {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      if (!this.isLost) return
      try {
        const { ok } = await this.app.client.fetch('health/ready')
        const { mirror } = this.app
        if (ok && (!mirror || mirror.isClosed || mirror.isConnected)) this.back()
      } catch {
        // It is still not there.
      }
    }
  }

  /**
   * Makes a change. One that has no answer is sent again under the same key, so that it is done once; one that is
   * begun while the connection is lost is not sent, and that is said.
   */
  async change(what, send) {
    const { app } = this
    if (this.isLost) {
      app.notice(`${what} was not done`, 'The server is not reached. Nothing was sent.', 'bad')
      return undefined
    }
    const entry = { what }
    const key = crypto.getRandomValues(new Uint32Array(4)).join('-')
    const deadline = Date.now() + 1000 * patience
    try {
      while (true) {
        try {
          return await send({ key })
        } catch (error) {
          if (!isUnreached(error)) throw error
          if (Date.now() > deadline) break
          if (!this.waiting.includes(entry)) this.waiting.push(entry)
          this.lost()
          this.render()
          await Promise.race([
            new Promise((resolve) => this.found.push(resolve)),
            new Promise((resolve) => setTimeout(resolve, deadline + 100 - Date.now())),
          ])
        }
      }
    } finally {
      this.waiting = this.waiting.filter((other) => other !== entry)
      this.render()
    }
    app.notice(`${what} is given up`, `The server was not reached for ${patience} seconds.`, 'bad')
    return undefined
  }

  #changed() {
    document.body.classList.toggle('offline', this.isLost)
    this.render()
    this.app.connectionChanged()
  }

  render() {
    const { app, since, waiting } = this
    if (!this.isLost) return show(this.place)
    const { mirror } = app
    const what = waiting.map(({ what }) => what).join(', ')
    show(this.place, h('div.banner', {},
      h('b', {}, `The server is not reached since ${moment(since)}.`),
      h('span', {}, mirror ? `What stands here is revision ${mirror.revision}. Nothing can be changed until it answers; it is asked all the time.`
        : 'It is asked all the time.'),
      what && h('span.waits', {}, `Sent again as soon as it answers: ${what}.`)))
  }
}
