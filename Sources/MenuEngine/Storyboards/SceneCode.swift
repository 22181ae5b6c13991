import CEL
import JSONText

/// A rule in a scene or one of its classes, with its place (V10).
struct SceneRule {
  let part: CatalogDocument.Part
  let place: JSONPointer
  /// The op of the effect that contains it; nil outside an effect.
  let op: String?
  let rule: Rule

  /// The name of the member: `to`, `value`, `enabled`.
  var member: String { place.tokens.last ?? "" }

  /// The string literals of the rule, each up to a backslash.
  var literals: [String] {
    var literals: [String] = []
    var open: (quote: UInt8, text: [UInt8])?
    for byte in rule.program.source.utf8 {
      if let here = open, byte == here.quote {
        literals.append(String(decoding: here.text, as: UTF8.self))
        open = nil
      } else if open != nil {
        open?.text.append(byte)
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        open = (byte, [])
      }
    }
    return literals
  }

  /// True if the rule's source contains the word.
  func mentions(_ word: String) -> Bool {
    rule.program.source.utf8.split { !Self.isOfWord($0) }.contains { $0.elementsEqual(word.utf8) }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension SceneRule {
  /// Returns every rule in the document of a scene or a class: each string that compiles, besides values of properties.
  ///
  /// Other texts do not compile, since they name nothing that rules can read.
  static func all(
    in json: JSON, _ part: CatalogDocument.Part, at place: JSONPointer, op: String? = nil
  ) -> [SceneRule] {
    switch json {
    case .string(let source):
      guard let rule = try? Rule(source) else { return [] }
      return [SceneRule(part: part, place: place, op: op, rule: rule)]
    case .array(let elements):
      return elements.enumerated().flatMap { all(in: $1, part, at: place.appending($0)) }
    case .object(let object):
      var op = op
      if case .string(let text)? = object["op"] { op = text }
      let code = object.members.filter { op != nil || !$0.name.hasSameBytes(as: "properties") }
      return code.flatMap { member in
        all(in: member.value, part, at: place.appending(member.name), op: op)
      }
    case .null, .bool, .int, .double: return []
    }
  }
}

/// The rules of a scene: its own, and those of its views, its segues and its classes.
struct SceneCode {
  let scene: Scene
  let rules: [SceneRule]
  /// The place of the scene's declaration.
  private let place: JSONPointer

  init(_ scene: Scene, in storyboard: StoryboardName, of classes: ResponderClasses) {
    self.scene = scene
    place = JSONPointer([storyboard.rawValue, "scenes", scene.name.rawValue])
    var rules = SceneRule.all(in: scene.json, .storyboards, at: place)
    for declared in classes.lineage(of: scene.viewController.className)
    where !ResponderClass.builtIn.contains(where: { $0.name == declared.name }) {
      let place = JSONPointer([declared.name.rawValue])
      rules += SceneRule.all(in: declared.code, .classes, at: place)
    }
    self.rules = rules
  }

  /// The property values of its view controller and its views, with their places.
  var propertyTexts: [(place: JSONPointer, text: String)] {
    Self.texts(in: scene.viewController.properties, at: place.appending("properties"))
      + Self.texts(in: scene.view, at: place.appending("view"))
  }

  private static func texts(
    in view: SceneView, at place: JSONPointer
  ) -> [(place: JSONPointer, text: String)] {
    texts(in: view.prototype.properties, at: place.appending("properties"))
      + view.subviews.enumerated().flatMap { index, subview in
        texts(in: subview, at: place.appending("subviews").appending(index))
      }
  }

  private static func texts(
    in json: JSON, at place: JSONPointer
  ) -> [(place: JSONPointer, text: String)] {
    switch json {
    case .string(let text): [(place, text)]
    case .array(let elements):
      elements.enumerated().flatMap { texts(in: $1, at: place.appending($0)) }
    case .object(let object):
      object.members.flatMap { member in
        let place = place.appending(member.name)
        return [(place, member.name)] + texts(in: member.value, at: place)
      }
    case .null, .bool, .int, .double: []
    }
  }

  /// The properties that it reads, has no value for, and does not set itself.
  var neededProperties: [String] {
    let given = scene.viewController.properties.members
    var needed: [String] = []
    for rule in rules where !place.appending("view").contains(rule.place) {
      for path in rule.rule.program.paths.map(\.tokens)
      where path.count > 2 && path[0] == "responder" && path[1] == "properties" {
        let name = path[2]
        guard given[name] ?? .null == .null, !needed.contains(where: name.hasSameBytes(as:))
        else { continue }
        needed.append(name)
      }
    }
    return needed.filter { name in !rules.contains { $0.setsProperties && $0.mentions(name) } }
  }

  /// Returns true if its source seems to set the property of another view controller.
  func sets(_ property: String) -> Bool {
    rules.contains { $0.setsProperties && $0.isOfPreparation && $0.mentions(property) }
  }
}

extension ResponderClass {
  /// The members with rules, as documents.
  fileprivate var code: JSON {
    [
      "canPerform": Handler.document(canPerform), "handlers": Handler.document(handlers),
      "keyCommands": .array(keyCommands.map(\.json)),
    ]
  }
}

extension SceneRule {
  /// The part of a responder that the member names; nil for none.
  var named: ResponderPart? { operation?.parts[member] }

  /// True if the rule belongs to an effect that sets properties.
  var isOfProperties: Bool { operation?.traits.contains(.setsProperties) == true }

  private var operation: (any AnyOperation)? { op.flatMap { Operations.effects[$0] } }

  /// True if the rule is the value that an effect sets properties to.
  fileprivate var setsProperties: Bool {
    isOfProperties && named == nil && !member.hasSameBytes(as: "when")
  }

  /// True if the rule is in the preparation of a segue.
  fileprivate var isOfPreparation: Bool {
    place.tokens.contains { token in
      token.hasSameBytes(as: "prepare")
        || token.hasSameBytes(as: Selector.prepareForSegue.rawValue)
    }
  }
}

extension Scene {
  /// Reads a scene: the members of a responder except links, and `view`, `viewControllers` and `segues`. Faulty
  /// parts are left out.
  init?(_ name: SceneName, reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let prototype = ResponderID(unchecked: name.rawValue)
    viewController = Responder(prototype, &reader, as: .viewController)
    view =
      reader.member("view") { SceneView(reading: $0, at: $1, log: $2, isRoot: true) } ?? .empty
    viewControllers = reader.list("viewControllers", Read.identifier) ?? []
    segues = reader.list("segues", Segue.init(reading:at:log:)) ?? []
    reader.finish()
    self.name = name
  }

  /// The document, without the name.
  var json: JSON {
    var object = viewController.json.members
    object["kind"] = nil
    object["view"] = view.json
    if !viewControllers.isEmpty {
      object["viewControllers"] = .array(viewControllers.map { .string($0.rawValue) })
    }
    if !segues.isEmpty { object["segues"] = .array(segues.map(\.json)) }
    return .object(object)
  }

  /// Records unknown and duplicate names.
  func check(
    in storyboard: StoryboardName, _ scenes: Set<SceneName>, at place: JSONPointer, _ log: FaultLog
  ) {
    for (index, child) in viewControllers.enumerated() where !scenes.contains(child) {
      log.note(
        .declaration(.storyboard(.unknownScene(storyboard, child))),
        at: place.appending("viewControllers").appending(index))
    }
    checkSegues(in: storyboard, scenes, at: place.appending("segues"), log)
    var names: Set<Identifier<SceneView>> = []
    view.check(in: name, at: place.appending("view"), log, &names)
  }

  private func checkSegues(
    in storyboard: StoryboardName, _ scenes: Set<SceneName>, at place: JSONPointer, _ log: FaultLog
  ) {
    var places: [SegueIdentifier: JSONPointer] = [:]
    for (index, segue) in segues.enumerated() {
      let place = place.appending(index)
      if let destination = segue.destination, !scenes.contains(destination) {
        log.note(
          .declaration(.storyboard(.unknownScene(storyboard, destination))),
          at: place.appending("destination"))
      }
      guard let identifier = segue.identifier else { continue }
      if let other = places.updateValue(place, forKey: identifier) {
        log.note(
          .declaration(.scene(.duplicateSegue(name, identifier)), other: other),
          at: place.appending("identifier"))
      }
    }
  }
}

extension SceneView {
  /// The default view of a scene.
  static var empty: SceneView {
    SceneView(
      name: "view", prototype: Responder(bare: "view", of: .view),
      subviews: [])
  }

  /// Reads a view: the members of a responder except links, and `id` and `subviews`. Only the root view may
  /// omit `id`; it is then `view`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog, isRoot: Bool) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let faults = log.faults.count
    let name: Identifier<SceneView>? =
      isRoot
      ? reader.member("id", Read.identifier) ?? "view" : reader.required("id", Read.identifier)
    let prototype = ResponderID(unchecked: name?.rawValue ?? "view")
    self.prototype = Responder(prototype, &reader, as: .view)
    subviews =
      reader.list("subviews") { SceneView(reading: $0, at: $1, log: $2, isRoot: false) } ?? []
    reader.finish()
    guard let name, log.faults.count == faults else { return nil }
    self.name = name
  }

  var json: JSON {
    var object = JSONObject()
    object["id"] = .string(name.rawValue)
    for member in prototype.json.members.members where !member.name.hasSameBytes(as: "kind") {
      object[member.name] = member.value
    }
    if !subviews.isEmpty { object["subviews"] = .array(subviews.map(\.json)) }
    return .object(object)
  }

  fileprivate func check(
    in scene: SceneName, at place: JSONPointer, _ log: FaultLog,
    _ names: inout Set<Identifier<SceneView>>
  ) {
    if !names.insert(name).inserted {
      log.note(.declaration(.scene(.duplicateView(scene, name))), at: place.appending("id"))
    }
    for (index, subview) in subviews.enumerated() {
      subview.check(
        in: scene, at: place.appending("subviews").appending(index), log, &names)
    }
  }

  /// The view and its descendants, parents first.
  var all: [SceneView] { [self] + subviews.flatMap(\.all) }
}

extension JSON {
  /// The members of an object; none for other values.
  var members: JSONObject {
    if case .object(let object) = self { object } else { JSONObject() }
  }
}
