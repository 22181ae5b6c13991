// Why an item is as it is: the way of its action along the chain, sentence by sentence, and what each part of the
// rules on the way is worth.

import { keysOf, symbolsOf } from './menud.js'
import { brief, curlButton, h, head, show } from './elements.js'
import { itemsIn, reasons } from './menus.js'

/** A sentence whose quoted names stand out. */
const emphasized = (text) => text.split(/'([^']+)'/).map((part, index) => (index % 2 ? h('b', {}, part) : part))

export class Inspector {
  constructor(app, place) {
    this.app = app
    this.place = place
    /** What is inspected: `{command}`, `{key}` or `{action}`. */
    this.subject = undefined
    this.answer = undefined
    this.rules = []
  }

  inspect(subject) {
    this.subject = subject
    return this.update()
  }

  /** Asks again, since the session is not what it was. */
  async update() {
    const { app, subject } = this
    if (!subject || !app.session) return this.render()
    const answer = await (subject.key ? this.#ofKey(subject.key) : this.#ofCommand(subject.command))
    if (subject !== this.subject) return
    this.answer = answer
    this.rules = []
    app.graph.trace({ steps: answer.trace, target: answer.target, isEnabled: answer.isEnabled })
    this.render()
    const rules = await this.#rulesOf(answer)
    if (answer !== this.answer) return
    this.rules = rules
    this.render()
  }

  async #ofCommand(command) {
    const request = { session: this.app.session.id, commands: [command], explain: true }
    const [item] = await this.app.session.validate([command], { explain: true })
    const found = [...itemsIn(this.app.mirror.menu)].find((other) => other.item.command === command)
    return {
      title: item.title || command, command, item, key: found?.item.key, place: found?.titles, trace: item.trace ?? [],
      target: item.target, isEnabled: item.enabled, reason: item.reason, error: item.error,
      action: item.alternate?.action ?? this.app.actionOf(command),
      request: { method: 'POST', path: ['commands', 'validate'], body: request },
    }
  }

