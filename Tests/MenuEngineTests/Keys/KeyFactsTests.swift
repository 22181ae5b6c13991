import JSONText
import Testing

@testable import MenuEngine

/// The keys of others: VS Code's keybindings and Lumino's sequences, as the facts tell them (K8, K9). docs/keys.md names
/// what differs, and why.
@Suite(.enabled(if: Facts.folder != nil, Facts.absence))
struct KeyFactsTests {
  private static func platforms(_ fact: JSON) -> [(os: String, platform: KeyPlatform)] {
    let names = fact["os"]?.asArray?.compactMap(\.asString) ?? fact["os"]?.asString.map { [$0] }
    return (names ?? ["mac", "windows", "linux"]).map { ($0, $0 == "mac" ? .apple : .other) }
  }

  // MARK: Texts

  /// A stroke as VS Code's chords tell it: `ctrl+shift+alt+meta+` and the name of the key.
  private static func line(_ stroke: KeyText.Stroke, on platform: KeyPlatform) -> String {
    switch stroke {
    case .withoutInput(let name): return name
    case .key(let key):
      let text = KeyText.text(of: KeySequence(key), on: .other) ?? ""
      // On Apple's platforms the modifiers have other places.
      let isApple = platform == .apple
      let modifiers: [(String, KeyModifiers.Name)] = [
        ("ctrl+", isApple ? .control : .command), ("shift+", .shift), ("alt+", .alternate),
        ("meta+", isApple ? .command : .control),
      ]
      let held = modifiers.filter { key.modifiers.contains($0.1.modifier) }.map(\.0).joined()
      let bare = KeyCombination(
        input: key.input, modifiers: key.modifiers.intersection(KeyModifiers([.numericPad])))
      let name = bare.flatMap { KeyText.text(of: KeySequence($0), on: platform) } ?? text
      return held + name
    }
  }

  private static func line(_ chord: JSON) -> String {
    let held = modifierNames.filter { chord[$0] == true }.map { $0 + "+" }
    let names = ["uparrow": "up", "downarrow": "down", "leftarrow": "left", "rightarrow": "right"]
    let key = (chord["key"]?.asString ?? "").lowercased()
    return held.joined() + (names[key] ?? key)
  }

  @Test func `K9: VS Code's texts of keys are read as VS Code reads them`() throws {
    var count = 0
    for fact in try Facts.cases("vscode-keybindings/parse.json") {
      let text = try #require(fact["text"]?.asString)
      for (os, platform) in Self.platforms(fact) {
        let strokes = try? KeyText.strokes(of: text, on: platform)
        let expected = fact["expect"]?.asArray?.map(Self.line)
        // A stroke has a key beside its modifiers.
        if expected?.contains(where: { modifierNames.contains($0) }) == true {
          #expect(strokes == nil, "\(text) on \(os)")
          continue
        }
        let found = strokes?.map { Self.line($0, on: platform) }
        // A key that menud has no input for has no modifiers either.
        let isKnown =
          strokes?.contains { if case .withoutInput = $0 { true } else { false } } != true
        if isKnown {
          #expect(found == expected, "\(text) on \(os)")
        } else {
          #expect(found?.count == expected?.count, "\(text) on \(os)")
        }
        count += 1
      }
    }
    print("keys: vscode-keybindings/parse \(count) of \(count)")
  }

  @Test func `K9: keys are written as VS Code writes them`() throws {
    var (count, withoutInput) = (0, 0)
    for fact in try Facts.cases("vscode-keybindings/format.json")
    where fact["style"]?.asString == "settings" {
      let chords = try #require(fact["chords"]?.asArray)
      for (os, platform) in Self.platforms(fact) {
        guard let expected = fact["expect"]?.asString else { continue }
        let strokes = try KeyText.strokes(
          of: chords.map(Self.line).joined(separator: " "), on: platform)
        let keys = strokes.compactMap { if case .key(let key) = $0 { key } else { nil } }
        guard keys.count == strokes.count, let key = KeySequence(keys) else {
          withoutInput += 1
          continue
        }
        // All but Apple's platforms have one name for the key beside the space bar.
        let wanted = os == "windows" ? expected.replacing("win+", with: "meta+") : expected
        #expect(KeyText.text(of: key, on: platform) == wanted, "\(chords) on \(os)")
        count += 1
      }
    }
    print("keys: vscode-keybindings/format \(count), without input \(withoutInput)")
    try #require(count > 0)
  }

