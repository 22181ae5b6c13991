import JSONText
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

/// The result of a case.
struct TestResult {
  let file: SourceFile
  let title: String
  let place: FilePlace
  /// The places in the file, each with its difference; empty if the case passes.
  let failures: [(place: FilePlace, message: String)]
}

/// Runs cases by requests, each in a separate session, like a front end over HTTP.
///
/// The clock stands still, so that a case always has the same answers.
struct TestRunner {
  private let service: Service

  init(catalog: Catalog, _ configuration: Configuration) {
    let dependencies = Service.Dependencies(
      now: { 1_767_225_600_000 }, newSessionID: { "test" },
      newToken: { "" }, nonce: "test")
    service = Service(
      store: SessionStore(catalog: catalog), dependencies, ruleLimits: configuration.rules,
      limits: configuration.serviceLimits)
  }

  func result(of testCase: TestCase, in file: SourceFile) -> TestResult {
    var run = TestRun(service: service)
    run.carryOut(testCase)
    return TestResult(
      file: file, title: testCase.title, place: file.place(of: testCase.place),
      failures: run.failures.map { (file.place(of: $0.place), $0.message) })
  }
}

/// A running case.
private struct TestRun {
  let service: Service
  private(set) var failures: [(place: JSONPointer, message: String)] = []

  init(service: Service) { self.service = service }

  /// An answer of the service.
  private struct Answer {
    let status: Int
    let body: JSON
    /// The reason why nothing was done, although the service does not refuse it; nil, the default, for none.
    var idleness: String?

    var isRefusal: Bool { status >= 400 }

    /// The reasons for a refusal, each with the pointer of the part of the request at fault.
    var faults: [(tokens: [String], detail: String)] {
      body.faults.map { fault in
        let pointer = fault.text("pointer").flatMap { try? JSONPointer(parsing: $0) }
        let detail = fault.text("detail") ?? "The service answers with \(status)."
        let explanation = fault.text("explanation").flatMap { detail.contains($0) ? nil : $0 }
        return (pointer?.tokens ?? [], detail + (explanation.map { " \($0)" } ?? ""))
      }
    }

    /// The reasons for a refusal.
    var detail: String { faults.map(\.detail).joined(separator: " ") }
  }

  private static let session = "/sessions/test"

  mutating func carryOut(_ testCase: TestCase) {
    let opened = send(.post, "/sessions", body: ["id": "test"])
    guard !opened.isRefusal else {
      return note("No session can be opened: \(opened.detail)", at: testCase.place)
    }
    defer { _ = send(.delete, Self.session) }
    // Later steps would only repeat a failure.
    for step in testCase.steps where failures.isEmpty { carryOut(step) }
  }

  private mutating func carryOut(_ step: TestStep) {
    if let given = step.given {
      let answer = send(.post, "\(Self.session)/mutations", body: ["mutations": given])
      if answer.isRefusal {
        for fault in answer.faults {
          note(fault.detail, at: place(of: fault.tokens, below: step.place))
        }
        return
      }
    }
    if let expected = step.expect { check(expected) }
    var last: Answer?
    for (index, action) in step.actions.enumerated() {
      let answer = send(action)
      last = answer
      let isExpected = index == step.actions.count - 1 && step.then?.expectsRefusal == true
      if let idleness = answer.idleness, !isExpected { return note(idleness, at: action.place) }
      if answer.isRefusal, !isExpected {
        for fault in answer.faults {
          note("It was refused: \(fault.detail)", at: place(of: fault.tokens, in: action))
        }
        return
      }
    }
    guard let then = step.then else { return }
    if !then.answer.isEmpty {
      check(then.answer, of: last, at: then.place)
    }
    check(then)
  }

  /// Returns the place in the file of a refused part of an action's request.
  private func place(of tokens: [String], in action: TestAction) -> JSONPointer {
    var tokens = tokens
    if let first = tokens.first, first == action.kind.member {
      // A text has no parts, even where the request has a key instead.
      if case .string = action.value { tokens = [first] }
      tokens[0] = action.kind.rawValue
    }
    return tokens.reduce(action.place) { $0.appending($1) }
  }

