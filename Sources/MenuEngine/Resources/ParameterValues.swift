import CEL
import JSONText

/// The values that an argument of a prompt, or a variable of a template, allows.
package enum ParameterValues: Sendable {
  /// Any text.
  case any
  /// One of these texts (`enum`).
  case listed([String])
  /// Any text; these are examples.
  case examples([String])
  /// One of the choices that a rule returns: texts, or objects with `const` and an optional `title`.
  case rule(Rule)

  /// Reads the members `enum`, `examples` and `choices`, of which at most one is allowed.
  init(_ reader: inout ObjectReader) {
    let listed = reader.member("enum", Self.texts)
    let examples = reader.member("examples", Self.texts)
    let rule = reader.member("choices") {
      Read.rule(answering: .oneOf([.anyList]), reading: $0, at: $1, log: $2)
    }
    reader.refuseAllButOne(of: ["enum", "examples", "choices"])
    self =
      listed.map(Self.listed) ?? examples.map(Self.examples) ?? rule.map(Self.rule) ?? .any
  }

  private static func texts(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [String]? {
    guard case .array(let elements) = json, (1...Limits.choices).contains(elements.count) else {
      return Read.refuse(.arrayFrom(1...Limits.choices), json, at: pointer, log: log)
    }
    return Read.list(json, at: pointer, log: log, of: Read.text(upTo: Limits.title))
  }

  /// True if they depend on more of the session than its language.
  var readsSession: Bool { if case .rule(let rule) = self { rule.readsSession } else { false } }
}

extension Rule {
  /// True if it reads more than its parameters, the texts of the language, and the actor.
  var readsSession: Bool {
    let open: [Root] = [.parameters, .tr, .sender]
    return program.readVariables.contains { root in !open.contains { $0.rawValue == root } }
  }
}

extension ObjectReader {
  /// Refuses all of these members except the first one present.
  func refuseAllButOne(of names: [String]) {
    let present = names.filter(has)
    for name in present.dropFirst() {
      log.note(.conflictingMembers(present[0], name), at: place(of: name))
    }
  }

  /// Does the same as `refuseAllButOne`, and requires one of them.
  func requireOne(of names: [String]) {
    refuseAllButOne(of: names)
    if !names.contains(where: has), let first = names.first {
      log.note(.missingMember(first, orElse: Array(names.dropFirst())), at: pointer)
    }
  }
}

extension Read {
  /// Reads an object with a maximum number of members, each by its name.
  static func members<Value>(
    upTo limit: Int, _ json: JSON, at pointer: JSONPointer, log: FaultLog,
    of read: (String, JSON, JSONPointer) -> Value?
  ) -> [Value]? {
    guard let object = object(json, at: pointer, log: log) else { return nil }
    guard object.count <= limit else {
      return refuse(.objectUpTo(limit), json, at: pointer, log: log)
    }
    return object.members.compactMap { read($0.name, $0.value, pointer.appending($0.name)) }
  }
}
