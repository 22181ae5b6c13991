import JSONText
import MenuEngine

@testable import menud

/// Writes the tables of docs/application-folder.md from the schemas of files.
struct ReferenceTable {
  /// The definitions in all schemas by name.
  let definitions: [String: JSONObject]

  init() {
    var definitions: [String: JSONObject] = [:]
    if case .object(let all)? = DescribedFile.definitions.schema[JSONPointer(["$defs"])] {
      for member in all.members {
        if case .object(let schema) = member.value { definitions[member.name] = schema }
      }
    }
    self.definitions = definitions
  }

  /// The definitions that the page has a table of, each with its heading and the word for one.
  static let sections: [String: (heading: String, word: String)] = [
    "CommandDeclaration": ("commands.json", "command"), "CommandHints": ("Hints", "hints"),
    "Key": ("Keys", "key"), "KeyByPlatform": ("Keys by platform", "keys by platform"),
    "Alternate": ("Alternates", "alternate"), "Menu": ("menus.json", "menu"),
    "CommandPlace": ("Places of commands", "place"),
    "ItemsFromData": ("Items from data", "items from data"),
    "ClassDeclaration": ("classes.json", "class"),
    "Confirmation": ("Confirmations", "confirmation"),
    "Handler": ("Handlers", "handler"), "Validation": ("Items", "rules"),
    "Requirement": ("Preconditions", "precondition"), "RequirementWords": ("Words by rule", "rule"),
    "ConfirmationRules": ("Rules for confirmations", "rules"),
    "KeyCommand": ("Key commands", "key command"), "Effect": ("Effects", "effect"),
    "DelegateProtocol": ("protocols.json", "protocol"),
    "Storyboard": ("storyboards.json", "storyboard"), "Scene": ("Scenes", "scene"),
    "SceneView": ("Views", "view"), "Segue": ("Segues", "segue"),
    "SessionTemplate": ("session.json", "session"), "Responder": ("Responders", "responder"),
    "Launch": ("Launches", "launch"), "LaunchDelegate": ("Delegates of launches", "delegate"),
    "Coordinator": ("Coordinators of menus", "coordinator"),
    "CoordinatedHandler": ("Handlers of coordinators", "handler"),
    "CatchAll": ("Catch-alls", "catch-all"),
    "Coordinating": ("Coordinators of view controllers", "coordinator"),
    "LateRegistry": ("Registries", "registry"),
    "UndoManagerDeclaration": ("Undo managers", "undo manager"),
    "UserActivity": ("User activities", "user activity"),
    "TouchBar": ("Touch bars", "touch bar"), "TouchBarItem": ("Items of touch bars", "item"),
    "Observation": ("Observations", "observation"),
    "ApplicationResource": ("resources.json", "resource"),
    "TemplateVariable": ("Variables", "variable"), "ApplicationPrompt": ("prompts.json", "prompt"),
    "PromptArgument": ("Arguments", "argument"), "PromptMessage": ("Messages", "message"),
    "LanguageStrings": ("strings/LOCALE.json", "strings"),
    "CommandTexts": ("Texts of commands", "texts"),
    "AlternateTexts": ("Texts of alternates", "texts"),
    "ConfirmationTexts": ("Texts of confirmations", "texts"),
    "PluralText": ("Plurals", "plural"),
  ]

  /// The words for values that have no table.
  private static let words = [
    "Identifier": "identifier", "Selector": "selector", "Rule": "rule",
    "BoolRule": "rule or boolean", "ChainMember": "identifier", "KeyInput": "key",
    "Modifiers": "list of [modifiers](#keys)", "SomeModifiers": "list of [modifiers](#keys)",
    "ParameterSchema": "[schema](parameters.md#schemas)",
  ]