  // MARK: VS Code's resolver

  /// Why a case may come out otherwise; nil if it may not.
  private static func difference(in bindings: [JSON]) -> String? {
    let commands = bindings.map { $0["command"]?.asString ?? "" }
    // K9 has no entry without a command: a removal takes a key away.
    if commands.contains("") { return "no empty command" }
    if commands.contains(where: { $0.hasPrefix("^") }) { return "no commands that only watch" }
    // K8: a key that is also the beginning of a longer one waits; there the later declaration alone counts.
    let keys = bindings.compactMap { $0["key"]?.asString }
    let begun = keys.first { key in keys.contains { $0.hasPrefix(key + " ") } }
    return begun.map { "\($0) waits for a longer key" }
  }

  @Test func `K8, K9: VS Code's resolver chooses the same commands`() throws {
    let worlds = try Facts.document("vscode-keybindings/worlds.json")
    var (count, others) = (0, [String]())
    for fact in try Facts.cases("vscode-keybindings/resolve.json") {
      let named = fact["world"]?.asString.flatMap { worlds[$0] }
      let bindings = try #require((fact["bindings"] ?? named)?.asArray)
      guard let world = try KeybindingWorld(bindings) else {
        others.append("context language: \(fact["about"]?.asString ?? "")")
        continue
      }
      let presses = try #require(fact["press"]?.asArray).compactMap(\.asString)
      let expected = try #require(fact["expect"]?.asArray)
      let found = try expected.indices.map { index in
        try world.meaning(
          of: presses[...index].joined(separator: " "), in: fact["context"] ?? [:])
      }
      if found != expected, let why = Self.difference(in: bindings) {
        others.append("\(presses): \(why)")
        continue
      }
      #expect(found == expected, "\(presses) in \(fact)")
      count += 1
    }
    print("keys: vscode-keybindings/resolve \(count); others \(others)")
    try #require(count > 0)
  }

  @Test func `K9: VS Code's removals leave the same keys`() throws {
    var (count, others) = (0, [String]())
    for fact in try Facts.cases("vscode-keybindings/removal.json") {
      let bindings = try #require(fact["bindings"]?.asArray)
      guard let world = try KeybindingWorld(bindings) else {
        others.append("context language: \(fact["about"]?.asString ?? "")")
        continue
      }
      let remaining = try #require(fact["expect"]?["remaining"]?.asArray)
      let found = try world.remaining().map { JSON.int(Int64($0)) }
      if found != remaining, let why = Self.difference(in: bindings) {
        others.append("\(fact["about"]?.asString ?? ""): \(why)")
        continue
      }
      #expect(found == remaining, "\(fact)")
      count += 1
    }
    print("keys: vscode-keybindings/removal \(count); others \(others)")
    try #require(count > 0)
  }

  @Test func `K7: a command has the keys that VS Code looks up`() throws {
    let worlds = try Facts.document("vscode-keybindings/worlds.json")
    var (count, others) = (0, [String]())
    for fact in try Facts.cases("vscode-keybindings/lookup.json") {
      let command = try #require(fact["command"]?.asString)
      let named = fact["world"]?.asString.flatMap { worlds[$0] }
      let bindings = try #require((fact["bindings"] ?? named)?.asArray)
      let world = try #require(try KeybindingWorld(bindings))
      let found = try world.keys(of: command)
      // K8: there one of a key and a longer one hides the other; here the shorter one waits, and both are the command's.
      if found != fact["expect"]?["keys"], Self.isCutOrContinued(command, among: bindings) {
        others.append("\(command): waits for the longer key")
        continue
      }
      #expect(found == fact["expect"]?["keys"], "\(command)")
      count += 1
    }
    print("keys: vscode-keybindings/lookup \(count); others \(others)")
    try #require(count > 0)
  }

