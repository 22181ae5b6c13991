// The form for the parameters of a command, made from its JSON Schema, and the dialogs that ask a person.

import { Problem, parse, plain, write } from '../menud.js'
import { focused, h, isComposing, keepingFocus, show } from './dom.js'
import { speak } from './language.js'
import { openModal } from './notices.js'
import { sheetsIn } from './style.js'
import { isUnreached, refusal, words } from './words.js'

/** The schema that a reference leads to. */
function followed(schema, root) {
  for (let step = 0; step < 16 && typeof schema?.$ref === 'string'; step += 1) {
    const { $ref, ...rest } = schema
    const way = $ref.replace(/^#\/?/, '').split('/').filter(Boolean).map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    const found = $ref.startsWith('#') ? way.reduce((value, name) => value?.[name], root) : undefined
    // Present choices stand beside the reference; a list behind it is wider.
    const { enum: values, const: value, oneOf, ...others } = typeof found === 'object' ? found : {}
    const hasOwn = ['enum', 'const', 'oneOf', 'not'].some((name) => Object.hasOwn(rest, name))
    schema = { ...(hasOwn ? others : found), ...rest }
  }
  return typeof schema === 'object' && schema !== null ? schema : {}
}

const typeOf = ({ type }) => (Array.isArray(type) ? type.find((name) => name !== 'null') : type)

const inputTypes = { date: 'date', time: 'time', email: 'email', uri: 'url' }

/** The values to choose from, each with its title; undefined if the schema does not list them. */
function choicesOf({ enum: values, oneOf, not, ...schema }) {
  const choice = (value) => ({ value, title: typeof value === 'string' ? value : write(value) })
  if (values) return values.map(choice)
  if (Object.hasOwn(schema, 'const')) return [choice(schema.const)]
  if (oneOf?.length && oneOf.every((one) => Object.hasOwn(one, 'const'))) {
    return oneOf.map((one) => ({ ...choice(one.const), ...(one.title === undefined ? {} : { title: one.title }) }))
  }
  // A schema that excludes everything has no choices now.
  return not && typeof not === 'object' && !Object.keys(not).length ? [] : undefined
}

const isSame = (one, other) => write(one) === write(other)

/** A value as text to edit: in lines, unless that would round its numbers. */
function textOf(value) {
  const lines = JSON.stringify(value, null, 2)
  return isSame(JSON.parse(lines), value) ? lines : write(value)
}

/** A choice of one value. */
function selection(common, choices, { start, isRequired }) {
  const select = h('select', common,
    (!isRequired || !choices.length || start === undefined) && h('option', { value: '' }, choices.length ? '—' : words.nothingToChoose),
    choices.map(({ value, title }, index) => h('option', { value: String(index), selected: isSame(value, start) }, title)))
  return { element: select, choices, read: () => (select.value === '' ? undefined : choices[Number(select.value)].value) }
}

/** A choice of several values. */
function severalChoices({ id, ...common }, choices, { start, isRequired }) {
  const boxes = choices.map(({ value }, index) => h('input', {
    ...common, id: `${id}-${index}`, type: 'checkbox', checked: Array.isArray(start) && start.some((one) => isSame(one, value)),
  }))
  const element = h('div.choices', { id, role: 'group', 'aria-labelledby': `${id}-label` },
    choices.map(({ title }, index) => h('label', { for: `${id}-${index}` }, boxes[index], title)),
    !choices.length && h('small', {}, words.noChoices))
  return { element, inputs: boxes, choices, read: () => {
    const chosen = choices.filter((_, index) => boxes[index].checked).map(({ value }) => value)
    return chosen.length || isRequired || start !== undefined ? chosen : undefined
  } }
}

/** The values to choose from, for one value or for those of a list; undefined if the schema does not list them. */
const choicesIn = (schema, root) => choicesOf(schema)
  ?? (typeOf(schema) === 'array' && schema.items ? choicesOf(followed(schema.items, root)) : undefined)

/** A chosen value, or those of a list of them, if it is among the choices; else undefined. */
function stillOffered(chosen, choices) {
  const isOffered = (one) => choices.some(({ value }) => isSame(value, one))
  return isOffered(chosen) ? chosen : Array.isArray(chosen) ? chosen.filter(isOffered) : undefined
}

/** An input for a value of a schema: the element, and its value; undefined if it is empty. */
function control(id, schema, isRequired, root) {
  const common = { id, 'data-key': id, name: id }
  const start = schema.default
  const choices = choicesIn(schema, root)
  if (choices) return (choicesOf(schema) ? selection : severalChoices)(common, choices, { start, isRequired })
  if (typeOf(schema) === 'boolean' && !isRequired && start === undefined) {
    return selection(common, [{ value: true, title: words.yes }, { value: false, title: words.no }], { start, isRequired })
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
        if (input.validity.badInput) throw new Error(words.notANumber)
        if (/^-?[1-9]\d*$/.test(input.value)) return parse(input.value)
        return input.value === '' ? undefined : Number(input.value)
      } }
    }
    case 'string': {
      const isLong = schema.maxLength > 200 || schema.contentMediaType || /[\r\n]/.test(start)
      const input = h(isLong ? 'textarea' : 'input', {
        ...common, type: isLong ? undefined : inputTypes[schema.format] ?? 'text', value: start ?? '', placeholder: schema.examples?.[0],
        autocomplete: 'off', rows: isLong ? 4 : undefined,
      })
      const isText = typeof start === 'string'
      // Browsers drop what does not fit the type of an input.
      if (!isLong && isText && input.value !== start) Object.assign(input, { type: 'text', value: start })
      const shown = input.value
      return { element: input, read: () => {
        if (input.value === '' && !isRequired) return undefined
        // A text of several lines has other ends of lines in a browser.
        return isText && input.value === shown ? start : input.value
      } }
    }
    default: {
      const input = h('textarea.code', { ...common, rows: 4, spellcheck: 'false', value: start === undefined ? '' : textOf(start) })
      return { element: input, isJSON: true, read: () => {
        if (input.value.trim() === '') return undefined
        try {
          JSON.parse(input.value)
        } catch (error) {
          throw new Error(words.notJSON(error.message))
        }
        return plain(parse(input.value), true)
      } }
    }
  }
}

