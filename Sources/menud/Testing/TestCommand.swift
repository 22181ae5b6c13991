import ArgumentParser
import CEL
import JSONText
import MenuEngine

/// Runs the tests of an application.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Run the tests of an application.",
    discussion: """
      The tests are the JSON files of the folder 'tests' in the folder of the application. Each case opens a \
      session, without a server. The conditions that were never true or never false are listed. Exits with 0 \
      if every case passes, else with 1.
      """)

  @Argument(help: "The folder of an application.", completion: .directory)
  var folder: String

  @Argument(
    help: "Files of tests. The default is all of the application.", completion: .file())
  var files: [String] = []

  @Option(help: "The form of the results: text, tap (TAP 14) or junit.")
  var format = TestReport.Format.text

  @Flag(help: "Fail unless every condition was true and false.")
  var strict = false

  @OptionGroup var file: FileOption

  @OptionGroup(title: "Bounds of rules") var bounds: RuleOptions

  func run() throws {
    var sources = ConfigurationSources(file: file.file)
    bounds.add(to: &sources)
    var configuration = try sources.loaded(orExit: .failure)
    configuration.rules.isWatched = true
    let folder = folder.withoutTrailingSlashes
    let reading = CatalogFolder(configuration, path: folder).reading()
    guard let catalog = reading.findings.catalog, reading.faults.isEmpty else {
      throw reading.faults.reported(exit: .failure)
    }
    let runner = TestRunner(catalog: catalog, configuration)
    let results = try testFiles(of: folder).flatMap { file in
      file.cases.map { runner.result(of: $0, in: file.source) }
    }
    let report = TestReport(results, of: reading, strictly: strict)
    Posix.print(Array(report.text(in: format).utf8))
    guard report.isPassed else { throw ExitCode.failure }
  }

  private func testFiles(of folder: String) throws -> [TestFile] {
    var paths = files
    if paths.isEmpty {
      let names = try reporting(exit: .failure) { () throws(ConfigurationFault) in
        try Posix.entries(of: "\(folder)/tests")
      }
      paths = names.filter(\.isNameOfJSONFile).map { "\(folder)/tests/\($0)" }
    }
    guard !paths.isEmpty else {
      Posix.write(
        "menud: There are no tests: '\(folder)/tests' has no JSON file.\n", to: Posix.errors)
      throw ExitCode.failure
    }
    var (read, faults): ([TestFile], [CatalogFault]) = ([], [])
    for path in paths {
      do throws(CatalogFaults) {
        read.append(try TestFile(reading: path))
      } catch {
        faults += error.faults
      }
    }
    guard faults.isEmpty else { throw faults.reported(exit: .failure) }
    return read
  }
}
