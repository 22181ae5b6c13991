package import MicroHTTP

/// The kinds of problems (RFC 9457); the names are stable.
package enum ProblemType: String, CaseIterable, Sendable {
  case unauthorized = "unauthorized"
  case forbidden = "forbidden"
  case moreThanOwn = "more-than-own"
  case originRefused = "origin-refused"
  case misdirectedRequest = "misdirected-request"
  case unknownPath = "unknown-path"
  case methodNotAllowed = "method-not-allowed"
  case unsupportedMediaType = "unsupported-media-type"
  case malformedJSON = "malformed-json"
  case invalidBody = "invalid-body"
  case invalidQuery = "invalid-query"
  case invalidName = "invalid-name"
  case unknownSession = "unknown-session"
  case unknownCommand = "unknown-command"
  case unknownMenu = "unknown-menu"
  case unknownProtocol = "unknown-protocol"
  case unknownStoryboard = "unknown-storyboard"
  case unknownResponder = "unknown-responder"
  case unknownHandler = "unknown-handler"
  case unknownRegistration = "unknown-registration"
  case noCoordinator = "no-coordinator"
  case noRegistry = "no-registry"
  case unknownLateResponder = "unknown-late-responder"
  case unknownSegue = "unknown-segue"
  case unknownDelivery = "unknown-delivery"
  case unknownToken = "unknown-token"
  case unknownKeymap = "unknown-keymap"
  case unresolvedReference = "unresolved-reference"
  case sessionExists = "session-exists"
  case duplicateDeclaration = "duplicate-declaration"
  case commandInMenus = "command-in-menus"
  case protocolInUse = "protocol-in-use"
  case noStoryboard = "no-storyboard"
  case launchedAlready = "launched-already"
  case delegateRefused = "delegate-refused"
  case linkConflict = "link-conflict"
  case patchConflict = "patch-conflict"
  case firstResponderRefused = "first-responder-refused"
  case notPerformed = "not-performed"
  case needsConfirmation = "needs-confirmation"
  case planChanged = "plan-changed"
  case unknownPlan = "unknown-plan"
  case foreignPlan = "foreign-plan"
  case expiredPlan = "expired-plan"
  case historyGone = "history-gone"
  case tooMuchEffort = "too-much-effort"
  case limitReached = "limit-reached"
  case tooManySessions = "too-many-sessions"
  case effectFailed = "effect-failed"
  case doesNotRecognizeSelector = "does-not-recognize-selector"
  case senderCarriesNoAction = "sender-carries-no-action"
  case undoRefused = "undo-refused"
  case messageQueueFull = "message-queue-full"
  case deliveryConflict = "delivery-conflict"
  case preconditionFailed = "precondition-failed"
  case idempotencyKeyReused = "idempotency-key-reused"
  case overBudget = "over-budget"
  case tooManySubscriptions = "too-many-subscriptions"
  case malformedRequest = "malformed-request"
  case lengthRequired = "length-required"
  case contentTooLarge = "content-too-large"
  case expectationFailed = "expectation-failed"
  case notImplemented = "not-implemented"
  case versionNotSupported = "version-not-supported"
  case headersTooLarge = "headers-too-large"
  case requestTimeout = "request-timeout"
  case recovering = "recovering"
  case sessionDamaged = "session-damaged"
  case overloaded = "overloaded"
  case noAnswerInTime = "no-answer-in-time"
  case noRoom = "no-room"
  case notKept = "not-kept"
  case outcomeUnknown = "outcome-unknown"
  case internalError = "internal-error"

  /// The URI reference of the kind in documents.
  package var uri: String { "/problems/\(rawValue)" }
}

extension ProblemType {
  /// The HTTP status.
  package var status: Status { row.status }

  /// A short summary that is the same for every problem of the kind.
  package var title: String { row.title }

