import Foundation
import JSONText
import RandomSessions
import Randomness
import Testing

@testable import MenuEngine

/// A catalogue that is stored and read back is the same, and goes on as the same.
@Suite struct CatalogCodingTests {
  static let samples = [
    "adaptive-photos", "agent-tools", "bird-sightings", "control-room", "master-detail",
    "photo-app", "recipes", "shop", "text-editor",
  ]

  /// The catalogue of an application in Config/.
  static func sample(_ name: String) throws -> Catalog {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Config/\(name)").standardized
    var document = CatalogDocument([:])
    document.files = { (path, _) throws(FileFault) in
      guard let data = try? Data(contentsOf: folder.appending(path: path)) else { throw .absent }
      return Array(data)
    }
    for part in CatalogDocument.Part.allCases {
      let file = folder.appending(path: "\(part.rawValue).json")
      guard let data = try? Data(contentsOf: file) else { continue }
      document.parts[part] = try JSON(parsing: Array(data))
    }
    try #require(document.parts.count >= 3)
    return try document.catalog()
  }

  @Test func `there are all samples`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Config").standardized
    let found = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { name in
        name != "schemas"
          && FileManager.default.fileExists(
            atPath: folder.appending(path: "\(name)/commands.json").path)
      }
    #expect(found.sorted() == Self.samples)
  }

  @Test(arguments: samples)
  func `the catalogue of a sample is stored`(name: String) throws {
    let catalog = try Self.sample(name)
    expectSame(try reread(catalog), catalog)
  }

  private func expectSame(_ copy: Catalog, _ catalog: Catalog) {
    #expect(copy.revision == catalog.revision)
    #expect(copy.commands == catalog.commands)
    #expect(copy.menus == catalog.menus)
    #expect(copy.changes == catalog.changes)
    #expect(copy.leftOut == catalog.leftOut)
    #expect(copy.protocols == catalog.protocols)
    #expect(copy.storyboards == catalog.storyboards)
    #expect(copy.resources.map(\.document) == catalog.resources.map(\.document))
    #expect(copy.prompts.map(\.document) == catalog.prompts.map(\.document))
    let files = [copy, catalog].map { catalog in
      catalog.resources.compactMap { resource in
        if case .file(let file) = resource.content { file.base64 } else { nil as String? }
      }
    }
    #expect(files[0] == files[1])
    #expect(copy.keyClaims == catalog.keyClaims)
    for command in catalog.commands { #expect(copy.command(command.id) == command) }
    for declared in catalog.classes.declared {
      #expect(
        copy.classes.selectors(of: declared.name) == catalog.classes.selectors(of: declared.name))
      #expect(
        copy.classes.keyCommands(of: declared.name)
          == catalog.classes.keyCommands(of: declared.name))
    }
  }

  /// Returns a mutation that users of a sample can make, or a similar one.
  private func mutation(
    _ session: Session, _ catalog: Catalog, _ generator: inout SeededGenerator
  ) throws -> Mutation {
    let id = session.graph.ids.randomElement(using: &generator) ?? "nobody"
    let command = catalog.commands.randomElement(using: &generator)
    switch Int.random(in: 0..<14, using: &generator) {
    case 0..<6:
      guard let command else { return .resignFirstResponder }
      return .perform(ActionRequest(.command(command.id), when: 1_700_000_000_000))
    case 6: return .becomeFirstResponder(id)
    case 7:
      let platform = KeyPlatform.allCases.randomElement(using: &generator) ?? .apple
      guard let key = command?.key?[platform] else { return .undo() }
      return .pressKey(KeyPress(key, on: platform))
    case 8: return Bool.random(using: &generator) ? .undo() : .redo()
    case 9:
      let scene = session.graph[id]?.scene.flatMap(catalog.scene)
      guard let segue = scene?.segues.compactMap(\.identifier).randomElement(using: &generator)
      else { return .dismiss(id) }
      return .performSegue(SegueRequest(identifier: segue, source: id))
    case 10: return .pop(id)
    case 11: return .mergeState(["n": .int(Int64.random(in: 0..<3, using: &generator))])
    case 12: return .collapse(id)
    default: return .removeResponder(id)
    }
  }

  @Test(arguments: samples, Seeds.first(1))
  func `a session of a sample goes on the same after it was stored`(
    name: String, seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let catalog = try Self.sample(name)
    let template = try #require(catalog.template)
    var twin = try CodedTwin(opening: template, in: try reread(catalog))
    for _ in 0..<40 { try twin.apply(try mutation(twin.session, catalog, &generator)) }
    #expect(twin.accepted > 5)
    try twin.finish()
  }

  /// Returns a mutation of any kind on a catalogue, which may contradict its declarations.
  private func mutation(
    _ catalog: Catalog, _ generator: inout SeededGenerator
  ) throws -> CatalogMutation {
    let number = Int.random(in: 0..<4, using: &generator)
    let menus = catalog.menus.menus.map(\.identifier)
    let place = try #require(menus.randomElement(using: &generator))
    let new = Menu(
      identifier: "new.\(number)", title: "é", image: nil, options: .displayInline,
      children: catalog.command("c\(number):").map { [.command(CommandPlace($0.id))] } ?? [])
    switch Int.random(in: 0..<12, using: &generator) {
    case 0, 1:
      let key = try #require(Self.keys.randomElement(using: &generator))
      return .declareCommand(
        try command(["title": .string("C\(number)"), "action": .string("c\(number):"), "key": key]))
    case 2: return .removeCommand("c\(number):")
    case 3: return .editMenus([.insertChildAtEnd(of: place, new)])
    case 4: return .editMenus([.insertSiblingBefore(place, new), .remove(menu: "new.0")])
    case 5: return .editMenus([.replaceChildren(ofMenu: place, with: [])])
    case 6: return .editMenus([])
    case 7:
      return .declareProtocol(DelegateProtocol(name: "P\(number)", required: ["a:"], optional: []))
    case 8: return .removeProtocol("P\(number)")
    case 9:
      let json: JSON = [
        "initialViewController": "a", "scenes": ["a": ["class": "UIViewController"]],
      ]
      return .declareStoryboard(
        try FaultLog.collecting {
          Storyboard("S\(number)", reading: json, at: .root, log: $0)
        })
    case 10: return .removeStoryboard("S\(number)")
    default: return .replace(try Self.sample("photo-app"))
    }
  }

  /// Each form of a command's key.
  private static let keys: [JSON] = [
    stroke, [stroke], [stroke, stroke], ["apple": stroke],
    ["apple": [stroke, stroke], "other": stroke],
    ["other": [stroke, stroke, stroke]], ["apple": stroke, "other": [stroke, stroke]],
  ]
  private static let stroke: JSON = ["input": "k", "modifiers": ["command"]]

  @Test(arguments: keys)
  func `K8 each form of a key is read as it was stored`(key: JSON) throws {
    let declared = try command(["title": "A", "action": "a:", "key": key])
    #expect(try reread(declared).key == declared.key)
    let mutation = CatalogMutation.declareCommand(declared)
    #expect(try StoredFormat.bytes(of: reread(mutation)) == StoredFormat.bytes(of: mutation))
  }

  @Test(arguments: Seeds.first(2))
  func `a catalogue goes on the same after it was stored`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var catalog = try Self.sample("photo-app")
    var copy = try reread(catalog)
    var stored = try StoredFormat.bytes(of: copy)
    var accepted = 0
    for _ in 0..<40 {
      let mutation = try mutation(catalog, &generator)
      let again = try reread(mutation)
      copy = try StoredFormat.value(from: stored)
      let done = outcome(of: mutation, &catalog)
      #expect(outcome(of: again, &copy) == done)
      accepted += (try? done.get()) == nil ? 0 : 1
      stored = try StoredFormat.bytes(of: copy)
      #expect(try stored == StoredFormat.bytes(of: catalog))
    }
    #expect(accepted > 10)
    expectSame(copy, catalog)
  }

  private func outcome(
    of mutation: CatalogMutation, _ catalog: inout Catalog
  ) -> Result<CatalogOutcome, CatalogMutationFault> {
    let before = catalog.revision
    do throws(CatalogMutationFault) {
      let outcome = try catalog.apply(mutation)
      #expect(catalog.revision == before + (outcome.isChanged ? 1 : 0))
      return .success(outcome)
    } catch {
      #expect(catalog.revision == before)
      return .failure(error)
    }
  }
}

