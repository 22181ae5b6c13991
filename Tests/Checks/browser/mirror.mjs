// Random changes of a session, and mirrors of the module that follow it: what they hold is what GET answers, to the
// byte. It runs in Node and, as a script, in a browser.

/** Plays with a session of its own; returns how much was compared. Throws at the first difference. */
export async function play(menud, client, { seed, turns, commands }) {
  const random = generator(seed)
  const pick = (list) => list[Math.floor(random() * list.length)]
  const edits = (edit) => client.request('POST', ['menus', 'edits'], { body: { edits: [edit] } })
  await edits({ op: 'insertChild', atEndOfMenu: 'edit', menu: listed })
  const session = await client.open({ id: `mirror-${seed}-${Math.floor(Math.random() * 1e9)}` })
  const what = { document: true, menu: true, commands }
  const steady = await session.follow(what)
  const held = await session.follow({ menu: true, modifiers: ['shift'], commands })
  let breaking = await session.follow(what)
  // All of them are on one stream.
  const context = await session.follow({ menu: true, kind: 'context' })
  const open = await session.follow({ deliveries: ['open', 'claimed'] })
  const figures = { accepted: 0, refused: 0, compared: 0, resets: 0, changes: 0, bytes: 0 }
  steady.addEventListener('reset', () => { figures.resets += 1 })
  steady.addEventListener('change', () => { figures.changes += 1 })

  for (let turn = 0; turn < turns; turn += 1) {
    const change = mutation(menud, random, pick, steady.document, commands)
    let revision
    try {
      revision = (await session.mutate(change)).revision
      figures.accepted += 1
    } catch (error) {
      if (!(error instanceof menud.Problem) || error.status >= 500) throw error
      figures.refused += 1
      continue
    }
    const comment = `seed ${seed}, turn ${turn}, after ${JSON.stringify(change)}`
    await steady.reaches(revision)
    await compare(steady, comment, true)
    if (turn % 10 === 0) await settled(held, comment, ['shift'])
    if (turn % 10 === 5) await settledText(context, comment, async () =>
      menud.write((await client.get(session.path('menu'), { kind: 'context' })).exact.get('menu')), () => context.menuText)
    if (turn % 10 === 7) await settledText(open, comment, async () =>
      menud.write((await client.get(session.path('deliveries'), { state: 'open,claimed' })).exact.get('deliveries')),
    () => menud.write(open.exact.deliveries))
    if (turn % 25 === 0) {
      breaking.close()
      breaking = await session.follow(what)
      await compare(breaking, `broken: ${comment}`, true)
    }
  }
  await settled(breaking, 'at the end', [])
  for (const mirror of [steady, held, breaking, context, open]) mirror.close()
  await session.close()
  await edits({ op: 'remove', menu: listed.identifier })
  return figures

  async function compare(mirror, comment, hasDocument, modifiers = []) {
    const { client } = mirror.session
    const pairs = []
    if (hasDocument) pairs.push([mirror.documentText, (await client.get(session.path())).text])
    const menu = await client.get(session.path('menu'), { modifiers: modifiers.join() })
    pairs.push([mirror.menuText, menud.write(menu.exact.get('menu'))])
    const body = { session: session.id, commands, modifiers }
    const answer = await client.request('POST', ['commands', 'validate'], { body, isQuestion: true })
    for (const item of answer.exact.get('items')) {
      pairs.push([menud.write(mirror.exact.items.get(item.get('command'))), menud.write(item)])
    }
    for (const [mirrored, present] of pairs) {
      figures.compared += 1
      figures.bytes += present.length
      if (mirrored !== present) throw new Error(`${comment}\nis      ${present}\nmirrors ${mirrored}`)
    }
  }

  async function settledText(mirror, comment, present, held) {
    for (let attempt = 0; ; attempt += 1) {
      const text = await present()
      figures.compared += 1
      if (held() === text) return
      if (attempt === 20) throw new Error(`${comment}\nis      ${text}\nmirrors ${held()}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** What tells no revision of its own is compared as soon as it is the same, which it must be soon. */
  async function settled(mirror, comment, modifiers) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await compare(mirror, comment, Boolean(mirror.what.document), modifiers)
      } catch (error) {
        if (attempt === 20) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
}

/** A menu with items from data. */
const listed = {
  identifier: 'listed',
  title: 'Listed',
  children: [
    'copy:',
    { forEach: 'state.?rows.orValue([])', key: 'item.id', command: 'paste:', title: 'item.title' },
    { identifier: 'listed.more', options: ['displayInline'], children: ['cut:'] },
    { forEach: 'state.?rows.orValue([])', key: 'item.id', command: 'selectAll:', title: "string(index) + item.id" },
  ],
}

/** The rows with one that came, left, moved, is called otherwise or is there twice. */
function changed(rows, random, pick) {
  const row = () => ({ id: pick(['a', 'b', 'c', 'd', '\u00e9', 'e\u0301', '"']), title: pick(['One', 'Two', 'Three']) })
  const all = [...rows]
  const [taken = row()] = all.length ? all.splice(Math.floor(random() * all.length), 1) : []
  const put = (one) => all.splice(Math.floor(random() * (all.length + 1)), 0, one)
  const kind = Math.floor(random() * 6)
  if (kind === 1) put(taken)
  else if (kind === 2) put({ ...taken, title: 'New' })
  else if (kind > 2) all.unshift(taken)
  if (kind > 2) put(row())
  if (kind === 5) put(row())
  return all
}

/** Random numbers that are the same for a seed (mulberry32). */
function generator(seed) {
  let state = seed * 2654435761
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}

/** One or more mutations. What JavaScript would spoil is among their values: numbers, names, their order. */
function mutation({ Numeral }, random, pick, document, commands) {
  const responders = Object.keys(document.responders)
  const names = ['zoom', '10', '2', 'a/b', 'm~n', 'é', '__proto__', 'z']
  const numbers = ['5.0', '0.1', '1e300', '9007199254740993', '-0.0', '7', '1e-7']
  const value = (depth = 0) => {
    const kind = Math.floor(random() * (depth > 2 ? 5 : 7))
    if (kind === 0) return null
    if (kind === 1) return random() < 0.5
    if (kind === 2) return pick(['', 'text', '"\\/\b\f\n\r\t', '\u001f é 😀', '{}'])
    if (kind < 5) return new Numeral(pick(numbers))
    const parts = Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1))
    return kind === 5 ? parts : new Map(parts.map((part) => [pick(names), part]))
  }
  const responder = () => pick(responders)
  const selector = () => pick([...commands, 'other:'])
  const delivering = () => ({ perform: [{ op: 'deliver', value: "'work'" }] })
  const handler = () => random() < 0.2 ? delivering() : ({ perform: [{ op: 'add', path: `/${pick(['zoom', '10', 'z'])}`, value: pick(['5.0', '1', "'x'"]) }] })
  const pointer = () => `/${pick(names).replaceAll('~', '~0').replaceAll('/', '~1')}`
  const makers = [
    () => ({ op: 'patchState', patch: [{ op: 'add', path: pointer(), value: value() }] }),
    () => ({ op: 'patchState', patch: [{ op: 'remove', path: pointer() }] }),
    () => ({ op: 'patchState', patch: [{ op: 'move', from: pointer(), path: pointer() }, { op: 'copy', from: '/photos', path: pointer() }] }),
    () => ({ op: 'mergeState', patch: new Map([[pick(names), value()], [pick(names), value()]]) }),
    () => ({ op: 'perform', command: pick(commands) }),
    () => ({ op: 'perform', command: pick(commands) }),
    () => ({ op: 'perform', command: 'paste:', itemKey: pick(['a', 'b', 'c']) }),
    ...Array.from({ length: 5 }, () => () => ({ op: 'mergeState', patch: { rows: changed(document.state?.rows ?? [], random, pick) } })),
    () => ({ op: 'becomeFirstResponder', responder: responder() }),
    () => ({ op: 'undo' }),
    () => ({ op: 'redo' }),
    () => ({ op: 'putHandler', responder: responder(), selector: selector(), handler: handler() }),
    () => ({ op: 'removeHandler', responder: responder(), selector: selector() }),
    () => ({ op: 'mergeProperties', responder: responder(), properties: new Map([[pick(names), value()]]) }),
    () => ({ op: 'putKeyCommands', responder: responder(), keyCommands: random() < 0.3 ? [] : [{ input: pick(['a', 'UIKeyInputHome']), action: selector() }] }),
    () => ({ op: 'putResponder', responder: pick(['extra', '7', 'more']), value: { kind: 'responder', properties: new Map([['10', value()], ['2', 1]]), coordinator: { handlers: {} } } }),
    () => ({ op: 'removeResponder', responder: pick(['extra', '7', 'more']) }),
    () => ({ op: 'registerHandler', responder: pick(['extra', 'photoHost']), selector: selector(), handler: handler() }),
    () => ({ op: 'registerLateResponder', responder: pick(['viewer', 'root']), lateResponder: pick(['extra', '7', 'more']) }),
    () => ({ op: 'deregisterLateResponder', responder: pick(['viewer', 'root']), lateResponder: pick(['extra', '7', 'more']) }),
    () => ({ op: 'message', message: 'hello:', from: 'viewer', queue: true }),
    () => ({ op: 'processMessages' }),
    () => ({ op: 'claimDelivery', delivery: 1 + Math.floor(random() * 4), until: 4102444800000 }),
    () => ({ op: 'cancelDelivery', delivery: 1 + Math.floor(random() * 4) }),
    () => ({ op: 'makeKeyWindow', window: pick(['window', null]) }),
  ]
  return Array.from({ length: random() < 0.2 ? 3 : 1 }, () => pick(makers)())
}
