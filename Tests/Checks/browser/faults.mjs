// The client module in Node where clocks differ, news are refused, and servers are busy or send too much.
//
//   node Tests/Checks/browser/faults.mjs http://localhost:8080 token
//
// The server's claims last for three seconds; the token is an administrator's.

import assert from 'node:assert/strict'
import { Client, Problem, Unreached } from '../../../Sources/CEmbeddedFiles/Client/menud.js'

const [url, token] = process.argv.slice(2)
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))

/** A session with an open delivery. */
async function delivering(client = new Client(url, { token })) {
  const session = await client.open()
  await session.change('PUT', ['responders', 'photoGrid', 'handlers', 'exportPhotos:'], { perform: [{ op: 'deliver' }] })
  await session.perform('exportPhotos:')
  return session
}

/** Works on the delivery of a session until it is settled, or claimed twice; resolves with the delivery. */
async function settled(session, handle, workers = ['one', 'other']) {
  const stop = new AbortController()
  const working = workers.map((by) => session.deliveries({ by }).work(handle, { signal: stop.signal }))
  let delivery
  do {
    await pause(50)
    delivery = await session.deliveries().get(1)
  } while (delivery.claims < 2 && !['replied', 'failed', 'cancelled'].includes(delivery.state))
  stop.abort()
  await Promise.all(working)
  await session.close()
  return delivery
}

/** A client whose renewals get another answer where `change`, which is given their number, has one. */
function renewing(change) {
  let count = 0
  return new Client(url, { token, attempts: 1, fetch: async (target, options) =>
    (String(target).endsWith('/renew') ? change(count += 1) : undefined) ?? fetch(target, options) })
}

const refusal = (status, fields) => new Response(JSON.stringify({ title: 'No', status }), { status, headers: fields })

