import CEL
import Foundation
import JSONSchema
import JSONText
import MicroHTTP
import RandomSessions

@testable import MenuAPI
@testable import MenuEngine

// What the tables of faults share: samples, the text of a row, and the cases that an enum declares.

enum FaultSamples {
  static let rule = RuleFault(place: "canPerform", source: "x", reason: .closure("no"))
  static let noTrace = Trace(isRecording: false)
  static let scene = SceneReference(storyboard: "Main", scene: "photos")
  static let key: KeySequence = {
    let modifiers = KeyModifiers([KeyModifiers.Name.command, .shift])
    guard let key = KeySequence(input: "c", modifiers: modifiers) else {
      preconditionFailure("'c' is a key.")
    }
    return key
  }()
  /// A key that is the beginning of the same key twice.
  static let pendingKey: KeyResolution = {
    let command = keyCommand("copy:")
    guard let twice = KeySequence(key.strokes + key.strokes) else {
      preconditionFailure("Two strokes are a key.")
    }
    let longer = KeyCommand(
      key: twice, action: command.action, title: nil, discoverabilityTitle: nil, propertyList: nil,
      wantsPriorityOverSystemBehavior: false, when: nil, enabled: nil)
    let claim = KeyClaim(
      holder: .responder("grid"), declaration: .keyCommand(longer, index: 0))
    let match = KeyMatch(claim: claim, reason: .enabled, fault: nil, item: nil)
    return KeyResolution(
      key: key, platform: .apple, tried: [], shadowed: [], continuations: [match], trace: noTrace)
  }()
  static let compilation: CompilationFault = {
    do throws(CompilationFault) { _ = try Program("1 +", variables: []) } catch { return error }
    preconditionFailure("The rule compiles.")
  }()

  static func keyCommand(_ action: MenuEngine.Selector) -> KeyCommand {
    KeyCommand(
      key: key, action: action, title: nil, discoverabilityTitle: nil, propertyList: nil,
      wantsPriorityOverSystemBehavior: false, when: nil, enabled: nil)
  }

  static func repeated(_ sameness: RepeatedKeyCommand.Sameness) -> RepeatedKeyCommand {
    RepeatedKeyCommand(
      keyCommand: keyCommand("copy:"), other: keyCommand("cut:"), sameness: sameness)
  }

  /// The refusal of an action, or of a command.
  static func refusal(_ reason: ValidationReason, of item: ValidatedItem? = nil) -> Refusal {
    Refusal(
      item: item, action: reason == .noAction ? nil : "copy:", reason: reason,
      fault: reason == .ruleError ? rule : nil, trace: noTrace)
  }

  /// The faults of so many numbers where strings are expected.
  static func parameterFaults(_ count: Int) -> ParameterFaults {
    guard let schema = try? Schema(["items": ["type": "string"]]) else {
      preconditionFailure("The schema is one.")
    }
    var steps = 0
    return ParameterFaults(
      schema.faults(
        of: .array((0..<count).map { .int(Int64($0)) }), addingStepsTo: &steps))
  }
}

/// Each fault with its line of a text that has one for each.
func rows<Fault>(_ faults: [Fault], _ text: String) -> [(Fault, String)] {
  let lines = text.split(separator: "\n").map(String.init)
  precondition(lines.count == faults.count, "There are \(lines.count) lines.")
  return Array(zip(faults, lines))
}

/// A row as a line: the case, the status and the kind, and the sentence.
func told(_ fault: some TabulatedFault, named name: String? = nil) -> String {
  told(fault.row, named: name ?? caseName(fault))
}

/// The row of a session's fault, with the name and the place in a session document that it blames.
func told(_ fault: MutationFault, named name: String? = nil) -> String {
  let place = fault.place(in: .root).description
  let blamed = [fault.name?.text(), place.isEmpty ? nil : place].compactMap { $0 }
  return told(
    fault.row, named: name ?? caseName(fault, within: MutationFault.groups), blaming: blamed)
}

private func told(_ row: FaultRow, named name: String, blaming blamed: [String] = []) -> String {
  var words = [name, "\(row.type.status.rawValue) \(row.type.rawValue)"]
  if row.typeInPath != row.type {
    words.append("(in a path \(row.typeInPath.status.rawValue) \(row.typeInPath.rawValue))")
  }
  if let seconds = row.retryAfter { words.append("(again in \(seconds) s)") }
  return (words + blamed).joined(separator: " ") + ": " + row.sentence
}

/// The name of an enum's case.
func caseName(_ value: Any) -> String {
  Mirror(reflecting: value).children.first?.label ?? "\(value)"
}

/// The name of a fault's case; of the fault within it if that is of one of these groups.
func caseName(_ fault: Any, within groups: [String: String]) -> String {
  let name = caseName(fault)
  guard groups[name] != nil, let inner = Mirror(reflecting: fault).children.first?.value else {
    return name
  }
  return caseName(inner)
}

extension MutationFault {
  /// The groups of faults that the table of all of them has, with the file of each, by case.
  static let groups = [
    "link": "LinkFault Responders", "focus": "FocusFault Responders",
    "lateResponder": "LateResponderFault LateResponders", "handler": "HandlerFault Handlers",
    "command": "CommandFault Commands", "message": "MessageFault Forwarding",
    "effect": "EffectFault Handlers",
  ]
}

extension DeclarationFault {
  /// The groups of faults, by case.
  static let groups = [
    "command": "CommandDeclarationFault", "menu": "MenuDeclarationFault",
    "class": "ClassDeclarationFault", "protocol": "ProtocolDeclarationFault",
    "storyboard": "StoryboardDeclarationFault", "scene": "SceneDeclarationFault",
    "keymap": "KeymapFault",
  ]
}

/// The names of the cases that an enum declares in a file of the engine.
func declaredCases(of name: String, in file: String) throws -> Set<String> {
  let url = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/MenuEngine/\(file)").standardized
  let text = try String(contentsOf: url, encoding: .utf8)
  var (cases, indent): (Set<String>, Int?) = ([], nil)
  for line in text.split(separator: "\n") {
    let depth = line.prefix { $0 == " " }.count
    if line.contains("enum \(name):") { indent = depth }
    guard let start = indent else { continue }
    if depth == start, line.hasSuffix("}") { break }
    if depth == start + 2, let match = line.firstMatch(of: /^ *(?:indirect )?case (\w+)/) {
      cases.insert(String(match.1))
    }
  }
  return cases
}