  /// True if a key of a command begins a longer one of another, or continues a shorter one.
  private static func isCutOrContinued(_ command: String, among bindings: [JSON]) -> Bool {
    func keys(where isIncluded: (Bool) -> Bool) -> [String] {
      bindings.filter { isIncluded($0["command"]?.asString == command) }
        .compactMap { $0["key"]?.asString }
    }
    return keys { $0 }.contains { own in
      keys { !$0 }.contains { $0.hasPrefix(own + " ") || own.hasPrefix($0 + " ") }
    }
  }

  @Test func `K8: VS Code's sequences of presses do the same`() throws {
    var (count, others) = (0, [String]())
    for fact in try Facts.cases("vscode-keybindings/dispatch.json") {
      let about = fact["about"]?.asString ?? ""
      let steps = try #require(fact["steps"]?.asArray)
      let bindings = try #require(fact["bindings"]?.asArray)
      guard let world = try KeybindingWorld(bindings) else {
        others.append("context language: \(about)")
        continue
      }
      var (strokes, isSame): ([String], Bool) = ([], true)
      for step in steps {
        guard let press = step["press"]?.asString, let expected = step["expect"] else { continue }
        strokes.append(press)
        let found = try world.meaning(
          of: strokes.joined(separator: " "), in: step["context"] ?? [:])
        let isPending = found["more"] == true
        isSame =
          isSame && found["command"].map { [$0] } ?? [] == expected["run"]?.asArray
          && (expected["opens"] == true) == (isPending && strokes.count == 1)
        if !isPending { strokes = [] }
      }
      if !isSame, let why = Self.difference(in: bindings) {
        others.append("\(about): \(why)")
        continue
      }
      #expect(isSame, "\(fact)")
      count += 1
    }
    print("keys: vscode-keybindings/dispatch \(count); others \(others)")
  }

  // MARK: Lumino

  @Test func `K8: Lumino's sequences run the same commands`() throws {
    var (count, others) = (0, [String]())
    for fact in try Facts.cases("lumino/dispatch.json") {
      let world = try LuminoWorld(fact)
      var strokes: [KeyCombination] = []
      for step in try #require(fact["steps"]?.asArray) {
        let isFinal = step["wait"] == true
        if !isFinal {
          guard let stroke = LuminoWorld.stroke(of: step) else { continue }
          strokes.append(stroke)
        }
        guard let key = KeySequence(strokes) else { continue }
        let found = try world.stage.resolution(KeyPress(key, isFinal: isFinal))
        let run = found.chosen?.claim.action.map { [JSON.string($0.rawValue)] } ?? []
        let expected = step["expect"]?["run"]?.asArray ?? []
        #expect(run == expected, "\(fact["about"]?.asString ?? ""): \(step) in \(fact)")
        if !found.isPending { strokes = [] }
      }
      count += 1
      if fact["steps"]?.asArray?.contains(where: { $0["expect"]?["replayed"] != nil }) == true {
        others.append("played back: \(fact["about"]?.asString ?? "")")
      }
    }
    print("keys: lumino/dispatch \(count) run the same; of these \(others)")
  }
}

private let modifierNames = ["ctrl", "shift", "alt", "meta"]

/// VS Code's bindings as a session: the default ones are key commands of the application, the user's a keymap.
private struct KeybindingWorld {
  private let bindings: [JSON]
  private let names: [String]
  private let atoms: [(name: String, value: JSON)]
  private let stage: Stage

