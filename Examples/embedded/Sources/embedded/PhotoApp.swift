import Foundation
import JSONText
import MenuEngine

/// Opens a session of the application in a folder, as the server does, but without `strings/LOCALE.json`.
func openSession(ofApplicationIn folder: URL) throws -> (Session, Catalog) {
  var parts: [CatalogDocument.Part: JSON] = [:]
  for part in CatalogDocument.Part.allCases {
    let file = folder.appending(path: "\(part.rawValue).json")
    guard FileManager.default.fileExists(atPath: file.path) else { continue }
    parts[part] = try JSON(parsing: String(contentsOf: file, encoding: .utf8))
  }
  let catalog = try CatalogDocument(parts).catalog()
  let template = try catalog.template ?? SessionTemplate([:])
  return (try Session("main", opening: template, in: catalog), catalog)
}

func useThePhotoApp(in folder: URL) throws -> [String] {
  var (session, catalog) = try openSession(ofApplicationIn: folder)
  var log: [String] = []
  for case .item(let item) in try session.menu("file", in: catalog).children {
    log.append("\(item.title): \(item.explanation ?? "\(item.reason)")")
  }
  let found = try session.find("select", limit: 1, in: catalog)
  log.append("found \(found.map(\.item.title))")

  let key = try KeyPress(["key": ["input": "a", "modifiers": ["command"]]])
  let outcome = try session.apply(.pressKey(key), in: catalog)
  log.append("⌘A: \(outcome.performance?.target.description ?? "nobody")")

  let select = try JSONPatch([["op": "replace", "path": "/selection", "value": []]])
  _ = try session.apply(.patchState(select), in: catalog)
  do throws(SessionFault) {
    _ = try session.apply(.perform(ActionRequest(.command("copy:"))), in: catalog)
  } catch {
    log.append("\(error)")
  }
  return log
}
