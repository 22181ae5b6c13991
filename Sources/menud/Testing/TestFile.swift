import JSONText
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
      return reader.required("cases") { Read.list($0, at: $1, log: $2, of: TestCase.init) }
    }
    guard let cases, log.faults.isEmpty else {
      throw CatalogFaults(
        faults: log.faults.map { fault in
          let isName = if case .unknownMember = fault.reason { true } else { false }
          let place = isName ? source.placeOfName(fault.pointer) : source.place(of: fault.pointer)
          return .document(place, fault)
        })
    }
    (self.source, self.cases) = (source, cases)
  }
}

/// A case: a session that begins as the application's do, and what happens to it.
struct TestCase {
  let title: String
  let place: JSONPointer
  let steps: [TestStep]

  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let title = reader.required("title", Read.string)
    var steps = reader.member("steps") { Read.list($0, at: $1, log: $2, of: TestStep.init) }
    if steps == nil {
      let step = TestStep(reading: &reader)
      if reader.json("steps") == nil { steps = step.map { [$0] } }
    }
    reader.finish()
    guard let title, let steps else { return nil }
    (self.title, self.steps, place) = (title, steps, pointer)
  }
}

/// A step of a case: what is changed, what is expected then, what is done, and what is expected of that.
struct TestStep {
  /// The mutations; nil for none.
  let given: JSON?
  let expect: TestView?
  let actions: [TestAction]
  let then: TestView?
  let place: JSONPointer

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

/// What is expected of a session, and of the answer to an action.
struct TestView {
  /// The items by the ids of their commands, each with expected members.
  var items: [(name: String, expected: JSON)] = []
  /// The ids of commands that are expected to be enabled, and of those that are not.
  var (enabled, disabled): ([String], [String]) = ([], [])
  /// The responder to look from; nil for the first one.
  let from: JSON?
  let state: JSON?
  /// The expected members of the answer.
  var answer = JSONObject()
  let place: JSONPointer

  init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, isOfAnswer: Bool
  ) {
    guard let object = Read.object(json, at: pointer, log: log) else { return nil }
    place = pointer
    from = object["from"]
    state = object["state"]
    for member in object.members {
      let (name, value) = (member.name, member.value)
      switch name {
      case "from", "state": continue
      case "items":
        guard let items = Read.object(value, at: pointer.appending(name), log: log) else {
          return nil
        }
        self.items = items.members.map { ($0.name, $0.value) }
      case "enabled", "disabled":
        let names = Read.list(value, at: pointer.appending(name), log: log, of: Read.string)
        guard let names else { return nil }
        if name == "enabled" { enabled = names } else { disabled = names }
      default:
        guard isOfAnswer else {
          log.note(
            .unknownMember(name, known: ["items", "enabled", "disabled", "from", "state"]),
            at: pointer.appending(name))
          return nil
        }
        answer[name] = value
      }
    }
  }
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
      log.note(
        kinds.isEmpty
          ? .missingMember(Kind.perform.rawValue)
          : .conflictingMembers(kinds[0].rawValue, kinds[1].rawValue), at: pointer)
      return nil
    }
    (kind, self.value, place) = (kinds[0], value, pointer)
    object[kinds[0].rawValue] = nil
    others = object
  }
}