  /// Nil if a clause is beyond conjunctions of keys and comparisons.
  init?(_ bindings: [JSON]) throws {
    self.bindings = bindings
    var names: [String] = []
    var atoms: [(name: String, value: JSON)] = []
    var entries: [JSON] = []
    var defaults: [JSON] = []
    for (index, binding) in bindings.enumerated() {
      let command = binding["command"]?.asString ?? ""
      let name = command.hasPrefix("-") ? String(command.dropFirst()) : command
      if !names.contains(name) { names.append(name) }
      let id = "c\(names.firstIndex(of: name) ?? 0)"
      guard let rule = Self.rule(binding["when"]?.asString, &atoms) else { return nil }
      var entry: JSONObject = ["when": .string(rule)]
      if let key = binding["key"]?.asString { entry["key"] = .string(key) }
      let isDefault = binding["default"] == true
      guard entry["key"] != nil || command.hasPrefix("-") else { continue }
      if isDefault {
        let strokes = try KeyText.strokes(of: binding["key"]?.asString ?? "", on: .other)
        let keys = strokes.compactMap { if case .key(let key) = $0 { key.json } else { nil } }
        defaults.insert(
          [
            "strokes": .array(keys), "action": .string(id), "when": .string(rule),
            "title": .string("\(index)"),
          ], at: 0)
      } else {
        entry["command"] = .string((command.hasPrefix("-") ? "-" : "") + id)
        entry["parameters"] = command.hasPrefix("-") ? nil : ["index": .int(Int64(index))]
        entries.append(.object(entry))
      }
    }
    (self.names, self.atoms) = (names, atoms)
    let ids = names.indices.map { "c\($0)" }
    // A list has each action once for a rule, so that each binding has a responder of its own.
    var responders: JSONObject = [:]
    for (index, command) in defaults.enumerated() {
      let next = index + 1 < defaults.count ? "r\(index + 1)" : "app"
      responders["r\(index)"] = ["kind": "view", "next": .string(next), "keyCommands": [command]]
    }
    var handlers = JSONObject()
    for id in ids { handlers[id] = [:] }
    responders["app"] = ["kind": "application", "handlers": .object(handlers)]
    var stage = try Stage(
      commands: .array(
        ids.map {
          [
            "id": .string($0), "title": "", "action": .string($0),
            "parameters": ["type": "object"],
          ]
        }), responders: .object(responders), focus: defaults.isEmpty ? "app" : "r0", state: [:])
    try stage.put(.array(entries))
    try stage.apply(.useKeymap("ada"))
    self.stage = stage
  }

