// The client module in Node: its mirror, its keys, its retries, JSON to the byte, and the example of its page.
//
//   node Tests/Checks/browser/module.mjs http://localhost:8080 [seeds [url token]]
//
// The second address is that of a server that asks for tokens, the token an administrator's.

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { play } from './mirror.mjs'

const url = process.argv[2]
const seeds = Number(process.argv[3] ?? 3)
const [tokenURL, token] = process.argv.slice(4)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const menud = await import(pathToFileURL(`${root}/Sources/CEmbeddedFiles/Client/menud.js`))
const { refusal, whyNot } = await import(pathToFileURL(`${root}/Sources/CEmbeddedFiles/Client/elements/words.js`))
const client = new menud.Client(url)
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))

/** A client whose requests are hung up on, or answered otherwise, as `change` decides; undefined lets them pass. */
const disturbed = (change, options) => new menud.Client(url, { ...options, fetch: (target, sent) => change(String(target), sent) ?? fetch(target, sent) })
const never = () => new Promise(() => {})
const busy = (after) => Promise.resolve(new Response('{"type":"/problems/overloaded","title":"The server has too many requests at once","status":503}', {
  status: 503, headers: { 'Retry-After': String(after) },
}))

const checks = {
  'JSON is read and written to the byte'() {
    for (const text of ['{"10":1,"2":5.0,"a":-0.0}', '[1e+20,9007199254740993,0.1,1e-07]', '"\\u0008\\u000c\\n\\"\\\\/é😀"', '{"__proto__":{"a":null}}', '[]', ' { } '.trim().replace(' ', '')]) {
      assert.equal(menud.write(menud.parse(text)), text)
    }
    for (const text of ['', '{', '[1,]', '{"a"}', 'nul', '1 2', '"a']) assert.throws(() => menud.parse(text), SyntaxError)
    assert.equal(menud.plain(menud.parse('{"a":5.0}')).a, 5)
    assert.equal(menud.write(menud.plain(menud.parse('[9007199254740993,5.0]'), true)), '[9007199254740993,5]')
  },

  async 'what JSON does not have is refused, and nothing else is written in its place'() {
    const written = [
      [new Date(0), '"1970-01-01T00:00:00.000Z"'], [new Map([[1, new Map([[2, 3]])]]), '{"1":{"2":3}}'], [{ a: undefined, b: [undefined] }, '{"b":[null]}'],
      [{ a: { toJSON: () => ({ b: new Date(0) }) } }, '{"a":{"b":"1970-01-01T00:00:00.000Z"}}'], [9007199254740993n, '9007199254740993'],
    ]
    for (const [value, text] of written) assert.equal(menud.write(value), text)
    for (const value of [NaN, Infinity, -Infinity, () => 1, Symbol('a')]) {
      assert.throws(() => menud.write({ a: [value] }), ({ status, message }) => status === 422 && message.startsWith('JSON has no '), String(value))
    }
    const session = await client.open()
    await session.patch({ keep: 1 })
    await assert.rejects(session.patch({ keep: NaN }), { message: 'JSON has no NaN.' })
    assert.equal((await session.document()).state.keep, 1)
    await session.close()
  },

  async 'a session that only the body names is in a field, too, as in a path'() {
    const named = []
    const watching = new menud.Client(url, { fetch: (target, { headers }) => {
      named.push(headers['Menud-Session'])
      return Promise.resolve(new Response('{"items":[]}'))
    } })
    const session = watching.session('a:é')
    for (const ask of [session.validate(['a:']), session.search('a'), session.target('a:'), session.resolve({ input: 'a' }), session.perform('a:'), session.send('a:', { headers: { X: 'y' } })]) await ask
    assert.deepEqual(named, Array(6).fill('a:%C3%A9'))
    await session.patch({})
    assert.equal(named.at(-1), undefined)
  },

  'keys of browsers are those of UIKit, on every layout'() {
    const event = (key, code, held = '', extra = {}) => ({
      key, code, ctrlKey: held.includes('c'), metaKey: held.includes('m'), shiftKey: held.includes('s'), altKey: held.includes('a'),
      getModifierState: (name) => name === extra.state, isComposing: extra.isComposing,
    })
    const told = (pressed, isMac, layout) => menud.keysOf(pressed, { isMac, layout }).map((key) => menud.symbolsOf(key, { isMac: true })).join(' ')
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

  'a key is shown as its platform does'() {
    const key = { input: 'x', modifiers: ['command', 'shift', 'alternate', 'control'] }
    assert.equal(menud.symbolsOf(key, { isMac: true }), '⌃⌥⇧⌘X')
    assert.equal(menud.symbolsOf(key, { isMac: false }), 'Ctrl+Super+Alt+Shift+X')
    assert.equal(menud.symbolsOf({ input: 'UIKeyInputLeftArrow', modifiers: ['shift'] }, { isMac: false }), 'Shift+Left')
    assert.equal(menud.symbolsOf({ input: 'UIKeyInputF5' }, { isMac: false }), 'F5')
    const apart = { apple: { input: 'f', modifiers: ['control', 'command'] }, other: { input: 'UIKeyInputF11' } }
    assert.equal(menud.symbolsOf(apart, { isMac: true }), '⌃⌘F')
    assert.equal(menud.symbolsOf(apart, { isMac: false }), 'F11')
    assert.equal(menud.symbolsOf({ apple: apart.apple }, { isMac: false }), '')
    assert.deepEqual(menud.keyOn(apart, { isMac: false }), apart.other)
    assert.equal(menud.symbolsOf({ input: '+', modifiers: ['command'] }, { isMac: false }), 'Ctrl++')
  },

  'an item is disabled for a reason that only a later menud knows'() {
    assert.equal(whyNot({ enabled: false, reason: 'later' }), 'It is disabled')
    assert.equal(whyNot({ enabled: false, reason: 'later', error: { message: 'm' } }), 'It is disabled: m')
    assert.equal(whyNot({ enabled: false, reason: 'noTarget' }), 'Nobody on the chain handles it')
    const detail = (reason) => refusal(new menud.Problem(409, { detail: 'It is done.', reason })).detail
    assert.deepEqual(['later', 'noTarget'].map(detail), ['It is done.', 'Nobody on the chain handles it. It is done.'])
  },

  async 'M11: items, alternates and keys of a menu are found as the console finds them'() {
    const session = await client.open({})
    const { menu } = await session.menu()
    const all = [...menud.itemsIn(menu)]
    assert(all.length > 20 && all.every(({ item }) => item.command))
    assert.deepEqual(all.find(({ item }) => item.command === 'applyFiveStarRating:').titles, ['Image', 'Rating'])
    const { item } = all.find(({ item }) => item.alternates?.length)
    const [alternate] = item.alternates
    assert.equal(menud.shown(item, []), item)
    assert.equal(menud.shown(item, alternate.alternate.modifiers), alternate)
    await session.close()
  },

  async 'M13: what is assumed is told, and not done'() {
    const session = await client.open({})
    const focusing = ['viewer', 'photoGrid', 'ghost'].map((responder) => [{ op: 'becomeFirstResponder', responder }])
    const [viewer, grid, ghost] = await session.assume(focusing, ['zoomIn:'])
    assert.deepEqual([viewer, grid].map(({ items }) => items[0].enabled), [true, false])
    assert.equal(ghost.problem.type, '/problems/unresolved-reference')
    assert.equal((await session.document()).revision, 0)
    await session.close()
  },

  async 'E4: a mirror reaches a revision in which nothing of it differs'() {
    const session = await client.open({})
    const mirror = await session.follow({ commands: ['zoomIn:'] })
    let told = 0
    mirror.subscribe(() => { told += 1 })
    const { revision } = await session.patch({ note: 1 })
    await mirror.reaches(revision)
    assert.deepEqual([mirror.revision, told], [revision, 0])
    await session.close()
  },

  async 'E1: a mirror has the tools that agents list, the same ones while none differs'() {
    const session = await client.open({})
    const mirror = await session.follow({ document: true, tools: true })
    const question = { query: { tools: 'enabled' }, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, isQuestion: true }
    const listed = async () => (await client.request('POST', session.path('mcp'), question)).body.result.tools
    assert.deepEqual(mirror.tools, await listed())
    const { tools } = mirror
    await session.patch({ n: 1 }).then(({ revision }) => mirror.reaches(revision))
    assert.equal(mirror.tools, tools)
    await session.focus(null).then(({ revision }) => mirror.reaches(revision))
    assert.notDeepEqual(mirror.tools, tools)
    assert.deepEqual(mirror.tools, await listed())
    await session.close()
  },

  async 'K7: who holds the keys decides at once as the service does'() {
    const session = await client.open({})
    const mirror = await session.follow({ keys: true, isMac: true })
    const inputs = ['1', '5', 'c', 'C', 'z', '?', 'UIKeyInputRightArrow', 'UIKeyInputF9']
    const some = ['command', 'shift', 'alternate', 'numericPad']
    const pressed = inputs.flatMap((input) => Array.from({ length: 16 }, (_, bits) => ({ input, modifiers: some.filter((_, index) => bits >> index & 1) })))
    const targets = new Set()
    for (const focus of ['photoGrid', 'photoHost', null]) {
      const { revision } = await session.focus(focus)
      await mirror.reaches(revision)
      assert.deepEqual(mirror.keys, await session.keys({ isMac: true }))
      for (const key of pressed) {
        const { action, target } = await session.resolve(key, { isMac: true })
        const meaning = mirror.means(key)
        assert.deepEqual([meaning?.action ?? null, meaning?.target ?? null], [action, target], JSON.stringify(key))
        targets.add(target)
      }
    }
    assert(targets.size > 2, `${[...targets]}`)
    await session.focus('photoGrid').then(({ revision }) => mirror.reaches(revision))
    const prevented = []
    const event = (key, more) => ({ key, code: `Digit${key}`, preventDefault: () => prevented.push(key), ...more })
    assert.equal((await mirror.handle(event('5', { metaKey: true }))).performed, true)
    assert.equal(mirror.handle(event('5')), undefined)
    assert.deepEqual(prevented, ['5'])
    await session.close()
  },

  async 'a key that is disabled does as little as one that means nothing'() {
    const session = await client.open({})
    const disabled = [...menud.itemsIn((await session.menu()).menu)].find(({ item }) => item.key && item.reason === 'noTarget').item
    assert.equal(await session.press({ input: 'UIKeyInputF9' }), undefined)
    assert.equal(await session.press(disabled.key), undefined)
    const { revision } = await session.document()
    assert.equal(revision, 0)
    await session.close()
  },

  async 'options that say how a request is sent are none of its words'() {
    const sent = []
    const watching = new menud.Client(url, { fetch: (target, options) => {
      if (options.method === 'POST') sent.push(options)
      return fetch(target, options)
    } })
    const session = await watching.open({})
    sent.length = 0
    await session.perform('applyFiveStarRating:', { headers: { 'X-Request-Id': 'mine' }, explain: true })
    await session.press({ input: 'UIKeyInputRightArrow' }, { headers: { 'X-Request-Id': 'other' }, from: 'photoGrid' })
    assert.deepEqual(sent.map(({ headers }) => headers['X-Request-Id']), ['mine', 'other'])
    assert.deepEqual(Object.keys(JSON.parse(sent[0].body)), ['session', 'command', 'explain'])
    assert.deepEqual(Object.keys(JSON.parse(sent[1].body)), ['session', 'key', 'platform', 'from'])
    await session.close()
  },

  async 'U6: a patch is registered as a group, and joins the one before'() {
    const session = await client.open({})
    const { state } = await session.document()
    for (const caption of ['L', 'Lake']) await session.patch({ caption }, { undo: 'Typing', coalesce: 'caption' })
    assert.equal((await session.patch([{ op: 'add', path: '/tried', value: 1 }], { undo: 'Trial', dryRun: true })).dryRun, true)
    await session.patch({ unnamed: true }, { undo: '' })
    const undone = [await session.undo(), await session.undo(), await session.undo()]
    assert.deepEqual(undone.map(({ undone, actionName }) => [undone, actionName]), [[true, undefined], [true, 'Typing'], [false, undefined]])
    assert.deepEqual((await session.document()).state, state)
    // What the caller adds to the query stands beside what is an option.
    const tried = await session.change('PATCH', 'state', { tried: 1 }, { type: 'application/merge-patch+json', query: { undo: 'Trial' }, dryRun: true, explain: true })
    assert.equal(tried.dryRun, true)
    assert.deepEqual((await session.document()).state, state)
    await session.close()
  },

  async 'U4: undoing tells what it keeps'() {
    const session = await client.open({})
    await session.patch({ a: 1, b: 1 }, { undo: 'Both' })
    await session.patch({ a: 2 })
    assert.deepEqual((await session.undo()).kept, ['/a'])
    await session.close()
  },

  async 'U5: a reply is not registered if it says so'() {
    const session = await client.open({})
    await session.change('PUT', ['responders', 'photoGrid', 'handlers', 'exportPhotos:'], { perform: [{ op: 'deliver', value: '1' }] })
    const undoing = async (settle) => {
      await session.perform('exportPhotos:')
      await settle()
      return (await session.undo()).undone
    }
    let exported = 0
    const reply = (undo) => ({ mutations: [{ op: 'mergeState', patch: { exported: exported += 1 } }], undo })
    const replying = (undo) => undoing(async () => session.deliveries().reply(await session.deliveries().next(), reply(undo)))
    assert.deepEqual([await replying(undefined), await replying(false)], [true, false])
    const working = (undo) => undoing(async () => {
      const stop = new AbortController()
      const work = session.deliveries().work(() => reply(undo), { signal: stop.signal })
      while ((await session.deliveries().list()).at(-1).state !== 'replied') await pause(20)
      stop.abort()
      await work
    })
    assert.deepEqual([await working(true), await working(false)], [true, false])
    await session.close()
  },

  async 'R11: a window is as if it were key'() {
    const session = await client.open({})
    const key = { input: 'j', modifiers: ['control'] }
    await session.mutate([
      { op: 'putResponder', responder: 'second', value: { kind: 'window' } },
      { op: 'putResponder', responder: 'field', value: { kind: 'view', superview: 'second' } },
      { op: 'putKeyCommands', responder: 'field', keyCommands: [{ ...key, action: 'shake:' }] },
      { op: 'putKeyCommands', responder: 'second', keyCommands: [{ ...key, action: 'roll:' }] },
      { op: 'putHandler', responder: 'field', selector: 'shake:', handler: { perform: [{ op: 'add', path: '/shaken', value: 'true' }] } },
    ])
    const before = await session.document()
    await session.focus('field', { window: 'second' })
    const after = await session.document()
    assert.equal(after.firstResponder, before.firstResponder)
    assert.equal((await session.read('first-responder', { window: 'second' })).responder, 'field')
    const at = { window: 'second' }
    assert.deepEqual([(await session.resolve(key)).target, (await session.resolve(key, at)).target], [null, 'field'])
    const inputs = async (options) => (await session.keyConflicts(options)).map(({ key }) => key.input)
    assert.deepEqual([(await inputs()).includes('j'), (await inputs(at)).includes('j')], [false, true])
    assert.equal(await session.press(key), undefined)
    assert.equal((await session.press(key, at)).target, 'field')
    assert.equal((await session.document()).state.shaken, true)
    const mirror = await session.follow({ commands: ['copy:'], window: 'second' })
    assert.deepEqual(mirror.item('copy:'), (await session.validate(['copy:'], at))[0])
    mirror.close()
    await session.close()
  },

  async 'a search has pages'() {
    const session = await client.open({})
    const all = await session.search('', { limit: 100, disabled: true })
    const first = await session.searchPage('', { limit: 7, disabled: true })
    assert.deepEqual([first.total, first.next, first.items.length], [all.length, 7, 7])
    const found = [...first.items]
    let page = first
    while (page.next !== undefined) {
      page = await session.searchPage('', { limit: 7, offset: page.next, disabled: true })
      found.push(...page.items)
    }
    assert.deepEqual(found.map(({ command }) => command), all.map(({ command }) => command))
    await session.close()
  },

  async 'a change that hangs holds up the others until its time is over'() {
    const opened = await client.open({})
    const sent = []
    const hanging = disturbed((target, { method, body }) => {
      if (method !== 'PATCH') return undefined
      sent.push(JSON.parse(body).n)
      return JSON.parse(body).n === 1 ? never() : undefined
    }, { timeout: 1 })
    const session = hanging.session(opened.id)
    const start = Date.now()
    const hung = session.patch({ n: 1 }).catch((error) => error)
    const late = session.patch({ n: 2 }, { timeout: 0.5 }).catch((error) => error)
    const patient = session.patch({ n: 3 }, { timeout: 20 })
    const stop = new AbortController()
    const given = session.patch({ n: 4 }, { signal: stop.signal }).catch((error) => error)
    stop.abort(new Error('No more'))
    assert.equal((await given).message, 'No more')
    assert(Date.now() - start < 400, `one that is given up waits for ${Date.now() - start} ms`)
    const refused = await late
    assert.deepEqual([refused.name, refused.message], ['Unreached', 'It was not sent: the changes before it had no answer in time.'])
    const over = await hung
    assert.deepEqual([over.name, over.message], ['Unreached', 'The server did not answer in time.'])
    assert(over instanceof menud.Unreached)
    await patient
    assert(Date.now() - start < 2500, `it took ${Date.now() - start} ms`)
    // It was sent again after half of its time, and what was given up was not sent at all.
    assert.deepEqual(sent, [1, 1, 3])
    assert.equal((await opened.document()).state.n, 3)
    await opened.close()
  },

  async 'a connection that hangs is tried again'() {
    const opened = await client.open({})
    let sent = 0
    const hanging = disturbed((target, { method }) => (method === 'PATCH' && !sent++ ? never() : undefined), { timeout: 2 })
    assert.equal((await hanging.session(opened.id).patch({ n: 1 })).revision, 1)
    assert.equal(sent, 2)
    await opened.close()
  },

  async 'an overloaded server is asked again as long as there is time'() {
    const opened = await client.open({})
    let sent = 0
    const refusing = disturbed((target, { method }) => { if (method === 'PATCH') { sent += 1; return busy(sent === 1 ? 0 : 60) } }, { timeout: 2 })
    const start = Date.now()
    const refused = await refusing.session(opened.id).patch({ n: 1 }).catch((error) => error)
    assert.deepEqual([refused.status, refused.type, sent], [503, '/problems/overloaded', 2])
    assert(Date.now() - start < 1500)
    await opened.close()
  },

  async 'whoever is out of reach is told from a mistake'() {
    const nowhere = new menud.Client('http://localhost:1', { attempts: 2 })
    const error = await nowhere.sessions().catch((error) => error)
    assert.deepEqual([error.name, error.message, error.cause.name], ['Unreached', 'The server is not reached.', 'TypeError'])
    // A mistake of whoever watches is no broken connection: the request is not sent again.
    let sent = 0
    const watched = disturbed(() => { sent += 1 })
    watched.observers.add(() => undefined.length)
    assert.equal((await watched.sessions().catch((error) => error)).name, 'TypeError')
    assert.equal(sent, 1)
  },

  async 'a worker waits for no change of the session'() {
    const opened = await client.open({})
    await opened.change('PUT', ['responders', 'photoGrid', 'handlers', 'exportPhotos:'], { perform: [{ op: 'deliver', value: '1' }] })
    await opened.perform('exportPhotos:')
    await opened.perform('exportPhotos:')
    const hanging = disturbed((target, { method }) => (method === 'PATCH' ? never() : undefined), { timeout: 3 })
    const session = hanging.session(opened.id)
    const hung = session.patch({ n: 1 }).catch((error) => error)
    const start = Date.now()
    const deliveries = session.deliveries({ by: 'worker' })
    const delivery = await deliveries.next()
    await deliveries.renew(delivery)
    await deliveries.reply(delivery, { result: 1 })
    await deliveries.fail(await deliveries.claim(2), { title: 'No' })
    assert(Date.now() - start < 2000, `a worker waits ${Date.now() - start} ms`)
    assert.deepEqual((await opened.deliveries().list()).map(({ state }) => state), ['replied', 'failed'])
    await hung
    await opened.close()
  },

  async 'a worker tells its progress, and gives up what is to be cancelled'() {
    const opened = await client.open({})
    await opened.change('PUT', ['responders', 'photoGrid', 'handlers', 'exportPhotos:'], { perform: [{ op: 'deliver' }] })
    await opened.perform('exportPhotos:')
    await opened.perform('exportPhotos:')
    const deliveries = opened.deliveries({ by: 'worker' })
    const states = async () => (await deliveries.list()).map(({ state }) => state)
    const until = async (holds) => {
      for (let time = 0; time < 100 && !await holds(); time += 1) await new Promise((resolve) => setTimeout(resolve, 50))
      assert(await holds(), holds.toString())
    }
    const stop = new AbortController()
    let seen
    const working = deliveries.work(async ({ id }, { signal, progress }) => {
      progress(0.5, 'half')
      if (id === 2) return { result: 'done' }
      await until(async () => (await deliveries.get(1)).claim?.message === 'half')
      seen = await deliveries.cancel(1)
      progress(0.75, 'half')
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      throw new Error('It is given up')
    }, { signal: stop.signal })
    await until(async () => (await states()).join() === 'cancelled,replied')
    assert.deepEqual([seen.state, seen.claim.progress], ['cancelling', 0.5])
    assert.equal((await deliveries.get(1)).settledBy, 'worker')
    stop.abort()
    await working
    await opened.close()
  },

  async 'a signal is left alone by what is over, and heeded at once'() {
    const opened = await client.open({})
    let sent = 0
    const stop = new AbortController()
    const listeners = () => getEventListeners(stop.signal, 'abort').length
    const refusing = disturbed((target, { method }) => (method === 'PATCH' && sent++ < 2 ? busy(0) : undefined))
    await refusing.session(opened.id).patch({ n: 1 }, { signal: stop.signal })
    assert.deepEqual([sent, listeners()], [3, 0])
    // It is aborted while the answer is read, before the pause behind it.
    const aborting = disturbed((target, { method }) => (method === 'PATCH' ? busy(5) : undefined))
    aborting.observers.add((request) => { if (request.method === 'PATCH') stop.abort(new Error('No more')) })
    const start = Date.now()
    const error = await aborting.session(opened.id).patch({ n: 2 }, { signal: stop.signal }).catch((error) => error)
    assert.equal(error.message, 'No more')
    assert(Date.now() - start < 2000, `it takes ${Date.now() - start} ms`)
    assert.equal(listeners(), 0)
    await opened.close()
  },

  async 'changes are made in the order of the calls'() {
    // The answer to every other request is late, and so is its arrival.
    let number = 0
    const slow = new menud.Client(url, { fetch: async (...request) => {
      if (request[1].method !== 'GET' && number++ % 2) await new Promise((resolve) => setTimeout(resolve, 15))
      return fetch(...request)
    } })
    const session = await slow.open({})
    const again = slow.session(session.id)
    const made = []
    for (let pair = 0; pair < 20; pair += 1) {
      for (const [turn, one] of [session, again].entries()) made.push(one.patch({ last: 2 * pair + turn }))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const revisions = (await Promise.all(made)).map(({ revision }) => revision)
    assert.deepEqual(revisions, Array.from(revisions, (_, index) => index + 1))
    assert.equal((await session.document()).state.last, 39)
    // One that is refused, or given up while it waits, holds up nothing.
    const stop = new AbortController()
    const all = Promise.allSettled([
      session.perform('zoomIn:'), session.patch({ never: true }, { signal: stop.signal }), session.patch({ then: true }),
    ])
    stop.abort()
    assert.deepEqual((await all).map(({ status }) => status), ['rejected', 'rejected', 'fulfilled'])
    const { state } = await session.document()
    assert.deepEqual([state.never, state.then], [undefined, true])
    await session.close()
  },

  async 'what did not change is identical after an event'() {
    const session = await client.open({})
    const mirror = await session.follow({ document: true, menu: true, commands: ['applyFiveStarRating:', 'zoomIn:'] })
    const held = () => ({
      zoom: mirror.item('zoomIn:'), five: mirror.item('applyFiveStarRating:'), items: mirror.items, state: mirror.state,
      photos: mirror.state.photos, responders: mirror.document.responders, grid: mirror.document.responders.photoGrid,
      menu: mirror.menu, menus: mirror.menu.children,
    })
    const before = held()
    let told = 0
    const leave = mirror.subscribe(() => { told += 1 })
    assert.deepEqual(Object.entries(held()).filter(([name, value]) => value !== before[name]), [])
    const { revision } = await session.perform('applyFiveStarRating:')
    await mirror.reaches(revision)
    assert(told > 0)
    leave()
    const after = held()
    const kept = Object.keys(after).filter((name) => after[name] === before[name])
    assert.deepEqual(kept, ['zoom', 'responders', 'grid'])
    // Of the menus those are the same whose items are.
    const same = after.menus.filter((menu, index) => menu === before.menus[index]).length
    assert(same > 0 && same < after.menus.length, `${same} of ${after.menus.length} menus are the same`)
    assert.equal(mirror.documentText, (await client.get(session.path())).text)
    // A focus leaves the state alone.
    await mirror.reaches((await session.focus('viewer')).revision)
    assert.equal(mirror.state, after.state)
    // Whoever begins anew keeps what is as it was.
    const other = await session.follow({ document: true })
    const { responders } = other.document
    assert.deepEqual(responders, mirror.document.responders)
    other.close()
    mirror.close()
    await session.close()
  },

  async 'without the responder at which searches begin there is no menu, no item and no key, until it is back'() {
    const session = await client.open({})
    const origin = { op: 'putResponder', responder: 'extra', value: { kind: 'view', next: 'photoGrid' } }
    const commands = ['applyFiveStarRating:', 'zoomIn:']
    await session.mutate([origin])
    const mirror = await session.follow({ menu: true, commands, keys: true, from: 'extra' })
    const held = () => [mirror.menu, mirror.items, mirror.keys]
    const asked = async () => [
      (await session.menu({ from: 'extra' })).menu, await session.validate(commands, { from: 'extra' }), await session.keys({ from: 'extra' }),
    ]
    assert.deepEqual(held(), await asked())
    await mirror.reaches((await session.mutate([{ op: 'removeResponder', responder: 'extra' }])).revision)
    await assert.rejects(session.validate(commands, { from: 'extra' }), { status: 422 })
    assert.deepEqual([...held(), mirror.item('zoomIn:')], [undefined, [], [], undefined])
    await mirror.reaches((await session.mutate([origin])).revision)
    assert.deepEqual(held(), await asked())
    mirror.close()
    await session.close()
  },

  async 'a worker outlasts an outage'() {
    const session = await client.open({})
    await session.change('PUT', ['responders', 'photoGrid', 'handlers', 'exportPhotos:'], { perform: [{ op: 'deliver', value: '1' }] })
    let isDown = true
    let refused = 0
    const failing = new menud.Client(url, { attempts: 1, fetch: (...request) => {
      if (!isDown) return fetch(...request)
      refused += 1
      return Promise.reject(new TypeError('fetch failed'))
    } })
    const stop = new AbortController()
    const worked = []
    const working = failing.session(session.id).deliveries({ by: 'worker' }).work(({ value }) => { worked.push(value); isDown = worked.length === 1 }, { signal: stop.signal })
    const until = async (condition) => { while (!await condition()) await new Promise((resolve) => setTimeout(resolve, 20)) }
    await until(() => refused > 2)
    isDown = false
    await session.perform('exportPhotos:')
    await until(() => worked.length)
    // It goes down before the reply, which is sent until it arrives.
    const before = refused
    await until(() => refused > before + 1)
    isDown = false
    await until(async () => (await session.deliveries().list())[0].state === 'replied')
    stop.abort()
    await working
    await session.close()
  },

  async 'a command that needs a confirmation asks, and is performed if the answer is true'() {
    const session = await client.open()
    await session.change('PUT', ['responders', 'photoGrid', 'handlers', 'rotateLeft:'], {
      validate: { confirmation: { title: "'Rotate ' + string(size(state.selection)) + '?'", button: "'Rotate'" } },
      perform: [{ op: 'add', path: '/turned', value: 'true' }],
    })
    const asked = []
    const confirm = (answer) => async (texts) => { asked.push(texts); await session.patch({ meanwhile: true }); return answer }
    assert.equal((await session.perform('rotateLeft:').catch((error) => error)).confirmation.button, 'Rotate')
    assert.equal(await session.perform('rotateLeft:', { confirm: confirm(false) }), undefined)
    assert.equal(await session.press({ input: '[', modifiers: ['command'] }, { confirm: confirm(false) }), undefined)
    assert.equal((await session.document()).state.turned, undefined)
    const { performed } = await session.perform('rotateLeft:', { confirm: confirm(true), key: 'mine' })
    assert.equal(performed, true)
    assert.equal((await session.press({ input: '[', modifiers: ['command'] }, { confirm: confirm(true) })).performed, true)
    assert.equal((await session.perform('rotateLeft:', { dryRun: true })).performed, true)
    assert.deepEqual(asked, Array(4).fill({ title: 'Rotate 1?', button: 'Rotate' }))
    const refused = await session.perform('zoomIn:', { confirm: confirm(true) }).catch((error) => error)
    assert.deepEqual([refused.explanation, refused.confirmation], ['Open a photo first.', undefined])
    await session.close()
  },

  async 'a form has the present choices, and mistakes are told by parameter'() {
    const session = await client.open()
    await client.request('PUT', ['commands', 'showAlbum:'], { body: {
      title: 'Show Album', action: 'showAlbum:', choices: { album: 'state.albums' }, defaults: { album: 'state.albums[0]' },
      parameters: { type: 'object', properties: { album: { type: 'string' }, 'a/b': { type: 'integer' } }, required: ['album'] },
    } })
    await session.patch({ albums: ['Alps', 'Coast'] })
    const { title, schema, errors } = await session.form('showAlbum:', { modifiers: ['shift', 'command'] })
    assert.deepEqual([title, schema.properties.album, errors], ['Show Album', { type: 'string', enum: ['Alps', 'Coast'], default: 'Alps' }, undefined])
    const refused = async (parameters) => (await session.perform('showAlbum:', { parameters }).catch((error) => error)).fields
    assert.deepEqual(await refused({ album: 'Alp', 'a/b': '1' }), {
      album: ["Expected 'Alps' or 'Coast', found the string 'Alp'; did you mean 'Alps'?"], 'a/b': ["Expected an integer, found the string '1'."],
    })
    assert.deepEqual(await refused({}), { album: ["The member 'album' is missing."] })
    assert.deepEqual(Object.keys((await session.perform('none:').catch((error) => error)).fields), [''])
    await session.patch({ albums: null })
    assert.deepEqual((await session.form('showAlbum:')).errors.map(({ place }) => place), ['choices/album', 'defaults/album'])
    await client.request('DELETE', ['commands', 'showAlbum:'])
    await session.close()
  },

  async 'a form and what is performed with it have integers of 64 bits'() {
    const session = await client.open()
    await client.request('PUT', ['commands', 'frame:'], { body: { title: 'Frame', action: 'frame:', choices: { of: 'state.frames' }, parameters: {
      type: 'object', properties: { of: { type: 'integer' }, to: { type: 'integer', default: 5 } },
    } } })
    await session.patch({ frames: [new menud.Numeral('9007199254740993')] })
    await session.change('PUT', ['responders', 'photoGrid', 'handlers', 'frame:'], { perform: [{ op: 'add', path: '/frame', value: 'parameters' }] })
    const { schema } = await session.form('frame:')
    const [of] = schema.properties.of.enum
    assert.deepEqual([String(of), schema.properties.to.default], ['9007199254740993', 5])
    await session.perform('frame:', { parameters: { of } })
    assert.equal(menud.write((await client.get(session.path())).exact.get('state').get('frame')), '{"of":9007199254740993}')
    await client.request('DELETE', ['commands', 'frame:'])
    await session.close()
  },

  async 'a plan does what its dry run showed, once, or says what would happen now'() {
    const session = await client.open()
    const { plan, changes } = await session.perform('applyFiveStarRating:', { dryRun: true })
    const done = await session.performPlan(plan)
    assert.deepEqual([done.performed, done.changes], [true, changes])
    assert.equal((await session.performPlan(plan)).revision, done.revision)
    const next = await session.perform('rotateLeft:', { dryRun: true })
    await session.perform('rotateLeft:')
    const refused = await session.performPlan(next.plan).catch((error) => error)
    assert.equal(refused.type, '/problems/plan-changed')
    assert.equal((await session.performPlan(refused.document.plan)).performed, true)
    await session.close()
  },

  async 'whoever performs waits for the delivery, and holds up nothing'() {
    const session = await client.open({})
    await session.change('PUT', ['responders', 'photoGrid', 'handlers', 'exportPhotos:'], { perform: [{ op: 'deliver', value: '1' }] })
    const waiting = session.perform('exportPhotos:', { wait: 20 })
    const { revision } = await session.patch({ meanwhile: true })
    assert(revision > 1)
    const delivery = await session.deliveries().next()
    await session.deliveries().reply(delivery, { result: 'done' })
    const performed = await waiting
    assert.deepEqual(performed.deliveries.map(({ state, result }) => [state, result]), [['replied', 'done']])
    assert.equal((await session.deliveries().list()).length, 1)
    await session.close()
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
      // The first stream ends after its first event, which may come in several pieces.
      let told = ''
      const first = new TransformStream({ transform(piece, controller) {
        controller.enqueue(piece)
        told += new TextDecoder().decode(piece)
        if (/\ndata:[^]*\n\n/.test(told)) controller.terminate()
      } })
      return streams > 1 ? response : new Response(response.body.pipeThrough(first), response)
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

  async 'eight sessions are followed over one connection'() {
    const asked = []
    const cuts = []
    let open = 0
    let most = 0
    const watching = new menud.Client(url, { fetch: async (target, options) => {
      if (!String(target).includes('/events')) return fetch(target, options)
      asked.push(new URL(target).searchParams.get('sessions')?.split(',').length)
      const response = await fetch(target, options)
      open += 1
      most = Math.max(most, open)
      options.signal.addEventListener('abort', () => { open -= 1 }, { once: true })
      return new Response(response.body?.pipeThrough(new TransformStream({ start(controller) { cuts.push(() => controller.terminate()) } })), response)
    } })
    const sessions = await Promise.all(Array.from({ length: 8 }, () => watching.open({})))
    const mirrors = await Promise.all(sessions.map((session) => session.follow({ document: true })))
    assert.deepEqual(asked, [8])
    const same = async (mirror) => assert.equal(mirror.documentText, (await client.get(mirror.session.path())).text)
    const change = async (mirror) => {
      await mirror.reaches((await mirror.session.focus(mirror.document.firstResponder === 'viewer' ? 'photoGrid' : 'viewer')).revision)
      await same(mirror)
    }
    for (const mirror of mirrors) await change(mirror)
    // One more comes, one of the others goes, one session is closed: the rest goes on where it is.
    let resets = 0
    for (const mirror of mirrors) mirror.addEventListener('reset', () => { resets += 1 })
    mirrors.push(await (await watching.open({})).follow({ document: true }))
    assert.deepEqual(asked, [8, 9])
    mirrors.shift().close()
    await sessions[1].close()
    const gone = mirrors.shift()
    while (!gone.isClosed) await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(gone.reason, 'sessionClosed')
    for (const mirror of mirrors) await change(mirror)
    // The connection breaks, and a session is closed before it is there again.
    const lost = mirrors.shift()
    const broke = new Promise((resolve) => lost.addEventListener('connection', resolve, { once: true }))
    cuts.at(-1)()
    await broke
    assert.equal(lost.isConnected, false)
    await client.session(lost.session.id).close()
    while (!lost.isClosed) await new Promise((resolve) => setTimeout(resolve, 20))
    for (const mirror of mirrors) await change(mirror)
    assert.equal(resets, 0)
    assert.equal(most, 1)
    // Other parts of a session travel on the same stream, and so does what is followed already.
    const other = await mirrors[0].session.follow({ menu: true })
    const before = asked.length
    const again = await mirrors[0].session.follow({ document: true })
    assert.equal(again.document, mirrors[0].document)
    assert.equal(asked.length, before)
    assert.equal(open, 1)
    for (const mirror of mirrors) await change(mirror)
    assert.equal(again.documentText, mirrors[0].documentText)
    assert.equal(resets, 0)
    const unknown = await watching.session('nobody').follow({ document: true }).catch((error) => error)
    assert.deepEqual([unknown.status, unknown.type], [404, '/problems/unknown-session'])
    for (const mirror of mirrors) await change(mirror)
    for (const mirror of [...mirrors, other, again]) mirror.close()
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(open, 0)
    for (const { session } of mirrors) await session.close()
  },

  async 'a session is opened or joined without a refusal'() {
    const statuses = []
    const watching = new menud.Client(url)
    watching.observers.add((request, response) => statuses.push(response.status))
    const opened = await watching.join('joined', { state: { by: 'first' } })
    const joined = await watching.join('joined', { state: { by: 'second' } })
    assert.equal(opened.id, joined.id)
    assert.deepEqual(statuses, [201, 200])
    assert.equal((await joined.document()).state.by, 'first')
    await joined.close()
  },

  async 'several selections and a worker are on one stream'() {
    let [open, most, waiting] = [0, 0, 0]
    const watching = new menud.Client(url, { fetch: async (target, options) => {
      if (options.headers.Prefer) waiting += 1
      if (!String(target).includes('/events')) return fetch(target, options)
      open += 1
      most = Math.max(most, open)
      options.signal.addEventListener('abort', () => { open -= 1 }, { once: true })
      return fetch(target, options)
    } })
    const session = await watching.open({})
    await session.change('PUT', ['responders', 'photoGrid', 'handlers', 'exportPhotos:'], { perform: [{ op: 'deliver', value: '1' }] })
    const mirrors = await Promise.all([
      { document: true }, { menu: true }, { menu: true, kind: 'context' }, { menu: true, modifiers: ['alternate'] },
      { commands: ['zoomIn:', 'copy:'], from: 'viewer' }, { deliveries: ['replied', 'failed'] },
    ].map((what) => session.follow(what)))
    const stop = new AbortController()
    const worked = []
    const working = session.deliveries({ by: 'a' }).work(({ id }) => { worked.push(id) }, { signal: stop.signal })
    const others = session.deliveries({ by: 'b', commands: ['copy:'] }).work(({ id }) => { worked.push(-id) }, { signal: stop.signal })
    for (let number = 1; number <= 5; number += 1) await session.send('exportPhotos:', { to: 'photoGrid' })
    while ((await session.deliveries().list({ state: 'replied' })).length < 5) await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(worked, [1, 2, 3, 4, 5])
    await mirrors[0].reaches((await session.document()).revision)
    await mirrors[5].reaches((await session.document()).revision)
    assert.equal(mirrors[0].documentText, (await client.get(session.path())).text)
    assert.deepEqual(mirrors[5].deliveries, await session.deliveries().list({ state: 'replied' }))
    for (const [mirror, query] of [[mirrors[1], {}], [mirrors[2], { kind: 'context' }], [mirrors[3], { modifiers: 'alternate' }]]) {
      assert.equal(mirror.menuText, menud.write((await client.get(session.path('menu'), query)).exact.get('menu')))
    }
    assert.deepEqual([most, waiting], [1, 0])
    stop.abort()
    await Promise.all([working, others])
    // Parts that are refused end their own mirror, and no other one.
    const refused = await session.follow({ document: true, commands: ['no name'] }).catch((error) => error)
    assert.equal(refused.status, 400)
    await mirrors[0].reaches((await session.focus('viewer')).revision)
    assert.equal(mirrors[0].documentText, (await client.get(session.path())).text)
    // A worker's session is closed, and it ends.
    const ending = session.deliveries().work(() => {})
    await session.close()
    await ending
    while (mirrors.some(({ isClosed }) => !isClosed)) await new Promise((resolve) => setTimeout(resolve, 20))
    assert(mirrors.every(({ reason }) => reason === 'sessionClosed'))
  },

  async 'what is too much for one stream is on several'() {
    let [open, refused] = [0, 0]
    const small = new menud.Client(url, { fetch: async (target, options) => {
      if (!String(target).includes('/events')) return fetch(target, options)
      // A server with `events.selections` of 3.
      if (new URL(target).searchParams.getAll('select').length > 3) {
        refused += 1
        return new Response('{"type":"/problems/invalid-query","status":400}', { status: 400 })
      }
      open += 1
      options.signal.addEventListener('abort', () => { open -= 1 }, { once: true })
      return fetch(target, options)
    } })
    const session = await small.open({})
    const mirrors = await Promise.all(Array.from({ length: 8 }, (_, index) =>
      session.follow({ document: true, modifiers: ['shift', 'alternate', 'control', 'command'].filter((_, bit) => index & (1 << bit)) })))
    const { revision } = await session.focus('viewer')
    await Promise.all(mirrors.map((mirror) => mirror.reaches(revision)))
    assert(refused > 0 && open > 1 && open <= 4, `${refused} refusals, ${open} streams`)
    for (const mirror of mirrors) mirror.close()
    await session.close()
  },

  async 'sessions with tokens of their own are followed over one connection'() {
    if (!tokenURL) return console.log('SKIPPED: no server asks for tokens')
    const asked = []
    const administrator = new menud.Client(tokenURL, { token, fetch: (target, options) => {
      if (String(target).includes('/events')) asked.push(new URL(target).searchParams.get('ticket')?.split(',').length)
      return fetch(target, options)
    } })
    const sessions = await Promise.all([1, 2, 3].map(() => administrator.open({})))
    assert.equal(new Set(sessions.map((session) => session.client.token)).size, 3)
    const mirrors = await Promise.all(sessions.map((session) => session.follow({ document: true })))
    for (const mirror of mirrors) await mirror.reaches((await mirror.session.focus('viewer')).revision)
    assert.deepEqual(mirrors.map(({ document }) => document.firstResponder), ['viewer', 'viewer', 'viewer'])
    assert.deepEqual(asked, [3])
    for (const { session } of mirrors) await session.close()
    while (mirrors.some(({ isClosed }) => !isClosed)) await new Promise((resolve) => setTimeout(resolve, 20))
  },

  async 'T3: a token with the right items alone follows several parts, and goes on when one ends'() {
    if (!tokenURL) return console.log('SKIPPED: no server asks for tokens')
    const owner = await new menud.Client(tokenURL, { token }).open({})
    const rights = { kind: 'person', label: 'Reader', rights: ['items'] }
    const made = (await owner.client.request('POST', owner.path('tokens'), { body: rights })).body
    const answers = []
    const session = new menud.Client(tokenURL, { token: made.token, fetch: (target, options) => {
      const answer = fetch(target, options)
      answers.push(answer.then(({ status }) => status, () => undefined))
      return answer
    } }).session(owner.id)
    const [first, ...others] = await Promise.all([{ menu: true }, { keys: true }, { commands: ['zoomIn:'] }].map((what) => session.follow(what)))
    first.close()
    const { revision } = await owner.focus('viewer')
    await Promise.all(others.map((mirror) => mirror.reaches(revision)))
    assert.deepEqual(new Set(await Promise.all(answers)), new Set([200]))
    assert.deepEqual(others.map(({ isConnected }) => isConnected), [true, true])
    await owner.close()
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
    }, { signal: stop.signal })
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
      writeFileSync(`${folder}/menud.mjs`, readFileSync(`${root}/Sources/CEmbeddedFiles/Client/menud.js`))
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
