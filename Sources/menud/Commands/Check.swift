import ArgumentParser
import JSONText
import MenuAPI
import MenuEngine
import MenuStore

/// Reads configuration and application like `serve`, and lists every mistake.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List every mistake in an application or a configuration.",
    discussion: """
      Exits with 0 if there is none, else with 1. Rules, storyboards and sessions that look wrong are \
      listed as warnings, which do not change the exit code. The rules of a folder have the bounds that \
      serve would give them. A configuration file is checked by itself, without environment variables. \
      With --journal, the journal of the configuration is read as well, as at a start; no other menud \
      may use it meanwhile.
      """)

  @Argument(
    help: """
      The folder of an application, a configuration file, or a folder with a menud.json. The default \
      is the configuration that serve would use.
      """)
  var path: String?

  @OptionGroup var file: FileOption

  @Flag(help: "Read the journal too, and check that it is undamaged.")
  var journal = false

  @Flag(help: "List the commands and rules that can disable an item without words for people.")
  var words = false

  @Option(help: "The form of the findings: text or json.")
  var format = Format.text

  @OptionGroup(title: "Bounds of rules") var bounds: RuleOptions

  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// One line for each finding, and a summary.
    case text
    /// One JSON object, for editors and continuous integration.
    case json
  }

  func run() throws {
    let report = CheckReport(
      of: path?.withoutTrailingSlashes, ConfigurationSources(file: file.file), bounds,
      readingJournal: journal, listingWords: words)
    switch format {
    case .json: Posix.print(report.json.text())
    case .text:
      for finding in report.findings { Posix.print("\(finding)".plainText()) }
      if report.isSound { for line in report.summaries { Posix.print(line.plainText()) } }
    }
    guard report.isSound else { throw ExitCode.failure }
  }
}

private struct CheckReport {
  private var mistakes: [CheckFinding] = []
  private var warnings: [CheckFinding] = []
  private var notices: [CheckFinding] = []
  private var summary = ""
  private var journalSummary: String?
  private let readsJournal: Bool
  private let listsWords: Bool

  /// The summaries of the sound parts.
  var summaries: [String] { [summary] + (journalSummary.map { [$0] } ?? []) }

  /// Mistakes first, then warnings, then notices.
  var findings: [CheckFinding] { mistakes + warnings + notices }

  var isSound: Bool { mistakes.isEmpty }

  /// The report for editors and for continuous integration.
  var json: JSON {
    var report: JSONObject = [
      "ok": .bool(isSound), "errors": .int(Int64(mistakes.count)),
      "warnings": .int(Int64(warnings.count)),
    ]
    if listsWords { report["notices"] = .int(Int64(notices.count)) }
    report["findings"] = .array(findings.map(\.json))
    return .object(report)
  }

  /// Checks the application at a path, or the configuration from the sources that `serve` would use.
  init(
    of path: String?, _ sources: ConfigurationSources, _ bounds: RuleOptions, readingJournal: Bool,
    listingWords: Bool
  ) {
    (readsJournal, listsWords) = (readingJournal, listingWords)
    switch path {
    case .some(let path) where Posix.isPresent("\(path)/menud.json"):
      check(ConfigurationSources(file: "\(path)/menud.json", environment: [:]), bounds)
    case .some(let path) where Posix.isFolder(path): check(sources, bounds, application: path)
    case .some(let path):
      check(ConfigurationSources(file: path, environment: [:]), bounds)
    case nil: check(sources, bounds)
    }
  }

  /// Checks a configuration and its application, or another application in its place.
  private mutating func check(
    _ sources: ConfigurationSources, _ bounds: RuleOptions, application: String? = nil
  ) {
    var sources = sources
    bounds.add(to: &sources)
    let reading = sources.reading()
    var configuration = reading.configuration
    var consequences = faults { () throws(ConfigurationFault) in
      _ = try configuration.tls.credentials()
    }
    consequences += faults { () throws(ConfigurationFault) in
      try configuration.readJournalAddress()
    }
    if application == nil {
      consequences += faults { () throws(ConfigurationFault) in
        _ = try configuration.authorization()
      }
    }
    // A faulty setting is not also reported as missing.
    consequences.removeAll { reading.faults.contains(where: $0.isDue) }
    mistakes += (reading.faults + consequences).map(CheckFinding.init)
    warnings += reading.unknownVariables.map(CheckFinding.init(unknownVariable:))
    let path = application ?? configuration.application
    if path.isEmpty {
      summary = "ok: no application"
    } else {
      check(CatalogFolder(configuration, path: path))
    }
    if readsJournal, isSound { checkJournal(configuration) }
  }

