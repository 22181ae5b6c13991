import ArgumentParser
import JSONText
import MenuEngine

/// Reads configuration and application as `serve` would, and lists every mistake.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List every mistake in a configuration.",
    discussion: """
      Exits with 0 when there is none, else with 1. What is odd in rules, in storyboards or in a \
      session as it begins is listed too, as a warning, and is no mistake. A folder's rules have the \
      bounds that serve would have; a configuration file is checked by itself, without environment \
      variables.
      """)

  @Argument(
    help: """
      An application's folder, a configuration file, or a folder with a menud.json. The default is \
      the configuration that serve would use.
      """)
  var path: String?

  @OptionGroup var file: FileOption

  @Option(help: "How findings are written: text or json.")
  var format = Format.text

  @OptionGroup(title: "Bounds of rules") var bounds: RuleOptions

  /// How findings are written.
  enum Format: String, ExpressibleByArgument {
    /// A line for each, and a summary.
    case text
    /// One JSON object, for editors and continuous integration.
    case json
  }

  func run() throws {
    let findings = Findings(
      of: path?.withoutTrailingSlashes, ConfigurationSources(file: file.file), bounds)
    switch format {
    case .json: print(findings.json.text())
    case .text:
      for finding in findings.all { print(finding) }
      if findings.isSound { print(findings.summary) }
    }
    guard findings.isSound else { throw ExitCode.failure }
  }
}

/// The findings of a check.
private struct Findings {
  /// Mistakes first, then what is odd.
  private(set) var all: [Finding] = []
  private(set) var summary = ""

  /// True if there is no mistake.
  var isSound: Bool { !all.contains { $0.severity == .error } }

  /// The findings for editors and for continuous integration.
  var json: JSON {
    let mistakes = all.count { $0.severity == .error }
    return [
      "ok": .bool(isSound), "errors": .int(Int64(mistakes)),
      "warnings": .int(Int64(all.count - mistakes)), "findings": .array(all.map(\.json)),
    ]
  }

  /// `sources` are those that `serve` would have.
  init(of path: String?, _ sources: ConfigurationSources, _ bounds: RuleOptions) {
    switch path {
    case .some(let path) where Posix.isPresent("\(path)/menud.json"):
      check(ConfigurationSources(file: "\(path)/menud.json", environment: { _ in nil }), bounds)
    case .some(let path) where Posix.isFolder(path): check(sources, bounds, application: path)
    case .some(let path):
      check(ConfigurationSources(file: path, environment: { _ in nil }), bounds)
    case nil: check(sources, bounds)
    }
  }

  /// Checks a configuration and its application, or another one in its place.
  private mutating func check(
    _ sources: ConfigurationSources, _ bounds: RuleOptions, application: String? = nil
  ) {
    var sources = sources
    bounds.add(to: &sources)
    let (configuration, faults) = sources.reading()
    var consequences = credentialFaults(configuration.tls)
    if application == nil { consequences += doorFaults(configuration) }
    // A setting that is at fault is not missing besides.
    consequences.removeAll { faults.contains(where: $0.isDue) }
    all += (faults + consequences).map(Finding.init)
    let path = application ?? configuration.application
    if path.isEmpty {
      summary = "ok: no application"
    } else {
      check(CatalogFolder(path: path, ruleLimits: configuration.rules))
    }
  }

  private func credentialFaults(_ tls: TLSConfiguration) -> [ConfigurationFault] {
    do throws(ConfigurationFault) {
      _ = try tls.credentials()
      return []
    } catch {
      return [error]
    }
  }

  private func doorFaults(_ configuration: Configuration) -> [ConfigurationFault] {
    do throws(ConfigurationFaults) {
      _ = try configuration.doors()
      return []
    } catch {
      return error.faults
    }
  }

  private mutating func check(_ folder: CatalogFolder) {
    let reading = folder.reading()
    if let catalog = reading.findings.catalog {
      summary = Self.summary(of: catalog, folder.path)
    }
    all += reading.faults.map(Finding.init) + reading.warnings
  }

  private static func summary(of catalog: Catalog, _ path: String) -> String {
    let parts =
      [
        (catalog.commands.count, "commands"), (catalog.menus.menus.count - 1, "menus"),
        (catalog.classes.declared.count, "classes"),
        (catalog.template?.responders.count ?? 0, "responders"),
      ] + (catalog.storyboards.isEmpty ? [] : [(catalog.storyboards.count, "storyboards")])
    return "ok: \(path) has " + parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
