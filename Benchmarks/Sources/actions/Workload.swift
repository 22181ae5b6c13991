import JSONText
import MenuEngine

/// The eight workloads of GTK's benchmark of its actions, in terms of responders and commands.
///
/// A widget bound to an action in GTK is a command here, told from others with the same action by
/// its property list (M1); an action of a group is a handler of a responder.
enum Workload: String, CaseIterable {
  /// All bindings have one action.
  case sameNameBindings = "same-name-bindings"
  /// The bindings have a hundred actions.
  case hundredActionNames = "100-action-names"
  /// A hundred nested responders all handle the one action; the innermost hides the others.
  case deepShadowing = "deep-shadowing"
  /// One action is toggled, and all bindings show its check mark.
  case stateToggles = "state-toggles"
  /// One action has a thousand values, each shown by ten of the bindings.
  case radioTargets = "radio-targets"
  /// A view with a subview for each binding moves to another superview.
  case subtreeMoves = "subtree-moves"
  /// A responder with handlers for a hundred actions is replaced by another one.
  case groupReplacement = "group-replacement"
  /// Each of as many responders as there are bindings toggles a property of its own.
  case propertyActions = "property-actions"

  /// Returns the name of a step, and the number of steps of GTK's workload with these bindings.
  func steps(for bindings: Int) -> (what: String, count: Int) {
    switch self {
    case .sameNameBindings, .hundredActionNames, .deepShadowing: ("ask, cold", 1)
    case .stateToggles: ("toggle, ask", 100)
    case .radioTargets: ("choose, ask", bindings / 10)
    case .subtreeMoves: ("move, ask", 1)
    case .groupReplacement: ("replace, ask", 1)
    case .propertyActions: ("perform", bindings)
    }
  }

  /// Returns the number of items that differ after a step; nil when nobody asks.
  func differences(for bindings: Int) -> Int? {
    switch self {
    case .sameNameBindings, .hundredActionNames, .deepShadowing, .stateToggles: bindings
    case .radioTargets: 2 * bindings / Self.targets(for: bindings)
    // Another responder answers, or the same one elsewhere, and what it answers is the same.
    case .subtreeMoves, .groupReplacement: 0
    case .propertyActions: nil
    }
  }
}

/// A workload with so many bindings, ready to go.
struct Bench {
  private let workload: Workload
  private let bindings: Int
  private var frontEnd: FrontEnd
  private let opened: FrontEnd
  private var step = 0
  /// The number of items that differed after the last step that asked for it.
  private var differences: Int?

  /// The question that is asked after a change.
  enum Question: String {
    /// The items that differ, as a client that has all of them is told.
    case differences
    /// All items, as the body of an answer.
    case answer
  }

  /// Its documents are read and checked.
  static func catalog(of workload: Workload, bindings: Int) throws -> Catalog {
    try CatalogDocument(workload.documents(bindings: bindings)).catalog()
  }

  /// Reads the template and opens the session.
  init(_ workload: Workload, bindings: Int, _ catalog: Catalog) throws {
    self.workload = workload
    self.bindings = bindings
    let template = try SessionTemplate(workload.template(bindings: bindings))
    opened = try FrontEnd(catalog, opening: template)
    frontEnd = opened
  }

  /// Validates all bindings, with no change since the last time.
  mutating func askAgain() throws { _ = try frontEnd.validate() }

  /// Checks that the items are as they must be.
  mutating func check() throws {
    let wanted = workload == .propertyActions ? 1 : bindings
    let enabled = try frontEnd.enabledCounts()
    guard enabled == (wanted, wanted),
      differences == nil || differences == workload.differences(for: bindings)
    else { throw Wrong(workload: workload, enabled: enabled, differences: differences) }
  }

  /// Does one step: a change and a question.
  mutating func takeStep(asking question: Question) throws {
    step += 1
    switch workload {
    case .sameNameBindings, .hundredActionNames, .deepShadowing: frontEnd = opened
    case .stateToggles: try frontEnd.apply(.mergeState(["isOn": .bool(step % 2 == 1)]))
    case .radioTargets:
      let target = step % Workload.targets(for: bindings)
      try frontEnd.apply(.mergeState(["radio": .int(Int64(target))]))
    case .subtreeMoves: try frontEnd.apply(.putResponder(side(step % 2 == 1 ? "right" : "left")))
    case .groupReplacement: try frontEnd.apply(.putResponder(group(step % 2)))
    case .propertyActions: return try toggleProperty(of: step % bindings)
    }
    switch question {
    case .differences: differences = try frontEnd.changedItems()
    case .answer: try askAgain()
    }
  }

  private func side(_ name: String) throws -> Responder {
    try Responder("subtree", ["kind": "view", "superview": .string(name)])
  }

  private func group(_ number: Int) throws -> Responder {
    try Responder("root", Workload.root(actions: Workload.actions, enabledBy: "isGroup\(number)"))
  }

  private mutating func toggleProperty(of number: Int) throws {
    let request = ActionRequest(
      .command("toggleVisibility:"), from: ResponderID("text\(number)"))
    try frontEnd.apply(.perform(request))
  }

  /// Items that are not as they must be.
  struct Wrong: Error {
    let workload: Workload
    let enabled: (known: Int, asked: Int)
    let differences: Int?
  }
}
