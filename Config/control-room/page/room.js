// Draws the state of the room. Commands, reasons and confirmations are those of the elements.
const server = document.querySelector('meta[name=menud]').content
const { Client, track } = await import(`${server}/client/menud.js`)
const element = document.querySelector('menud-session')
const get = (id) => document.getElementById(id)

function make(tag, members = {}, ...children) {
  const made = Object.assign(document.createElement(tag), members)
  made.append(...children)
  return made
}

/** The destinations that viewers see: transmission, and what feeds its source. */
function onAir({ onAir, routes, sources }) {
  return new Set(onAir ? ['transmission', ...sources[routes.transmission].inputs] : [])
}

/** Makes the rows once: one for each destination, with a button for each source. */
function drawCrosspoints({ sources, destinations }) {
  if (get('crosspoints').childElementCount) return
  for (const { name } of Object.values(sources)) get('sources').append(make('th', { scope: 'col' }, name))
  for (const [id, { name }] of Object.entries(destinations)) {
    const row = make('tr', {}, make('th', { scope: 'row' }, make('span', {}, name), ' ', make('small')))
    row.dataset.destination = id
    for (const [source, { name: from }] of Object.entries(sources)) {
      const button = make('menud-button', {}, from, make('span', { className: 'away' }, ` to ${name}`))
      button.setAttribute('item-key', `${id}/${source}`)
      row.append(make('td', {}, button))
    }
    get('crosspoints').append(row)
  }
}

function draw(state, deliveries, overrides) {
  drawCrosspoints(state)
  const air = onAir(state)
  get('tally').textContent = state.onAir ? 'On Air' : 'Off Air'
  get('tally').className = state.onAir ? 'on' : ''
  for (const row of get('crosspoints').children) {
    const { destination } = row.dataset
    const [isOnAir, lock] = [air.has(destination), state.locks[destination]]
    row.className = isOnAir ? 'on' : ''
    const notes = [isOnAir && 'on air', lock && `locked by ${lock}`].filter(Boolean)
    row.querySelector('small').textContent = notes.join(', ')
    for (const button of row.querySelectorAll('menud-button')) {
      // The supervisor's buttons override the interlock, and ask first.
      const command = isOnAir && overrides ? 'takeOnAir:' : 'take:'
      if (button.getAttribute('command') !== command) button.setAttribute('command', command)
      const isRouted = button.getAttribute('item-key') === `${destination}/${state.routes[destination]}`
      button.parentElement.className = isRouted ? 'routed' : ''
    }
  }
  const { recording, clips, sources } = state
  get('recording').textContent = recording ? `Recording ${recording.name} from ${sources[recording.source].name}.` : 'Not recording.'
  get('clips').replaceChildren(...Object.values(clips).map(({ name, source, file }) =>
    make('li', {}, `${name}, ${sources[source].name}${file ? `: ${file}` : ''}`)))
  const work = deliveries.find(({ command, claim }) => command === 'exportClip:' && claim)
  get('export').hidden = !work
  if (work) {
    get('progress').value = work.claim.progress ?? 0
    get('export').querySelector('label').textContent = work.claim.message ?? 'Exporting'
  }
}

async function begin(name, token) {
  const session = new Client(server, { token }).session(name)
  const commands = await session.client.commands()
  const overrides = commands.some(({ id }) => id === 'takeOnAir:')
  // A token that is refused is refused here, and another one can be tried.
  element.session = session
  const mirror = await session.follow({ document: true, deliveries: ['open', 'claimed', 'cancelling'] })
  const update = () => draw(mirror.state, mirror.deliveries, overrides)
  mirror.addEventListener('change', update)
  mirror.addEventListener('reset', update)
  update()
  get('sign-in').hidden = true
  document.querySelector('main').hidden = false
  track(document.querySelector('main'), session)
}

get('sign-in').addEventListener('submit', (event) => {
  event.preventDefault()
  const given = new FormData(event.target)
  event.target.reset()
  begin(given.get('session'), given.get('token')).catch((error) => { get('tally').textContent = error.message })
})
