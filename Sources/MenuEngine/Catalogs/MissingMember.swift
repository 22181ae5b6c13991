public import JSONText

/// A rule that reads a member of the state which a session as it begins does not have.
///
/// A member that a rule tests itself, as with `has`, is not among them, nor is one that an effect
/// of the application adds.
public struct MissingMember: Equatable, Sendable {
  /// The part of the catalogue that the rule is in.
  public let part: CatalogDocument.Part
  /// The place of the rule in that part.
  public let place: JSONPointer
  /// The place in the state; the missing member comes last.
  public let path: JSONPointer
  /// The members that are there beside it.
  public let present: [String]
}

extension MissingMember {
  /// The missing members of all these rules; none when nothing says what the state begins with.
  static func all(
    in document: CatalogDocument,
    _ rules: [(part: CatalogDocument.Part, place: JSONPointer, rule: Rule)]
  ) -> [MissingMember] {
    guard case .object(let state)? = document.parts[.session]?[JSONPointer(["state"])] else {
      return []
    }
    let added = document.parts.values.flatMap(additions)
    return rules.flatMap { part, place, rule in
      rule.requiredStatePaths.compactMap { steps -> MissingMember? in
        guard let (path, present) = absence(of: steps, from: .object(state)),
          !added.contains(where: { $0.contains(path) })
        else { return nil }
        return MissingMember(part: part, place: place, path: path, present: present)
      }
    }
  }

  /// The first member on the way that an object lacks, and those that it has.
  private static func absence(
    of steps: ArraySlice<String>, from state: JSON
  ) -> (JSONPointer, [String])? {
    var current = state
    for (index, step) in zip(steps.indices, steps) {
      guard case .object(let object) = current else { return nil }
      guard let next = object[step] else {
        return (JSONPointer(Array(steps[...index])), object.members.map(\.name))
      }
      current = next
    }
    return nil
  }

  /// The places in the state where the effects in a document put something.
  private static func additions(in json: JSON) -> [JSONPointer] {
    switch json {
    case .array(let elements): elements.flatMap(additions)
    case .object(let object):
      (addition(by: object).map { [$0] } ?? []) + object.members.flatMap { additions(in: $0.value) }
    case .null, .bool, .int, .double, .string: []
    }
  }

  private static func addition(by effect: JSONObject) -> JSONPointer? {
    guard case .string(let name)? = effect["op"], ["add", "copy", "move"].contains(name) else {
      return nil
    }
    switch (effect["path"], effect["pathRule"]) {
    case (.string(let path)?, _): return try? JSONPointer(parsing: path)
    case (nil, .string(let rule)?): return StatePlace.beginning(of: rule)
    default: return nil
    }
  }
}
