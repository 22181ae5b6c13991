// The reason for an item's state: the deciding steps, the evaluated rules with their parts, and the path of its
// action along the chain, sentence by sentence. All of it is in one answer of the service.

import { itemsIn, keysOf, matchesKey, symbolsOf } from '../client/menud.js'
import { h, show } from '../client/elements/dom.js'
import { counted, reasons } from '../client/elements/words.js'
import { curlButton, forget, head, some } from './elements.js'
import { ruleFigure } from './rules.js'
import { decisive, line, list } from './steps.js'
import { outcomes } from './words.js'

/** The strokes that can follow, in words. */
const followed = (continuations) =>
  `It goes on with ${continuations.map(({ strokes, title, action }) => `${symbolsOf(strokes)} (${title || action})`).join(', ')}.`

export class Inspector {
  constructor(app, place) {
    this.app = app
    this.place = place
    /** The inspected subject: `{command, modifiers}`, `{command, itemKey}` or `{key}`. */
    this.subject = undefined
    this.answer = undefined
    /** The dry run of the inspected command. */
    this.trial = undefined
  }

  /** Drops the session. */
  clear() { this.subject = this.answer = this.trial = undefined }

  async inspect(subject) {
    this.subject = subject
    this.trial = undefined
    forget('trace ')
    await this.update()
    const body = this.place.querySelector('.body')
    if (body) body.scrollTop = 0
  }

  /** Reads the answer again after a change of the session. */
  async update() {
    const { app, subject } = this
    if (!subject || !app.session) return this.render()
    const { session } = app
    const answer = await app.question(() => (subject.key ? this.#ofKey(subject.key) : this.#ofCommand(subject)))
    if (!answer || subject !== this.subject || session !== app.session) return
    this.answer = answer
    app.graph.trace({ steps: answer.trace, target: answer.target, isEnabled: answer.isEnabled })
    this.render()
  }

  /** Tries the inspected command. */
  async try(command, asking) {
    const { subject } = this
    const trial = await this.app.try(command, asking)
    if (trial && subject === this.subject) this.#show(trial)
  }

  /** Shows what becomes of a dry run. */
  async follow(trial, work) {
    const { what, command, details: { modifiers, itemKey } } = trial
    const next = await this.app.doing(what, work, { command, modifiers, itemKey })
    if (next && trial === this.trial) this.#show(trial)
  }

  #show(trial) {
    this.trial = trial
    this.render()
    this.place.querySelector('[data-key=tried]')?.focus()
  }

  async #ofCommand({ command, modifiers, itemKey }) {
    const { app } = this
    const { mirror } = app
    const isSame = (other) => other.item.command === command && other.item.itemKey === itemKey
    const { item, request } = itemKey === undefined ? await this.#validated(command, modifiers) : await this.#listed(command, itemKey, isSame)
    const found = [...itemsIn(mirror?.menu)].find(isSame)
    return {
      title: item.title || command, command, modifiers, itemKey, item, key: found?.item.key, place: found?.titles, trace: item.trace ?? [],
      target: item.target, isEnabled: item.enabled, reason: item.reason, explanation: item.explanation, error: item.error,
      action: item.alternate?.action ?? app.commands.get(command)?.action, request,
    }
  }

