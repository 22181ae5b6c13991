import JSONText

/// The limits of one session, and of one mutation of it, that the host can set.
///
/// They are passed with each mutation and are not part of the session: a session that was changed under higher limits
/// stays as it is; only further growth is refused.
package struct SessionLimits: Sendable {
  private var most = Holdings()
  /// The maximum number of effects of one performed command, including nested sends. The default is 1,000.
  package var effects = Limits.effects
  /// The maximum nesting of sends. The default, 16, is also the upper bound, set by the stack.
  package var sends = Limits.sends
  /// The maximum number of steps of one request.
  var effort = Limits.effort

  /// Creates the default limits: 10,000 responders, 20,000 handlers, 50,000 rules, 10,000 key commands, 64 undo
  /// managers, 4 MiB of state, 16 MiB of responders' documents, and 1,000 open deliveries with 4 MiB.
  package init() {
    for holding in Holding.allCases { most[holding] = holding.usualLimit }
  }

  /// The fixed limits alone, for replaying accepted mutations.
  package static let unlimited: SessionLimits = {
    var limits = SessionLimits()
    for holding in Holding.allCases { limits[holding] = .max }
    limits.effects = .max
    limits.effort = .max
    return limits
  }()

  /// The maximum amount of a resource in a session.
  package subscript(holding: Holding) -> Int {
    get { most[holding] }
    set { most[holding] = newValue }
  }

  /// Refuses growth beyond a limit. Usage that stays equal or shrinks is never refused.
  func check(_ holdings: Holdings, grownFrom before: Holdings) throws(MutationFault) {
    guard let holding = holdings.first(above: most, and: before) else { return }
    throw .limitReached(holding, limit: most[holding])
  }
}

extension Holding {
  fileprivate var usualLimit: Int {
    switch self {
    case .responders: 10_000
    case .handlers: 20_000
    case .rules: 50_000
    case .keyCommands: 10_000
    case .undoManagers: 64
    case .stateSize: 1 << 22
    case .responderSize: 1 << 24
    case .deliveries: 1000
    case .deliverySize: 1 << 22
    }
  }
}

/// Fixed limits of one mutation, which bound its time and stack.
package enum Limits {
  /// The nesting of arrays and objects in state and properties.
  package static let depth = 128
  /// The size of an added or merged value, as `JSON.fits(depth:size:)` counts it.
  package static let work = 1 << 18
  /// The maximum nesting of sends, which is also the default.
  package static let sends = 16
  /// The default number of effects of one performed command, nested sends included.
  package static let effects = 1000
  /// The nesting of menus; menus in the root have depth 1.
  package static let menus = 32
  /// The nesting of the relationships of scenes.
  package static let scenes = 32

  /// The number of steps of one request: those of its rules, and one for each responder searched. A trace step
  /// counts 64 times.
  ///
  /// This is ten times the effort of validating 10,000 commands, and 35 times that of the photo application
  /// with traces; it takes about 20 ms.
  package static let effort = 1 << 20

  /// The number of groups on each stack of an undo manager if `levelsOfUndo` sets no limit or a higher one. The
  /// oldest groups are dropped first.
  package static let undoGroups = 1024
  /// The size of each stack of an undo manager, in values and bytes of strings. The oldest groups are dropped
  /// first. A change that makes one group larger than this is refused.
  package static let undoSize = 1 << 22
  /// The number of kept groups that undoing passes over, and of their actions in total (U4). The oldest are
  /// dropped first.
  static let passedGroups = 64
  static let passedActions = 4096
  /// The number of places that an outcome lists as kept by undoing, and of messages as failed (U4).
  package static let keptPlaces = 256
  /// The number of bytes of a coalescing key (U6).
  package static let coalescingKey = 256
  /// The number of places that one undo manager ignores (U5).
  package static let ignoredPlaces = 256
  /// The nesting of undo groups.
  package static let undoNesting = 64

  /// The length of the message queue (C6).
  package static let queuedMessages = 1024
  /// The size of the arguments of all queued messages, in values and bytes of strings.
  package static let queueSize = 1 << 22

  /// The number of settled deliveries that a session keeps. The oldest are dropped first (D3).
  package static let settledDeliveries = 1024
  /// The size of all settled deliveries, in bytes of written JSON. The last settled one is always kept.
  package static let settledSize = 1 << 20

  /// The number of choices for one parameter (P4).
  package static let choices = 1000

  /// The times that clients and rules give, in milliseconds since 1970-01-01T00:00:00Z: the years 0 to 9999.
  package static let times: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// The number of bytes of a claimer's name.
  package static let claimerName = 256
  /// The number of bytes of a text about the progress of a delivery (D6).
  package static let claimMessage = 1024

  /// The maximum numbers of resources and of prompts of an application.
  package static let resources = 256
  package static let prompts = 256
  /// The maximum number of arguments of a prompt, and of variables of a template.
  package static let arguments = 16
  /// The maximum number of messages of a prompt.
  package static let messages = 64
  /// The maximum size of the messages of a prompt in bytes, including arguments and embedded resources.
  package static let promptSize = 1 << 21
  /// The maximum sizes of one file of an application and of all its files, in bytes.
  package static let applicationFile = 1 << 19
  package static let applicationFiles = 1 << 22
  /// The maximum sizes of the parts that describe a resource or a prompt, in bytes.
  package static let filePath = 1024
  package static let uri = 1024
  /// The maximum size of a URI in bytes, expanded from a template or sent by a client.
  package static let expandedURI = 4096
  package static let mediaType = 128
  package static let parameterName = 64
  package static let title = 256
  package static let description = 4096

  static let patch = JSONPatchLimits(depth: depth, work: work)
}
