// The client module in Node: its mirror, its keys, its retries, JSON to the byte, and the example of its page.
//
//   node Tests/Checks/browser/module.mjs http://localhost:8080

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { play } from './mirror.mjs'

const url = process.argv[2]
const seeds = Number(process.argv[3] ?? 3)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const menud = await import(pathToFileURL(`${root}/Sources/CEmbeddedFiles/Console/menud.js`))
const client = new menud.Client(url)

const checks = {
  'JSON is read and written to the byte'() {
    for (const text of ['{"10":1,"2":5.0,"a":-0.0}', '[1e+20,9007199254740993,0.1,1e-07]', '"\\u0008\\u000c\\n\\"\\\\/é😀"', '{"__proto__":{"a":null}}', '[]', ' { } '.trim().replace(' ', '')]) {
      assert.equal(menud.write(menud.parse(text)), text)
    }
    for (const text of ['', '{', '[1,]', '{"a"}', 'nul', '1 2', '"a']) assert.throws(() => menud.parse(text), SyntaxError)
    assert.equal(menud.plain(menud.parse('{"a":5.0}')).a, 5)
  },

  'keys of browsers are those of UIKit, on every layout'() {
    const event = (key, code, held = '', extra = {}) => ({
      key, code, ctrlKey: held.includes('c'), metaKey: held.includes('m'), shiftKey: held.includes('s'), altKey: held.includes('a'),
      getModifierState: (name) => name === extra.state, isComposing: extra.isComposing,
    })
    const told = (pressed, isMac, layout) => menud.keysOf(pressed, { isMac, layout }).map((key) => menud.symbolsOf(key)).join(' ')
    const german = new Map([['KeyY', 'z'], ['KeyZ', 'y'], ['Minus', 'ß']])
    const table = [
      [event('x', 'KeyX', 'c'), false, '⌘X'], [event('x', 'KeyX', 'm'), true, '⌘X'], [event('X', 'KeyX', 'cs'), false, '⇧⌘X'],
      [event('ArrowRight', 'ArrowRight'), false, '→'], [event('F5', 'F5', 's'), false, '⇧F5'], [event('Backspace', 'Backspace', 'm'), true, '⌘⌫ ⌘⌫'],
      // Option composes on a Mac; the key is that of the layout.
      [event('≈', 'KeyX', 'ma'), true, '⌥⌘X'], [event('Dead', 'KeyE', 'a'), true, ''],
      // A Cyrillic layout types no letter that commands are declared with.
      [event('ч', 'KeyX', 'c'), false, '⌘X'], [event('ч', 'KeyX'), false, 'Ч'],
      // On a German layout Z stands where Y is elsewhere.
      [event('z', 'KeyY', 'c'), false, '⌘Z', german], [event('Z', 'KeyY', 'cs'), false, '⇧⌘Z', german],
      // Signs come with shift and without.
      [event('+', 'Equal', 'cs'), false, '⇧⌘+ ⌘+ ⇧⌘='], [event('?', 'Slash', 'ms'), true, '⇧⌘? ⌘? ⇧⌘/'], [event('5', 'Digit5', 'c'), false, '⌘5'],
      // AltGr types; it is no control and alternate.
      [event('@', 'KeyQ', 'ca', { state: 'AltGraph' }), false, '@'], [event('x', 'KeyX', 'c', { isComposing: true }), false, ''],
      [event('Shift', 'ShiftLeft', 's'), false, ''],
    ]
    for (const [pressed, isMac, expected, layout] of table) assert.equal(told(pressed, isMac, layout), expected, pressed.key)
  },

  async 'what is refused has its reason'() {
    const session = await client.open({})
    const refused = await session.perform('zoomIn:').catch((error) => error)
    assert(refused instanceof menud.Problem)
    assert.deepEqual([refused.status, refused.reason, refused.type], [409, 'noTarget', '/problems/not-performed'])
    assert.equal((await session.press({ input: 'UIKeyInputF9' })), undefined)
    await session.close()
  },

  async 'a change whose answer is lost is sent again, and done once'() {
    let lost = 0
    const losing = new menud.Client(url, { fetch: async (...request) => {
      const response = await fetch(...request)
      if (request[1].method === 'POST' && lost < 2) {
        lost += 1
        await response.text()
        throw new TypeError('The connection broke.')
      }
      return response
    } })
    const session = await client.open({})
    const again = losing.session(session.id)
    const performed = await again.perform('toggleSidebar:')
    assert.equal(lost, 2)
    assert.equal(performed.revision, 1)
    assert.equal((await session.document()).revision, 1)
    await session.close()
  },

  async 'a mirror begins again where its connection broke'() {
    const session = await client.open({})
    let streams = 0
    const asked = []
    const breaking = new menud.Client(url, { fetch: async (target, options) => {
      const response = await fetch(target, options)
      if (!String(target).includes('/events')) return response
      streams += 1
      asked.push(options.headers['Last-Event-ID'])
      // The first stream ends after its first event.
      return streams > 1 ? response : new Response(response.body.pipeThrough(new TransformStream({ transform(piece, controller) { controller.enqueue(piece); controller.terminate() } })), response)
    } })
    const mirror = await breaking.session(session.id).follow({ document: true })
    const { revision } = await session.focus('viewer')
    await mirror.reaches(revision)
    assert.equal(mirror.document.firstResponder, 'viewer')
    assert(asked.length > 1 && asked[1])
    assert.equal(mirror.documentText, (await client.get(session.path())).text)
    await session.close()
    while (!mirror.isClosed) await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(mirror.reason, 'sessionClosed')
  },

  async 'a mirror holds what GET answers, whatever happens to the session'() {
    const commands = (await client.commands()).map(({ id }) => id)
    for (let seed = 1; seed <= seeds; seed += 1) console.log(`seed ${seed}`, JSON.stringify(await play(menud, client, { seed, turns: 150, commands })))
  },

  async 'deliveries are claimed, worked on and settled once'() {
    const session = await client.open({})
    const handler = { perform: [{ op: 'deliver', value: "{'file': 'lake.jpg'}" }] }
    try {
      await session.change('PUT', ['responders', 'photoGrid', 'handlers', 'exportPhotos:'], handler)
    } catch (error) {
      return console.log(`SKIPPED: ${error.message}`)
    }
    const mirror = await session.follow({ document: true })
    const stop = new AbortController()
    const worked = []
    const work = session.deliveries({ by: 'worker' }).work(async ({ value, title }) => {
      worked.push(`${title} ${value.file}`)
      if (worked.length === 2) throw new Error('The disk is full')
      return { result: { pages: 1 }, mutations: [{ op: 'mergeState', patch: { exported: value.file } }] }
    }, { signal: stop.signal, wait: 2 })
    for (let number = 1; number <= 2; number += 1) {
      await session.perform('exportPhotos:')
      while (!['replied', 'failed'].includes((await session.deliveries().list()).at(-1)?.state)) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    stop.abort()
    await work
    const list = await session.deliveries().list()
    assert.deepEqual(worked, ['Export… lake.jpg', 'Export… lake.jpg'])
    assert.deepEqual(list.map(({ state }) => state), ['replied', 'failed'])
    assert.deepEqual([list[0].result, list[1].problem], [{ pages: 1 }, { title: 'The disk is full' }])
    const { revision, state } = await session.document()
    assert.equal(state.exported, 'lake.jpg')
    await mirror.reaches(revision)
    assert.equal(mirror.documentText, (await client.get(session.path())).text)
    const settled = await session.deliveries().reply({ id: 1, claim: { number: 1 } }).catch((error) => error)
    assert.equal(settled.status, 409)
    mirror.close()
    await session.close()
  },

  async 'the example of docs/client.md runs'() {
    const page = readFileSync(`${root}/docs/client.md`, 'utf8')
    const [, example] = /```js\n([^]*?)```/.exec(page)
    const [, expected] = /```text\n([^]*?)```/.exec(page)
    const folder = mkdtempSync(join(tmpdir(), 'menud-client-'))
    const said = []
    const { log } = console
    try {
      writeFileSync(`${folder}/menud.mjs`, readFileSync(`${root}/Sources/CEmbeddedFiles/Console/menud.js`))
      writeFileSync(`${folder}/example.mjs`, example.replace('./menud.js', './menud.mjs').replace('http://localhost:8080', url))
      console.log = (...words) => said.push(words.join(' '))
      await import(pathToFileURL(`${folder}/example.mjs`))
    } finally {
      console.log = log
      rmSync(folder, { recursive: true })
    }
    assert.equal(said.join('\n'), expected.trim())
  },
}

for (const [name, check] of Object.entries(checks)) {
  await check()
  console.log(`ok: ${name}`)
}
