package import JSONText

/// The screen of one front end: its state, its responders and where its focus is.
///
/// A session is a value. It changes only through `apply`, and the same mutations, under the same
/// catalogue, give the same session, names and tokens included.
package struct Session: Sendable, Codable {
  /// Its name.
  package internal(set) var id: SessionID
  /// The number of accepted mutations.
  package internal(set) var revision = 0
  /// The state that rules read: a JSON object.
  package internal(set) var state: JSON
  /// The size of the state, in values and bytes of strings and names.
  package internal(set) var stateSize: Int
  /// The responders and their chains.
  package internal(set) var graph: ResponderGraph {
    _read { yield sharedGraph.value }
    _modify { yield &sharedGraph.value }
  }
  var sharedGraph = Shared(ResponderGraph())
  /// The responder that is asked first; nil when nothing has focus.
  package internal(set) var firstResponder: ResponderID?
  /// The responders as they were when each of these got focus in the list of mutations that is being
  /// applied (R8); empty between lists.
  var givenFocus: [ResponderID: Shared<ResponderGraph>] = [:]
  /// The first responder of the session while it is looked at as if another window were key (R11).
  var focusBehind: ResponderID?
  /// The way in which targets are searched for.
  package let search: ResponderSearch
  /// The presenter of what no container shows (A4).
  package let presenter: Presenter
  /// The digest of the token that it is asked with; nil when only administrators open it.
  package let token: TokenDigest?
  var windows: [WindowRole: ResponderID] = [:]
  /// The instances that it made itself (V9).
  var instances: [ResponderID: Instance] = [:]
  /// The names of those who are gone.
  var pastNames = PastNames()
  /// The views that view controllers were told of (V9); nil before the first mutation.
  var appearances: Appearances?
  /// The messages that wait to be processed (C6).
  package internal(set) var messageQueue = MessageQueue()
  /// The deliveries to the application (D1).
  package internal(set) var deliveries = Deliveries()
  var undo: UndoManagers {
    _read { yield sharedUndo.value }
    _modify { yield &sharedUndo.value }
  }
  private var sharedUndo = Shared(UndoManagers())
  /// The commands that it performed (S4); nil before the first one.
  var uses: CommandUses?
  /// The outcome of the launch with which it was opened, if it was.
  package var opening: Outcome? { openingOutcome.value }
  private var openingOutcome = Uncoded<Outcome>()
  private var lastToken = 0
  /// The number that the store gave its opening, by which events tell it from other sessions of its name; nil until
  /// a store opens it.
  package var openingNumber: Int?

  private enum CodingKeys: String, CodingKey {
    case id
    case revision
    case state
    case stateSize
    case sharedGraph = "graph"
    case firstResponder
    case search
    case presenter
    case token
    case windows
    case instances
    case pastNames
    case appearances
    case messageQueue
    case deliveries
    case sharedUndo = "undo"
    case uses
    case openingOutcome
    case lastToken
    case openingNumber
  }

  /// Opens a session.
  ///
  /// - Throws: `MutationFault` when the links of its responders do not hold together, or when its
  ///   first responder or one of its windows is not among them or refuses.
  package init(
    _ id: SessionID, opening template: SessionTemplate, in catalog: Catalog,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) {
    self.id = id
    guard case .object = template.state else { throw .stateIsNoObject }
    state = template.state
    stateSize = state.writtenSize
    search = template.search
    presenter = template.presenter
    token = template.token
    undo = UndoManagers(template.undoManager)
    try place(template, in: catalog)
    noteKept()
    try limits.check(holdings, grownFrom: Holdings())
    for role in WindowRole.allCases {
      if let window = template.windows[role] { try make(window, role) }
    }
    if let responder = template.firstResponder {
      var trace = Trace(isRecording: false)
      _ = try becomeFirstResponder(responder, tracing: &trace)
    }
    if let launch = template.launch {
      try self.launch(launch, in: SessionContext(catalog, effort: Effort(limits)))
    }
    let resigned = resignIfLeft(since: self, in: catalog)
    openingOutcome.value?.changes += resigned
  }

  /// Places the responders of a template, which must hold together.
  private mutating func place(
    _ template: SessionTemplate, in catalog: Catalog
  ) throws(MutationFault) {
    let new = template.responders
    for index in new.indices {
      try checkClass(new[index].className, of: new[index].id, in: catalog)
    }
    if let opening = catalog.openingGraph, opening.isOf(template) {
      (graph, lastToken) = (opening.graph, opening.lastToken)
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
      openingOutcome.value = outcome
    } catch {
      throw .launching(error)
    }
  }

  /// The next token for a registration with a coordinator; no token is given twice.
  mutating func nextToken() -> Int {
    lastToken += 1
    return lastToken
  }

  /// The responder, the registrations of its coordinator under tokens of this session. A registration
  /// that the responder in its place has too keeps its token (F1).
  mutating func numbered(_ responder: Responder) -> Responder {
    let present = graph[responder.id]?.coordinator
    var numbered = responder
    numbered.coordinator = responder.coordinator?.renumbered { registration in
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
