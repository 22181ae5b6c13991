import CEL
package import JSONText

/// A node of a session's object graph (R1), as described by a front end: the front end's `UIResponder`.
public struct Responder: Equatable, Sendable {
  /// Its name in the session.
  package var id: ResponderID { content.id }
  /// The kind of responder, which decides what it can be linked to.
  package var kind: ResponderKind { content.kind }
  /// Its class. The default is UIKit's class for its kind.
  package var className: ClassName { content.className }
  /// The responders that it leads to.
  package var links: ResponderLinks { content.links }
  /// The properties that rules read, a JSON object. The default is empty.
  package var properties: JSON { content.properties }
  /// The rule that decides if it may become first responder (R8). The default is true.
  package var canBecomeFirstResponder: Rule? { content.canBecomeFirstResponder }
  /// The rule that decides if it can resign first responder (R8). The default is true.
  package var canResignFirstResponder: Rule? { content.canResignFirstResponder }
  /// The children of a view controller, in order: a navigation controller's stack from the bottom up, a tab bar
  /// controller's tabs, a split view controller's columns (V4).
  package var viewControllers: [ResponderID] { content.viewControllers }
  /// True if a split view controller shows one column only (A8). The default is false.
  package var isCollapsed: Bool { content.isCollapsed }
  /// The rules that decide if it can perform actions (R4), whichever class implements them; they replace those
  /// of its class.
  package var canPerform: [Selector: Rule] { content.canPerform }
  /// The handlers of the responder itself, without those of its class.
  package var handlers: [Selector: Handler] { content.handlers }
  /// The key commands of the responder itself, without those of its class (K1).
  package var keyCommands: [KeyCommand] { content.keyCommands }
  /// The coordinator that it hosts (F2), if any.
  package var coordinator: MenuCoordinator? { content.coordinator }
  /// The handler of messages that it has no method for (F10).
  package var catchAll: CatchAll? { content.catchAll }
  /// The rule that names its substitute for actions it does not respond to, or null (R10); replaces the link
  /// `supplementalTarget`.
  package var supplementalTargetRule: Rule? { content.supplementalTargetRule }
  /// Its weight among late responders; the lightest comes first (L3). The default is 0.
  package var weight: Int { content.weight }
  /// The proxy part, for a proxy of another responder (L8); nil for others.
  package var proxy: Proxy? { content.proxy }
  /// The registry of late responders that it hosts (L1), if any.
  package var lateResponders: LateRegistry? { content.lateResponders }
  /// The coordinator part, for a coordinator of view controllers (C4); nil for others.
  package var coordinating: Coordinating? { content.coordinating }
  /// The declaration of its own undo manager (U1); nil for none.
  package var undoManager: UndoManagerDeclaration? { content.undoManager }
  /// The user activity, to be continued on other devices (L13).
  package var userActivity: UserActivity? { content.userActivity }
  /// The touch bar items that it contributes (L13).
  package var touchBar: TouchBar? { content.touchBar }
  /// The scene it was made from (V2); nil if no storyboard describes it.
  package var scene: SceneReference? { content.scene }
  /// The events of other responders that it observes (V9).
  package var observes: [Observation] { content.observes }
  /// The mark, in its document, of an instance made by the session (V2). Nil for responders added by a front end, and
  /// within a graph, because the session records it (``Session/responder(_:)``).
  package var instance: MadeInstance? { content.instance }
  /// True if its document has a list of children, which then replaces the present one.
  var listsViewControllers: Bool? { content.listsViewControllers }

  private var shared: Shared<Content>

  init(_ content: Content) { shared = Shared(content) }

  /// The members. Changing one copies them first if copies share them.
  var content: Content {
    _read { yield shared.value }
    _modify { yield &shared.value }
  }

  /// True if both are copies of one value without later changes. False means unknown.
  func isIdentical(to other: Responder) -> Bool { shared.isIdentical(to: other.shared) }
}

extension Responder {
  /// The members of a responder.
  struct Content: Equatable, Sendable, Codable {
    var id: ResponderID
    let kind: ResponderKind
    var className: ClassName
    var links: ResponderLinks
    var properties: JSON
    let canBecomeFirstResponder: Rule?
    let canResignFirstResponder: Rule?
    var viewControllers: [ResponderID] = []
    var isCollapsed = false
    var canPerform: [Selector: Rule] = [:]
    var handlers: [Selector: Handler]
    var keyCommands: [KeyCommand]
    var coordinator: MenuCoordinator?
    let catchAll: CatchAll?
    let supplementalTargetRule: Rule?
    let weight: Int
    var proxy: Proxy?
    var lateResponders: LateRegistry?
    var coordinating: Coordinating?
    var undoManager: UndoManagerDeclaration?
    let userActivity: UserActivity?
    let touchBar: TouchBar?
    var scene: SceneReference?
    let observes: [Observation]
    var instance: MadeInstance?
    var listsViewControllers: Bool?
  }
}