  async #ofKey(key) {
    const body = { session: this.app.session.id, key, explain: true }
    const answer = await this.app.session.resolve(key, { explain: true })
    const chosen = answer.matches.find(({ outcome }) => outcome === 'chosen')
    return {
      title: symbolsOf(key), command: chosen?.command, key, matches: answer.matches, trace: answer.trace ?? [], target: answer.target,
      isEnabled: Boolean(chosen), reason: chosen ? 'enabled' : (answer.matches[0]?.reason ?? 'noMatch'), action: answer.action,
      chosen: chosen?.title, request: { method: 'POST', path: ['keys', 'resolve'], body },
    }
  }

  /** What the rules that were asked are worth, part by part. */
  async #rulesOf({ trace, action, command }) {
    const { app } = this
    const { state, responders } = app.mirror.document
    const asked = trace.filter(
      ({ question, answer }) => question === 'validate' || question === 'canPerformAction' && typeof answer === 'boolean',
    )
    const checked = []
    for (const { asked: receiver, question, selector } of asked) {
      const [host, part] = receiver.split('/')
      const responder = responders[host]
      if (!responder) continue
      const handler = part === 'forwarder' ? responder.coordinator?.handlers?.[selector ?? action] : app.handlerOf(responder, selector ?? action)
      const sources = question === 'validate' ? Object.entries(handler?.validate ?? {}) : handler?.canPerform ? [
        ['canPerform', handler.canPerform],
      ] : []
      for (const [name, rule] of sources) {
        if (typeof rule !== 'string') continue
        const variables = {
          state, responder: {
            id: host,
            class: responder.class,
            ...responder.properties,
          }, command: { ...app.commandOf(command) },
          sender: { kind: 'menu' }, arguments: [],
        }
        try {
          checked.push({
            receiver,
            name,
            rule,
            answer: await app.client.checkRule(rule, variables, { explain: true }),
          })
        } catch (error) {
          checked.push({ receiver, name, rule, answer: { ok: false, fault: { message: error.message } } })
        }
      }
    }
    return checked
  }

  render() {
    const { app, answer } = this
    const tools = [this.#keyField(), answer && curlButton(app, answer.request, 'the question')]
    if (!answer) {
      return show(
        this.place,
        head('inspector-title', 'Inspector', tools),
        h('div.body',
          { 'data-scroll': 'overview', tabindex: 0, role: 'group', 'aria-label': 'What can be performed' },
          this.#overview(),
        ),
      )
    }
    show(this.place, head(
      'inspector-title',
      'Inspector',
      tools,
    ), h('div.body', { 'data-scroll': 'inspector', tabindex: 0, role: 'group', 'aria-label': 'What was asked' },
      h('button.quiet.back',
        { type: 'button', 'data-key': 'back', onclick: () => { this.subject = this.answer = undefined; app.graph.trace(undefined); this.render() } },
        '‹ All items',
      ), this.#verdict(answer), answer.matches?.length > 1 && this.#matches(answer.matches), this.#rules(), this.#steps(answer)))
  }

  /** What can be performed now, and what cannot, by its reason. */
  #overview() {
    const { app } = this
    if (!app.mirror?.menu) return h('p.hint.pad', {}, 'No session.')
    const all = new Map([...itemsIn(app.mirror.menu)].map(({ item }) => [item.command, item]))
    const items = [...all.values()]
    const enabled = items.filter((item) => item.enabled).length
    const groups = Map.groupBy ? Map.groupBy(
      items.filter((item) => !item.enabled),
      ({ reason }) => reason,
    ) : new Map()
    const button = (item) => h('button',
      { type: 'button', 'data-key': `overview ${item.command}`, onclick: () => app.inspect(item.command) },
      item.title || item.command,
    )
    return h('div.overview', {},
      h('p', {}, h('b', {}, `${enabled} of ${items.length}`), ' items can be performed from here.'),
      h('div.meter',
        { role: 'img', 'aria-label': `${enabled} of ${items.length} enabled` },
        h('i', { style: { width: `${(100 * enabled) / Math.max(1, items.length)}%` } }),
      ),
      Array.from(
        groups,
        ([reason, list]) => h('div.group', {},
          h('h3', {}, reasons[reason]),
          h('div.items', {}, list.slice(0, 60).map(button)),
        ),
      ),
      h('p.hint', {},
        'Why is an item as it is, and who performs it? Choose a disabled one, right-click or ⇧-click any other in a menu, or press a key in the field above.',
      ))
  }

  #keyField() {
    const { app } = this
    return h('input.keyfield', {
      type: 'text', placeholder: 'press a key', 'aria-label': 'Press a key to inspect it', size: 11, autocomplete: 'off', 'data-key': 'keyfield',
      onkeydown: (event) => {
        if (event.key === 'Tab' || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
        event.preventDefault()
        event.stopPropagation()
        const [key] = keysOf(event, { layout: app.layout })
        if (key) app.inspectKey(key)
      },
    })
  }

  #verdict({ title, command, action, key, place, isEnabled, reason, error, target, chosen, item }) {
    const { app } = this
    const says = isEnabled
      ? [h('b', {}, target), ' performs it.']
      : [reasons[reason] ?? reason, '.', target && [' Its target is ', h('b', {}, target), '.']]
    return h('div.verdict', { class: isEnabled ? 'yes' : 'no' },
      h('div.what', {},
        h('span.title', {}, chosen ? `${title}  ${chosen}` : title),
        item?.state === 'on' && h('span.chip', {}, 'checked'),
        item?.state === 'mixed' && h('span.chip', {}, 'mixed'),
        key && !chosen && h('kbd', {}, symbolsOf(key)),
      ),
      h('div.says', {}, h('span.badge', {}, isEnabled ? 'enabled' : 'disabled'), says),
      error && h('div.error', {}, error.message),
      h('div.row', {}, h('code', {}, action ?? ''), place?.length > 0 && h(
        'span.place',
        {},
        place.join(' › '),
      ), h('span.gap'),
        command && h('button.quiet',
          { type: 'button', 'data-key': 'pin', 'aria-pressed': String(app.toolbar.pinned.includes(command)), onclick: () => { app.toolbar.toggle(command); this.render() } },
          app.toolbar.pinned.includes(command) ? 'In tool bar' : 'To tool bar',
        ),
        command && h('button.primary',
          { type: 'button', disabled: !isEnabled, 'data-key': 'perform', onclick: () => app.perform(command) },
          'Perform',
        )))
  }

  #matches(matches) {
    return h('div.block', {}, h('h3', {}, 'Claims of this key'), h('ol.plain', {}, matches.map((match) => h('li', {},
      h('span.rule', {}, match.rule), ' ', match.outcome, ': ', match.title ?? match.command ?? match.action, match.responder && ` of ${match.responder}`))))
  }

  #rules() {
    if (!this.rules.length) return undefined
    return h('div.block', {}, h('h3', {},
      'Rules, and what each part is worth',
    ), this.rules.map(({ receiver, name, rule, answer }) => h('figure.cel', {},
      h('figcaption', {},
        h('b', {}, name),
        h('span', {}, ` of ${receiver}`),
        h('output',
          { class: answer.value === true ? 'yes' : answer.value === false ? 'no' : '' },
          answer.ok ? brief(answer.value, 40) : 'fails',
        ),
      ),
      this.#source(rule, answer),
      answer.ok && answer.explanation ? h('dl', {}, this.#parts(answer.explanation.parts).map((part) => h('div', {
        class: part.decisive ? 'decisive' : '',
      },
        h('dt', {}, part.text), h('dd', {}, part.value ?? part.fault ?? '')))) : h(
          'p.error',
          {},
          answer.fault?.message ?? '',
        ))))
  }

  /** The parts of a rule from the whole to the smallest, each once; literals say nothing. */
  #parts(parts) {
    const met = new Set()
    const isNew = ({ text, element }) => { const key = `${text} ${element}`; const is = !met.has(key); met.add(key); return is }
    return [...parts].sort(
      (a, b) => (b.end - b.start) - (a.end - a.start),
    ).filter(isNew).filter(({ text }) => text !== 'state').slice(0, 14)
  }

  /** The rule, with the parts that decide underlined. */
  #source(rule, answer) {
    const reasonsOf = answer.explanation?.reasons ?? []
    const marks = reasonsOf.length ? reasonsOf : []
    if (!marks.length) return h('pre.source', {}, rule)
    const [{ start, end }] = marks
    return h('pre.source', {}, rule.slice(0, start), h('mark', {}, rule.slice(start, end)), rule.slice(end))
  }

  #steps({ trace }) {
    const { app } = this
    return h('div.block', {}, h('h3', {}, `${trace.length} questions`), h('ol.steps', {}, trace.map((step, index) => {
      const isNext = step.question === 'next'
      const kind = step.answer === true || step.answer?.enabled === true ? 'yes' : step.answer === false || step.answer?.enabled === false ? 'no' : ''
      return h('li', {
        class: [kind, isNext ? 'next' : ''].join(' '),
        onpointerenter: () => app.mark(step.asked), onpointerleave: () => app.mark(undefined),
      }, h('span.rule', {}, step.rule), h('span.says', {}, emphasized(step.says.replace(/^[A-Z]\d+: /, ''))),
      step.explanation && h('ul.why', {}, step.explanation.map((line) => h('li', {}, line))),
      step.error && h('div.error', {}, step.error.message), h('span.away', {}, `step ${index + 1}`))
    })))
  }
}
