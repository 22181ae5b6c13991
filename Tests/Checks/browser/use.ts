// Uses the types of the module as an application does; `tsc` checks it.

import { Client, Mirror, Problem, Session, Unreached, isRefusal, itemsIn, keysOf, shown, symbolsOf, track } from '../../../Sources/CEmbeddedFiles/Client/menud.js'
import { SessionView, ask, words } from '../../../Sources/CEmbeddedFiles/Client/menud-elements.js'
import { expose, type ModelContext } from '../../../Sources/CEmbeddedFiles/Client/menud-agents.js'
import type { FoundItem, MenuItem, TraceStep } from '../../../Sources/CEmbeddedFiles/Client/menud.js'

export async function use(url: string): Promise<string[]> {
  const client = new Client(url, { token: 'secret', timeout: 10 })
  const session = await client.join('demo', { state: {} })
  const mirror: Mirror = await session.follow({ document: true, menu: true, modifiers: ['shift'], tools: true })
  const names: string[] = mirror.tools.map(({ name, inputSchema }) => name + inputSchema.type)
  const stop: () => void = expose(mirror, (document as { modelContext?: ModelContext }).modelContext, {
    confirm: ({ title }) => title !== '', wait: 60, onError: (error) => isRefusal(error),
  })
  stop()
  mirror.addEventListener('change', ({ told }) => told?.changes?.map(({ change }) => change))
  const found: FoundItem[] = await session.search('rotate', { limit: 5, disabled: true })
  const steps: TraceStep[] = (await session.perform('copy:', { explain: true })).trace ?? []
  try {
    await session.patch([{ op: 'replace', path: '/zoom', value: 1 }], { dryRun: true })
  } catch (error) {
    if (error instanceof Problem) return [error.reason ?? error.fields.width?.[0] ?? error.message]
    if (error instanceof Unreached) return [error.message]
  }
  // Typing is undone as one group (U6); a palette has pages; two windows have a focus each (R11).
  await session.patch({ caption: null }, { undo: 'Typing', coalesce: 'caption', timeout: 5 })
  const kept: string[] = (await session.undo({ responder: 'photoGrid' })).kept ?? []
  for (let page = await session.searchPage('rot', { limit: 10 }); page.next; page = await session.searchPage('rot', { offset: page.next })) found.push(...page.items)
  await session.focus('other', { window: 'second' })
  const second = await session.follow({ menu: true, window: 'second' })
  const [item] = await session.validate(['copy:'], { window: 'second' })
  if (item.checkable || item.needsParameters) kept.push(item.title, second.menuText)
  await session.menu({ kind: 'context', window: 'second' })
  await session.resolve({ input: 'c' }, { window: 'second' })
  const form = await session.form('resize:', { modifiers: ['shift'], window: 'second' })
  if (form.enabled) kept.push(form.title, form.schema.properties?.width?.title ?? '', form.errors?.[0]?.place ?? '')
  for (const { items, problem } of await session.assume([[{ op: 'becomeFirstResponder', responder: 'other' }]], ['copy:'])) kept.push(problem?.type ?? items?.[0]?.title ?? '')
  await session.keyConflicts({ window: 'second' })
  const after: string = (await session.perform('copy:', { item: true, window: 'second' })).item?.after?.title ?? ''
  kept.push(after)
  const first = mirror.menu?.children[0]
  const keyed = first && 'command' in first ? (first as MenuItem) : undefined
  const held = await session.follow({ keys: true, isMac: true })
  addEventListener('keydown', (event) => {
    const performed = held.handle(event, { wait: 5 })
    if (!performed) kept.push(held.means(event)?.title ?? held.keys[0]?.strokes[0]?.input ?? '')
  })
  const titles = [...itemsIn(mirror.menu)].map(({ item }) => shown(item, ['alternate']).title)
  const leave: () => void = mirror.subscribe(() => titles.push(mirror.item('copy:')?.title ?? ''))
  await session.perform('copy:', { wait: 20, headers: { 'X-Request-Id': 'mine' } })
  leave()
  const open = await session.follow({ deliveries: ['open', 'claimed'], background: true })
  await session.deliveries({ by: 'ts' }).work(({ value }) => ({ result: value, undo: false }), { signal: new AbortController().signal })
  if (open.isPaused || open.error) titles.push(...open.deliveries.map(({ title }) => title ?? ''))
  return [...kept, ...names, ...found.map(({ title }) => title), ...steps.map(({ says }) => says), keyed?.key ? symbolsOf(keyed.key) : '', String(keysOf)]
}

/** The elements, and what a page tells of itself. */
export async function useElements(session: Session, mirror: Mirror) {
  const menus = document.querySelector('menud-session')!
  menus.token = 'secret'
  menus.session = session
  await menus.begun
  document.querySelector('menud-menu-bar')!.mirror = mirror
  document.querySelector('menud-tool-bar')!.commands = ['copy:']
  await document.querySelector('menud-palette')!.open()
  menus.addEventListener('menud-perform', (event) => { if (event.detail.command === 'help:') event.preventDefault() })
  menus.addEventListener('menud-refused', ({ detail: { problem, title } }) => console.log(title, problem.message))
  const stop = track(document.body, session, { under: 'window', mirror, onError: (error: Error) => console.log(error) })
  await stop.flush()
  await stop()
  const album = await ask({ title: 'Album', action: 'Open', read: (form) => new FormData(form).get('album') })
  words.cancel = 'Abbrechen'
  return album
}

/** A page that tells in its own way. */
export class OwnView extends SessionView {
  override notice(title: string, detail?: string) { console.log(title, detail) }
}
