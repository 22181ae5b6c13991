import Foundation
import JSONText

/// The conformance data, which live beside the repository and not in it.
enum ConformanceData {
  /// `$MENUD_CONFORMANCE`, or else `../shared/conformance` beside the package or the folder that
  /// holds its worktrees; nil when there is none.
  static let directory: URL? = {
    let environment = ProcessInfo.processInfo.environment["MENUD_CONFORMANCE"]
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let places =
      environment.map { [URL(filePath: $0)] }
      ?? ["../shared/conformance", "../../shared/conformance"].map {
        root.appending(path: $0).standardized
      }
    let found = places.first { FileManager.default.fileExists(atPath: $0.path) }
    if found == nil { print("SKIPPED: no conformance data at \(places.map(\.path))") }
    return found
  }()

  /// Returns true if there are cases in a file; if there are none, prints that.
  static func has(_ file: String) -> Bool {
    guard let directory else { return false }
    let isPresent = FileManager.default.fileExists(atPath: directory.appending(path: file).path)
    if !isPresent { print("SKIPPED: no \(file) in \(directory.path)") }
    return isPresent
  }

  /// The cases of a file, one object each.
  static func cases(_ file: String) throws -> [JSONObject] {
    guard let url = directory?.appending(path: file) else { throw Fault.noData }
    guard case .array(let cases) = try JSON(parsing: Array(Data(contentsOf: url))) else {
      throw Fault.noCases(file)
    }
    return try cases.map {
      guard case .object(let object) = $0 else { throw Fault.noCases(file) }
      return object
    }
  }

  enum Fault: Error {
    case noData
    case noCases(String)
  }
}
