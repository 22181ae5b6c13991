import JSONText
import Randomness
import Testing

/// Edits under random operations on random values.
@Suite struct RandomEditTests {
  private func value(_ generator: inout SeededGenerator, depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2: return .int(.random(in: 0..<3, using: &generator))
    case 3: return .double(Double(Int.random(in: -1..<2, using: &generator)))
    case 4: return .string(["", "é", "e\u{301}", "~/"].randomElement(using: &generator) ?? "")
    case 5, 6:
      let count = Int.random(in: 0..<4, using: &generator)
      return .array((0..<count).map { _ in value(&generator, depth: depth - 1) })
    default:
      var object = JSONObject()
      let names = Bool.random(using: &generator) ? 4 : 24
      for _ in 0..<Int.random(in: 0..<names, using: &generator) {
        object[name(&generator, names)] = value(&generator, depth: depth - 1)
      }
      return .object(object)
    }
  }

  private func name(_ generator: inout SeededGenerator, _ count: Int = 24) -> String {
    let number = Int.random(in: 0..<count, using: &generator)
    return number < 3 ? "\(number)" : "n\(number)"
  }

  private func place(_ generator: inout SeededGenerator, in json: JSON) -> JSONPointer {
    var tokens: [String] = []
    var current = json
    while Int.random(in: 0..<4, using: &generator) > 0 {
      switch current {
      case .object(let object):
        let known = object.members.randomElement(using: &generator)?.name
        tokens.append(Bool.random(using: &generator) ? known ?? "n" : name(&generator))
      case .array(let elements):
        let index = Int.random(in: 0...elements.count, using: &generator)
        tokens.append(index == elements.count ? "-" : "\(index)")
      case .null, .bool, .int, .double, .string: return JSONPointer(tokens)
      }
      guard let next = json[JSONPointer(tokens)] else { break }
      current = next
    }
    return JSONPointer(tokens)
  }

  private func operation(_ generator: inout SeededGenerator, on json: JSON) -> JSONPatch.Operation {
    let path = place(&generator, in: json)
    let from = place(&generator, in: json)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return .add(path: path, value: value(&generator, depth: 2))
    case 1: return .remove(path: path)
    case 2: return .replace(path: path, value: value(&generator, depth: 2))
    case 3: return .move(from: from, path: path)
    case 4: return .copy(from: from, path: path)
    default:
      var changed = json[path] ?? .null
      let inner = place(&generator, in: changed)
      _ = try? changed.apply(JSONPatch.Operation.remove(path: inner))
      _ = try? changed.apply(.add(path: inner, value: value(&generator, depth: 1)))
      return .replace(path: path, value: changed)
    }
  }

  @Test(arguments: Seeds.first(40))
  func `all edits taken back give the first value, and made again the last`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let limits = JSONPatchLimits(depth: 12, work: 1000)
    let first = value(&generator, depth: 3)
    var json = first
    var history: [(edits: [JSONEdit], text: String)] = []
    for _ in 0..<60 {
      let operation = operation(&generator, on: json)
      var plain = json
      let isPossible = (try? plain.apply(operation, limits: limits)) != nil
      let before = json.text()
      let edits = try? json.noteEdits(of: operation, limits: limits)
      #expect((edits != nil) == isPossible)
      #expect(json.text() == plain.text())
      if let edits { history.append((edits, before)) } else { #expect(json.text() == before) }
    }
    let last = json.text()
    for step in history.reversed() {
      for edit in step.edits.reversed() { _ = json.apply(edit.inverse) }
      #expect(json.text() == step.text)
    }
    #expect(json.text() == first.text())
    for edit in history.flatMap(\.edits) { _ = json.apply(edit) }
    #expect(json.text() == last)
  }
}