  /// Returns the place of refused mutations in the file.
  private func place(of tokens: [String], below step: JSONPointer) -> JSONPointer {
    let rest = tokens.first == "mutations" ? tokens.dropFirst() : []
    return rest.reduce(step.appending("given")) { $0.appending($1) }
  }

  private mutating func note(_ message: String, at place: JSONPointer) {
    failures.append((place, message))
  }
}

// MARK: Requests

extension TestRun {
  private func send(
    _ method: MicroHTTP.Method, _ path: String, body: JSON? = nil
  ) -> Answer {
    let headers: Headers = body == nil ? [:] : ["Content-Type": "application/json"]
    guard
      let request = try? Request(method, path, headers: headers, body: body?.bytes ?? []),
      case .response(let response) = service.answer(to: request)
    else { return Answer(status: 500, body: JSON.null) }
    let json = try? JSON(parsing: response.body)
    return Answer(status: response.status.rawValue, body: json ?? .null)
  }

  private func send(_ action: TestAction) -> Answer {
    switch action.kind {
    case .perform, .send: return message(to: "/commands/perform", action)
    case .press: return message(to: "/keys/press", action)
    case .undo, .redo:
      let answer = send(
        .post, "\(Self.session)/\(action.kind.rawValue)", body: .object(action.others))
      let done: JSON? = answer.body.member(action.kind == .undo ? "undone" : "redone")
      guard done == false else { return answer }
      return Answer(
        status: answer.status, body: answer.body,
        idleness: "There is nothing to \(action.kind.rawValue).")
    case .reply, .fail: return settle(by: action)
    }
  }

  private func message(to path: String, _ action: TestAction) -> Answer {
    var body = action.others
    body["session"] = "test"
    body[action.kind.member] = action.kind == .press ? Self.key(action.value) : action.value
    var answer = send(.post, path, body: .object(body))
    if !answer.isRefusal, answer.body.member("performed") == false {
      answer.idleness = "Nothing was performed: \(answer.body.text("reason") ?? "nobody did it")."
    }
    return answer
  }

  /// Returns the key of a text; any other value is unchanged.
  private static func key(_ value: JSON) -> JSON {
    guard case .string(let text) = value else { return value }
    return KeySequence(testing: text)?.json ?? value
  }

  /// Claims the first open delivery, and settles it.
  private func settle(by action: TestAction) -> Answer {
    let claimed = send(.post, "\(Self.session)/deliveries/claim", body: ["by": "test"])
    guard let id = claimed.body[JSONPointer(["delivery", "id"])] else {
      return Answer(status: 404, body: ["detail": "There is no open delivery."])
    }
    var body = action.others
    body["claim"] = claimed.body[JSONPointer(["delivery", "claim", "number"])]
    body[action.kind.member] = action.value
    let path = "\(Self.session)/deliveries/\(id.text())/\(action.kind.rawValue)"
    return send(.post, path, body: .object(body))
  }
}

// MARK: Expectations

extension TestRun {
  /// Compares the members of the last answer. A refusal has `status`, and `performed`, which is false.
  private mutating func check(
    _ expected: JSONObject, of answer: Answer?, at place: JSONPointer
  ) {
    guard let answer, case .object(var found) = answer.body else {
      return note("There is no answer, since nothing is done.", at: place)
    }
    found["status"] = .int(Int64(answer.status))
    if answer.isRefusal, found["performed"] == nil { found["performed"] = false }
    let before = failures.count
    compare(.object(expected), with: .object(found), at: place)
    if failures.count > before, answer.isRefusal {
      note("It was refused: \(answer.detail)", at: place)
    }
  }

