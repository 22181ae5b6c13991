// JSON values as menud.js has them to the byte: objects are maps, and numbers that would lose their text are numerals.
// Their differences, and their texts; `brief` takes plain objects too. The running time of what is shortened is bounded
// by the length of the result, whatever the value.

import { Numeral } from '../client/menud.js'

/** True if two values are the same JSON, whatever the order of their members. */
export function isSame(a, b) {
  if (a === b) return true
  if (a instanceof Numeral) return b instanceof Numeral && a.text === b.text
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((value, index) => isSame(value, b[index]))
  return a instanceof Map && b instanceof Map && a.size === b.size && [...a].every(([name, value]) => b.has(name) && isSame(value, b.get(name)))
}

/** A JSON Pointer to a place. */
export const pointer = (path) => path.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The differences between two values, as operations of a JSON Patch, each with its path in parts and the value before. */
export function difference(before, after, path = []) {
  if (before === after) return []
  if (before instanceof Map && after instanceof Map) {
    const gone = [...before].filter(([name]) => !after.has(name))
    return [
      ...gone.map(([name, before]) => ({ op: 'remove', path: [...path, name], before })),
      ...[...after].flatMap(([name, value]) => before.has(name)
        ? difference(before.get(name), value, [...path, name])
        : [{ op: 'add', path: [...path, name], value }]),
    ]
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((value, index) => difference(before[index], value, [...path, index]))
  }
  return isSame(before, after) ? [] : [{ op: 'replace', path, before, value: after }]
}

/** True if a value has parts. */
export const isParted = (value) => value !== null && typeof value === 'object' && !(value instanceof Numeral)

/** The text of a value that has no parts. */
const word = (value) => (value instanceof Numeral ? value.text : JSON.stringify(value) ?? '')

/** The names of the parts of a value. */
export const namesIn = (value) => (value instanceof Map ? [...value.keys()] : Object.keys(value))

/** A part of a value, by its name. */
export const partOf = (value, name) => (value instanceof Map ? value.get(name) : value[name])

/** The text of a value, truncated to a limit. */
function text(value, limit) {
  let written = ''
  const write = (value) => {
    if (written.length > limit) return
    if (typeof value === 'string') written += JSON.stringify(value.slice(0, limit))
    else if (!isParted(value)) written += word(value)
    else if (Array.isArray(value)) list('[', ']', value.length, (index) => write(value[index]))
    else {
      const names = namesIn(value)
      list('{', '}', names.length, (index) => {
        written += `${JSON.stringify(names[index].slice(0, limit))}:`
        write(partOf(value, names[index]))
      })
    }
  }
  const list = (begin, end, count, element) => {
    written += begin
    for (let index = 0; index < count && written.length <= limit; index += 1) {
      if (index) written += ','
      element(index)
    }
    written += end
  }
  write(value)
  return written
}

/** A value in one line, shortened. */
export function brief(value, length = 60) {
  const line = text(value, length)
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}

/** True if the text of a value is longer than a limit. */
export const exceeds = (value, limit) => text(value, limit).length > limit

/** The text of a value in lines, to be edited. */
export function lines(value, margin = '') {
  if (!isParted(value)) return word(value)
  const names = namesIn(value)
  const [begin, end] = Array.isArray(value) ? '[]' : '{}'
  if (!names.length) return begin + end
  const inner = `${margin}  `
  const line = (name) => `${inner}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${lines(partOf(value, name), inner)}`
  return `${begin}\n${names.map(line).join(',\n')}\n${margin}${end}`
}

const has = (value, name) => (value instanceof Map ? value.has(name) : Array.isArray(value) && Object.hasOwn(value, name))

/** The part of a value at a path, as far as the path exists. */
export function part(value, path) {
  const way = []
  let here = value
  for (const token of path) {
    if (!has(here, token)) break
    here = partOf(here, token)
    way.push(token)
  }
  return { value: here, path: way }
}

/**
 * The place that tells if an edit still fits, and its value, undefined if nothing is there. In a list, another element may
 * stand at the place of the former one, so that the whole element tells it.
 */
export function guard(value, path) {
  let here = value
  for (const [index, token] of path.entries()) {
    const isElement = Array.isArray(here)
    here = has(here, token) ? partOf(here, token) : undefined
    if (isElement || here === undefined) return { path: path.slice(0, index + 1), value: here }
  }
  return { path, value: here }
}

/** True if a place of `guard` is as it was in another value. */
export function isAsBefore(value, { path, value: before }) {
  const found = part(value, path)
  return isSame(found.path.length === path.length ? found.value : undefined, before)
}
