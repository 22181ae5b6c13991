import Foundation
import JSONSchema
import JSONText
import MenuAPI
import MenuEngine
import Randomness

@testable import menud

/// A document of a file after one change that may make it faulty.
struct FileMutation {
  /// The change.
  let name: String
  /// The document.
  let json: JSON

  /// Changes a document at random.
  init(of document: JSON, _ generator: inout SeededGenerator) {
    let places = Self.places(in: document, at: .root)
    let place = places.randomElement(using: &generator) ?? .root
    if case .object(let object)? = document[place], Bool.random(using: &generator) {
      if let member = object.members.randomElement(using: &generator),
        Bool.random(using: &generator)
      {
        name = "\(place): without \(member.name)"
        json = document.replacing(place.appending(member.name).tokens[...], by: nil)
      } else {
        let (member, value) = Self.members.randomElement(using: &generator) ?? ("tilte", 1)
        name = "\(place): with \(member)"
        json = document.replacing(place.appending(member).tokens[...], by: value)
      }
    } else {
      let value = Self.values.randomElement(using: &generator) ?? .null
      name = "\(place): \(value.text())"
      json = document.replacing(place.tokens[...], by: value)
    }
  }

  /// Values of each type; no identifier, selector or word is of this form.
  private static let values: [JSON] = [
    .null, true, false, 7, 1.5, "no such word", [], [:], ["no such word"],
  ]

  /// Members that are known in some places, and one that is in none.
  private static let members: [(String, JSON)] = [
    ("tilte", 1), ("$schema", "x"), ("kind", "view"), ("kind", "viewController"), ("kind", "embed"),
    ("kind", "unwind"), ("kind", "responder"), ("parent", "a"), ("superview", "a"),
    ("canPerform", [:]), ("canPerform", "true"), ("proxied", .null), ("proxiedSelectors", []),
    ("isInstance", true), ("owner", "a"), ("storyboard", "a"), ("scene", "a"),
    ("coordinating", [:]), ("coordinating", ["isReplaced": true]), ("parentCoordinator", "a"),
    ("continuation", "a"), ("viewControllers", []), ("supplementalTarget", "a"),
    ("supplementalTargetRule", "null"), ("category", true), ("superclass", "UIView"),
    ("delegateProtocol", "P"), ("action", "a:"), ("destination", "a"), ("shouldPerform", true),
    ("perform", []), ("when", true), ("path", "/a"), ("pathRule", "['a']"), ("key", ["input": "k"]),
    ("command", "a"), ("id", "a"), ("systems", ["main"]), ("class", "UIView"), ("launch", .null),
  ]

  /// The places of all values.
  private static func places(in json: JSON, at place: JSONPointer) -> [JSONPointer] {
    switch json {
    case .array(let elements):
      [place]
        + elements.enumerated().flatMap { places(in: $0.element, at: place.appending($0.offset)) }
    case .object(let object):
      [place] + object.members.flatMap { places(in: $0.value, at: place.appending($0.name)) }
    case .null, .bool, .int, .double, .string: [place]
    }
  }
}

extension JSON {
  /// The same without members of a name.
  fileprivate func removing(_ name: String) -> JSON {
    switch self {
    case .array(let elements): return .array(elements.map { $0.removing(name) })
    case .object(var object):
      object[name] = nil
      for member in object.members { object[member.name] = member.value.removing(name) }
      return .object(object)
    case .null, .bool, .int, .double, .string: return self
    }
  }

  /// The same with another value at a place, or with none.
  fileprivate func replacing(_ tokens: ArraySlice<String>, by value: JSON?) -> JSON {
    guard let token = tokens.first else { return value ?? .null }
    switch self {
    case .object(var object):
      object[token] =
        tokens.count == 1 ? value : object[token]?.replacing(tokens.dropFirst(), by: value)
      return .object(object)
    case .array(var elements):
      guard let index = Int(token), elements.indices.contains(index) else { return self }
      elements[index] = elements[index].replacing(tokens.dropFirst(), by: value)
      return .array(elements)
    case .null, .bool, .int, .double, .string: return self
    }
  }
}

