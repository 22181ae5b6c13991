import JSONText

/// The result of a segue (V3, V6).
package struct SegueOutcome: Equatable, Sendable {
  /// The outcome of a segue: it was performed, or was not, which is no error.
  package enum Reason: String, CaseIterable, Sendable {
    /// It was performed.
    case performed
    /// The source, or the segue's own rule, says that it should not be (V3).
    case refused
    /// It pushes, but its source is in no navigation controller (V4).
    case noNavigationController
    /// Nobody it could unwind to has a method for its action (V6).
    case noDestination
  }

  /// Its identifier, when it has one.
  package let identifier: SegueIdentifier?
  /// The kind.
  package let kind: Segue.Kind
  /// The view controller at which it began.
  package let source: ResponderID
  /// Its destination; nil when it came to nothing.
  package let destination: ResponderID?
  /// The reason for which it was performed, or not.
  package let reason: Reason
  /// True if the destination is gone again, since nothing kept it when the segue was over (V9).
  package internal(set) var isDestinationGone = false
  /// The steps of unwinding, in order.
  package internal(set) var path: [UnwindStep] = []
  /// The trace, when that was wanted.
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
  /// Notes that the destination is gone when it is not among the responders any more.
  fileprivate mutating func noteDestination(goneFrom responders: ResponderGraph) {
    guard let destination, responders[destination] == nil else { return }
    isDestinationGone = true
    trace.note(.kept, .responder(destination), answer: .bool(false))
  }
}

extension Outcome {
  /// Says of each segue whose destination nothing kept that it is gone.
  mutating func noteDestinations(goneFrom responders: ResponderGraph) {
    segue?.noteDestination(goneFrom: responders)
    for index in events.indices {
      guard case .segue(var told) = events[index] else { continue }
      told.noteDestination(goneFrom: responders)
      events[index] = .segue(told)
    }
  }
}

/// A step of one view controller to unwind (V6).
package enum UnwindStep: Equatable, Sendable {
  /// It dismisses what it presents.
  case dismiss(ResponderID, by: ResponderID)
  /// A navigation controller pops to one of its stack.
  case pop(to: ResponderID, in: ResponderID)
  /// A tab bar controller selects one of its tabs.
  case select(ResponderID, in: ResponderID)
}

/// A segue to perform.
package struct SegueRequest: Equatable, Sendable, Codable {
  /// The triggers of segues.
  package enum Trigger: String, CaseIterable, Sendable, Codable {
    /// The user; the source is asked whether (V3).
    case user
    /// A program; nobody is asked.
    case code
  }

  /// The segue.
  package let identifier: SegueIdentifier
  /// The view controller at which it begins.
  package let source: ResponderID
  /// The trigger. The default is the user.
  package let trigger: Trigger
  /// The sender, handed through as it is (V5).
  package let sender: SenderDescription?
  /// The name of the destination. The default is that of its scene, or the first one like it that is
  /// free.
  package let id: ResponderID?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  package var when: Int64?

  /// A segue.
  package init(
    _ identifier: SegueIdentifier, from source: ResponderID, by trigger: Trigger = .user,
    sender: SenderDescription? = nil, as id: ResponderID? = nil, when: Int64? = nil
  ) {
    self.identifier = identifier
    self.source = source
    self.trigger = trigger
    self.sender = sender
    self.id = id
    self.when = when
  }
}

/// A way back to take (V6).
package struct UnwindRequest: Equatable, Sendable, Codable {
  /// The action that is sent to the view controller that is unwound to.
  package let action: Selector
  /// The view controller at which it begins.
  package let source: ResponderID
  /// The sender, handed through as it is.
  package let sender: SenderDescription?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  package var when: Int64?

  /// A way back.
  package init(
    _ action: Selector, from source: ResponderID, sender: SenderDescription? = nil,
    when: Int64? = nil
  ) {
    self.action = action
    self.source = source
    self.sender = sender
    self.when = when
  }
}

/// A segue while it is performed (V3); afterwards nothing of it is left.
struct SegueInProgress {
  let identifier: SegueIdentifier?
  let kind: Segue.Kind
  let source: ResponderID
  /// Nil for one that unwinds until its destination is found.
  var destination: ResponderID?

  /// Returns the segue as rules see it, and as it arrives as first argument.
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

extension SegueRequest {
  /// The members of a segue to perform, its identifier read already; nil when that or another one is at
  /// fault.
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
      identifier, from: source, by: trigger ?? .user, sender: sender, as: id, when: when)
  }

  /// The request as members of a document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("identifier", .string(identifier.rawValue)), ("source", .string(source.rawValue)),
      ("by", .string(trigger.rawValue)), ("sender", sender?.json),
      ("id", id.map { .string($0.rawValue) }), ("when", when.map(JSON.int)),
    ]
  }
}

extension UnwindRequest {
  /// The members of a way back to take, or nil and the faults.
  package init?(_ reader: inout ObjectReader, isDated: Bool = true) {
    let action = reader.required("action", Read.selector)
    let source: ResponderID? = reader.required("source", Read.identifier)
    let sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    let when = isDated ? reader.member("when", Read.time) : nil
    guard let action, let source else { return nil }
    self.init(action, from: source, sender: sender, when: when)
  }

  /// The request as members of a document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("action", .string(action.rawValue)), ("source", .string(source.rawValue)),
      ("sender", sender?.json), ("when", when.map(JSON.int)),
    ]
  }
}
