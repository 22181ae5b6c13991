// A tab of an application with a board and a worker, as `browser.py` opens twelve of them.

/** Begins to follow and to work; puts what the check asks about into `globalThis.tab`. */
export async function begin(menud, url, name, { token, silence } = {}) {
  const client = new menud.Client(url, { token })
  const session = await client.join(name)
  const tab = { client, session, worked: [], times: [], resets: 0, lost: 0 }
  globalThis.tab = tab
  tab.board = await session.follow({ document: true, menu: true, silence })
  tab.items = await session.follow({ commands: ['applyFiveStarRating:', 'zoomIn:'], silence })
  tab.board.addEventListener('reset', () => { tab.resets += 1 })
  // A revision that is told twice, or too late, cannot be hidden.
  let last = tab.board.revision
  tab.board.addEventListener('told', () => {
    if (tab.board.revision < last) tab.lost += 1
    last = tab.board.revision
  })
  tab.stop = new AbortController()
  tab.working = session.deliveries({ by: 'tab' }).work(({ id }) => { tab.worked.push(id) }, { signal: tab.stop.signal })
  return true
}

/** Makes a change, and waits until the board shows it. */
export async function change(value) {
  const { session, board, times } = globalThis.tab
  const start = performance.now()
  const { revision } = await session.patch({ value })
  times.push(performance.now() - start)
  await board.reaches(revision)
  return board.state.value
}

/** Compares the board with the session: undefined if they are the same. */
export async function compare(menud) {
  const { client, session, board, items } = globalThis.tab
  for (let attempt = 0; ; attempt += 1) {
    const document = (await client.get(session.path())).text
    const menu = menud.write((await client.get(session.path('menu'))).exact.get('menu'))
    const [five] = await session.validate(['applyFiveStarRating:'])
    const isSame = board.documentText === document && board.menuText === menu
      && JSON.stringify(items.item('applyFiveStarRating:')) === JSON.stringify(five)
    if (isSame) return undefined
    if (attempt === 40) return `${board.revision} of ${JSON.parse(document).revision}, ${board.isConnected}, ${board.isPaused}`
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Hides or shows the tab, as far as its page can tell. */
export function hide(isHidden) {
  Object.defineProperty(document, 'visibilityState', { value: isHidden ? 'hidden' : 'visible', configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}
