// Sentences for the names in the service's answers.

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
  open: 'open', claimed: 'claimed', cancelling: 'to be given up', replied: 'done', failed: 'failed', cancelled: 'cancelled',
}

/** The responder of a receiver: `photoHost` of `photoHost/forwarder`. */
export const responderOf = (receiver) => String(receiver).split('/')[0]