/// Values that say themselves what of them is stored say it of everything that they have: who adds a
/// property decides here whether it is stored.
@Suite struct StoredPropertyTests {
  private func names(of value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap(\.label))
  }

  private func members(_ value: some Encodable) throws -> Set<String> {
    guard case .object(let object) = try JSON(encoding: value) else { return [] }
    return Set(object.members.map(\.name))
  }

  @Test func `a catalogue leaves out what makes finding faster`() throws {
    let catalog = try CatalogCodingTests.sample("recipes")
    #expect(names(of: catalog) == ["parts"])
    #expect(
      names(of: catalog.parts.value) == [
        "revision", "commands", "menus", "changes", "leftOut", "protocols", "storyboards",
        "classes", "tokens", "opening", "keyClaims", "positions", "identities", "keys", "indexes",
        "keymaps", "languages", "contents",
      ])
    #expect(
      try members(catalog) == [
        "revision", "commands", "menus", "protocols", "storyboards", "classes", "template",
        "contents",
      ])
  }

  @Test func `classes leave out what is inherited`() throws {
    let catalog = try CatalogCodingTests.sample("recipes")
    #expect(
      names(of: catalog.classes) == [
        "declarations", "categories", "classes", "hasRules",
      ])
    #expect(try members(catalog.classes) == ["declarations"])
  }

  @Test func `a graph leaves out what follows from its responders`() throws {
    let stage = try Stage(responders: ["a": ["kind": "view"]])
    #expect(names(of: stage.session.graph) == ["content"])
    #expect(
      names(of: stage.session.graph.content.value) == [
        "responders", "application", "positions", "nextPositions", "holdings", "vacated", "holders",
        "owners", "registrars", "focusHolders", "observers",
      ])
    #expect(try members(stage.session.graph) == ["responders"])
  }

  @Test func `a coordinator leaves out what makes finding faster`() throws {
    var coordinator = MenuCoordinator()
    coordinator.register(try handler([:]), for: "a:", token: 1)
    #expect(names(of: coordinator) == ["forwarding", "registrations", "bySelector", "holdings"])
    #expect(try members(coordinator) == ["forwarding", "registrations"])
  }

  @Test func `a session leaves out what it tells of one moment only`() throws {
    let session = try StoryboardStage(launching: RandomStoryboardTests.scenes).session
    #expect(session.opening != nil)
    #expect(try reread(session).opening == nil)
    #expect(names(of: session) == ["state", "content"])
    let names = names(of: session.content.value).union(names(of: session.parts.value))
    let uncoded = names.subtracting(try members(session))
      // The parts are stored with their members.
      .subtracting(["parts"])
    // The others of these are nil or empty now.
    #expect(uncoded.contains("opening"))
    #expect(
      uncoded.isSubset(of: [
        "opening", "firstResponder", "givenFocus", "focusBehind", "windows", "token", "planKey",
        "performedPlans",
        "messageQueue", "openingNumber", "uses", "deliveries",
        "tokens", "keymap", "locale", "quietSince",
      ]))
  }
}
