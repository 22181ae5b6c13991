import CEL
import Foundation
import Testing

/// Runs the conformance data in `$MENUD_CONFORMANCE/cel`, or `../shared/conformance/cel` beside the
/// package.
@Suite struct ConformanceTests {
  /// All files of the folder, without `.json`.
  static let files: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }()

  @Test func `there is conformance data`() {
    if Self.files.isEmpty { print("SKIPPED: there is no conformance data in \(Self.folder.path)") }
  }

  static let folder: URL = {
    if let folder = ProcessInfo.processInfo.environment["MENUD_CONFORMANCE"] {
      return URL(filePath: folder).appending(path: "cel")
    }
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return ["..", "../..", "../../.."]
      .map { package.appending(path: "\($0)/shared/conformance/cel").standardized }
      .first { FileManager.default.fileExists(atPath: $0.path) } ?? package
  }()

  @Test(arguments: files)
  func `the conformance suite agrees`(file: String) throws {
    let data = try Data(contentsOf: Self.folder.appending(path: "\(file).json"))
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .base64
    let outcomes = try decoder.decode([ConformanceCase].self, from: data).map(outcome)
    let passed = outcomes.count { $0 == .passed }
    let missing = outcomes.count { if case .notYet = $0 { true } else { false } }
    let failed = outcomes.count { if case .failed = $0 { true } else { false } }
    print("CONFORMANCE \(file): \(passed) passed, \(missing) not yet, \(failed) failed")
    for outcome in outcomes {
      if case .failed(let text) = outcome { Issue.record(Comment(rawValue: text)) }
      if case .notYet(let text) = outcome { print("CONFORMANCE not yet: \(text)") }
    }
  }

  private enum Outcome: Equatable {
    case passed
    case notYet(String)
    case failed(String)
  }

  private func outcome(of test: ConformanceCase) -> Outcome {
    let name = "\(test.file)/\(test.section)/\(test.name): \(test.expr)"
    let environment = test.environment
    let values = environment.variables.map { test.bindings[$0]?.value }
    do {
      let program = try Program(test.expr, in: environment)
      if let typed = test.typed, program.type.description != typed {
        return .failed("\(name) has the type \(program.type), not \(typed)")
      }
      if test.isCheckedOnly == true { return .passed }
      let explained = program.explanation(binding: { values[$0] ?? .null })
        .parts.last { $0.element == nil }?.outcome
      if (try? explained?.get()) == nil, test.expect?.value != nil {
        return .failed("\(name) is not explained")
      }
      let value = try program.value { values[$0] ?? .null }
      if let worth = try explained?.get(), !worth.isIdentical(to: value) {
        return .failed("\(name) is \(value), but \(worth) in its explanation")
      }
      if let expected = test.expect?.value?.value, expected.isIdentical(to: value) {
        return .passed
      }
      return .failed("\(name) is \(value)")
    } catch let fault as CompilationFault {
      return test.expect?.error == true ? .passed : .failed("\(name)\n\(fault)")
    } catch {
      return test.expect?.error == true ? .passed : .failed("\(name)\n\(error)")
    }
  }
}
