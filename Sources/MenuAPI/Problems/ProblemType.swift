package import MicroHTTP

/// The kinds of problems that a request can meet (RFC 9457); the names are stable.
package enum ProblemType: String, CaseIterable, Sendable {
  case unauthorized = "unauthorized"
  case forbidden = "forbidden"
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
  case overloaded = "overloaded"
  case noAnswerInTime = "no-answer-in-time"
  case noRoom = "no-room"
  case notKept = "not-kept"
  case outcomeUnknown = "outcome-unknown"
  case internalError = "internal-error"

  /// The URI reference that names the kind on the wire.
  package var uri: String { "/problems/\(rawValue)" }
}

extension ProblemType {
  /// The status it is answered with.
  package var status: Status {
    switch self {
    case .malformedJSON, .invalidQuery, .invalidName, .malformedRequest: .badRequest
    case .unknownPath, .unknownSession, .unknownCommand, .unknownMenu, .unknownResponder,
      .unknownHandler, .unknownRegistration, .noCoordinator, .noRegistry,
      .unknownLateResponder, .unknownProtocol, .unknownStoryboard, .unknownSegue,
      .unknownDelivery:
      .notFound
    case .unauthorized: .unauthorized
    case .forbidden, .originRefused: .forbidden
    case .misdirectedRequest: .misdirectedRequest
    case .methodNotAllowed: .methodNotAllowed
    case .sessionExists, .duplicateDeclaration, .commandInMenus, .protocolInUse,
      .noStoryboard, .launchedAlready, .delegateRefused, .linkConflict,
      .patchConflict,
      .firstResponderRefused, .notPerformed, .effectFailed, .doesNotRecognizeSelector,
      .senderCarriesNoAction, .undoRefused, .messageQueueFull, .limitReached,
      .deliveryConflict:
      .conflict
    case .tooManySessions: .serviceUnavailable
    case .lengthRequired: .lengthRequired
    case .preconditionFailed: .preconditionFailed
    case .contentTooLarge: .contentTooLarge
    case .unsupportedMediaType: .unsupportedMediaType
    case .expectationFailed: .expectationFailed
    case .invalidBody, .unresolvedReference, .tooMuchEffort, .idempotencyKeyReused:
      .unprocessableContent
    case .overBudget, .tooManySubscriptions: .tooManyRequests
    case .internalError: .internalServerError
    case .notImplemented: .notImplemented
    case .versionNotSupported: .versionNotSupported
    case .headersTooLarge: .headersTooLarge
    case .requestTimeout: .requestTimeout
    case .recovering, .overloaded, .noAnswerInTime, .notKept, .outcomeUnknown:
      .serviceUnavailable
    case .noRoom: .insufficientStorage
    }
  }

  /// The problem in a few words that are the same each time.
  package var title: String {
    switch self {
    case .unauthorized: "A token is needed"
    case .forbidden: "The token does not give access"
    case .originRefused: "The origin is not allowed"
    case .misdirectedRequest: "The host name is not allowed"
    case .unknownPath: "There is nothing at this path"
    case .methodNotAllowed: "This path does not have this method"
    case .unsupportedMediaType: "The content type is not supported"
    case .malformedJSON: "The body is not JSON"
    case .invalidBody: "The body is invalid"
    case .invalidQuery: "The query is invalid"
    case .invalidName: "The name is invalid"
    case .unknownSession: "No such session is open"
    case .unknownCommand: "No such command is declared"
    case .unknownMenu: "There is no such menu"
    case .unknownProtocol: "No such protocol is declared"
    case .unknownStoryboard: "No such storyboard is declared"
    case .unknownResponder: "The session has no such responder"
    case .unknownHandler: "The responder has no such handler"
    case .unknownRegistration: "The coordinator has no such registration"
    case .noCoordinator: "The responder hosts no coordinator"
    case .noRegistry: "There is no registry of late responders"
    case .unknownLateResponder: "The registry has no such late responder"
    case .unknownSegue: "The scene has no such segue"
    case .unknownDelivery: "The session has no such delivery"
    case .unresolvedReference: "The body names something that does not exist"
    case .sessionExists: "A session of this name is open"
    case .duplicateDeclaration: "Two declarations contradict each other"
    case .commandInMenus: "The command stands in menus"
    case .protocolInUse: "Classes use the protocol"
    case .noStoryboard: "The view controller comes from no storyboard"
    case .launchedAlready: "The session was launched already"
    case .delegateRefused: "The delegate lacks what its protocol requires"
    case .linkConflict: "The responder contradicts the others"
    case .patchConflict: "The patch does not fit the state"
    case .firstResponderRefused: "A responder refused to move focus"
    case .notPerformed: "Nothing was performed"
    case .tooMuchEffort: "The request is too much work"
    case .limitReached: "A limit is reached"
    case .tooManySessions: "Too many sessions are open"
    case .effectFailed: "An effect failed and nothing was changed"
    case .doesNotRecognizeSelector: "The receiver does not recognize the selector"
    case .senderCarriesNoAction: "The sender carries no action"
    case .undoRefused: "The undo manager refuses"
    case .messageQueueFull: "There is no room for another message"
    case .deliveryConflict: "The delivery is in another state"
    case .preconditionFailed: "The precondition does not hold"
    case .idempotencyKeyReused: "Another request had this idempotency key"
    case .overBudget: "The session takes too much time"
    case .tooManySubscriptions: "Too much is followed at once"
    case .malformedRequest: "The request is malformed"
    case .lengthRequired: "The request needs a length"
    case .contentTooLarge: "The body is too large"
    case .expectationFailed: "The expectation cannot be met"
    case .notImplemented: "This is not implemented"
    case .versionNotSupported: "The server does not speak this version of HTTP"
    case .headersTooLarge: "The header fields are too large"
    case .requestTimeout: "The request did not come in time"
    case .recovering: "The server is not ready yet"
    case .overloaded: "The server has too many requests at once"
    case .noAnswerInTime: "The answer did not come in time"
    case .noRoom: "There is no room to keep this"
    case .notKept: "This cannot be kept"
    case .outcomeUnknown: "It is not known whether this is kept"
    case .internalError: "The server made a mistake"
    }
  }
}
