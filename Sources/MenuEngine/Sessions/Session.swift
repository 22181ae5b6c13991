public import JSONText

/// The session of one front end: its state, its responders and its focus.
///
/// A session is a value. It changes only through `apply`. The same mutations under the same catalogue give the same
/// session, including names and tokens.
public struct Session: Sendable {
  /// Its name.
  public internal(set) var id: SessionID {
    get { content.value.id }
    set { content.value.id = newValue }
  }
  /// The number of mutations that changed or sent something.
  public internal(set) var revision: Int {
    get { content.value.revision }
    set { content.value.revision = newValue }
  }
  /// The state that rules read: a JSON object.
  public internal(set) var state: JSON
  /// The size of the state, in values and bytes of strings and names.
  package internal(set) var stateSize: Int {
    get { content.value.stateSize }
    set { content.value.stateSize = newValue }
  }
  /// The responders and their chains.
  package internal(set) var graph: ResponderGraph {
    _read { yield content.value.graph }
    _modify { yield &content.value.graph }
  }
  /// The responder where searches begin; nil if nothing has focus.
  public internal(set) var firstResponder: ResponderID? {
    get { content.value.firstResponder }
    set { content.value.firstResponder = newValue }
  }
  /// The graph at the time when each of these responders got focus within the present list of mutations (R8); empty
  /// between lists.
  var givenFocus: [ResponderID: ResponderGraph] {
    _read { yield content.value.givenFocus }
    _modify { yield &content.value.givenFocus }
  }
  /// The search for targets.
  package var search: ResponderSearch { content.value.search }
  /// The presenter of view controllers that no container shows (A4).
  package var presenter: Presenter { content.value.presenter }
  /// The digest of the bearer token of the session; nil if only administrators have access.
  package var token: TokenDigest? { content.value.token }
  var parts: Shared<SessionParts> {
    _read { yield content.value.parts }
    _modify { yield &content.value.parts }
  }
  // A `get`, not a `_read`: in optimised builds of single files, Swift 6.3 accesses parts of a yielded value, such as
  // `undo.event`, after the end of the access (https://github.com/swiftlang/swift/pull/90550, corrected in 6.4).
  var undo: UndoManagers {
    get { content.value.undo.value }
    _modify { yield &content.value.undo.value }
  }
  /// The uses of performed commands (S4); nil before the first one.
  var uses: CommandUses? {
    _read { yield content.value.uses }
    _modify { yield &content.value.uses }
  }
  /// The store's number for this incarnation of the session's name, by which events distinguish incarnations;
  /// nil until a store opens it.
  package var openingNumber: Int? {
    get { content.value.openingNumber }
    set { content.value.openingNumber = newValue }
  }
  /// The contents except the state; copies share them.
  private(set) var content: Shared<Content>

  /// Opens a session.
  ///
  /// - Parameters:
  ///   - id: Its name.
  ///   - template: Its initial responders, state and focus.
  ///   - catalog: The catalogue with the classes of its responders.
  ///   - limits: The limits of the session. The default is ``SessionLimits/init()``.
  /// - Throws: ``MutationFault`` if the links of its responders are inconsistent, or if its first responder or one of
  ///   its windows is missing or refuses.
  package init(
    _ id: SessionID, opening template: SessionTemplate, in catalog: Catalog,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) {
    guard case .object = template.state else { throw .stateIsNoObject }
    state = template.state
    content = Shared(Content(id, opening: template))
    if let key = template.planKey { parts.value.planKey = key }
    if let keymap = template.keymap { parts.value.keymap = keymap }
    if let locale = template.locale { parts.value.locale = locale }
    try place(template, in: catalog)
    noteKept()
    try limits.check(holdings, grownFrom: Holdings())
    for role in WindowRole.allCases {
      if let window = template.windows[role] { try make(window, role) }
    }
    if let responder = template.firstResponder {
      var trace = Trace(isRecording: false)
      _ = try becomeFirstResponder(
        responder, asking: Effort(), reading: catalog.translations(for: self), tracing: &trace)
    }
    if let launch = template.launch {
      try self.launch(launch, in: SessionContext(catalog, effort: Effort(limits)))
    }
    let resigned = resignIfLeft(since: self, in: catalog)
    if !resigned.isEmpty { parts.value.opening.value?.changes += resigned }
  }