  /// Returns a clause as a rule about the state; nil if it is beyond these.
  private static func rule(
    _ clause: String?, _ atoms: inout [(name: String, value: JSON)]
  ) -> String? {
    guard let clause, !["true", "false"].contains(clause) else { return clause ?? "true" }
    var terms: [String] = []
    for part in clause.split(separator: "&&") {
      var text = part.trimmingPrefix { $0 == " " }[...]
      while text.last == " " { text = text.dropLast() }
      let isNegated = text.hasPrefix("!")
      if isNegated { text = text.dropFirst() }
      let sides = text.split(separator: " == ").map(String.init)
      let isName = sides[0].utf8.allSatisfy { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "'") }
      guard isName, sides.count <= 2, !sides[0].contains("=") else { return nil }
      let value = sides.count == 2 ? String(sides[1].dropFirst().dropLast()) : nil
      let json: JSON = value.map(JSON.string) ?? true
      if !atoms.contains(where: { $0.name == sides[0] }) { atoms.append((sides[0], json)) }
      let test =
        "('\(sides[0])' in state && state['\(sides[0])'] == \(value.map { "'\($0)'" } ?? "true"))"
      terms.append((isNegated ? "!" : "") + test)
    }
    return terms.joined(separator: " && ")
  }

  private func stage(in context: JSON) throws -> Stage {
    var stage = stage
    try stage.apply(.mergeState(context))
    return stage
  }

  /// The meaning of strokes in a context, as the facts tell it.
  func meaning(of text: String, in context: JSON) throws -> JSON {
    let strokes = try KeyText.strokes(of: text, on: .other)
    let keys = strokes.compactMap { if case .key(let key) = $0 { key } else { nil } }
    let key = try #require(KeySequence(keys))
    let found = try stage(in: context).resolution(KeyPress(key, on: .other))
    if found.isPending { return ["more": true] }
    guard let action = found.chosen?.claim.action, let index = Int(action.rawValue.dropFirst())
    else { return ["none": true] }
    return ["command": .string(names[index])]
  }

  /// The keys in each context.
  private func lists() throws -> [[KeyMatch]] {
    try (0..<(1 << atoms.count)).map { bits in
      var context = JSONObject()
      for (index, atom) in atoms.enumerated() where bits >> index & 1 == 1 {
        context[atom.name] = atom.value
      }
      let stage = try stage(in: .object(context))
      return try stage.session.keys(KeyListRequest(on: .other), in: stage.catalog)
    }
  }

  /// The indexes of the bindings that are there in any context.
  func remaining() throws -> [Int] {
    var found: Set<Int> = []
    for match in try lists().joined() {
      if case .int(let index)? = match.claim.parameters?["index"] { found.insert(Int(index)) }
      if let index = match.claim.title.flatMap({ Int($0) }) { found.insert(index) }
    }
    return found.sorted()
  }

  /// The texts of the keys that mean a command in any context, in the order of the lists.
  func keys(of command: String) throws -> JSON {
    guard let index = names.firstIndex(of: command) else { return [] }
    var found: [JSON] = []
    for match in try lists().joined() where match.claim.action?.rawValue == "c\(index)" {
      guard match.isEnabled, let key = match.claim.key, let text = KeyText.text(of: key, on: .other)
      else { continue }
      if !found.contains(.string(text)) { found.append(.string(text)) }
    }
    return .array(found)
  }
}

/// Lumino's nodes as a chain of responders. Each binding is a key command of the nearest node that its selector matches,
/// those of the more specific selectors first.
private struct LuminoWorld {
  let stage: Stage