extension FileMutation {
  /// Documents with members that no sample has.
  static let others: [(DescribedFile, String)] = [
    (
      .part(.commands),
      #"""
      [
        {"id": "line", "title": "-"},
        {"title": "Cut", "subtitle": "s", "image": "i", "discoverabilityTitle": "d", "description": "c",
         "action": "cut:", "propertyList": null, "attributes": ["disabled", "hidden"], "state": "mixed",
         "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}},
         "key": {"input": "UIKeyInputF1"},
         "alternates": [{"modifiers": ["shift"], "title": "A", "subtitle": "s", "action": "b:"}],
         "wantsPriorityOverSystemBehavior": true, "allowsAutomaticLocalization": false,
         "allowsAutomaticMirroring": false}
      ]
      """#
    ),
    (
      .part(.menus),
      #"""
      ["a", {"command": "b", "systems": ["context"]},
       {"identifier": "m", "title": "M", "image": "i", "options": ["displayInline", "singleSelection"],
        "systems": ["main"], "children": [{"children": []}, "c"]}]
      """#
    ),
    (.part(.protocols), #"{"P": {"required": ["a:"], "optional": ["b:c:"]}, "Q": {}}"#),
    (
      .part(.classes),
      #"""
      {"A": {"superclass": "UIView", "delegateProtocol": "P", "canPerform": {"b:": "true"},
             "keyCommands": [{"input": "a", "modifiers": ["command"], "action": "a:", "title": "t",
                              "discoverabilityTitle": "d", "propertyList": 1, "when": true,
                              "enabled": "true", "wantsPriorityOverSystemBehavior": true}],
             "handlers": {"a:": {"validate": {"enabled": true, "checked": "'mixed'", "title": "'t'",
               "subtitle": "'s'", "image": "'i'", "discoverabilityTitle": "'d'", "hidden": false,
               "destructive": "true", "keepsMenuPresented": true}, "canPerform": true, "perform": [],
               "continues": true}}},
       "C": {"category": "A", "handlers": {"c:": {}}}, "UIView": {"category": true}}
      """#
    ),
    (
      .part(.storyboards),
      #"""
      {"S": {"initialViewController": "a", "scenes": {
        "a": {"class": "UIViewController", "properties": {"n": 1}, "handlers": {}, "weight": 1,
              "undoManager": {}, "observes": [{"event": "dealloc", "action": "o:"}],
              "canBecomeFirstResponder": true, "supplementalTargetRule": "null",
              "catchAll": {"selector": "c:", "accepts": ["d:"]},
              "view": {"id": "root", "class": "UIView", "touchBar": {"items": []},
                       "subviews": [{"id": "b", "subviews": [{"id": "c"}]}]},
              "segues": [{"identifier": "s", "kind": "show", "destination": "b", "shouldPerform": "true",
                          "prepare": [{"op": "send", "action": "'a:'"}]},
                         {"identifier": "u", "kind": "unwind", "action": "back:", "shouldPerform": false},
                         {"identifier": "c", "kind": "custom", "destination": "b", "perform": []},
                         {"kind": "embed", "destination": "b"}]},
        "b": {"viewControllers": [], "view": {}}}}}
      """#
    ),
    (
      .part(.session),
      #"""
      {"state": {}, "firstResponder": null, "keyWindow": null, "mainWindow": null, "modalWindow": null,
       "search": "appkit", "presenter": "root", "undoManager": {"levelsOfUndo": 3}, "launch": null,
       "responders": {
         "p": {"kind": "responder", "proxied": null, "proxiedSelectors": ["a:"], "weight": 2,
               "handlers": {"a:": {"continues": true}}},
         "c": {"kind": "responder", "parentCoordinator": "d",
               "coordinating": {"identifier": "c", "kind": "navigation", "isResponder": false,
                                "isStarted": true, "isReplaced": true, "viewControllers": ["v"]}},
         "d": {"kind": "responder", "coordinating": {"rootViewController": "v"}, "continuation": "x"},
         "v": {"kind": "viewController", "class": "UISplitViewController", "view": "w", "parent": "q",
               "presentingViewController": "q", "selectedViewController": "q", "isCollapsed": true,
               "viewControllers": ["q"], "storyboard": "S", "scene": "a", "isInstance": true,
               "parentCoordinator": "c", "delegate": "d"},
         "w": {"kind": "view", "superview": "x", "isInstance": true, "owner": "v", "next": "x/late-last",
               "canResignFirstResponder": "true", "canPerform": {"b:": false},
               "catchAll": {"selector": "c:"}, "forwardingTarget": "x", "supplementalTarget": "x",
               "userActivity": {"activityType": "t", "title": "t", "userInfo": {}, "webpageURL": "u"},
               "touchBar": {"items": ["otherItems", {"identifier": "i", "title": "t", "image": "m"},
                                      {"command": "c"}]},
               "observes": [{"event": "viewDidLoad", "of": "v", "action": "o:"}]},
         "x": {"kind": "window", "rootViewController": "v", "windowScene": "s", "firstResponder": "w",
               "lateResponders": {"hooksLast": false, "responders": ["p"]},
               "coordinator": {"forwarding": "explicit",
                               "handlers": {"m:": {"validate": {}, "perform": [], "continues": false}}},
               "undoManager": {}, "properties": {"n": null}, "supplementalTargetRule": "null"}}}
      """#
    ),
    (
      .part(.session),
      #"""
      {"launch": {"storyboard": "S", "options": {"n": 1},
                  "delegate": {"id": "d", "class": "UIResponder", "properties": {}, "handlers": {}}}}
      """#
    ),
    (
      .part(.resources),
      #"""
      {"a": {"uri": "a:%20b", "text": "t", "title": "T", "description": "d", "commands": ["c"]},
       "b": {"uriTemplate": "b:{x}/{_y2}?z", "variables": {"x": {"enum": ["1"]}, "_y2": {}},
             "content": "state", "mimeType": "text/plain; charset=utf-8"},
       "c": {"uriTemplate": "b:{x}", "variables": {"x": {"choices": "[]"}}, "file": "a/.b/..c"},
       "d": {"uriTemplate": "d:{x}", "variables": {"x": {"examples": [""]}}, "text": ""}}
      """#
    ),
    (
      .part(.prompts),
      #"""
      {"a": {"title": "T", "description": "d", "commands": [],
             "arguments": [{"name": "n", "title": "N", "description": "d", "required": false,
                            "enum": ["1"]}, {"name": "m", "choices": "[]"},
                           {"name": "_", "examples": ["e"]}],
             "messages": [{"role": "assistant", "text": "{n}"}, {"role": "user", "content": "'a'"},
                          {"role": "user", "image": "a.bin", "mimeType": "Image/png"},
                          {"role": "user", "image": "a.png"}, {"role": "user", "resource": "r"},
                          {"role": "user", "resourceAt": "'a:b'"}]}}
      """#
    ),
    (
      .configuration,
      #"{"$schema": "x", "sessions": ["a"], "cors": {"origins": ["https://a.b:1"]}}"#
    ),
    (.configuration, #"{"auth": {"administratorToken": "0123456789abcdef=="}, "server": {}}"#),
  ]

  /// Those of a file, each effect of handlers among them.
  static func others(of file: DescribedFile) throws -> [JSON] {
    let own = try others.filter { $0.0 == file }.map { try JSON(parsing: $0.1) }
    return file == .part(.classes) ? own + [effects] : own
  }

  /// A class with a handler for each effect, which has all its members, or those of each choice.
  static var effects: JSON {
    var handlers = JSONObject()
    for effect in OperationDescription.effects {
      var object = JSONObject()
      object["op"] = .string(effect.op)
      for member in effect.members
      where
        !["class", "pathRule", "fromRule", "action", "itemKey"].contains(member.name)
        || member.isRequired
      {
        object[member.name] = memberValues[member.schema] ?? "true"
      }
      handlers["\(effect.op):"] = ["perform": [.object(object)]]
    }
    return ["Effects": ["superclass": "UIResponder", "handlers": .object(handlers)]]
  }

  /// A value for each schema that members of effects have; a rule for others.
  private static let memberValues: [String: JSON] = [
    "Rule": "dyn(1)", "PlaceRule": "dyn([1])", "JSONPointer": "/a", "Answers": true,
    "Queued": false, "PopTrigger": "user", "MessageDestination": "delegate",
    "CoordinatedHandler": ["perform": []], "Handler": ["perform": []], "KeyCommandArray": [],
    "Identifier": "a", "Responder": ["kind": "view"], "Launch": [:], "CancelledSwipe": true,
    "SegueTrigger": "code",
  ]
}

extension FileMutation {
  /// The file in each sample that has it.
  static func samples(of file: DescribedFile) throws -> [JSON] {
    let folder = Program.root.appending(path: "Config")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let name = file == .part(.strings) ? "strings/de.json" : file.name
    let paths = file == .configuration ? ["menud.json"] : names.map { "\($0)/\(name)" }
    return try paths.filter { !$0.hasPrefix("schemas/") }.compactMap { path in
      let place = folder.appending(path: path)
      guard FileManager.default.fileExists(atPath: place.path) else { return nil }
      return try JSON(parsing: String(contentsOf: place, encoding: .utf8))
    }
  }

  /// The compiled schema of a file.
  static func schema(of file: DescribedFile) throws -> Schema {
    guard let schema = schemas[file] else { return try schema(of: file, without: nil) }
    return try schema.get()
  }

  /// The compiled schemas of the files that somebody writes, which take long to compile.
  private static let schemas = Dictionary(
    uniqueKeysWithValues: DescribedFile.files.map { file in
      (file, Result { try schema(of: file, without: nil) })
    })

  /// The compiled schema of a file, in all of whose parts a keyword may be left out.
  static func schema(of file: DescribedFile, without keyword: String?) throws -> Schema {
    var limits = SchemaLimits()
    limits.maximumSize = 1 << 20
    limits.maximumSubschemas = 10_000
    limits.maximumPatternWork = 10_000_000
    limits.maximumSteps = 10_000_000
    let bundle = try file.bundle
    let document = keyword.map { bundle.removing($0) } ?? bundle
    return try Schema(document, limits: limits)
  }

  /// A part of a document that is small enough to be read often: one of its entries.
  static func excerpt(
    of document: JSON, _ file: DescribedFile, _ generator: inout SeededGenerator
  ) -> JSON {
    switch document {
    case .array(let elements):
      return .array(elements.randomElement(using: &generator).map { [$0] } ?? [])
    case .object(var object):
      guard file != .configuration else { return document }
      if case .object(let responders)? = object["responders"],
        let one = responders.members.randomElement(using: &generator)
      {
        object["responders"] = .object([one.name: one.value])
        return .object(object)
      }
      guard file != .part(.session),
        let one = object.members.filter({ $0.name != "$schema" }).randomElement(using: &generator)
      else { return document }
      return .object([one.name: one.value])
    case .null, .bool, .int, .double, .string: return document
    }
  }

  /// The faults that the reader of a file finds in the structure of a document, without those that depend
  /// on other parts of it, on rules, or on the text of a string.
  static func structuralFaults(of json: JSON, _ file: DescribedFile) throws -> [String] {
    guard case .part(let part) = file else { return try faults(ofConfiguration: json) }
    let json: JSON = part == .strings ? ["de": json] : json
    return CatalogDocument([part: json]).findings().faults.map(\.fault)
      .filter { isStructural($0.reason) }.map { "\($0.pointer): \($0.reason)" }
  }

  private static func isStructural(_ reason: DocumentFault.Reason) -> Bool {
    switch reason {
    case .expected(.keyInput, found: .string), .expected(.imagePath, found: .string): false
    // Only if both are true.
    case .conflictingMembers("answers", "queue"): false
    // Two members for one action.
    case .conflictingMembers(let name, _): !name.hasPrefix("canPerform/")
    case .expected, .missingMember, .unknownMember, .memberOfOtherKind, .memberOfOtherSegue: true
    case .repeatedItem, .repeatedLanguage, .repeatedModifiers, .repeatedKeyCommand, .rule, .schema,
      .patch, .repeatedURI, .repeatedName, .unknownArgument, .unknownResource, .unfilledVariable,
      .file, .declaration, .mutation:
      false
    }
  }

  private static func faults(ofConfiguration json: JSON) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(json.text(), to: "menud.json")
    let sources = ConfigurationSources(file: folder.path + "/menud.json", environment: [:])
    return sources.reading().faults.filter { fault in
      guard case .unsuitable(_, let setting, found: .string) = fault else { return true }
      return setting.path != ["journal", "url"]
    }.map(\.description)
  }
}

extension DescribedFile {
  /// The files that somebody writes.
  static let files = allCases.filter { $0 != .definitions }

  /// The schema with the definitions in it, as an editor that has both files sees it.
  var bundle: JSON {
    get throws {
      let text = schema.text().replacing(FileSchemas.definitionsFile + "#", with: "#")
      guard case .object(var bundle) = try JSON(parsing: text) else { return schema }
      bundle["$defs"] = FileSchemas().definitions[JSONPointer(["$defs"])]
      return .object(bundle)
    }
  }
}
