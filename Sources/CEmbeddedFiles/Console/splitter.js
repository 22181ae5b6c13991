// A movable separator between two panels, for the pointer and the arrow keys.

const least = 20
const greatest = 80

/** Lets a separator set the percentage of the room above it; the choice is stored. */
export function splitter(element, room, name) {
  const key = `menud.split.${name}`
  const set = (percent, isKept = true) => {
    const value = Math.round(Math.min(greatest, Math.max(least, percent)))
    if (!Number.isFinite(value)) return
    room.style.setProperty('--above', `${value}fr`)
    room.style.setProperty('--below', `${100 - value}fr`)
    element.setAttribute('aria-valuenow', value)
    if (isKept) localStorage.setItem(key, value)
  }
  element.setAttribute('aria-valuemin', least)
  element.setAttribute('aria-valuemax', greatest)
  set(Number(localStorage.getItem(key) ?? 60), false)
  const box = () => {
    const top = document.getElementById(element.getAttribute('aria-controls').split(' ')[0]).getBoundingClientRect().top
    return { top, height: room.getBoundingClientRect().bottom - top }
  }
  element.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    element.setPointerCapture(event.pointerId)
    const move = ({ clientY }) => { const { top, height } = box(); set((100 * (clientY - top)) / height) }
    element.addEventListener('pointermove', move)
    element.addEventListener('lostpointercapture', () => element.removeEventListener('pointermove', move), { once: true })
  })
  element.addEventListener('keydown', (event) => {
    const now = Number(element.getAttribute('aria-valuenow'))
    const to = { ArrowUp: now - 4, ArrowDown: now + 4, Home: least, End: greatest }[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    set(to)
  })
}