  async #validated(command, modifiers) {
    const { session } = this.app
    const body = { session: session.id, commands: [command], modifiers, explain: true }
    const [item] = await session.validate([command], { modifiers, explain: true })
    return { item, request: { method: 'POST', path: ['commands', 'validate'], body } }
  }

  /** An item from data, which is explained with the menu that it is in. */
  async #listed(command, itemKey, isSame) {
    const { session, mirror } = this.app
    const query = { menu: menuOf(mirror?.menu, isSame)?.identifier ?? 'root', explain: true }
    const { menu } = await session.menu(query)
    const item = [...itemsIn(menu)].find(isSame)?.item
    const { title } = this.app.commands.get(command) ?? {}
    return {
      item: item ?? { title: title ? `${title}: ${itemKey}` : itemKey, enabled: false, reason: 'unknownItem' },
      request: { path: session.path('menu'), query },
    }
  }

  async #ofKey(key) {
    const body = { session: this.app.session.id, key, explain: true }
    const answer = await this.app.session.resolve(key, { explain: true })
    const chosen = answer.matches.find(({ outcome }) => outcome === 'chosen')
    return {
      title: symbolsOf(key), command: chosen?.command, key, matches: answer.matches, trace: answer.trace ?? [], target: answer.target,
      isEnabled: Boolean(chosen), reason: chosen ? 'enabled' : answer.pending ? 'pending' : (answer.matches[0]?.reason ?? 'noMatch'),
      explanation: chosen ? undefined : answer.pending ? followed(answer.continuations) : answer.matches[0]?.explanation, action: answer.action,
      chosen: chosen?.title, error: answer.matches[0]?.error, request: { method: 'POST', path: ['keys', 'resolve'], body },
    }
  }

  render() {
    const { app, answer } = this
    const tools = [this.#keyField(), answer && curlButton(app, answer.request, 'the question')]
    show(this.place, head('inspector-title', 'Inspector', tools), answer
      ? h('div.body', { 'data-scroll': 'inspector', tabindex: 0, role: 'group', 'aria-label': 'What was asked' }, this.#explained(answer))
      : h('div.body', { 'data-scroll': 'overview', tabindex: 0, role: 'group', 'aria-label': 'What can be performed' }, this.#overview()))
  }

  #explained(answer) {
    const { app } = this
    const steps = decisive(answer)
    const others = answer.trace.filter((step) => step.rules?.length && !steps.includes(step))
    const rulesOf = (steps) => steps.flatMap(({ asked, rules = [] }) => rules.map((rule) => [asked, rule]))
    const figures = (name, steps) => some(`trace ${name}`, rulesOf(steps), ([asked, rule]) => ruleFigure(asked, rule), { most: 20, tag: 'p' })
    return [
      h('button.quiet.back', { type: 'button', 'data-key': 'back', onclick: () => { this.clear(); app.graph.trace(undefined); this.render() } }, '‹ All items'),
      this.#verdict(answer),
      this.trial?.render(),
      h('div.block.decision', {}, h('h3', {}, 'What decided'), steps.length
        ? [h('ol.steps', {}, some('trace decisive', steps, (step) => line(app, step), { most: 20 })), figures('rules', steps)]
        : h('p', {}, this.#nobody(answer))),
      answer.matches?.length > 1 && this.#matches(answer.matches),
      others.length > 0 && h('div.block', {}, h('h3', {}, 'Other rules that were asked'), figures('others', others)),
      h('div.block', {}, h('h3', {}, counted(answer.trace.length, 'question')), list(app, answer.trace)),
    ]
  }

  /** The sentence for an item without a deciding responder. */
  #nobody({ trace, action, reason, key, title }) {
    if (reason === 'noAction') return 'It has no action, so nobody was asked.'
    if (key && reason === 'noMatch') return `No command of the menu and no responder on the chain has the key ${title}.`
    const asked = new Set(trace.filter(({ question }) => question === 'respondsToSelector').map(({ asked }) => asked))
    return asked.size ? `None of the ${counted(asked.size, 'responder')} that were asked responds to ${action}.` : `${reasons[reason] ?? reason}.`
  }

  /** The enabled commands, and the disabled ones by reason. */
  #overview() {
    const { app } = this
    if (!app.mirror?.menu) return h('p.hint.pad', {}, 'No session.')
    const all = new Map([...itemsIn(app.mirror.menu)].map((found) => [JSON.stringify([found.item.command, found.item.itemKey]), found]))
    const items = [...all.values()].map(({ item }) => item)
    const hindrance = app.isHindered ? app.view.hindrance : undefined
    const enabled = hindrance ? 0 : items.filter((item) => item.enabled).length
    const [seen, repeated] = [new Set(), new Set()]
    for (const { title } of items) (seen.has(title) ? repeated : seen).add(title)
    // Items from data often have the same title in several menus.
    const names = new Map(Array.from(all.values(), ({ item, titles }) =>
      [item, (repeated.has(item.title) ? [...titles, item.title] : [item.title || item.command]).join(' › ')]))
    const groups = new Map()
    for (const item of items) if (!item.enabled) groups.set(item.reason, [...(groups.get(item.reason) ?? []), item])
    // A rule that fails is a mistake; a false rule is not.
    const order = [...groups].sort(([a], [b]) => (b === 'ruleError') - (a === 'ruleError'))
    const button = (item) => h('button', {
      type: 'button', 'data-key': ['overview', item.command, item.itemKey].filter((part) => part !== undefined).join(' '), title: item.error?.message,
      onclick: () => app.inspect(item.command, { itemKey: item.itemKey }),
    }, names.get(item))
    return h('div.overview', {},
      h('p', {}, hindrance ? `Nothing can be performed now. ${hindrance}` : [h('b', {}, `${enabled} of ${items.length}`), ' items can be performed from here.']),
      h('div.meter',
        { role: 'img', 'aria-label': `${enabled} of ${items.length} enabled` },
        h('i', { style: { width: `${(100 * enabled) / Math.max(1, items.length)}%` } }),
      ),
      order.map(([reason, list]) => h('div.group', { class: reason },
        h('h3', {}, reason === 'ruleError' && '⚠ ', reasons[reason] ?? reason, ` (${list.length.toLocaleString('en')})`),
        h('div.items', {}, list.slice(0, 60).map(button), list.length > 60 && h('span.hint', {}, `and ${list.length - 60} more`)))),
      h('p.hint', {},
        'Why is an item as it is, and who performs it? Choose a disabled one, right-click or ⇧-click any other, or press a key in the field above.',
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
        // The key that the page would handle.
        const keys = keysOf(event, { layout: app.layout })
        const key = keys.find((one) => app.mirror?.keys.some(({ strokes }) => matchesKey(strokes[0], one))) ?? keys[0]
        if (key) app.inspectKey(key)
      },
    })
  }

  #verdict({ title, command, modifiers, itemKey, action, key, place, isEnabled, reason, explanation, error, target, chosen, item }) {
    const { app } = this
    // An item from data brings its parameters.
    const isListed = itemKey !== undefined
    const has = !isListed && app.commands.get(command)?.parameters
    const asking = { modifiers, itemKey, itemTitle: isListed ? title : undefined, asks: Boolean(has) }
    const isFailure = reason === 'ruleError'
    const says = isEnabled
      ? [h('b', {}, target), ' performs it.']
      : [explanation ?? `${reasons[reason] ?? reason}.`, explanation && h('small', {}, ` ${reasons[reason] ?? reason}.`), target && [' Its target is ', h('b', {}, target), '.']]
    return h('div.verdict', { class: isEnabled ? 'yes' : isFailure ? 'failed' : 'no' },
      h('div.what', {},
        h('span.title', {}, chosen ? `${title}  ${chosen}` : title),
        item?.state === 'on' && h('span.chip', {}, 'checked'),
        item?.state === 'mixed' && h('span.chip', {}, 'mixed'),
        key && !chosen && h('kbd', {}, symbolsOf(key)),
      ),
      h('div.says', {}, h('span.badge', {}, isEnabled ? 'enabled' : isFailure ? '⚠ a rule failed' : 'disabled'), says),
      error && h('div.error', {}, error.message),
      app.isHindered && h('div.error', {}, `Nothing can be performed now. ${app.view.hindrance}`),
      h('div.row', {}, h('code', {}, action ?? ''), place?.length > 0 && h('span.place', {}, place.join(' › ')), h('span.gap'),
        command && !isListed && h('button.quiet',
          { type: 'button', 'data-key': 'pin', 'aria-pressed': String(app.pins.pinned.includes(command)), onclick: () => { app.pins.toggle(command); this.render() } },
          app.pins.pinned.includes(command) ? 'In tool bar' : 'To tool bar',
        ),
        command && h('button',
          { type: 'button', disabled: !isEnabled || app.isHindered, 'data-key': 'try', onclick: () => this.try(command, asking) },
          has ? 'Try…' : 'Try',
        ),
        command && h('button.primary',
          { type: 'button', disabled: !isEnabled || app.isHindered, 'data-key': 'perform', onclick: () => app.perform(command, asking) },
          has ? 'Perform…' : 'Perform',
        )))
  }

  #matches(matches) {
    return h('div.block', {}, h('h3', {}, 'Claims of this key'), h('ol.plain', {}, some('trace claims', matches, (match) => h('li', {},
      h('span.rule', {}, match.rule), ' ', h('b', {}, match.title ?? match.command ?? match.action), match.responder && ` of ${match.responder}`,
      ` ${outcomes[match.outcome] ?? match.outcome}`, match.reason && match.reason !== 'enabled' ? `: ${match.explanation ?? `${reasons[match.reason] ?? match.reason}.`}` : '.'))))
  }
}

/** The menu in a menu that has an item among its own children. */
function menuOf(menu, isSame) {
  const children = menu?.children ?? []
  if (children.some((item) => isSame({ item }))) return menu
  for (const child of children) {
    const found = menuOf(child, isSame)
    if (found) return found
  }
  return undefined
}
