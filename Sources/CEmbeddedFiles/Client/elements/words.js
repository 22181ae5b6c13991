// What the elements say. A page in another language replaces the words: `Object.assign(words, { cancel: 'Abbrechen' })`.

import { Problem, Unreached } from '../menud.js'

export const words = {
  menuBar: 'Menu bar',
  contextMenu: 'The context menu',
  toolBar: 'Tool bar',
  touchBar: 'Touch bar',
  palette: 'Palette',
  find: 'Find a command',
  commands: 'Commands',
  more: 'More',
  found: (shown, total) => (total > shown ? `${shown} of ${total.toLocaleString('en')}` : counted(total, 'command')),
  keys: 'Keys',
  nothingHere: 'Nothing here',
  noSession: 'No session',
  connecting: 'Connecting…',
  unreached: 'The server is not reached.',
  sessionEnded: 'The session is not followed any more.',
  nothingSent: 'The server is not reached. Nothing was sent.',
  nothingFound: 'No command matches.',
  nothingToPerform: 'There is nothing to perform.',
  cannotSearch: 'The server cannot answer now: nothing can be found until it answers.',
  cannotSearchOffline: 'The server is not reached: nothing can be found until it answers.',
  noKeys: 'No key means anything now.',
  others: 'Commands',
  of: (name) => `Of ${quoted(name)}`,
  performs: 'performs',
  inspects: 'inspects',
  escape: 'esc',
  closes: 'closes',
  goesBack: 'goes back',
  perform: 'Perform',
  cancel: 'Cancel',
  back: 'Back',
  required: 'required',
  yes: 'yes',
  no: 'no',
  nothingToChoose: 'nothing to choose',
  noChoices: 'Nothing to choose.',
  notANumber: 'This is not a number.',
  notJSON: (message) => `This is not JSON: ${message}`,
  unknownChoices: (message) => `The choices are not known: ${message}.`,
  parameters: 'Parameters',
  key: (symbols) => `The key ${symbols}`,
  keyDoesNothing: 'Something else must be focused or selected for it.',
  doesNothing: (what) => `${what} does nothing now`,
  notDone: (what) => `${what} was not done`,
  busy: 'The server cannot answer now',
  refused: 'That was refused',
  disabled: 'It is disabled',
  failed: 'The page failed',
}

/** Why an item is disabled, by its reason. */
export const reasons = {
  enabled: 'It can be performed',
  noTarget: 'Nobody on the chain handles it',
  noAction: 'It has no action',
  ruleFalse: 'Its target’s rule says no',
  ruleError: 'A rule failed',
  declaredDisabled: 'It is declared disabled',
  cycle: 'The chain leads back into itself',
  unknownCommand: 'There is no such command',
  unknownItem: 'There is no such item any more',
  noHandler: 'The coordinator has no handler for it',
  recorded: 'It was recorded for undoing',
  proxiedGone: 'The proxy’s responder is gone',
  noMatch: 'No command has this key',
  pending: 'Another stroke is awaited',
}

/** The reason for which an item is disabled, in one line: its own words, if it has any; undefined if it is enabled. */
export function whyNot(item) {
  if (item.enabled) return undefined
  return item.explanation ?? (reasons[item.reason] ?? words.disabled) + (item.error ? `: ${item.error.message}` : '')
}

/** True if a request had no answer of the service: it is stopped, starting, or unreachable. */
export const isUnreached = (error) => error instanceof Unreached || (error instanceof Problem
  && ([502, 504].includes(error.status) || (error.status === 503 && (error.type ?? '/problems/recovering') === '/problems/recovering')))

/** True if the service is overloaded: the request can be retried later. */
export const isBusy = (error) => error instanceof Problem && !isUnreached(error) && [429, 503].includes(error.status)

/** A refusal for people: the failed action, and the reason. */
export function refusal(error, what) {
  if (!(error instanceof Problem)) return { title: words.failed, detail: error.message }
  const title = what ? words.notDone(what) : isBusy(error) ? words.busy : words.refused
  const known = !error.explanation && error.reason !== 'enabled' && reasons[error.reason] ? `${reasons[error.reason]}. ` : ''
  const [, ...more] = error.errors
  const detail = [error.message, ...more.slice(0, 4).map((one) => one.detail)].join(' ')
  return { title, detail: error.message.startsWith(known) ? detail : known + detail }
}

/** A name as it appears in a sentence. */
export const quoted = (name) => `“${name}”`

export const counted = (number, one, many = `${one}s`) => `${number.toLocaleString('en')} ${number === 1 ? one : many}`
