import JSONText

extension Segue {
  /// The segue that a document describes, or nil and the faults: `{"identifier": "ShowDetail",
  /// "kind": "push", "destination": "detail"}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let faults = log.faults.count
    let kind: Kind? = reader.required("kind", Read.word)
    identifier =
      kind == .embed
      ? reader.member("identifier", Read.identifier)
      : reader.required("identifier", Read.identifier)
    destination = reader.member("destination", Read.identifier)
    action = reader.member("action", Read.selector)
    shouldPerform = reader.member("shouldPerform", Read.boolRule)
    prepare = reader.list("prepare", Effect.init(reading:at:log:)) ?? []
    perform = reader.list("perform", Effect.init(reading:at:log:)) ?? []
    reader.finish()
    guard let kind else { return nil }
    self.kind = kind
    checkMembers(json.members, at: pointer, log)
    guard log.faults.count == faults else { return nil }
  }

  /// The segue as a document.
  var json: JSON {
    var object = JSONObject()
    object["identifier"] = identifier.map { .string($0.rawValue) }
    object["kind"] = .string(kind.rawValue)
    object["destination"] = destination.map { .string($0.rawValue) }
    object["action"] = action.map { .string($0.rawValue) }
    object["shouldPerform"] = shouldPerform?.json
    if !prepare.isEmpty { object["prepare"] = .array(prepare.map(\.json)) }
    if !perform.isEmpty { object["perform"] = .array(perform.map(\.json)) }
    return .object(object)
  }

  /// Notes members that segues of its kind must have and do not, or have and must not.
  private func checkMembers(_ members: JSONObject, at pointer: JSONPointer, _ log: FaultLog) {
    for member in Kind.dependentMembers {
      let kinds = Kind.allCases.filter { $0.reads(member) }
      if !kinds.contains(kind), members[member] != nil {
        log.note(
          .memberOfOtherSegue(member, kind: kind, kinds: kinds), at: pointer.appending(member))
      }
    }
    let required = kind == .unwind ? "action" : "destination"
    if members[required] == nil { log.note(.missingMember(required), at: pointer) }
  }
}

extension Segue.Kind {
  /// The members that segues of some kinds only can have.
  package static let dependentMembers = ["destination", "action", "shouldPerform", "perform"]

  /// True if a segue of this kind can have the member.
  package func reads(_ member: String) -> Bool {
    switch member {
    case "destination": self != .unwind
    case "action": self == .unwind
    case "perform": self == .custom
    // What is embedded is never triggered by the user.
    case "shouldPerform": self != .embed
    default: true
    }
  }
}
