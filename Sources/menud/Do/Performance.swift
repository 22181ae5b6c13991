import JSONText
import MenuEngine

/// A request that performs a command or a key, until it is settled.
struct Performance {
  let path: [String]
  let body: JSONObject
  let how: PerformingOptions
  /// True to print the answer unchanged.
  let isJSON: Bool
  /// The maximum wait of a request in seconds, less than the server's default limit.
  private static let longestWait = 20.0

  func perform(by client: DoClient) throws(DoFailure) {
    do throws(DoFailure) {
      try report(answer(by: client, isConfirmed: how.confirm))
    } catch {
      guard error.needsConfirmation, let problem = error.problem else { throw error }
      try confirm(problem)
      try report(answer(by: client, isConfirmed: true))
    }
  }

  private func answer(
    by client: DoClient, isConfirmed: Bool
  ) throws(DoFailure) -> DoAnswer {
    var body = body
    if let from = how.from { body["from"] = .string(from) }
    if how.dryRun { body["dryRun"] = .bool(true) }
    if isConfirmed { body["confirmed"] = .bool(true) }
    var request = DoRequest.post(path, body: body, isChange: true)
    guard let wait = how.wait, !how.dryRun else {
      return try client.answer(to: request, with: "performed")
    }
    let end = Posix.monotonicMilliseconds + Int64(wait) * 1000
    request.wait = min(Double(wait), Self.longestWait)
    let answer = try client.answer(to: request, with: "performed")
    guard case .object(var members) = answer.json, members["deliveries"] != nil else {
      return answer
    }
    var deliveries: [JSON] = []
    for delivery in answer.json.list("deliveries") {
      try deliveries.append(settled(delivery, of: answer.json, until: end, by: client))
    }
    members["deliveries"] = .array(deliveries)
    return DoAnswer(
      status: answer.status, fields: answer.fields, body: JSON.object(members).bytes)
  }

  /// Returns a delivery once it is settled, or its state at a deadline.
  ///
  /// Retrying with the same key would wait too, but only while the server keeps the answer.
  private func settled(
    _ delivery: JSON, of performed: JSON, until end: Int64, by client: DoClient
  ) throws(DoFailure) -> JSON {
    var delivery = delivery
    while Self.isUnsettled(delivery), let id = delivery.int("id"),
      let session = performed.text("session")
    {
      let rest = Double(end - Posix.monotonicMilliseconds) / 1000
      guard rest > 0 else { break }
      var request = DoRequest.get("sessions", session, "deliveries", "\(id)")
      request.wait = min(rest.rounded(.up), Self.longestWait)
      do throws(DoFailure) {
        delivery =
          try client.answer(to: request, with: "delivery").json.member("delivery") ?? delivery
        // A server with too many waiting requests answers at once.
        if Self.isUnsettled(delivery) { Posix.sleep(.milliseconds(500)) }
      } catch {
        let words = "The delivery \(id) is not settled yet. \(error.sentence)"
        throw DoFailure(.unsettled, words, problem: error.problem)
      }
    }
    return delivery
  }

  private static func isUnsettled(_ delivery: JSON) -> Bool {
    delivery.text("state").flatMap(Delivery.State.init)?.isSettled == false
  }

  /// Asks the user at the terminal.
  ///
  /// - Throws: `DoFailure` if there is no terminal, or the answer is no.
  private func confirm(_ problem: DoAnswer) throws(DoFailure) {
    let asked = problem.json.member("confirmation") ?? .null
    let title = asked.text("title") ?? "Are you sure?"
    let words = [title, asked.text("message")].compactMap(\.self).joined(separator: " ")
    guard Posix.asksPerson else {
      throw DoFailure(.refused, "\(words) Say --confirm to perform it.", problem: problem)
    }
    let button = asked.text("button") ?? "Perform"
    Posix.write("\(words)\n\(button)? [y/N] ".plainText(keepsLines: true), to: Posix.errors)
    let answer = (readLine() ?? "").lowercased()
    guard ["y", "yes"].contains(answer) else {
      throw DoFailure(.refused, "It is not confirmed.", problem: problem)
    }
  }