  /// Returns the table of the members of a definition.
  ///
  /// Members that it shares with another definition stand in one row, which leads to that one.
  func members(of name: String) -> String {
    guard let schema = definitions[name] else { return "" }
    let required = schema.strings("required")
    let prototype = Self.prototypes[name]
    let shared = prototype.flatMap { definitions[$0] }?.object("properties")
    var rows = ["| member | meaning |", "|---|---|"]
    var sharedNames: [String] = []
    for member in schema.object("properties").members {
      guard case .object(let property) = member.value else { continue }
      if shared?[member.name] == member.value {
        sharedNames.append("`\(member.name)`")
      } else {
        let need = required.contains(member.name) ? " Required." : fallback(property)
        rows.append("| `\(member.name)`: \(type(property)) | \(meaning(property))\(need) |")
      }
    }
    if let prototype, !sharedNames.isEmpty {
      rows.append("| \(sharedNames.joined(separator: ", ")) | as those of a \(link(prototype)) |")
    }
    return rows.joined(separator: "\n") + "\n"
  }

  /// The definitions that share members with another one.
  private static let prototypes = [
    "Scene": "Responder", "SceneView": "Responder", "LaunchDelegate": "Responder",
    "CoordinatedHandler": "Handler", "KeyCommand": "Key",
  ]

  /// The table of all effects, where brackets are around what may be absent.
  var effects: String {
    let rows = OperationDescription.effects.map { effect in
      let choices = effect.constraints.compactMap(\.choice)
      let chosen = choices.flatMap { [$0.0, $0.1] }
      let members =
        choices.map { "`\($0.0)` or `\($0.1)`" }
        + effect.members.filter(\.isRequired).map { "`\($0.name)`" }
      let others = effect.members.filter { !$0.isRequired && !chosen.contains($0.name) }
        .map { "[`\($0.name)`]" }
      let all = (members + others).joined(separator: ", ")
      return "| `\(effect.op)`\(all.isEmpty ? "" : ": ")\(all) | \(effect.about) |"
    }
    return (["| effect | does |", "|---|---|"] + rows)
      .joined(separator: "\n") + "\n"
  }
}

extension ReferenceTable {
  /// Returns the word for a definition, which leads to its table.
  private func link(_ name: String) -> String {
    guard let (heading, word) = Self.sections[name] else { return name }
    let anchor = heading.lowercased().replacing(" ", with: "-").replacing(".", with: "")
    return "[\(word)](#\(anchor))"
  }

  private func type(_ schema: JSONObject) -> String {
    if let name = schema.referenced {
      if Self.sections[name] != nil { return link(name) }
      return Self.words[name] ?? definitions[name].map(type) ?? name
    }
    if schema["enum"] != nil {
      return schema.strings("enum").map { "`\($0)`" }.joined(separator: ", ")
    }
    if let constant = schema["const"] { return "`\(constant.text())`" }
    if case .array(let branches)? = schema["oneOf"] {
      return branches.map { type($0.object) }.joined(separator: " or ")
    }
    switch schema["type"] {
    case .string("array")?: return "list of " + type(schema.object("items"))
    case .string("object")?:
      guard case .object(let values)? = schema["additionalProperties"] else { return "object" }
      return type(values) + " by " + type(schema.object("propertyNames"))
    case .string(let type)?: return type
    default: return "any value"
    }
  }

  private func meaning(_ schema: JSONObject) -> String {
    if case .string(let text)? = schema["description"] { return text }
    return schema.referenced.flatMap { definitions[$0] }.map(meaning) ?? ""
  }

  /// Returns a sentence about the default, or nothing: a Boolean is false by default.
  private func fallback(_ schema: JSONObject) -> String {
    if let value = schema["default"] {
      return value == .bool(false) ? "" : " The default is `\(value.text())`."
    }
    return schema.referenced.flatMap { definitions[$0] }.map(fallback) ?? ""
  }
}

extension MemberConstraint {
  /// The members of which one at least is there.
  fileprivate var choice: (String, String)? {
    switch self {
    case .atLeastOne(let one, let other), .exactlyOne(let one, let other): (one, other)
    case .only, .atMostOne: nil
    }
  }
}

extension JSON {
  fileprivate var object: JSONObject {
    if case .object(let object) = self { object } else { JSONObject() }
  }
}

extension JSONObject {
  fileprivate func object(_ name: String) -> JSONObject { self[name]?.object ?? JSONObject() }

  fileprivate func strings(_ name: String) -> [String] {
    guard case .array(let elements)? = self[name] else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// The name of the definition that it refers to.
  fileprivate var referenced: String? {
    guard case .string(let path)? = self["$ref"] else { return nil }
    return path.split(separator: "/").last.map(String.init)
  }
}