  init(_ fact: JSON) throws {
    let path = try #require(fact["path"]?.asArray)
    var found: [(node: Int, specificity: [Int], order: Int, command: JSONObject)] = []
    var actions: Set<String> = []
    for (order, binding) in try #require(fact["bindings"]?.asArray).enumerated() {
      let selector = LuminoSelector(binding["selector"]?.asString ?? "")
      guard let node = path.indices.first(where: { selector.matches(path, at: $0) }) else {
        continue
      }
      let strokes = (binding["keys"]?.asArray ?? []).compactMap { key in
        Self.stroke(of: key.asString ?? "")?.json
      }
      let name = binding["command"]?.asString ?? ""
      actions.insert(name)
      found.append(
        (node, selector.specificity, order, ["strokes": .array(strokes), "action": .string(name)]))
    }
    // Of equal selectors the later one counts.
    found.sort { one, other in
      if one.specificity != other.specificity {
        return other.specificity.lexicographicallyPrecedes(one.specificity)
      }
      return one.order > other.order
    }
    var responders: JSONObject = [:]
    for index in path.indices {
      var keys: Set<JSON> = []
      let commands = found.filter {
        $0.node == index && keys.insert($0.command["strokes"] ?? .null).inserted
      }
      responders["n\(index)"] = [
        "kind": "view", "next": .string(index + 1 < path.count ? "n\(index + 1)" : "app"),
        "keyCommands": .array(
          commands.enumerated().map { number, command in
            var object = command.command
            object["propertyList"] = .int(Int64(number))
            return .object(object)
          }),
      ]
    }
    var handlers = JSONObject()
    for action in actions { handlers[action] = [:] }
    responders["app"] = ["kind": "application", "handlers": .object(handlers)]
    stage = try Stage(responders: .object(responders), focus: "n0")
  }

  private static let named = [
    "ArrowUp": "UIKeyInputUpArrow", "ArrowDown": "UIKeyInputDownArrow",
    "Escape": "UIKeyInputEscape",
    "ArrowLeft": "UIKeyInputLeftArrow", "ArrowRight": "UIKeyInputRightArrow", "Enter": "\r",
    "Tab": "\t", "Space": " ", "Backspace": "\u{8}", "Delete": "UIKeyInputDelete",
    "Home": "UIKeyInputHome", "End": "UIKeyInputEnd", "PageUp": "UIKeyInputPageUp",
    "PageDown": "UIKeyInputPageDown",
  ]
  private static let modifiers: [String: KeyModifiers.Name] = [
    "Ctrl": .control, "Accel": .control, "Shift": .shift, "Alt": .alternate, "Cmd": .command,
  ]

  private static func stroke(of text: String) -> KeyCombination? {
    let words = text.split(separator: " ").map(String.init)
    let held = words.compactMap { modifiers[$0] }
    guard let key = words.last(where: { modifiers[$0] == nil }) else { return nil }
    return KeyCombination(input: named[key] ?? key, modifiers: KeyModifiers(held))
  }

  /// The stroke of a press; nil for a modifier alone, which is no stroke.
  static func stroke(of step: JSON) -> KeyCombination? {
    let held = ["Ctrl", "Shift", "Alt", "Cmd"].filter { step[$0.lowercased()] == true }
    return stroke(of: (held + [step["key"]?.asString ?? ""]).joined(separator: " "))
  }
}

/// A selector of one or more compounds, each a child or a descendant of the one before.
private struct LuminoSelector {
  private var compounds: [(text: [String], isChild: Bool)] = []

  init(_ text: String) {
    var isChild = false
    for word in text.split(separator: " ") {
      if word == ">" {
        isChild = true
      } else {
        compounds.append((Self.simple(String(word)), isChild))
        isChild = false
      }
    }
  }

  /// Splits `span.a#b[c]` into its simple selectors.
  private static func simple(_ compound: String) -> [String] {
    var parts: [String] = []
    for letter in compound {
      if parts.isEmpty || ".#[:".contains(letter) { parts.append("") }
      parts[parts.count - 1].append(letter)
    }
    return parts
  }

  var specificity: [Int] {
    let all = compounds.flatMap(\.text)
    return [
      all.count { $0.hasPrefix("#") }, all.count { $0.hasPrefix(".") || $0.hasPrefix("[") },
      all.count { $0 != "*" && !".#[".contains($0.first ?? "*") },
    ]
  }

  func matches(_ path: [JSON], at index: Int) -> Bool { matches(path, at: index, compounds[...]) }

  private func matches(
    _ path: [JSON], at index: Int, _ rest: ArraySlice<(text: [String], isChild: Bool)>
  ) -> Bool {
    guard let last = rest.last else { return true }
    guard index < path.count, last.text.allSatisfy({ Self.matches(path[index], $0) }) else {
      return false
    }
    let before = rest.dropLast()
    if before.isEmpty { return true }
    let candidates = last.isChild ? index + 1..<min(index + 2, path.count) : index + 1..<path.count
    return candidates.contains { matches(path, at: $0, before) }
  }

  private static func matches(_ node: JSON, _ simple: String) -> Bool {
    let name = JSON.string(String(simple.dropFirst()))
    switch simple.first {
    case "*": return true
    case "#": return node["id"] == name
    case ".": return node["class"]?.asArray?.contains(name) == true
    case "[":
      return node["attributes"]?.asArray?.contains(.string(String(simple.dropFirst().dropLast())))
        == true
    default: return (node["tag"] ?? "div") == .string(simple)
    }
  }
}
