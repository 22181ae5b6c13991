// Sentences for the names in the service's answers.

import { Problem, Unreached } from '../client/menud.js'

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
  return item.explanation ?? reasons[item.reason] + (item.error ? `: ${item.error.message}` : '')
}

/** The reasons for which a session is no longer followed. */
export const endings = {
  sessionClosed: 'It was closed.',
  expired: 'It was closed, since it was not used for a long time.',
  draining: 'The server stops.',
  tokenRevoked: 'The token was revoked.',
}

/** The reasons for which one declaration gets a key before another (K1). */
export const keyReasons = {
  priority: 'it wants priority over the system',
  nearer: 'it is nearer to the first responder',
  listOrder: 'it stands before the other in the list',
  respondersFirst: 'responders come before menus',
  menuOrder: 'it stands before the other in the menus',
}

/** The outcomes of declarations that matched a key. */
export const outcomes = { chosen: 'is chosen', passedOver: 'is passed over', notThere: 'is not there now' }

export const deliveryStates = {
  open: 'open', claimed: 'claimed', replied: 'done', failed: 'failed', cancelled: 'cancelled',
}

/** True if a request had no answer of the service: it is stopped, starting, or unreachable. */
export const isUnreached = (error) => error instanceof Unreached || (error instanceof Problem
  && ([502, 504].includes(error.status) || (error.status === 503 && (error.type ?? '/problems/recovering') === '/problems/recovering')))

/** True if the service is overloaded: the request can be retried later. */
export const isBusy = (error) => error instanceof Problem && !isUnreached(error) && [429, 503].includes(error.status)

/** A refusal for people: the failed action, and the reason. */
export function refusal(error, what) {
  if (!(error instanceof Problem)) return { title: 'The console failed', detail: error.message }
  const title = what ? `${what} was not done` : isBusy(error) ? 'The server cannot answer now' : 'That was refused'
  const known = error.explanation ? '' : error.reason && error.reason !== 'enabled' ? `${reasons[error.reason] ?? ''}. ` : ''
  const [, ...more] = error.errors
  const detail = [error.message, ...more.slice(0, 4).map((one) => one.detail)].join(' ')
  return { title, detail: error.message.startsWith(known) ? detail : known + detail }
}

/** A name as it appears in a sentence. */
export const quoted = (name) => `“${name}”`

export const counted = (number, one, many = `${one}s`) => `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** The responder of a receiver: `photoHost` of `photoHost/forwarder`. */
export const responderOf = (receiver) => String(receiver).split('/')[0]
