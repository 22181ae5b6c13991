import JSONText

/// The result of a segue (V3, V6).
package struct SegueOutcome: Equatable, Sendable {
  /// The reason why a segue was performed or not; none is an error.
  package enum Reason: String, CaseIterable, Sendable {
    case performed
    /// The source or the segue's own rule refused (V3).
    case refused
    /// A push whose source is in no navigation controller (V4).
    case noNavigationController
    /// No view controller to unwind to has a method for the action (V6).
    case noDestination
  }

  /// The identifier, if it has one.
  package let identifier: SegueIdentifier?
  package let kind: Segue.Kind
  /// The source view controller.
  package let source: ResponderID
  /// The destination; nil if there was none.
  package let destination: ResponderID?
  package let reason: Reason
  /// True if the destination was removed when the segue ended, since nothing held it (V9).
  package internal(set) var isDestinationGone = false
  /// The steps of unwinding, in order.
  package internal(set) var path: [UnwindStep] = []
  /// The trace, if requested.
  package internal(set) var trace = Trace(isRecording: false)

  init(_ segue: SegueInProgress, _ reason: Reason, path: [UnwindStep] = []) {
    identifier = segue.identifier
    kind = segue.kind
    source = segue.source
    destination = reason == .performed ? segue.destination : nil
    self.reason = reason
    self.path = path
  }
}

extension SegueOutcome {
  /// Records whether the destination was removed.
  fileprivate mutating func noteDestination(goneFrom responders: ResponderGraph) {
    guard let destination, responders[destination] == nil else { return }
    isDestinationGone = true
    trace.note(.kept, .responder(destination), answer: .bool(false))
  }
}

extension Outcome {
  /// Records for each segue whether its destination was removed.
  mutating func noteDestinations(goneFrom responders: ResponderGraph) {
    segue?.noteDestination(goneFrom: responders)
    for index in events.indices {
      guard case .segue(var told) = events[index] else { continue }
      told.noteDestination(goneFrom: responders)
      events[index] = .segue(told)
    }
  }
}

/// A step of unwinding (V6).
package enum UnwindStep: Equatable, Sendable {
  /// The presenter dismisses a presented view controller.
  case dismiss(ResponderID, by: ResponderID)
  /// A navigation controller pops to a view controller.
  case pop(to: ResponderID, in: ResponderID)
  /// A tab bar controller selects a tab.
  case select(ResponderID, in: ResponderID)
}

/// A segue to perform.
package struct SegueRequest: Equatable, Sendable, Codable, Dated {
  /// The trigger of a segue.
  package enum Trigger: String, CaseIterable, Sendable, Codable {
    /// The user; `shouldPerform` is evaluated (V3).
    case user
    /// A program; `shouldPerform` is not evaluated.
    case code
  }

  package let identifier: SegueIdentifier
  /// The source view controller.
  package let source: ResponderID
  /// The trigger. The default is the user.
  package private(set) var trigger = Trigger.user
  /// The sender, passed on unchanged (V5).
  package private(set) var sender: SenderDescription?
  /// The name of the destination. The default is the name of its scene, with a number if it was used before.
  package private(set) var id: ResponderID?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  package var when: Int64?
}

/// A request to unwind (V6).
package struct UnwindRequest: Equatable, Sendable, Codable, Dated {
  /// The action sent to the destination.
  package let action: Selector
  /// The source view controller.
  package let source: ResponderID
  /// The sender, passed on unchanged.
  package private(set) var sender: SenderDescription?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  package var when: Int64?
}

/// A segue while it is performed (V3).
struct SegueInProgress {
  let identifier: SegueIdentifier?
  let kind: Segue.Kind
  let source: ResponderID
  /// The destination; nil for an unwind segue until it is found.
  var destination: ResponderID?

  /// Returns the segue as rules and handlers see it.
  func json(in responders: ResponderGraph) -> JSON {
    var object = JSONObject()
    object["identifier"] = identifier.map { .string($0.rawValue) } ?? .null
    object["kind"] = .string(kind.rawValue)
    object["source"] = responders.ruleValue(of: source)
    object["destination"] = destination.map { responders.ruleValue(of: $0) } ?? .null
    return .object(object)
  }
}

extension Segue {
  /// Reads a segue: `{"identifier": "ShowDetail", "kind": "push", "destination": "detail"}`.
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

  /// Records members that the kind requires or forbids.
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
  /// The members that only some kinds of segues have.
  package static let dependentMembers = ["destination", "action", "shouldPerform", "perform"]

  /// True if segues of this kind can have the member.
  package func reads(_ member: String) -> Bool {
    switch member {
    case "destination": self != .unwind
    case "action": self == .unwind
    case "perform": self == .custom
    // The user never triggers an embed segue.
    case "shouldPerform": self != .embed
    default: true
    }
  }
}

extension SegueRequest {
  /// Reads the members of a segue request, except the identifier, which was read before; nil if it or another
  /// member is at fault.
  package init?(
    _ reader: inout ObjectReader, _ identifier: SegueIdentifier?, isDated: Bool = true
  ) {
    let source: ResponderID? = reader.required("source", Read.identifier)
    let trigger: Trigger? = reader.member("by", Read.word)
    let sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    let id: ResponderID? = reader.member("id", Read.identifier)
    let when = isDated ? reader.member("when", Read.time) : nil
    guard let identifier, let source else { return nil }
    self.init(
      identifier: identifier, source: source, trigger: trigger ?? .user, sender: sender, id: id,
      when: when)
  }

  /// The members of the request's document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("identifier", .string(identifier.rawValue)), ("source", .string(source.rawValue)),
      ("by", .string(trigger.rawValue)), ("sender", sender?.json),
      ("id", id.map { .string($0.rawValue) }), ("when", when.map(JSON.int)),
    ]
  }
}

extension UnwindRequest {
  /// Reads the members of an unwind request.
  package init?(_ reader: inout ObjectReader, isDated: Bool = true) {
    let action = reader.required("action", Read.selector)
    let source: ResponderID? = reader.required("source", Read.identifier)
    let sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    let when = isDated ? reader.member("when", Read.time) : nil
    guard let action, let source else { return nil }
    self.init(action: action, source: source, sender: sender, when: when)
  }

  /// The members of the request's document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("action", .string(action.rawValue)), ("source", .string(source.rawValue)),
      ("sender", sender?.json), ("when", when.map(JSON.int)),
    ]
  }
}
