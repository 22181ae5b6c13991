// JSON values: their differences, and their text in one line. The running time is bounded by the length of the
// result, whatever the value.

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)

/** True if two values are the same JSON, whatever the order of their members. */
export function isSame(a, b) {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((value, index) => isSame(value, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
}

/** A JSON Pointer to a place. */
export const pointer = (path) => path.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The differences between two values, as operations of a JSON Patch, each with the value before. */
export function difference(before, after, path = []) {
  if (before === after) return []
  if (isObject(before) && isObject(after)) {
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
    return [
      ...gone.map((name) => ({ op: 'remove', path: pointer([...path, name]), before: before[name] })),
      ...Object.keys(after).flatMap((name) => Object.hasOwn(before, name)
        ? difference(before[name], after[name], [...path, name])
        : [{ op: 'add', path: pointer([...path, name]), value: after[name] }]),
    ]
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((value, index) => difference(before[index], value, [...path, index]))
  }
  return isSame(before, after) ? [] : [{ op: 'replace', path: pointer(path), before, value: after }]
}

/** The text of a value, truncated to a limit. */
function text(value, limit) {
  let written = ''
  const write = (value) => {
    if (written.length > limit) return
    if (Array.isArray(value)) list('[', ']', value.length, (index) => write(value[index]))
    else if (isObject(value)) {
      const names = Object.keys(value)
      list('{', '}', names.length, (index) => {
        written += `${JSON.stringify(names[index].slice(0, limit))}:`
        write(value[names[index]])
      })
    } else if (typeof value === 'string') written += JSON.stringify(value.slice(0, limit))
    else written += JSON.stringify(value) ?? ''
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

/** The part of a value at a path, as far as the path exists. */
export function part(value, path) {
  const way = []
  let here = value
  for (const token of path) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, token)) break
    here = here[token]
    way.push(token)
  }
  return { value: here, path: way }
}
