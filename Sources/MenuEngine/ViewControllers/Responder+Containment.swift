import JSONText

extension Responder {
  /// The members of a document that say what a view controller contains.
  static func containment(
    _ reader: inout ObjectReader, _ kind: ResponderKind?
  ) -> ([ResponderID], isCollapsed: Bool) {
    let viewControllers: [ResponderID]? = reader.list("viewControllers", Read.identifier)
    let isCollapsed = reader.member("isCollapsed", Read.bool)
    for (name, isGiven) in [
      ("viewControllers", viewControllers != nil), ("isCollapsed", isCollapsed != nil),
    ] {
      guard isGiven, let kind, kind != .viewController else { continue }
      reader.log.note(
        .memberOfOtherKind(name, kind: kind, kinds: [.viewController]), at: reader.place(of: name))
    }
    return (viewControllers ?? [], isCollapsed ?? false)
  }
}

extension ResponderGraph {
  /// Writes the members that rules see of view controllers only.
  func writeContainment(of responder: Responder, to object: inout JSONObject) {
    object["parent"] = text(responder.links[.parent])
    object["presentingViewController"] = text(responder.links[.presentingViewController])
    object["presentedViewController"] = text(presentedViewController(of: responder.id))
    object["viewControllers"] = .array(responder.viewControllers.map { .string($0.rawValue) })
    object["topViewController"] = text(responder.viewControllers.last)
    object["selectedViewController"] = text(selectedViewController(of: responder.id))
    object["delegate"] = text(responder.links[.delegate])
    object["isCollapsed"] = .bool(responder.isCollapsed)
    object["parentCoordinator"] = text(responder.links[.parentCoordinator])
  }

  private func text(_ id: ResponderID?) -> JSON { id.map { .string($0.rawValue) } ?? .null }
}

extension ResponderGraph {
  /// The controller that a view controller presents.
  public func presentedViewController(of id: ResponderID) -> ResponderID? {
    owners[.presentingViewController]?[id]
  }

  /// The child that a container has selected, else the first one.
  public func selectedViewController(of id: ResponderID) -> ResponderID? {
    self[id].flatMap { $0.links[.selectedViewController] ?? $0.viewControllers.first }
  }

  /// A view controller and its containers, from it upward (A1); the presenter is none of them.
  public func containers(from id: ResponderID) -> [ResponderID] {
    var containers: [ResponderID] = []
    var current = self[id]
    while let here = current, containers.count < count {
      containers.append(here.id)
      current = here.links[.parent].flatMap { self[$0] }
    }
    return containers
  }
}

extension Handler {
  /// The rules that a document gives by selector, which say whether an action can be performed (R4).
  static func canPerform(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [Selector: Rule]? {
    guard let object = Read.object(json, at: pointer, log: log) else { return nil }
    var rules: [Selector: Rule] = [:]
    for member in object.members {
      let place = pointer.appending(member.name)
      guard let selector = Read.selector(.string(member.name), at: place, log: log) else {
        continue
      }
      rules[selector] = Read.boolRule(reading: member.value, at: place, log: log)
    }
    return rules
  }

  /// Rules by selector as a document, in alphabetical order.
  static func document(_ rules: [Selector: Rule]) -> JSON {
    var object = JSONObject()
    for (selector, rule) in rules.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      object[selector.rawValue] = rule.json
    }
    return .object(object)
  }
}

extension ObjectReader {
  /// Refuses a rule of `canPerform` for an action whose handler beside it has one of its own.
  func refuseRepeated(_ rules: [Selector: Rule], _ handlers: [Selector: Handler]) {
    for selector in rules.keys.sorted(by: { $0.rawValue < $1.rawValue })
    where handlers[selector]?.canPerform != nil {
      let member = "handlers/\(selector)/canPerform"
      log.note(
        .conflictingMembers("canPerform/\(selector)", member),
        at: place(of: "canPerform").appending(selector.rawValue))
    }
  }
}
