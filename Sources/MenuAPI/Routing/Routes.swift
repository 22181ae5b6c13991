extension Service {
  /// All routes, in the order of the OpenAPI document.
  package static let routes: [Route] = sections.flatMap(\.routes)

  /// All routes with what they are about. The examples of the document can be sent in this order.
  static let sections = [
    RouteSection(tag: .operations, HealthRoutes.all),
    RouteSection(tag: .commands, CommandRoutes.all),
    RouteSection(tag: .menus, MenuRoutes.all),
    RouteSection(tag: .sessions, SessionListRoute.all + SessionRoutes.all),
    RouteSection(tag: .responders, ResponderRoutes.all + HandlerRoutes.all),
    RouteSection(tag: .forwarding, RegistrationRoutes.all),
    RouteSection(tag: .sessions, FocusRoutes.all + StateRoutes.all + MutationRoutes.all),
    RouteSection(tag: .events, EventRoutes.all),
    RouteSection(tag: .questions, QuestionRoutes.all + TargetRoute.all),
    RouteSection(tag: .commands, ValidationRoute.all + SearchRoute.all + PerformRoute.all),
    RouteSection(tag: .rules, RuleRoutes.all),
    RouteSection(tag: .keys, KeyRoutes.all + KeyConflictRoute.all + KeyCommandRoutes.all),
    RouteSection(tag: .lateResponders, LateResponderRoutes.all),
    RouteSection(tag: .questions, ChainRoutes.all),
    RouteSection(tag: .classes, ClassRoutes.all),
    RouteSection(tag: .storyboards, ProtocolRoutes.all + StoryboardRoutes.all + SegueRoutes.all),
    RouteSection(tag: .messages, MessageRoutes.all),
    RouteSection(tag: .storyboards, SegueRoutes.unwinding),
    RouteSection(tag: .undo, UndoRoutes.all),
    RouteSection(tag: .agents, AgentRoutes.all),
    RouteSection(tag: .deliveries, DeliveryRoutes.all),
  ]
}

/// Routes about one thing.
struct RouteSection: Sendable {
  let tag: RouteTag
  let routes: [Route]

  init(tag: RouteTag, _ routes: [Route]) {
    self.tag = tag
    self.routes = routes
  }
}

/// A subject of the OpenAPI document; generated clients have a module for each.
enum RouteTag: String, CaseIterable {
  case operations
  case commands
  case menus
  case sessions
  case responders
  case forwarding
  case events
  case questions
  case rules
  case keys
  case lateResponders
  case classes
  case storyboards
  case messages
  case undo
  case agents
  case deliveries

  var summary: String {
    switch self {
    case .operations: "Health, metrics and this document."
    case .commands: "Commands: declaring, validating and performing them."
    case .menus: "The menus that commands stand in."
    case .sessions: "Sessions: opening and closing them, their state, focus and windows."
    case .responders: "The responders of a session, and the handlers that they have."
    case .forwarding: "The handlers that menu coordinators have."
    case .events: "What changes in a session, as it changes."
    case .questions: "Questions about a session that change nothing."
    case .rules: "The language of rules."
    case .keys: "Key commands, and what a key press does."
    case .lateResponders: "The late responders of a host."
    case .classes: "The classes of responders."
    case .storyboards: "Storyboards, segues, and the protocols of delegates."
    case .messages: "Messages along the coordinating chain, or to a delegate."
    case .undo: "Undo managers."
    case .agents: "The Model Context Protocol: commands as tools of agents."
    case .deliveries: "Work that only the application can do: claiming and settling it."
    }
  }
}