  private mutating func check(_ view: TestView) {
    if !view.session.isEmpty {
      let session = send(.get, Self.session).body
      for (name, expected, place) in view.session {
        compare(expected, with: session.member(name) ?? .null, at: place)
      }
    }
    for (name, expected, place) in view.items { check(name, expected, from: view.from, at: place) }
    for (text, expected, place) in view.keys {
      var body: JSONObject = ["session": "test", "key": Self.key(.string(text))]
      body["from"] = view.from.map { .string($0.rawValue) }
      let answer = send(.post, "/keys/resolve", body: .object(body))
      guard !answer.isRefusal else { return note(answer.detail, at: place) }
      compare(expected, with: answer.body, at: place)
    }
  }

  /// Compares an item, whose name is the id of its command, and for an item from data a space and its key.
  private mutating func check(
    _ name: String, _ expected: JSON, from: ResponderID?, at place: JSONPointer
  ) {
    let from = from.map { JSON.string($0.rawValue) }
    let parts = name.split(separator: " ", maxSplits: 1).map { String($0) }
    let found: JSON
    if parts.count > 1 {
      guard let item = itemFromData(parts[0], parts[1], from: from) else {
        return note("No menu shows an item '\(parts[1])' of the command '\(parts[0])'.", at: place)
      }
      found = item
    } else {
      var body: JSONObject = ["session": "test", "commands": [.string(name)]]
      body["from"] = from
      let answer = send(.post, "/commands/validate", body: .object(body))
      guard !answer.isRefusal, let item = answer.body[JSONPointer(["items", "0"])] else {
        return note(answer.detail, at: place)
      }
      found = item
    }
    if found.text("reason") == "unknownCommand", expected.member("reason") == nil {
      return note("There is no command '\(name)'.", at: place)
    }
    let before = failures.count
    // A list of commands expects a Boolean of each.
    if case .bool = expected {
      compare(expected, with: found.member("enabled") ?? .null, at: place)
    } else {
      compare(expected, with: found, at: place)
    }
    guard failures.count > before, let reason = found.text("reason"), reason != "enabled" else {
      return
    }
    let words = found.text("explanation") ?? found.text("error")
    note("The item is not enabled, since '\(reason)'\(words.map { ": \($0)" } ?? ".")", at: place)
  }

  /// Returns an item from data, as in the menu.
  private func itemFromData(_ command: String, _ key: String, from: JSON?) -> JSON? {
    let answer = send(.post, "\(Self.session)/menu", body: from.map { ["from": $0] } ?? [:])
    var open = [answer.body]
    while let json = open.popLast() {
      switch json {
      case .array(let elements): open += elements
      case .object(let object):
        if json.text("command") == command, json.text("itemKey") == key { return json }
        open += object.members.map(\.value)
      case .null, .bool, .int, .double, .string: break
      }
    }
    return nil
  }

  /// Compares a value with an expected one. An object may have more members than expected; null matches null or an
  /// absent member.
  private mutating func compare(_ expected: JSON, with found: JSON, at place: JSONPointer) {
    switch (expected, found) {
    case (.object(let expected), .object(let found)):
      for member in expected.members {
        let (name, value) = (member.name, member.value)
        guard let member = found[name] else {
          if value == .null { continue }
          let names = found.members.map { "'\($0.name)'" }.joined(separator: ", ")
          let meant = TestView.nearest(to: name).map { "; did you mean '\($0)'?" } ?? "."
          note("It is absent; there are \(names)\(meant)", at: place.appending(name))
          continue
        }
        compare(value, with: member, at: place.appending(name))
      }
    case (.array(let expected), .array(let found)) where expected.count == found.count:
      for (index, value) in expected.enumerated() {
        compare(value, with: found[index], at: place.appending(index))
      }
    case (.int(let int), .double(let double)) where Double(int) == double: break
    case (.double(let double), .int(let int)) where Double(int) == double: break
    default:
      guard !expected.isWritten(as: found) else { return }
      note("Expected \(expected.text()), found \(found.text()).", at: place)
    }
  }
}
