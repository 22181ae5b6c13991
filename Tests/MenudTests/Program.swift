import Foundation
import Testing

/// The built program, run as an installed one is.
enum Program {
  /// The program beside the tests in the build folder.
  static let file = (Bundle.main.executableURL ?? URL(filePath: "/"))
    .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "menud")

  /// The folder of the package.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of that folder.
  static let path = root.path

  /// The options of the sanitizer that the tests run under, for programs with a clean environment.
  static let sanitizing = ProcessInfo.processInfo.environment.filter {
    $0.key.hasSuffix("SAN_OPTIONS")
  }

  /// True unless the address sanitizer keeps for a while what is freed.
  static let givesMemoryBack = sanitizing["ASAN_OPTIONS"] == nil

  /// Runs tests only where the program was built; says so elsewhere.
  static let isBuilt = ConditionTrait.enabled(
    if: FileManager.default.isExecutableFile(atPath: file.path),
    "The program is not built: run 'swift build --product menud' first.")

  /// The outcome of a command that ran to its end.
  struct Outcome: Equatable {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs the program to its end.
  static func run(
    _ arguments: String..., environment: [String: String] = [:], in folder: URL = root
  ) throws -> Outcome {
    try RunningProgram(arguments, environment: environment, in: folder).outcome()
  }
}

/// A folder that is there until this is gone.
final class TemporaryFolder {
  let url: URL

  var path: String { url.path }

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "menud-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file, and the folders it is in.
  func write(_ text: String, to name: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
