// A form for the parameters of a command, made from its JSON Schema.

import { Problem } from './menud.js'
import { h, show } from './elements.js'
import { refusal } from './words.js'

/** The schema that a reference leads to. */
function followed(schema, root) {
  for (let step = 0; step < 16 && typeof schema?.$ref === 'string'; step += 1) {
    const { $ref, ...rest } = schema
    const way = $ref.replace(/^#\/?/, '').split('/').filter(Boolean).map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    const found = $ref.startsWith('#') ? way.reduce((value, name) => value?.[name], root) : undefined
    schema = { ...(typeof found === 'object' ? found : {}), ...rest }
  }
  return typeof schema === 'object' && schema !== null ? schema : {}
}

const typeOf = ({ type }) => (Array.isArray(type) ? type.find((name) => name !== 'null') : type)

const inputTypes = { date: 'date', time: 'time', email: 'email', uri: 'url' }

/** An input for a value of a schema: the element, and its value; undefined if it is empty. */
function control(id, schema, isRequired) {
  const common = { id, 'data-key': id, name: id }
  const start = schema.default
  const choices = schema.enum ?? (Object.hasOwn(schema, 'const') ? [schema.const] : undefined)
  if (choices || (typeOf(schema) === 'boolean' && !isRequired && start === undefined)) {
    const values = choices ?? [true, false]
    const text = (value) => (choices ? (typeof value === 'string' ? value : JSON.stringify(value)) : value ? 'yes' : 'no')
    const select = h('select', common,
      !isRequired && h('option', { value: '' }, '—'),
      values.map((value, index) => h('option', { value: String(index), selected: JSON.stringify(value) === JSON.stringify(start) }, text(value))))
    return { element: select, read: () => (select.value === '' ? undefined : values[Number(select.value)]) }
  }
  switch (typeOf(schema)) {
    case 'boolean': {
      const box = h('input', { ...common, type: 'checkbox', checked: start === true })
      return { element: box, read: () => box.checked }
    }
    case 'integer': case 'number': {
      const input = h('input', { ...common, type: 'number', step: 'any', value: start ?? '', min: schema.minimum, max: schema.maximum })
      // For invalid numbers a browser reports no value, so the mistake is shown here.
      return { element: input, read: () => {
        if (input.validity.badInput) throw new Error('This is not a number.')
        return input.value === '' ? undefined : Number(input.value)
      } }
    }
    case 'string': {
      const isLong = schema.maxLength > 200 || schema.contentMediaType
      const input = h(isLong ? 'textarea' : 'input', {
        ...common, type: isLong ? undefined : inputTypes[schema.format] ?? 'text', value: start ?? '', placeholder: schema.examples?.[0],
        autocomplete: 'off', rows: isLong ? 4 : undefined,
      })
      return { element: input, read: () => (input.value === '' && !isRequired ? undefined : input.value) }
    }
    default: {
      const input = h('textarea.code', { ...common, rows: 4, spellcheck: 'false', value: start === undefined ? '' : JSON.stringify(start, null, 2) })
      return { element: input, isJSON: true, read: () => {
        if (input.value.trim() === '') return undefined
        try {
          return JSON.parse(input.value)
        } catch (error) {
          throw new Error(`This is not JSON: ${error.message}`)
        }
      } }
    }
  }
}

/** The fields of a schema: one for each of its properties, or one for the whole. */
function fieldsOf(schema) {
  const whole = followed(schema, schema)
  const names = Object.keys(whole.properties ?? {})
  const field = (name, part, isRequired) => {
    const own = followed(part, schema)
    const id = `parameter-${name}`
    return { name, id, schema: own, isRequired, ...control(id, own, isRequired) }
  }
  if (!names.length) return [field('', { ...whole, type: 'object', title: whole.title ?? 'Parameters' }, true)]
  return names.map((name) => field(name, whole.properties[name], whole.required?.includes(name) ?? false))
}

/** True if a schema requires a value. */
export const demands = (schema) => {
  const whole = followed(schema, schema)
  return (whole.required?.length ?? 0) > 0 || whole.minProperties > 0
}

/**
 * Shows a form for the parameters of a command until they are sent, or the form is dismissed. `send` sends them;
 * the faults of a refusal are shown at their fields.
 */
export function askParameters({ title, description, schema, action = 'Perform', send }) {
  const fields = fieldsOf(schema)
  const trouble = h('p.error', { role: 'alert' })
  const say = (field, detail) => {
    show(field.says, detail)
    field.element.setAttribute('aria-invalid', String(Boolean(detail)))
  }
  const read = () => {
    const values = {}
    let isSound = true
    for (const field of fields) {
      say(field, '')
      try {
        const value = field.read()
        if (value === undefined) continue
        if (!field.name) return value
        values[field.name] = value
      } catch (error) {
        say(field, error.message)
        isSound = false
      }
    }
    return isSound ? values : undefined
  }
  const fail = (error) => {
    const { detail } = refusal(error)
    const general = []
    const faults = error.errors?.length ? error.errors : [{ pointer: error.pointer ?? '', detail }]
    for (const { pointer = '', detail: text } of faults) {
      const [, top, ...rest] = pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
      const missing = /^The member '(.*)' is missing/.exec(text)?.[1]
      const name = top === 'parameters' ? rest[0] ?? missing : undefined
      const field = fields.find((one) => one.name === name) ?? (fields[0].name ? undefined : fields[0])
      if (field) say(field, text)
      else general.push(text)
    }
    show(trouble, general.join(' '))
    fields.find(({ element }) => element.getAttribute('aria-invalid') === 'true')?.element.focus()
  }
  for (const field of fields) {
    field.says = h('span.error', { id: `${field.id}-says`, role: 'alert' })
    field.element.setAttribute('aria-describedby', `${field.id}-says`)
    if (field.isRequired) field.element.setAttribute('aria-required', 'true')
  }
  return new Promise((resolve) => {
    const submit = async (event) => {
      event.preventDefault()
      show(trouble)
      const values = read()
      if (values === undefined) return fields.find(({ element }) => element.getAttribute('aria-invalid') === 'true')?.element.focus()
      button.disabled = true
      try {
        const answer = await send(values)
        if (answer) { resolve(answer); dialog.close() }
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 422) { dialog.close(); throw error }
        fail(error)
      } finally {
        button.disabled = false
      }
    }
    const button = h('button.primary', { type: 'submit' }, action)
    const form = h('form', { method: 'dialog', novalidate: true, onsubmit: (event) => submit(event).catch((error) => resolve(Promise.reject(error))) },
      h('h2', {}, title), description && h('p', {}, description), fields.map(row), trouble,
      h('div.row', {}, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), button))
    const dialog = h('dialog.parameters', { 'aria-label': title, onclose: () => { dialog.remove(); resolve() } }, form)
    document.body.append(dialog)
    dialog.showModal()
    fields[0].element.focus()
  })
}

const row = ({ id, name, schema, isRequired, isJSON, element, says }) => h('div.field', {},
  h('label', { for: id }, schema.title ?? name, isRequired ? h('small', {}, 'required') : '', isJSON && h('small', {}, 'JSON')),
  element,
  schema.description && h('small', {}, schema.description),
  says)
