// The client module in Node where clocks differ, news are refused, and servers are busy or send too much.
//
//   node Tests/Checks/browser/faults.mjs http://localhost:8080 token
//
// The server's claims last for three seconds; the token is an administrator's.

import assert from 'node:assert/strict'
import { Client, Problem } from '../../../Sources/CEmbeddedFiles/Client/menud.js'

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
}

for (const [name, check] of Object.entries(checks)) {
  await check()
  console.log(`ok: ${name}`)
}
// The stream of the last check begins again and again.
process.exit()