/** The fields of a schema: one for each of its properties, or one for the whole, which has no name. */
function fieldsOf(schema) {
  const whole = followed(schema, schema)
  const names = Object.keys(whole.properties ?? {})
  const field = (name, part, isRequired) => {
    const own = followed(part, schema)
    // Ids are without spaces; what follows the name begins with a hyphen.
    const id = name === undefined ? 'parameters' : `parameter-${encodeURIComponent(name).replaceAll('-', '%2D')}`
    return { name, id, schema: own, isRequired, ...control(id, own, isRequired, schema) }
  }
  if (!names.length) return [field(undefined, { ...whole, type: 'object', title: whole.title ?? words.parameters }, true)]
  return names.map((name) => field(name, whole.properties[name], whole.required?.includes(name) ?? false))
}

/** Links the inputs of a field with what is said about it. */
function describe(field) {
  field.inputs ??= [field.element]
  for (const input of field.inputs) input.setAttribute('aria-describedby', `${field.id}-says`)
  if (field.isRequired && field.inputs[0] === field.element) field.element.setAttribute('aria-required', 'true')
}

/** True if a form stays open after an error: another try may succeed. */
const staysAfter = (error) => isUnreached(error)
  || (error instanceof Problem && error.status !== 401 && error.type !== '/problems/unknown-session')

/** True if a schema requires a value. */
export const demands = (schema) => {
  const whole = followed(schema, schema)
  return (whole.required?.length ?? 0) > 0 || whole.minProperties > 0
}

/**
 * A form for the parameters of a command. `send` sends them; a refusal is shown in the form, and faults of the parameters
 * at their fields, with the choices of the form that `read` reads anew. `errors` are the faults of the form's own rules.
 */
export class ParameterForm {
  #fields
  #send
  #readAnew
  #trouble = h('p.error', { role: 'alert' })
  #button
  #isDismissed = false