extension Responder: Codable {
  /// Encodes its members.
  public func encode(to encoder: any Encoder) throws { try shared.encode(to: encoder) }

  /// Decodes its members.
  public init(from decoder: any Decoder) throws { shared = try Shared(from: decoder) }
}

extension ResponderGraph {
  /// Returns a responder as rules see it; null if it does not exist.
  func ruleValue(of id: ResponderID) -> JSON {
    guard let responder = self[id] else { return .null }
    var object = responder.ruleValue
    if responder.kind == .viewController { writeContainment(of: responder, to: &object) }
    if let coordinating = coordinatingRuleValue(of: responder) {
      object["coordinating"] = coordinating
      object["parentCoordinator"] =
        responder.links[.parentCoordinator].map { .string($0.rawValue) } ?? .null
    }
    return .object(object)
  }
}

extension Responder {
  /// The responder as rules see it, without its containment.
  fileprivate var ruleValue: JSONObject {
    var object = JSONObject()
    object["id"] = .string(id.rawValue)
    object["kind"] = .string(kind.rawValue)
    object["class"] = .string(className.rawValue)
    object["properties"] = properties
    if let coordinator {
      let selectors = coordinator.registrations.map { JSON.string($0.selector.rawValue) }
      var value = JSONObject()
      value["handlers"] = .array(selectors)
      object["coordinator"] = .object(value)
    }
    return object
  }
}

extension Responder {
  /// Reads a responder named `id`; nil with faults in the log. Its links are checked when it joins a session.
  package init?(_ id: ResponderID, reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let kind: ResponderKind? = reader.required("kind", Read.word)
    self.init(id, &reader, kind: kind, isPrototype: false)
    reader.finish()
    guard kind != nil else { return nil }
  }

  /// Reads the prototype of a scene's instances: the members of a responder of the kind, without links and without the
  /// members that name its scene.
  init(_ id: ResponderID, _ reader: inout ObjectReader, as kind: ResponderKind) {
    self.init(id, &reader, kind: kind, isPrototype: true)
  }

  private init(
    _ id: ResponderID, _ reader: inout ObjectReader, kind: ResponderKind?, isPrototype: Bool
  ) {
    self.init(Content(id, &reader, kind: kind, isPrototype: isPrototype))
  }
}

extension Responder.Content {
  fileprivate init(
    _ id: ResponderID, _ reader: inout ObjectReader, kind: ResponderKind?, isPrototype: Bool
  ) {
    let className: ClassName? = reader.member("class", Read.identifier)
    links = isPrototype ? [:] : Responder.links(&reader, kind)
    properties = reader.member("properties", Read.object).map(JSON.object) ?? .object(JSONObject())
    canBecomeFirstResponder = reader.member("canBecomeFirstResponder", Read.boolRule)
    canResignFirstResponder = reader.member("canResignFirstResponder", Read.boolRule)
    listsViewControllers = !isPrototype && reader.has("viewControllers") ? true : nil
    (viewControllers, isCollapsed) =
      isPrototype ? ([], false) : Responder.containment(&reader, kind)
    canPerform = reader.member("canPerform", Handler.canPerform(reading:at:log:)) ?? [:]
    handlers = reader.member("handlers", Handler.dictionary(reading:at:log:)) ?? [:]
    reader.refuseRepeated(canPerform, handlers)
    keyCommands = reader.member("keyCommands", KeyCommand.list(reading:at:log:)) ?? []
    coordinator = reader.member("coordinator", MenuCoordinator.init(reading:at:log:))
    catchAll = reader.member("catchAll", CatchAll.init(reading:at:log:))
    supplementalTargetRule = reader.member("supplementalTargetRule") {
      Read.rule(answering: .oneOf([.string, .null]), reading: $0, at: $1, log: $2)
    }
    if links[.supplementalTarget] != nil, supplementalTargetRule != nil {
      reader.log.note(
        .conflictingMembers("supplementalTarget", "supplementalTargetRule"), at: reader.pointer)
    }
    weight = reader.member("weight", Read.int) ?? 0
    proxy = isPrototype ? nil : Proxy(&reader, &links)
    if proxy != nil { reader.refuseUnaskedMembersOfProxy(handlers) }
    coordinating = isPrototype ? nil : Coordinating(&reader, of: id, kind: kind, &links)
    lateResponders = reader.member("lateResponders", LateRegistry.init(reading:at:log:))
    undoManager = reader.member("undoManager", UndoManagerDeclaration.init(reading:at:log:))
    userActivity = reader.member("userActivity", UserActivity.init(reading:at:log:))
    touchBar = reader.member("touchBar", TouchBar.init(reading:at:log:))
    observes = reader.list("observes", Observation.init(reading:at:log:)) ?? []
    scene = isPrototype ? nil : SceneReference(&reader, kind)
    instance = isPrototype ? nil : MadeInstance(&reader, kind)
    self.id = id
    self.kind = kind ?? .responder
    self.className = className ?? self.kind.defaultClass
  }
}