const checks = {
  async 'an answer that is no JSON comes from something else'() {
    const client = new Client(url, { fetch: async () => new Response('<html>') })
    for (const ask of [() => client.commands(), () => client.session('none').form('copy:')]) {
      await assert.rejects(ask, (error) => error instanceof Unreached && error.message === 'The answer is no JSON.')
    }
  },

  async 'a claim is renewed in time, whatever the clock of the worker says'() {
    const { now } = Date
    for (const minutes of [-5, 5]) {
      Date.now = () => now() + 60_000 * minutes
      try {
        const { state, claims } = await settled(await delivering(), async () => { await pause(5000) })
        assert.deepEqual([state, claims], ['replied', 1], `${minutes} minutes`)
      } finally {
        Date.now = now
      }
    }
  },

  async 'news that are refused cancel nothing, and the claim is renewed without them'() {
    const { state, claims } = await settled(await delivering(), async (delivery, { progress, signal }) => {
      for (let part = 0; part < 1; part += 0.05) {
        await pause(250)
        progress(part, 'x'.repeat(2000))
      }
      signal.throwIfAborted()
    })
    assert.deepEqual([state, claims], ['replied', 1])
  },

  async 'news are kept while the server is busy or not reached'() {
    const failures = [429, 502, 503, 504, undefined].map((status) => () => (status ? refusal(status, { 'Retry-After': '60' }) : Promise.reject(new TypeError('fetch failed'))))
    await Promise.all(failures.map(async (fail) => {
      const session = await delivering(renewing((count) => (count === 1 ? fail() : undefined)))
      const { result } = await settled(session, async ({ id }, { progress, signal }) => {
        progress(0.5, 'half')
        for (let time = 0; time < 100 && (await session.deliveries().get(id)).claim.message !== 'half'; time += 1) await pause(50)
        signal.throwIfAborted()
        return { result: (await session.deliveries().get(id)).claim.progress }
      })
      assert.equal(result, 0.5)
    }))
  },

  async 'a result and news that JSON does not have are a failure and no news'() {
    const { state, claims, problem } = await settled(await delivering(), async (delivery, { progress, signal }) => {
      progress(NaN)
      await pause(5000)
      signal.throwIfAborted()
      return { result: 0 / 0 }
    })
    assert.deepEqual([state, claims, problem.title], ['failed', 1, 'JSON has no NaN.'])
  },

  async 'a claim that is lost ends the work, and nothing else does'() {
    await Promise.all([401, 403, 404, 409, 422].map(async (status) => {
      let reason
      await settled(await delivering(renewing((count) => (count === 1 ? refusal(status) : undefined))), async (delivery, { progress, signal }) => {
        progress(0.5)
        await pause(2000)
        reason ??= signal.reason
      })
      assert.deepEqual([reason instanceof Problem, reason?.status], status === 422 ? [false, undefined] : [true, status])
    }))
  },

  async 'a worker that waits for a part of a second waits'() {
    const session = await new Client(url, { token }).open()
    const start = Date.now()
    assert.equal(await session.deliveries().next({ wait: 0.5 }), undefined)
    assert(Date.now() - start >= 500, `it waits for ${Date.now() - start} ms`)
    await session.close()
  },

  async 'a busy server says when streams and claims are sent again'() {
    const sent = []
    const client = new Client(url, { token, attempts: 1, fetch: (target, options) => {
      const { pathname } = new URL(target)
      const isFirst = !sent.some(([path]) => path === pathname)
      if (!/events$|claim$/.test(pathname)) return fetch(target, options)
      sent.push([pathname, Date.now()])
      return isFirst ? Promise.resolve(refusal(429, { 'Retry-After': '4' })) : fetch(target, options)
    } })
    await settled(await delivering(client), () => {}, ['one'])
    for (const part of ['events', 'claim']) {
      const [first, second] = sent.filter(([path]) => path.endsWith(part)).map(([, time]) => time)
      assert(second - first >= 3990, `${part} is sent again after ${second - first} ms`)
    }
  },

  async 'a page in place of an answer ends no worker'() {
    const seen = new Set()
    const client = new Client(url, { token, fetch: async (target, options) => {
      const part = /(claim|renew|reply)$/.exec(target)?.[0]
      if (!part || seen.has(part)) return fetch(target, options)
      seen.add(part)
      return new Response('<html>Sign in</html>', { headers: { 'Content-Type': 'text/html' } })
    } })
    const { state, claims } = await settled(await delivering(client), async (delivery, { progress, signal }) => {
      progress(0.5)
      await pause(500)
      signal.throwIfAborted()
    }, ['one'])
    assert.deepEqual([state, claims, seen.size], ['replied', 1, 3])
  },

  async 'a long event is read once, and one without an end is given up'() {
    const { split } = String.prototype
    let read = 0
    String.prototype.split = function (...given) {
      read += this.length
      return split.apply(this, given)
    }
    const size = 1 << 20
    let [sent, streams] = [0, 0]
    const bytes = (text) => new TextEncoder().encode(text)
    const piece = bytes('x'.repeat(size))
    // The first stream has an event of 32 MiB, the others one without an end.
    const body = () => new ReadableStream({
      start(controller) { controller.enqueue(bytes('data: ')) },
      async pull(controller) {
        await pause(0)
        sent += size
        controller.enqueue(piece)
        if (streams > 1 || sent < 32 * size) return
        controller.enqueue(bytes('\n\n'))
        controller.close()
      },
    })
    const client = new Client(url, { fetch: async () => {
      streams += 1
      sent = 0
      return new Response(body())
    } })
    const mirror = client.session('none').follow({ document: true })
    try {
      while (streams < 2) await pause(20)
      assert(read < 64 * size, `${read / size} MiB are split`)
      while (streams < 3 && sent < 512 * size) await pause(20)
      assert.equal(streams, 3, 'an event of 512 MiB is read')
    } finally {
      String.prototype.split = split
    }
    mirror.catch(() => {})
  },
}

for (const [name, check] of Object.entries(checks)) {
  await check()
  console.log(`ok: ${name}`)
}
// The stream of the last check begins again and again.
process.exit()