  constructor({ title, description, schema, errors = [], action = words.perform, cancel = words.cancel, send, read }) {
    this.#fields = fieldsOf(schema)
    this.#send = send
    this.#readAnew = read
    this.#button = h('button.primary', { type: 'submit' }, action)
    /** The answer to what was sent; undefined if the form is dismissed before. */
    this.answer = new Promise((resolve, reject) => { this.resolve = resolve; this.reject = reject })
    for (const field of this.#fields) {
      field.says = h('span.error', { id: `${field.id}-says`, role: 'alert' })
      describe(field)
    }
    this.element = h('form', {
      method: 'dialog', novalidate: true, 'aria-label': title, onsubmit: (event) => this.#submit(event), onkeydown: (event) => this.#key(event),
    },
    h('h2', {}, title), description && h('p', {}, description), this.#fields.map(row), this.#trouble,
    h('div.row', {}, h('button', { type: 'button', onclick: () => this.dismiss() }, cancel), this.#button))
    for (const { place, message } of errors) {
      const field = this.#fields.find(({ name }) => place === `choices/${name}`)
      if (field) this.#say(field, words.unknownChoices(message))
    }
  }

  focus() { (this.#fields.find(({ inputs }) => inputs.length)?.inputs[0] ?? this.#button).focus() }

  /** Ends the form, once what was sent is answered. */
  dismiss() {
    this.#isDismissed = true
    if (!this.#button.disabled) this.resolve(undefined)
  }

  #say(field, detail) {
    show(field.says, detail)
    field.isInvalid = Boolean(detail)
    for (const input of field.inputs) input.setAttribute('aria-invalid', String(field.isInvalid))
  }

  #focusInvalid() { this.#fields.find(({ isInvalid, inputs }) => isInvalid && inputs.length)?.inputs[0].focus() }

  /** Enter sends the form from every field of one line. */
  #key(event) {
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || isComposing(event)) return
    const isText = event.target.matches('textarea')
    if (isText ? !(event.ctrlKey || event.metaKey) : !event.target.matches('select, [type=checkbox]')) return
    event.preventDefault()
    this.element.requestSubmit()
  }

  /** The values of the fields; undefined if one of them cannot be read. */
  #read() {
    const values = []
    let isSound = true
    for (const field of this.#fields) {
      this.#say(field, '')
      try {
        const value = field.read()
        if (value === undefined) continue
        if (field.name === undefined) return value
        values.push([field.name, value])
      } catch (error) {
        this.#say(field, error.message)
        isSound = false
      }
    }
    return isSound ? Object.fromEntries(values) : undefined
  }

  async #submit(event) {
    event.preventDefault()
    if (this.#button.disabled) return
    show(this.#trouble)
    const values = this.#read()
    if (values === undefined) return void this.#focusInvalid()
    const giveBack = keepingFocus()
    this.#button.disabled = true
    try {
      const answer = await this.#send(values)
      if (answer || this.#isDismissed) return void this.resolve(answer)
    } catch (error) {
      // Nobody sees what a form says that is closed.
      if (this.#isDismissed || !staysAfter(error)) return void this.reject(error)
      const form = error.status === 422 ? await this.#readAnew?.().catch(() => undefined) : undefined
      if (this.#isDismissed) return void this.reject(error)
      if (form) this.#offer(form.schema)
      this.#fail(error)
    } finally {
      this.#button.disabled = false
    }
    // A button that is disabled loses the focus.
    if (!this.element.contains(focused())) giveBack()
  }

  /** Offers the choices of a schema; those that are chosen stay chosen if they are still offered. */
  #offer(schema) {
    const giveBack = keepingFocus()
    for (const { name, schema: own } of fieldsOf(schema)) {
      const field = this.#fields.find((one) => one.name === name)
      const choices = choicesIn(own, schema)
      if (!field?.choices || !choices || isSame(choices, field.choices)) continue
      const { element } = field
      const { default: start, ...rest } = own
      const chosen = stillOffered(field.read(), choices)
      const anew = control(field.id, { ...rest, ...(chosen === undefined ? {} : { default: chosen }) }, field.isRequired, schema)
      Object.assign(field, { inputs: undefined }, anew)
      describe(field)
      element.replaceWith(field.element)
    }
    giveBack()
  }

  #fail(error) {
    if (error.status !== 422) return show(this.#trouble, isUnreached(error) ? words.unreached : refusal(error).detail)
    const general = []
    for (const [name, details] of Object.entries(error.fields)) {
      const field = this.#fields.find((one) => one.name === name || one.name === undefined)
      if (field) this.#say(field, details.join(' '))
      else general.push(...details)
    }
    show(this.#trouble, general.join(' '))
    this.#focusInvalid()
  }
}

/**
 * Opens a dialog beside the page's own elements, whose styles it does not get. Returns what closes it.
 */
function open(view, dialog) {
  const host = document.createElement('menud-dialog')
  host.attachShadow({ mode: 'open' }).adoptedStyleSheets = sheetsIn(document)
  host.shadowRoot.append(dialog)
  if (view) speak(host, view.mirror)
  document.body.append(host)
  dialog.addEventListener('close', () => host.remove())
  openModal(dialog)
  return () => dialog.close()
}

/** Shows a form in a dialog until it is sent, or dismissed. */
export function askParameters({ view, ...options }) {
  const form = new ParameterForm(options)
  const close = open(view, h('dialog.parameters', {
    'aria-label': options.title, onclose: () => form.dismiss(), part: 'dialog',
  }, form.element))
  form.focus()
  return form.answer.finally(close)
}

/** Asks a person; resolves with the result of `read`, or undefined if the dialog is dismissed. */
export function ask({ view, title, detail, fields, action, read }) {
  return new Promise((resolve) => {
    let close
    const form = h('form', { method: 'dialog', onsubmit: (event) => {
      event.preventDefault()
      resolve(read(form))
      close()
    } },
    h('h2', {}, title), detail && h('p', { id: 'dialog-detail' }, detail), fields,
    h('div.row', {}, h('button', { type: 'button', onclick: () => close() }, words.cancel),
      h('button.primary', { type: 'submit' }, action)))
    close = open(view, h('dialog', {
      role: detail && 'alertdialog', 'aria-label': title, 'aria-describedby': detail && 'dialog-detail', onclose: () => resolve(),
      part: 'dialog',
    }, form))
  })
}

const row = ({ id, name, schema, isRequired, isJSON, element, inputs, says }) => h('div.field', {},
  h(inputs[0] === element ? 'label' : 'div.label', { id: `${id}-label`, for: inputs[0] === element ? id : undefined },
    schema.title || name || '“”', isRequired ? h('small', {}, words.required) : '', isJSON && h('small', {}, 'JSON')),
  element,
  schema.description && h('small', {}, schema.description),
  says)
