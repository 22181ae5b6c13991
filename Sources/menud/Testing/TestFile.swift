import CEL
import JSONText
import MenuAPI
import MenuEngine

/// A file of tests in the folder `tests` of an application.
struct TestFile {
  let source: SourceFile
  let cases: [TestCase]

  /// Reads a file.
  ///
  /// - Throws: `CatalogFaults` with all of its mistakes.
  init(reading path: String) throws(CatalogFaults) {
    let source: SourceFile
    do throws(ConfigurationFault) {
      source = try SourceFile(reading: path)
    } catch {
      throw CatalogFaults(faults: [.file(error)])
    }
    let log = FaultLog()
    let cases = ObjectReader(source.json, at: .root, log: log).flatMap { reader in
      var reader = reader
      _ = reader.json("$schema")
      defer { reader.finish() }
      return reader.required("cases") { Self.list($0, at: $1, log: $2, of: TestCase.init) }
    }
    guard let cases, log.faults.isEmpty else {
      throw CatalogFaults(
        faults: log.faults.map { .document(source.place(of: $0.reason, at: $0.pointer), $0) })
    }
    (self.source, self.cases) = (source, cases)
  }
}

extension TestFile {
  /// Reads an array with at least one element.
  static func list<Element>(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog,
    of read: (JSON, JSONPointer, FaultLog) -> Element?
  ) -> [Element]? {
    if case .array(let array) = json, array.isEmpty {
      return Read.refuse(.arrayFrom(1...10_000), json, at: pointer, log: log)
    }
    return Read.list(json, at: pointer, log: log, of: read)
  }
}

/// A case: a session that begins like the application's, and its steps.
struct TestCase {
  let title: String
  let place: JSONPointer
  let steps: [TestStep]

  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let before = log.faults.count
    let title = reader.required("title", Read.string)
    let beforeSteps = log.faults.count
    var steps = reader.member("steps") { TestFile.list($0, at: $1, log: $2, of: TestStep.init) }
    if steps == nil {
      let hasNone = log.faults.count == beforeSteps
      let step = TestStep(reading: &reader)
      if hasNone { steps = step.map { [$0] } }
    }
    if let steps, steps.allSatisfy(\.isIdle), log.faults.count == before {
      log.note(.missingMember("expect", orElse: ["when", "then"]), at: pointer)
    }
    reader.finish()
    guard let title, let steps else { return nil }
    (self.title, self.steps, place) = (title, steps, pointer)
  }
}

/// A step of a case: changes, the state expected then, an action, and the state expected after it.
struct TestStep {
  /// The mutations; nil for none.
  let given: JSON?
  let expect: TestView?
  let actions: [TestAction]
  let then: TestView?
  let place: JSONPointer

  /// True if it has neither an action nor an expectation.
  var isIdle: Bool { expect == nil && then == nil && actions.isEmpty }

  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let step = Self(reading: &reader)
    reader.finish()
    guard let step else { return nil }
    self = step
  }

  init?(reading reader: inout ObjectReader) {
    place = reader.pointer
    given = reader.list("given") { json, _, _ in json }.map(JSON.array)
    expect = reader.member("expect") { TestView(reading: $0, at: $1, log: $2, isOfAnswer: false) }
    actions =
      reader.member("when") { json, pointer, log in
        guard case .array = json else {
          return TestAction(reading: json, at: pointer, log: log).map { [$0] }
        }
        return Read.list(json, at: pointer, log: log, of: TestAction.init)
      } ?? []
    then = reader.member("then") { TestView(reading: $0, at: $1, log: $2, isOfAnswer: true) }
  }
}

/// An expectation of a session, and of the answer to an action.
struct TestView {
  /// Expected values by names, each with its place.
  typealias Expectations = [(name: String, expected: JSON, place: JSONPointer)]

  /// The items by the ids of their commands, each with expected members, or with a Boolean for whether it is enabled.
  private(set) var items: Expectations = []
  /// The keys by their texts, each with the expected members of their resolution.
  private(set) var keys: Expectations = []
  /// The members of the session.
  private(set) var session: Expectations = []
  /// The expected members of the answer.
  private(set) var answer = JSONObject()
  /// The responder where the search begins; nil for the first responder.
  private(set) var from: ResponderID?
  let place: JSONPointer

  /// True if the answer is expected to report that nothing was done.
  var expectsRefusal: Bool {
    if case .int(let status)? = answer["status"], status >= 400 { return true }
    let isUndone = ["performed", "undone", "redone"].contains { answer[$0] == false }
    return isUndone || ["type", "reason"].contains { answer[$0].map { $0 != .null } ?? false }
  }

  private static let sessionNames = [
    "state", "firstResponder", "keyWindow", "mainWindow", "modalWindow", "responders", "undo",
    "deliveries",
  ]
  private static let names = ["items", "enabled", "disabled", "keys", "from"] + sessionNames

