import JSONText
import MenuEngine
import MicroHTTP

/// The parts of a session that a subscriber is told of. None of them means revisions alone.
struct EventSubscription: Hashable, Sendable {
  /// The session.
  let session: SessionID
  /// True if the document is told, as `GET /sessions/{session}` answers it.
  var hasDocument = false
  /// The menu that is told, as `GET /sessions/{session}/menu` answers it; nil for none.
  var menu: MenuQuestion?
  /// The commands whose items are told, as `POST /commands/validate` answers them.
  var commands: [CommandID] = []
  /// The modifiers that are held, for the items.
  var modifiers = KeyModifiers()

  /// A menu, and how it is asked for.
  struct MenuQuestion: Hashable, Sendable {
    let id: MenuID
    let kind: MenuKind
  }

  /// The revisions of a session alone.
  init(_ session: SessionID) { self.session = session }

  /// Reads what a query asks for.
  ///
  /// - Throws: 400 for what is no name of a command or no word of its parameter.
  init(_ call: Call) throws(Problem) {
    session = try call.session
    hasDocument = try call.flag("document")
    modifiers = KeyModifiers(try call.queryWords("modifiers"))
    let kind: MenuKind? = try call.queryWord("kind")
    let menu: MenuID? = try call.queryName("menu")
    if menu != nil || kind != nil {
      self.menu = MenuQuestion(id: menu ?? Menu.rootIdentifier, kind: kind ?? .main)
    }
    commands = try call.queryNames("commands")
  }

  /// The question whose answer has the items; nil when none are told.
  var itemsQuestion: ValidationRequest? {
    guard !commands.isEmpty else { return nil }
    var request = ValidationRequest()
    request.commands = commands
    request.modifiers = modifiers
    return request
  }

  /// The question whose answer has the menu; nil when none is told.
  var menuQuestion: ValidationRequest? {
    guard let menu else { return nil }
    var request = ValidationRequest()
    request.menu = menu.id
    request.kind = menu.kind
    request.modifiers = modifiers
    return request
  }
}
