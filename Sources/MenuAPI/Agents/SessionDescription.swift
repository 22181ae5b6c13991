import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The description of a session for a model that has only tools: the answer of `describe_session`.
struct SessionDescription {
  /// The maximum number of responders that a text names from a list.
  private static let namedResponders = 12

  private let snapshot: Snapshot
  private let session: SessionID
  /// The responders that a search for a command visits, in order.
  private let chain: [ResponderID]
  private let commands: (enabled: Int, all: Int)
  /// The number of unsettled deliveries that are visible to the token.
  private let openDeliveries: Int
  /// The view controllers on the screen, each after its container or presenter.
  private let onScreen: [ResponderID]
  /// The responders that a search does not visit, except those that are off the screen.
  private let others: [ResponderID]
  /// The view controllers off the screen that a search does not visit.
  private let unseen: [ResponderID]
  private let names: FixedToolNames

  /// Creates the description.
  ///
  /// - Parameter commands: The numbers of commands that agents may call: those that can be chosen, and all.
  init(
    _ snapshot: Snapshot, of session: SessionID, asking chain: [ResponderID],
    commands: (enabled: Int, all: Int), openDeliveries: Int, _ names: FixedToolNames
  ) {
    (self.snapshot, self.session, self.chain, self.names) = (snapshot, session, chain, names)
    (self.commands, self.openDeliveries) = (commands, openDeliveries)
    onScreen = snapshot.session.visibleViewControllers(in: snapshot.catalog)
    let (asked, visible) = (Set(chain), Set(onScreen))
    let rest = snapshot.session.graph.ids.filter { !asked.contains($0) }
    unseen = rest.filter {
      snapshot.session.responder($0)?.kind == .viewController && !visible.contains($0)
    }
    let hidden = Set(unseen)
    others = rest.filter { !hidden.contains($0) }
  }

  var result: JSONObject { ["content": [text.block], "structuredContent": structure] }

  // MARK: Text

  private var text: ToolText {
    var text = ToolText(
      "\(commands.enabled) of \(commands.all) commands can be performed now; \(names.name(of: .find)) lists them."
    )
    text.add(sentenceAboutFocus)
    let windows = windows.map {
      quoted($0.id) + ($0.id == snapshot.session.keyWindow ? " (key)" : "")
    }
    if windows.count > 1 { text.add("Windows: \(list(windows)).") }
    if !onScreen.isEmpty { text.add("On the screen: \(named(onScreen, " › ")).") }
    if !others.isEmpty { text.add("Other responders: \(named(others)).") }
    if !unseen.isEmpty { text.add("Not on the screen: \(named(unseen)).") }
    if let undoTitle { text.add("What was done last can be taken back: “\(undoTitle)”.") }
    if openDeliveries > 0 {
      text.add(
        "The application has \(openDeliveries == 1 ? "1 delivery" : "\(openDeliveries) deliveries") to do."
      )
    }
    text.add("The state:")
    text.add(membersOf: snapshot.session.state, at: .root, names)
    return text
  }

  /// Returns the result for one place in the state of a session.
  static func result(
    about value: JSON, at place: JSONPointer, of session: SessionID, revision: Int,
    _ names: FixedToolNames
  ) -> JSONObject {
    var text = ToolText("The state at '\(place)':")
    text.add(membersOf: value, at: place, names)
    var structure = ToolStructure()
    structure.add("session", .string(session.rawValue), rest: nil)
    structure.add("revision", .int(Int64(revision)), rest: nil)
    structure.add("path", .string(place.description), rest: nil)
    structure.add("state", value, rest: SessionResource.root(session), isDivisible: true)
    return ["content": [text.block], "structuredContent": structure.json]
  }

  private var sentenceAboutFocus: String {
    let asked = chain.isEmpty ? "nobody" : named(chain, ", then ")
    let focus =
      snapshot.session.firstResponder.map { "\(quoted($0)) has focus." } ?? "Nobody has focus."
    return "\(focus) A command asks \(asked)."
  }

  /// `'photoGrid' (PhotoGridView), 'window'`
  private func named(_ ids: [ResponderID], _ separator: String = ", ") -> String {
    let names = ids.prefix(Self.namedResponders).map { id in
      "\(quoted(id))\(ownClass(of: id).map { " (\($0))" } ?? "")"
    }
    let rest = ids.count - names.count
    return names.joined(separator: separator) + (rest > 0 ? ", and \(rest) more" : "")
  }

  // MARK: Structure

