import Foundation
import JSONText
import Locks
import MenuEngine
import Randomness
import StoreSupport

@testable import MenuStore

/// An application of `Config/`, and what can happen to it.
struct SampleApplication: Sendable {
  let name: String
  let catalog: Catalog

  /// Reads its files when it is asked for the first time.
  init(_ name: String) throws {
    self = try Self.read.withLock { read in
      if let application = read[name] { return application }
      let application = try Self(reading: name)
      read[name] = application
      return application
    }
  }

  private static let read = Lock<[String: Self]>([:])

  private init(reading name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Config/\(name)")
    var document = CatalogDocument([:])
    for part in CatalogDocument.Part.allCases {
      let file = folder.appending(path: "\(part.rawValue).json")
      guard let data = FileManager.default.contents(atPath: file.path) else { continue }
      document.parts[part] = try JSON(parsing: Array(data))
    }
    self.name = name
    catalog = try document.catalog()
  }

  /// All that happens at random.
  static let names = ["photo-app", "recipes", "bird-sightings", "adaptive-photos", "master-detail"]
}

extension SessionStore {
  /// Does something to a session, or to the catalogue, which may be refused; answers whether it was
  /// accepted.
  func doSomething(_ random: inout SeededGenerator) throws -> Bool {
    let id = SessionID("s\(Int.random(in: 0..<4, using: &random))") ?? "s"
    if Int.random(in: 0..<25, using: &random) == 0 { return try changeCatalog(&random) }
    guard let session = session(id) else {
      let template = catalog.template ?? SessionTemplate()
      guard let session = try? Session(id, opening: template, in: catalog) else { return false }
      return try open(session) != nil
    }
    if Int.random(in: 0..<40, using: &random) == 0 {
      return try close(id)
    }
    let mutations = (0..<(Int.random(in: 0..<6, using: &random) == 0 ? 3 : 1)).map { _ in
      session.someMutation(in: catalog, &random)
    }
    let accepted = try change(id) { change in
      (try? change.apply(mutations)) != nil
    }
    return accepted == true
  }

  private func changeCatalog(_ random: inout SeededGenerator) throws(JournalFault) -> Bool {
    let number = Int.random(in: 0..<5, using: &random)
    let known = catalog.command(CommandID("new\(number):") ?? "new:")
    let declaration: JSON = [
      "title": "New", "action": .string("new\(number):"),
      "subtitle": .string("\(Int.random(in: 0..<3, using: &random))"),
    ]
    let declared = try? FaultLog.collecting { log in
      Command(reading: declaration, at: .root, log: log, id: CommandID("new\(number):"))
    }
    guard let declared else { return false }
    let mutation = known.map { CatalogMutation.removeCommand($0.id) } ?? .declareCommand(declared)
    do throws(CatalogChangeFault) {
      return try changeCatalog(by: mutation).outcome.isChanged
    } catch {
      guard case .unkept(let fault) = error else { return false }
      throw fault
    }
  }
}

extension Session {
  /// Something that may happen to the session.
  fileprivate func someMutation(in catalog: Catalog, _ random: inout SeededGenerator) -> Mutation {
    let responder = graph.ids.randomElement(using: &random) ?? "none"
    let number = Int64.random(in: 0..<9, using: &random)
    let when = Int64.random(in: 0..<1_000_000, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .mergeState(["extra": ["n": .int(number), "é\u{301}": [.double(0.5), .null]]])
    case 1: return .becomeFirstResponder(responder)
    case 2: return .removeResponder(responder)
    case 3: return .undo()
    case 4: return .redo()
    case 5:
      return .perform(
        ActionRequest(.action("show:"), from: responder, arguments: [.int(number)], when: when))
    case 6: return .resignFirstResponder
    default:
      let command = catalog.commands.randomElement(using: &random)?.id ?? "none:"
      return .perform(ActionRequest(.command(command), when: when))
    }
  }

  /// Every item of every menu, and why it is so.
  func answers(in catalog: Catalog) -> [ValidatedItem]? {
    var request = ValidationRequest()
    request.isExplaining = true
    return try? validate(request, in: catalog)
  }
}