  private func report(_ answer: DoAnswer) throws(DoFailure) {
    let json = answer.json
    if isJSON { DoOutput.print(answer) }
    guard json.isTrue("performed") else {
      throw DoFailure(.refused, "Nothing was performed: \(json.text("reason") ?? "no reason").")
    }
    if !isJSON {
      let name = json.text("command") ?? json.text("action") ?? ""
      let subject = json.text("target").map { "\(name) at \($0)" } ?? name
      Self.show(json, subject: subject, isTrial: how.dryRun)
    }
    guard how.wait != nil, !how.dryRun else { return }
    for delivery in json.list("deliveries") {
      let id = delivery.int("id").map { "\($0)" } ?? ""
      switch delivery.text("state") {
      case _ where Self.isUnsettled(delivery):
        throw DoFailure(.unsettled, "The delivery \(id) is not settled yet.")
      case "failed", "cancelled":
        let problem = delivery.member("problem") ?? .null
        let reason = problem.text("detail") ?? problem.text("title")
        throw DoFailure(
          .refused, reason ?? "The delivery \(id) is \(delivery.text("state") ?? "").")
      default: break
      }
    }
  }
}

extension Performance {
  /// Prints the effects of a change, for people.
  static func show(_ json: JSON, subject: String, isTrial: Bool) {
    let revision = json.int("revision").map { "\($0)" } ?? ""
    let head = isTrial ? "would do: \(subject)" : "\(revision)  \(subject)"
    // Deliveries are shown in their present state.
    let changes = ChangeLines.lines(
      of: json.list("changes").filter { $0.text("change")?.hasPrefix("delivery") != true })
    let deliveries = json.list("deliveries").map { delivery in
      let id = delivery.int("id").map { "\($0)" } ?? ""
      let result = delivery.member("result").flatMap { $0 == .null ? nil : ChangeLines.short($0) }
      return ["delivery \(id)", delivery.text("state"), result].compactMap(\.self)
        .joined(separator: " ").plainText()
    }
    Posix.print(
      ([head.plainText()] + (changes + deliveries).map { "    " + $0 }).joined(separator: "\n"))
  }

  /// Undoes or redoes.
  static func takeBack(
    _ place: SessionOptions, by verb: String, told: String
  ) throws(DoFailure) {
    let (client, session) = try place.opened()
    let answer = try client.answer(
      to: .post(["sessions", session, verb], body: JSONObject(), isChange: true), with: told)
    if place.server.json { DoOutput.print(answer) }
    guard answer.json.isTrue(told) else {
      throw DoFailure(.refused, "There is nothing to \(verb).")
    }
    guard !place.server.json else { return }
    let name = answer.json.text("actionName") ?? ""
    show(answer.json, subject: name.isEmpty ? verb : "\(verb) “\(name)”", isTrial: false)
  }
}

/// The schema of a command's parameters, which converts words to values.
struct ParameterSchema {
  private let schema: JSON

  init(_ schema: JSON) { self.schema = schema }

  /// The names of the parameters.
  var names: [String] {
    guard case .object(let properties)? = schema.member("properties") else { return [] }
    return properties.members.map(\.name)
  }

  /// Returns the choices for a parameter, if they are known.
  func choices(for name: String) -> [JSON] {
    let property = property(name)
    let elements = property.member("items") ?? property
    return elements.list("enum") + elements.list("oneOf").compactMap { $0.member("const") }
  }

  /// Returns the value of a text for a parameter.
  func value(of text: String, for name: String) throws(DoFailure) -> JSON {
    let property = property(name)
    var types = property.texts("type")
    if let type = property.text("type") { types.append(type) }
    let isChoice = types.isEmpty && choices(for: name).contains(.string(text))
    if types.contains("string") || isChoice { return .string(text) }
    var value: JSON?
    do throws(JSONFault) {
      value = try JSON(parsing: text, integers: .exact)
    } catch {
      guard error.reason != .integerOutOfRange else {
        throw DoFailure(.wrong, "The parameter '\(name)' cannot be read. \(error)")
      }
    }
    let scalars: Set = ["integer", "number", "boolean", "null"]
    guard !types.isEmpty else { return value ?? .string(text) }
    let isFit =
      switch value {
      case .int?, .double?: types.contains { $0 == "integer" || $0 == "number" }
      case .bool?: types.contains("boolean")
      case .null?: types.contains("null")
      case .array?, .object?: !scalars.isSuperset(of: types)
      case .string?, nil: false
      }
    guard isFit, let value else {
      let kinds = types.joined(separator: " or ")
      throw DoFailure(.wrong, "The parameter '\(name)' is of type \(kinds), and '\(text)' is not.")
    }
    return value
  }

  /// Returns the schema of a parameter, following references.
  private func property(_ name: String) -> JSON {
    var property = schema.member("properties")?.member(name) ?? .null
    // References can form a cycle.
    for _ in 0..<16 {
      guard let reference = property.text("$ref"), reference.hasPrefix("#"),
        let pointer = try? JSONPointer(parsing: String(reference.dropFirst())),
        let target = schema[pointer]
      else { break }
      property = target
    }
    return property
  }
}
