import JSONText
import Testing

@testable import MenuEngine
@testable import RandomSessions

/// A catalogue with storyboards and a session under it, made from documents.
struct StoryboardStage {
  var catalog: Catalog
  var session: Session

  init(
    _ scenes: JSON, initial: String = "root", classes: JSON = [:], protocols: JSON = [:],
    responders: JSON = [:], commands: JSON = [], launch: JSON? = nil, state: JSON = ["log": []]
  ) throws {
    var template: JSONObject = ["state": state, "responders": responders]
    template["launch"] = launch
    catalog = try CatalogDocument([
      .commands: commands, .classes: classes, .protocols: protocols,
      .storyboards: ["Main": ["initialViewController": .string(initial), "scenes": scenes]],
      .session: .object(template),
    ]).catalog()
    session = try Session("s", opening: try #require(catalog.template), in: catalog)
  }

  init(_ opened: OpenedSession) { (catalog, session) = (opened.catalog, opened.session) }

  /// A launched one, whose delegate does nothing.
  init(
    launching scenes: JSON, initial: String = "root", classes: JSON = [:], protocols: JSON = [:],
    state: JSON = ["log": []]
  ) throws {
    try self.init(
      scenes, initial: initial, classes: classes, protocols: protocols,
      launch: ["storyboard": "Main"], state: state)
  }

  var log: JSON? { session.state[JSONPointer(["log"])] }

  @discardableResult
  mutating func apply(_ mutation: Mutation) throws -> Outcome {
    let outcome = try session.apply(mutation, in: catalog, isExplaining: true)
    session.expectSound(in: catalog, after: mutation)
    return outcome
  }

  /// Performs a segue as the user does.
  @discardableResult
  mutating func segue(
    _ identifier: SegueIdentifier, from source: ResponderID,
    by trigger: SegueRequest.Trigger = .user,
    sender: SenderDescription? = nil
  ) throws -> Outcome {
    try apply(
      .performSegue(
        SegueRequest(identifier: identifier, source: source, trigger: trigger, sender: sender)))
  }

  @discardableResult
  mutating func unwind(_ action: Selector, from source: ResponderID) throws -> Outcome {
    try apply(.unwind(UnwindRequest(action: action, source: source)))
  }

  @discardableResult
  mutating func send(_ action: Selector, to id: ResponderID) throws -> Outcome {
    try apply(.perform(ActionRequest(.action(action), to: .responder(id))))
  }

  /// The fault that a mutation is refused with; a refused one must leave the session as it was.
  func refusal(of mutation: Mutation) -> MutationFault? {
    var copy = session
    do throws(MutationFault) {
      _ = try copy.apply(mutation, in: catalog)
      Issue.record("accepted")
      return nil
    } catch {
      #expect(copy.document == session.document)
      return error
    }
  }

  subscript(id: ResponderID) -> Responder? { session.responder(id) }

  func link(_ link: ResponderLink, of id: ResponderID) -> ResponderID? {
    session.graph[id]?.links[link]
  }

  func property(_ name: String, of id: ResponderID) -> JSON? {
    session.graph[id]?.properties.object?[name]
  }
}

extension Outcome {
  /// The lifecycle messages to view controllers, as text: `viewDidLoad list`.
  var lifecycle: [String] {
    events.compactMap { event in
      if case .lifecycle(let stage, let id, told: _) = event { "\(stage) \(id)" } else { nil }
    }
  }

  /// The names of the responders that joined.
  var joined: [ResponderID] {
    changes.compactMap { if case .responder(let responder) = $0 { responder.id } else { nil } }
  }

  /// The names of the responders that are gone.
  var gone: [ResponderID] {
    changes.compactMap { if case .responderRemoved(let id) = $0 { id } else { nil } }
  }
}

/// A handler that answers a value.
func answering(_ rule: String) -> JSON {
  ["perform": [["op": "answer", "value": .string(rule)]]]
}

/// A handler that appends what a rule says to `/log`.
func noting(_ rule: String) -> JSON {
  ["perform": [["op": "add", "path": "/log/-", "value": .string(rule)]]]
}
