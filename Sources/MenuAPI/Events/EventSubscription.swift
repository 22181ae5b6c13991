import JSONText
import MenuEngine
import MicroHTTP

/// A selection of the parts of a session that a subscriber is told of. None of them means revisions alone.
struct EventSubscription: Hashable, Sendable {
  typealias Name = Identifier<EventSubscription>

  let session: SessionID
  /// The name of the selection; nil for the one without, which the query itself describes.
  var name: Name?
  /// True if the document is told, as `GET /sessions/{session}` answers it.
  var hasDocument = false
  /// The menu that is told, as `GET /sessions/{session}/menu` answers it; nil for none.
  var menu: MenuQuestion?
  /// The commands whose items are told, as `POST /commands/validate` answers them.
  var commands: [CommandID] = []
  /// The modifiers that are held, for menu and items.
  var modifiers = KeyModifiers()
  /// The responder at which searches begin, for menu and items; nil for the first responder.
  var from: ResponderID?
  /// The window that is as if it were key, for menu and items (R11); nil for the one that is.
  var window: ResponderID?
  /// The states of the deliveries that are told, as `GET /sessions/{session}/deliveries` answers them.
  var deliveries: [Delivery.State] = []

  /// A menu, and how it is asked for.
  struct MenuQuestion: Hashable, Sendable {
    let id: MenuID
    let kind: MenuKind
  }

  /// The revisions of a session alone.
  init(_ session: SessionID) { self.session = session }

  /// Reads the parts that a query, or a selection in one, asks for.
  ///
  /// - Throws: 400 for what is no name or no word of its parameter.
  init(_ query: QueryReader, of session: SessionID, named name: Name? = nil) throws(Problem) {
    self.session = session
    self.name = name
    hasDocument = try query.flag("document")
    modifiers = KeyModifiers(try query.words("modifiers"))
    from = try query.name("from")
    window = try query.name("window")
    let kind: MenuKind? = try query.word("kind")
    let menu: MenuID? = try query.name("menu")
    if menu != nil || kind != nil {
      self.menu = MenuQuestion(id: menu ?? Menu.rootIdentifier, kind: kind ?? .main)
    }
    commands = try query.names("commands")
    deliveries = try query.words("deliveries")
  }

  /// The parameters that ask for parts.
  static let parts: [QueryParameter] = [
    .document, .menu, .kind, .commands, .modifiers, .from, .window, .deliveries,
  ]

  /// True if every revision is told, since nothing else is.
  var isOfRevisions: Bool {
    !hasDocument && menu == nil && commands.isEmpty && deliveries.isEmpty
  }

  /// The question whose answer has the items; nil when none are told.
  var itemsQuestion: ValidationRequest? {
    guard !commands.isEmpty else { return nil }
    var request = question
    request.commands = commands
    return request
  }

  /// The question whose answer has the menu; nil when none is told.
  var menuQuestion: ValidationRequest? {
    guard let menu else { return nil }
    var request = question
    request.menu = menu.id
    request.kind = menu.kind
    return request
  }

  private var question: ValidationRequest {
    var request = ValidationRequest()
    request.modifiers = modifiers
    request.from = from
    request.window = window
    return request
  }
}
