import CEL
public import JSONText

extension Responder {
  /// The responder that a document describes under the name `id`, or nil and the faults.
  ///
  /// Its links are checked when it joins a session.
  public init?(_ id: ResponderID, reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let kind: ResponderKind? = reader.required("kind", Read.word)
    self.init(id, &reader, kind: kind, isPrototype: false)
    reader.finish()
    guard kind != nil else { return nil }
  }

  /// Reads the prototype of a scene's instances: the members of a responder of a kind, without
  /// links and without the members that name its scene.
  init(_ id: ResponderID, _ reader: inout ObjectReader, as kind: ResponderKind) {
    self.init(id, &reader, kind: kind, isPrototype: true)
  }

  private init(
    _ id: ResponderID, _ reader: inout ObjectReader, kind: ResponderKind?, isPrototype: Bool
  ) {
    let className: ClassName? = reader.member("class", Read.identifier)
    links = isPrototype ? [:] : Self.links(&reader, kind)
    properties = reader.member("properties", Read.object).map(JSON.object) ?? .object(JSONObject())
    canBecomeFirstResponder = reader.member("canBecomeFirstResponder", Read.boolRule)
    canResignFirstResponder = reader.member("canResignFirstResponder", Read.boolRule)
    listsViewControllers = !isPrototype && reader.has("viewControllers") ? true : nil
    (viewControllers, isCollapsed) = isPrototype ? ([], false) : Self.containment(&reader, kind)
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

  private static func links(
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

  /// The responder as a document, without its id.
  public var json: JSON { .object(document(isBrief: false)) }

  /// The members of the document.
  ///
  /// - Parameter isBrief: True if those that are large, and that nothing but a new document or a change of
  ///   its own changes, are null, so that what else is different between two documents is found fast.
  func document(isBrief: Bool) -> JSONObject {
    func whole(_ value: @autoclosure () -> JSON) -> JSON { isBrief ? .null : value() }
    var object = JSONObject()
    object.reserveCapacity(8)
    object["kind"] = .string(kind.rawValue)
    object["class"] = .string(className.rawValue)
    for (link, destination) in links where !link.isOfPart {
      object[link.rawValue] = .string(destination.rawValue)
    }
    object["properties"] = whole(properties)
    object.add("canBecomeFirstResponder", canBecomeFirstResponder.map { whole($0.json) })
    object.add("canResignFirstResponder", canResignFirstResponder.map { whole($0.json) })
    if !viewControllers.isEmpty || listsViewControllers == true {
      object["viewControllers"] = .array(viewControllers.map { .string($0.rawValue) })
    }
    if isCollapsed { object["isCollapsed"] = true }
    if !canPerform.isEmpty { object["canPerform"] = whole(Handler.document(canPerform)) }
    object["handlers"] = whole(Handler.document(handlers))
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

extension JSONObject {
  /// Appends a member that is not there, if it has a value.
  fileprivate mutating func add(_ name: String, _ value: JSON?) {
    if let value { append(Member(name: name, value: value)) }
  }
}

extension Handler {
  /// The handlers that an object describes by selector.
  static func dictionary(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [Selector: Handler]? {
    guard let object = Read.object(json, at: pointer, log: log) else { return nil }
    var handlers: [Selector: Handler] = [:]
    for member in object.members {
      let place = pointer.appending(member.name)
      guard let selector = Read.selector(.string(member.name), at: place, log: log) else {
        continue
      }
      handlers[selector] = Handler(reading: member.value, at: place, log: log)
    }
    return handlers
  }

  /// Handlers as a document, in the alphabetical order of their selectors.
  static func document(_ handlers: [Selector: Handler]) -> JSON {
    var object = JSONObject()
    for (selector, handler) in handlers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      object[selector.rawValue] = handler.json
    }
    return .object(object)
  }
}

extension MenuCoordinator {
  /// The coordinator that a document describes, its handlers registered in their order.
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