  private var row: (status: Status, title: String) {
    switch self {
    case .unauthorized: (.unauthorized, "A token is needed")
    case .forbidden: (.forbidden, "The token does not give access")
    case .moreThanOwn: (.forbidden, "A token gives no more than it has")
    case .originRefused: (.forbidden, "The origin is not allowed")
    case .misdirectedRequest: (.misdirectedRequest, "The host name is not allowed")
    case .unknownPath: (.notFound, "There is nothing at this path")
    case .methodNotAllowed: (.methodNotAllowed, "This path does not have this method")
    case .unsupportedMediaType: (.unsupportedMediaType, "The content type is not supported")
    case .malformedJSON: (.badRequest, "The body is not JSON")
    case .invalidBody: (.unprocessableContent, "The body is invalid")
    case .invalidQuery: (.badRequest, "The query is invalid")
    case .invalidName: (.badRequest, "The name is invalid")
    case .unknownSession: (.notFound, "No such session is open")
    case .unknownCommand: (.notFound, "No such command is declared")
    case .unknownMenu: (.notFound, "There is no such menu")
    case .unknownProtocol: (.notFound, "No such protocol is declared")
    case .unknownStoryboard: (.notFound, "No such storyboard is declared")
    case .unknownResponder: (.notFound, "The session has no such responder")
    case .unknownHandler: (.notFound, "The responder has no such handler")
    case .unknownRegistration: (.notFound, "The coordinator has no such registration")
    case .noCoordinator: (.notFound, "The responder hosts no coordinator")
    case .noRegistry: (.notFound, "There is no registry of late responders")
    case .unknownLateResponder: (.notFound, "The registry has no such late responder")
    case .unknownSegue: (.notFound, "The scene has no such segue")
    case .unknownDelivery: (.notFound, "The session has no such delivery")
    case .unknownToken: (.notFound, "There is no such token")
    case .unknownKeymap: (.notFound, "There is no such keymap")
    case .unresolvedReference:
      (.unprocessableContent, "The body names something that does not exist")
    case .sessionExists: (.conflict, "A session of this name is open")
    case .duplicateDeclaration: (.conflict, "Two declarations contradict each other")
    case .commandInMenus: (.conflict, "The command stands in menus")
    case .protocolInUse: (.conflict, "Classes use the protocol")
    case .noStoryboard: (.conflict, "The view controller comes from no storyboard")
    case .launchedAlready: (.conflict, "The session was launched already")
    case .delegateRefused: (.conflict, "The delegate lacks what its protocol requires")
    case .linkConflict: (.conflict, "The responder contradicts the others")
    case .patchConflict: (.conflict, "The patch does not fit the state")
    case .firstResponderRefused: (.conflict, "A responder refused to move focus")
    case .notPerformed: (.conflict, "Nothing was performed")
    case .needsConfirmation: (.conflict, "The command asks for a confirmation")
    case .planChanged: (.preconditionFailed, "The plan would change something else now")
    case .unknownPlan: (.unprocessableContent, "This is no plan")
    case .foreignPlan: (.forbidden, "The plan is of another session or token")
    case .expiredPlan: (.gone, "The plan has expired")
    case .historyGone: (.gone, "The history does not go back so far")
    case .tooMuchEffort: (.unprocessableContent, "The request is too much work")
    case .limitReached: (.conflict, "A limit is reached")
    case .tooManySessions: (.serviceUnavailable, "Too many sessions are open")
    case .effectFailed: (.conflict, "An effect failed and nothing was changed")
    case .doesNotRecognizeSelector: (.conflict, "The receiver does not recognize the selector")
    case .senderCarriesNoAction: (.conflict, "The sender carries no action")
    case .undoRefused: (.conflict, "The undo manager refuses")
    case .messageQueueFull: (.conflict, "There is no room for another message")
    case .deliveryConflict: (.conflict, "The delivery is in another state")
    case .preconditionFailed: (.preconditionFailed, "The precondition does not hold")
    case .idempotencyKeyReused: (.unprocessableContent, "Another request had this idempotency key")
    case .overBudget: (.tooManyRequests, "The session takes too much time")
    case .tooManySubscriptions: (.tooManyRequests, "Too much is followed at once")
    case .malformedRequest: (.badRequest, "The request is malformed")
    case .lengthRequired: (.lengthRequired, "The request needs a length")
    case .contentTooLarge: (.contentTooLarge, "The body is too large")
    case .expectationFailed: (.expectationFailed, "The expectation cannot be met")
    case .notImplemented: (.notImplemented, "This is not implemented")
    case .versionNotSupported:
      (.versionNotSupported, "The server does not speak this version of HTTP")
    case .headersTooLarge: (.headersTooLarge, "The header fields are too large")
    case .requestTimeout: (.requestTimeout, "The request did not come in time")
    case .recovering: (.serviceUnavailable, "The server is not ready yet")
    case .sessionDamaged: (.serviceUnavailable, "The session is damaged")
    case .overloaded: (.serviceUnavailable, "The server has too many requests at once")
    case .noAnswerInTime: (.serviceUnavailable, "The answer did not come in time")
    case .noRoom: (.insufficientStorage, "There is no room to keep this")
    case .notKept: (.serviceUnavailable, "This cannot be kept")
    case .outcomeUnknown: (.serviceUnavailable, "It is not known whether this is kept")
    case .internalError: (.internalServerError, "The server made a mistake")
    }
  }
}