  private var structure: JSON {
    let root = SessionResource.root(session)
    var structure = ToolStructure()
    structure.add("session", .string(session.rawValue), rest: nil)
    structure.add("revision", .int(Int64(snapshot.session.revision)), rest: nil)
    structure.add(
      "commands", ["enabled": .int(Int64(commands.enabled)), "total": .int(Int64(commands.all))],
      rest: nil)
    structure.add(
      "focus", snapshot.session.firstResponder.map { .string($0.rawValue) } ?? .null, rest: nil)
    structure.add("undo", undoTitle.map(JSON.string) ?? .null, rest: nil)
    structure.add("deliveries", .int(Int64(openDeliveries)), rest: root + "/deliveries")
    structure.add("screen", .array(onScreen.map { .string($0.rawValue) }), rest: nil)
    structure.add("state", snapshot.session.state, rest: root, isDivisible: true)
    structure.add("windows", .array(windows.map { described($0.id) }), rest: root)
    structure.add("chain", .array(chain.map(described)), rest: root)
    structure.add("others", .array((others + unseen).map(described)), rest: root)
    return structure.json
  }

  private func described(_ id: ResponderID) -> JSON {
    var object: JSONObject = ["responder": .string(id.rawValue)]
    if let responder = snapshot.session.responder(id) {
      object["kind"] = .string(responder.kind.rawValue)
      object["class"] = ownClass(of: id).map { .string($0.rawValue) }
      responder.writeLinks(to: &object)
      if !responder.viewControllers.isEmpty {
        object["viewControllers"] = .array(responder.viewControllers.map { .string($0.rawValue) })
      }
      if responder.properties != [:] { object["properties"] = responder.properties }
    }
    return .object(object)
  }

  /// Returns the class declared for a responder; nil for the default class of its kind.
  private func ownClass(of id: ResponderID) -> ClassName? {
    guard let responder = snapshot.session.responder(id),
      responder.className != responder.kind.defaultClass
    else {
      return nil
    }
    return responder.className
  }

  // MARK: Facts

  private var windows: [Responder] {
    snapshot.session.graph.ids.compactMap(snapshot.session.responder).filter { $0.kind == .window }
  }

  /// The title of the next undo; nil if nothing can be undone.
  private var undoTitle: String? {
    let session = snapshot.session
    let owner = session.undoOrigin.flatMap { session.undoManagerOwner(for: $0) }
    guard let manager = session.undoManager(ownedBy: owner), manager.can(.undo) else { return nil }
    return manager.menuItemTitle(.undo, in: snapshot.catalog.translations(for: session))
  }
}

extension SessionAgent {
  /// Returns the description of the screen, or of one place in the state.
  func describe(_ arguments: JSONObject) throws(Problem) -> JSONObject {
    guard let path = arguments.text("path") else { return try describe() }
    let argument = JSONPointer(["path"])
    let place: JSONPointer
    do throws(JSONPointerFault) {
      place = try JSONPointer(parsing: path)
    } catch {
      throw Problem(.invalidBody, "\(error)", at: argument)
    }
    let id = try call.session
    let session = try call.snapshot(id).session
    guard let value = session.state[place] else {
      throw Problem(.unresolvedReference, "The state has nothing at '\(place)'.", at: argument)
    }
    return SessionDescription.result(
      about: value, at: place, of: id, revision: session.revision, names)
  }

  private func describe() throws(Problem) -> JSONObject {
    let session = try call.session
    let snapshot = try call.snapshot(session)
    let consent = call.service.limits.agentConsent
    let enabled = try askPlan(of: snapshot) { (plan) throws(MutationFault) in
      try SessionTools.count(at: snapshot, by: call.actor, consent: consent, &plan)
    }
    let all = snapshot.catalog.commands.count { self.consent(of: $0) != .hidden }
    let chain: [ResponderID]
    do throws(MutationFault) {
      chain = try snapshot.session.chain(in: snapshot.catalog).steps.map(\.responder)
    } catch {
      throw Problem(error, at: nil)
    }
    let openDeliveries = snapshot.session.deliveries.all.count {
      !$0.state.isSettled && call.shows($0)
    }
    return SessionDescription(
      snapshot, of: session, asking: chain, commands: (enabled, all),
      openDeliveries: openDeliveries, names
    ).result
  }
}

extension ToolText {
  /// Adds the members of an object or the elements of an array, one per line, or another value, and completes the
  /// text.
  fileprivate mutating func add(
    membersOf value: JSON, at place: JSONPointer, _ names: FixedToolNames
  ) {
    var isCut = false
    func line(_ place: JSONPointer, _ value: JSON) -> String {
      let text = value.text()
      let brief = text.cut(to: 200)
      isCut = isCut || brief.utf8.count < text.utf8.count
      return "\(place): \(brief)".onOneLine
    }
    switch value {
    case .object(let object):
      for member in object { add(line(place.appending(member.name), member.value)) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { add(line(place.appending(index), element)) }
    case .string, .int, .double, .bool, .null:
      isCut = value.text().utf8.count > 1024
      add(value.brief(1024))
    }
    if isCut {
      add("What ends in '…' is cut: \(names.name(of: .describe)) with its 'path' has all of it.")
    }
    end { "And \($0) more lines; ask for one place by 'path', or see the structured content." }
  }
}