  init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, isOfAnswer: Bool
  ) {
    guard let object = Read.object(json, at: pointer, log: log) else { return nil }
    place = pointer
    let before = log.faults.count
    for member in object.members {
      let (name, value, place) = (member.name, member.value, pointer.appending(member.name))
      // The parts of these are checked one by one.
      if let fault = Self.emptiness(of: value, isDeep: !["items", "keys"].contains(name)) {
        log.note(fault, at: place)
        continue
      }
      switch name {
      case "from": from = Read.identifier(value, at: place, log: log)
      case "items": items += Self.expectations(in: value, at: place, log: log)
      case "keys":
        keys += Self.expectations(in: value, at: place, log: log)
        for key in keys where KeySequence(testing: key.name) == nil {
          log.note(.expected(.keyText, found: .string(key.name)), at: key.place)
        }
      case "enabled", "disabled":
        let names = TestFile.list(value, at: place, log: log, of: Read.string) ?? []
        items += names.enumerated().map { index, id in
          (id, .bool(name == "enabled"), place.appending(index))
        }
      case _ where Self.sessionNames.contains(name): session.append((name, value, place))
      case _ where isOfAnswer && (Self.isMember(name) || name == "status"): answer[name] = value
      default: log.note(Self.unknown(name, isOfAnswer: isOfAnswer), at: place)
      }
    }
    if log.faults.count == before, items.isEmpty, keys.isEmpty {
      if from != nil {
        log.note(.missingMember("items", orElse: ["enabled", "disabled", "keys"]), at: pointer)
      } else if session.isEmpty, answer.isEmpty {
        log.note(.missingMember("items", orElse: ["state", "keys"]), at: pointer)
      }
    }
    guard log.faults.count == before else { return nil }
  }

  private static func expectations(
    in json: JSON, at place: JSONPointer, log: FaultLog
  ) -> Expectations {
    let object = Read.object(json, at: place, log: log) ?? JSONObject()
    for (name, value) in object.members.map({ ($0.name, $0.value) }) {
      let place = place.appending(name)
      if let fault = emptiness(of: value) { log.note(fault, at: place) }
      for member in Read.object(value, at: place, log: log)?.members ?? []
      where !isMember(member.name) {
        let near = nearestMember(to: member.name)
        let known = near.isEmpty ? ["those of answers in GET /openapi.json"] : near
        log.note(.unknownMember(member.name, known: known), at: place.appending(member.name))
      }
    }
    return object.members.map { ($0.name, $0.value, place.appending($0.name)) }
  }

  private static func unknown(_ name: String, isOfAnswer: Bool) -> DocumentFault.Reason {
    .unknownMember(name, known: names + (isOfAnswer ? nearestMember(to: name) : []))
  }

  /// Returns the member of an answer that a name was probably meant to be; there are too many to list.
  private static func nearestMember(to name: String) -> [String] {
    CEL.nearest(to: name, among: OpenAPIFiles.memberNames.sorted()).map { [$0] } ?? []
  }

  /// Returns true if answers can have a member of that name. Null would match any other name.
  private static func isMember(_ name: String) -> Bool { OpenAPIFiles.memberNames.contains(name) }

  /// Returns the fault of an expectation that compares nothing, itself or in a part.
  private static func emptiness(
    of value: JSON, isDeep: Bool = true
  ) -> DocumentFault.Reason? {
    guard case .object(let object) = value else { return nil }
    guard !object.isEmpty else { return .expected(.objectWithMembers, found: value) }
    guard isDeep else { return nil }
    return object.members.lazy.compactMap { emptiness(of: $0.value) }.first
  }

  /// The name of a view's member that a name was probably meant to be; nil for none.
  static func nearest(to name: String) -> String? { CEL.nearest(to: name, among: names) }
}

/// A request that a case makes.
struct TestAction {
  enum Kind: String, CaseIterable {
    case perform
    case send
    case press
    case undo
    case redo
    /// Settles the first open delivery, as a worker that claims it.
    case reply
    case fail

    /// The member of the request with the action's value.
    var member: String {
      switch self {
      case .perform: "command"
      case .send: "action"
      case .press: "key"
      case .reply: "result"
      case .fail: "problem"
      case .undo, .redo: rawValue
      }
    }
  }

  let kind: Kind
  let value: JSON
  /// The other members of the request.
  let others: JSONObject
  let place: JSONPointer

  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var object = Read.object(json, at: pointer, log: log) else { return nil }
    let kinds = Kind.allCases.filter { object[$0.rawValue] != nil }
    guard kinds.count == 1, let value = object[kinds[0].rawValue] else {
      let names = Kind.allCases.map(\.rawValue)
      if kinds.count > 1 {
        log.note(.conflictingMembers(kinds[0].rawValue, kinds[1].rawValue), at: pointer)
      } else if let name = object.members.first?.name {
        log.note(.unknownMember(name, known: names), at: pointer.appending(name))
      } else {
        log.note(.missingMember(names[0], orElse: Array(names.dropFirst())), at: pointer)
      }
      return nil
    }
    if [.undo, .redo].contains(kinds[0]), value != true {
      log.note(
        .expected(.oneOf(["true"]), found: value), at: pointer.appending(kinds[0].rawValue))
      return nil
    }
    if kinds[0] == .press, case .string(let text) = value, KeySequence(testing: text) == nil {
      log.note(.expected(.keyText, found: value), at: pointer.appending("press"))
      return nil
    }
    guard object["session"] == nil else {
      log.note(
        .unknownMember("session", known: [kinds[0].rawValue]), at: pointer.appending("session"))
      return nil
    }
    (kind, self.value, place) = (kinds[0], value, pointer)
    object[kinds[0].rawValue] = nil
    others = object
  }
}

extension KeySequence {
  /// The key of a text such as `cmd+shift+5`, as keymaps have it on Apple's platforms; nil if it is none.
  init?(testing text: String) {
    guard let strokes = try? KeyText.strokes(of: text, on: .apple) else { return nil }
    self.init(strokes)
  }
}