extension Responder {
  fileprivate static func links(
    _ reader: inout ObjectReader, _ kind: ResponderKind?
  ) -> ResponderLinks {
    var links = ResponderLinks()
    for link in ResponderLink.allCases where !link.isOfPart {
      let read = link == .next ? Read.chained : Read.identifier
      guard let destination = reader.member(link.rawValue, read) else { continue }
      links[link] = destination
      if let kind, !link.holders.contains(kind) {
        reader.log.note(
          .memberOfOtherKind(link.rawValue, kind: kind, kinds: link.holders),
          at: reader.place(of: link.rawValue))
      }
    }
    return links
  }

  /// Adds the destinations of its links, by the names of the links.
  package func writeLinks(to object: inout JSONObject) {
    for (link, destination) in links where !link.isOfPart {
      object.add(link.rawValue, .string(destination.rawValue))
    }
  }

  /// The responder as a document, without its id.
  package var json: JSON { .object(document(isBrief: false)) }

  /// Returns the members of the document.
  ///
  /// - Parameter isBrief: True to write null for large members that change only with a new document or by their own
  ///   operations, so that other differences between two documents are found fast.
  func document(isBrief: Bool) -> JSONObject {
    func whole(_ value: @autoclosure () -> JSON) -> JSON { isBrief ? .null : value() }
    var object = JSONObject()
    object.reserveCapacity(8)
    object.add("kind", .string(kind.rawValue))
    object.add("class", .string(className.rawValue))
    writeLinks(to: &object)
    object.add("properties", whole(properties))
    object.add("canBecomeFirstResponder", canBecomeFirstResponder.map { whole($0.json) })
    object.add("canResignFirstResponder", canResignFirstResponder.map { whole($0.json) })
    if !viewControllers.isEmpty || listsViewControllers == true {
      object["viewControllers"] = .array(viewControllers.map { .string($0.rawValue) })
    }
    if isCollapsed { object["isCollapsed"] = true }
    if !canPerform.isEmpty { object["canPerform"] = whole(Handler.document(canPerform)) }
    object.add("handlers", whole(Handler.document(handlers)))
    if !keyCommands.isEmpty { object["keyCommands"] = whole(.array(keyCommands.map(\.json))) }
    object.add("coordinator", coordinator.map { whole($0.json) })
    object.add("catchAll", catchAll.map { whole($0.json) })
    object.add("supplementalTargetRule", supplementalTargetRule.map { whole($0.json) })
    if weight != 0 { object["weight"] = .int(Int64(weight)) }
    writeProxy(to: &object)
    writeCoordinating(to: &object)
    object.add("lateResponders", lateResponders?.json)
    object.add("undoManager", undoManager?.json)
    object.add("userActivity", userActivity.map { whole($0.json) })
    object.add("touchBar", touchBar.map { whole($0.json) })
    if !observes.isEmpty { object["observes"] = whole(.array(observes.map(\.json))) }
    object.add("storyboard", scene.map { .string($0.storyboard.rawValue) })
    object.add("scene", scene.map { .string($0.scene.rawValue) })
    instance?.write(to: &object)
    return object
  }
}

extension Handler {
  /// Reads handlers by selector.
  static func dictionary(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [Selector: Handler]? {
    Read.named(json, at: pointer, log: log, by: Read.selector) {
      Handler(reading: $1, at: $2, log: $3)
    }.map { Dictionary($0) { _, last in last } }
  }

  /// Returns handlers as a document, sorted by selector.
  static func document(_ handlers: [Selector: Handler]) -> JSON {
    var object = JSONObject()
    for (selector, handler) in handlers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      object[selector.rawValue] = handler.json
    }
    return .object(object)
  }
}

extension MenuCoordinator {
  /// Reads a coordinator; its handlers are registered in document order.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let forwarding: Forwarding? = reader.member("forwarding", Read.word)
    let handlers = reader.member("handlers", Read.object)
    reader.finish()
    self.init(forwarding: forwarding ?? .catchAll)
    for (position, member) in (handlers?.members ?? []).enumerated() {
      let place = reader.place(of: "handlers").appending(member.name)
      guard let selector = Read.selector(.string(member.name), at: place, log: log),
        let handler = Handler(coordinated: member.value, at: place, log: log)
      else { continue }
      register(handler, for: selector, token: position)
    }
  }

  /// The coordinator as a document.
  var json: JSON {
    var handlers = JSONObject()
    for registration in registrations {
      handlers[registration.selector.rawValue] = registration.handler.json
    }
    var object = JSONObject()
    object["forwarding"] = .string(forwarding.rawValue)
    object["handlers"] = .object(handlers)
    return .object(object)
  }
}
