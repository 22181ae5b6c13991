// The page's own server knows the token; it is set as a property, and is in no attribute.
const { menud, token } = await (await fetch('token.json')).json()
const { track } = await import(`${menud}/client/menud.js`)

const session = document.querySelector('menud-session')
globalThis.told = []
for (const name of ['menud-perform', 'menud-performed', 'menud-refused', 'menud-inspect']) {
  session.addEventListener(name, ({ type, detail }) => globalThis.told.push({ type, command: detail.command, title: detail.title }))
}
globalThis.requests = []
// With the name the session begins, so that nothing is asked without the token.
session.token = token
session.setAttribute('name', 'photos')
await session.begun
session.session.client.observers.add(({ method, path, body }) => globalThis.requests.push({ method, path, body }))
globalThis.errors = []
globalThis.stop = track(document.querySelector('#main'), session.session, {
  onError: (error) => globalThis.errors.push(error.message),
})
globalThis.menudSession = session.session