  private mutating func checkJournal(_ configuration: Configuration) {
    guard configuration.hasJournal else {
      journalSummary = "ok: no journal"
      return
    }
    do throws(JournalFault) {
      let journal = try configuration.openedJournal(isOnlyRead: true)
      defer { journal.close() }
      let reading = try JournalReading(of: journal)
      guard reading.recovery.last > 0 else {
        journalSummary = "ok: no journal"
        return
      }
      for notice in reading.recovery.notices where notice.isLoss {
        warnings.append(
          CheckFinding(severity: .warning, place: .setting("journal"), message: "\(notice)"))
      }
      let parts = [
        (reading.sessions, "session"), (Int(reading.recovery.records), "record"),
        (Int(reading.recovery.entries), "kept answer"),
      ]
      journalSummary =
        "ok: the journal has "
        + parts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
    } catch {
      mistakes.append(
        CheckFinding(severity: .error, place: .setting("journal"), message: "\(error)"))
    }
  }

  /// Returns the mistake that a closure throws, if it does.
  private func faults(of body: () throws(ConfigurationFault) -> Void) -> [ConfigurationFault] {
    do throws(ConfigurationFault) {
      try body()
      return []
    } catch {
      return [error]
    }
  }

  private mutating func check(_ folder: CatalogFolder) {
    let reading = folder.reading()
    if let catalog = reading.findings.catalog {
      summary = Self.summary(of: catalog, folder.path)
    }
    mistakes += reading.faults.map(CheckFinding.init)
    warnings += reading.warnings
    if listsWords { notices += reading.wordless }
  }

  private static func summary(of catalog: Catalog, _ path: String) -> String {
    let parts =
      [
        (catalog.commands.count, "command", "commands"),
        (catalog.menus.menus.count - 1, "menu", "menus"),
        (catalog.classes.declared.count, "class", "classes"),
        (catalog.template?.responders.count ?? 0, "responder", "responders"),
        (catalog.storyboards.count, "storyboard", "storyboards"),
      ]
    let shown = catalog.storyboards.isEmpty ? parts.dropLast() : parts[...]
    return "ok: \(path) has "
      + shown.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: ", ")
  }
}

/// A mistake in or a warning about a configuration or an application.
struct CheckFinding {
  enum Severity: String {
    /// A mistake, which prevents serving.
    case error
    /// A warning, which does not prevent serving.
    case warning
    /// A notice, which is reported only on request.
    case notice
  }

  let severity: Severity
  /// The kind of a warning or notice: the name of a rule of V10, or of the member in the diagnostics.
  var kind: String?
  let place: FaultPlace
  /// The place of the declaration that this one contradicts, if any.
  var other: FilePlace?
  let message: String

  /// The finding as JSON; unknown members are omitted.
  var json: JSON {
    var object = JSONObject()
    object["severity"] = .string(severity.rawValue)
    object["kind"] = kind.map(JSON.string)
    switch place {
    case .file(let place): place.write(to: &object)
    case .setting(let name): object["setting"] = .string(name)
    }
    object["message"] = .string(message)
    object["other"] = other.map { place in
      var object = JSONObject()
      place.write(to: &object)
      return .object(object)
    }
    return .object(object)
  }
}

extension FilePlace {
  /// Writes the members `file`, `line`, `column` and `pointer`; unknown ones are omitted.
  fileprivate func write(to object: inout JSONObject) {
    object["file"] = .string(path)
    guard let position else { return }
    object["line"] = .int(Int64(position.line))
    object["column"] = .int(Int64(position.column))
    object["pointer"] = .string(pointer.description)
  }
}

extension CheckFinding: CustomStringConvertible {
  /// The finding in one line: the place, the severity unless it is an error, and a sentence.
  var description: String {
    "\(place): " + (severity == .error ? "" : "\(severity): ") + message
  }
}

extension CheckFinding {
  init(_ fault: ConfigurationFault) {
    self.init(severity: .error, place: fault.place, message: fault.sentence)
  }

  init(unknownVariable name: String) {
    self.init(
      severity: .warning, kind: "unknownVariable", place: .setting(name),
      message: "There is no setting of that name.")
  }

  init(_ fault: CatalogFault) {
    self.init(
      severity: .error, place: fault.place, other: fault.other, message: fault.sentence)
  }
}