  /// Adds the responders of a template, which must be consistent.
  private mutating func place(
    _ template: SessionTemplate, in catalog: Catalog
  ) throws(MutationFault) {
    let new = template.responders
    for index in new.indices {
      try checkClass(new[index].className, of: new[index].id, in: catalog)
    }
    if let opening = catalog.openingGraph, opening.isOf(template) {
      (graph, content.value.lastToken) = (opening.graph, opening.lastToken)
    } else {
      var numbered = new
      for index in new.indices where new[index].coordinator != nil {
        numbered[index] = self.numbered(new[index])
      }
      try graph.put(numbered)
    }
    try noteInstances(among: new, since: ResponderGraph())
    if let fault = graph.placementFaults(of: new).first { throw fault }
    for index in new.indices {
      let id = new[index].id
      if new[index].links[.delegate] != nil { try checkDelegate(of: id, in: catalog) }
      if new[index].isInContainers { try checkColumns(around: id, in: catalog) }
    }
  }

  private mutating func launch(
    _ launch: Launch, in context: SessionContext
  ) throws(MutationFault) {
    do throws(MutationFault) {
      var performer = Performer(self, in: context)
      let outcome = try performer.change(by: .launch(launch))
      self = performer.session
      try context.effort.check()
      concludeUndo(outcome.changes)
      parts.value.opening.value = outcome
    } catch {
      throw .launching(error)
    }
  }

  /// Returns the next token for a registration; tokens are never reused.
  mutating func nextToken() -> Int {
    content.value.lastToken += 1
    return content.value.lastToken
  }

  /// Returns the responder with session tokens for its coordinator's registrations. A registration that the
  /// present responder also has keeps its token (F1).
  mutating func numbered(_ responder: Responder) -> Responder {
    guard let coordinator = responder.coordinator else { return responder }
    let present = graph[responder.id]?.coordinator
    var numbered = responder
    numbered.content.coordinator = coordinator.renumbered { registration in
      present?.token(of: registration) ?? nextToken()
    }
    return numbered
  }

  func checkClass(
    _ className: ClassName, of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) {
    guard catalog.classes.contains(className) else { throw .link(.unknownClass(id, className)) }
  }
}

extension Session {
  /// The contents of a session except its state. Copies share them, so that a copy takes one reference. The state is
  /// stored separately: a copy can drop the state, and the original then changes its own in place.
  struct Content: Codable {
    var id: SessionID
    var revision = 0
    var stateSize: Int
    var graph = ResponderGraph()
    var firstResponder: ResponderID?
    let search: ResponderSearch
    let presenter: Presenter
    let token: TokenDigest?
    var undo: Shared<UndoManagers>
    var uses: CommandUses?
    var lastToken = 0
    var openingNumber: Int?
    var givenFocus: [ResponderID: ResponderGraph] = [:]
    var parts = SessionParts.none

    init(_ id: SessionID, opening template: SessionTemplate) {
      self.id = id
      stateSize = template.state.writtenSize
      search = template.search
      presenter = template.presenter
      token = template.token
      undo = Shared(UndoManagers(template.undoManager))
    }

    private enum CodingKeys: CodingKey {
      case id
      case revision
      case stateSize
      case graph
      case firstResponder
      case search
      case presenter
      case token
      case undo
      case uses
      case lastToken
      case openingNumber
    }
  }
}

/// The stored form has the members of ``SessionParts`` beside those of the session.
extension Session: Codable {
  private enum CodingKeys: CodingKey {
    case state
  }

  /// Encodes everything but values that are only valid temporarily.
  public func encode(to encoder: any Encoder) throws {
    try content.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(state, forKey: .state)
    try parts.encode(to: encoder)
  }

  /// Decodes a session.
  public init(from decoder: any Decoder) throws {
    content = try Shared(from: decoder)
    state = try decoder.container(keyedBy: CodingKeys.self).decode(JSON.self, forKey: .state)
    parts = try Shared(from: decoder)
  }
}
