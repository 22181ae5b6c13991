import ArgumentParser
import MenuEngine

/// Reads configuration and application as `serve` would, and lists every mistake.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List every mistake in a configuration.",
    discussion: """
      Exits with 0 when there is none, else with 1. What is odd in the storyboards is listed too, as \
      a warning, and is no mistake. A folder's rules have the bounds that serve would have; a \
      configuration file is checked by itself, without environment variables.
      """)

  @Argument(
    help: """
      An application's folder, a configuration file, or a folder with a menud.json. The default is \
      the configuration that serve would use.
      """)
  var path: String?

  @OptionGroup var file: FileOption

  @OptionGroup(title: "Bounds of rules") var bounds: RuleOptions

  func run() throws {
    let findings = Findings(
      of: path?.withoutTrailingSlashes, ConfigurationSources(file: file.file), bounds)
    for fault in findings.faults { print(fault) }
    for warning in findings.warnings { print(warning) }
    guard findings.faults.isEmpty else { throw ExitCode.failure }
    print(findings.summary)
  }
}

/// What there is to say of a configuration.
private struct Findings {
  var faults: [String] = []
  /// What is odd, but no mistake (V10).
  var warnings: [String] = []
  var summary = ""

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
    do throws(ConfigurationFaults) {
      let configuration = try sources.configuration()
      checkCredentials(configuration.tls)
      if application == nil { _ = try configuration.doors() }
      let path = application ?? configuration.application
      if path.isEmpty {
        summary = "ok: no application"
      } else {
        check(CatalogFolder(path: path, ruleLimits: configuration.rules))
      }
    } catch {
      faults += error.faults.map(\.description)
    }
  }

  private mutating func checkCredentials(_ tls: TLSConfiguration) {
    do throws(ConfigurationFault) {
      _ = try tls.credentials()
    } catch {
      faults.append(error.description)
    }
  }

  private mutating func check(_ folder: CatalogFolder) {
    do throws(CatalogFaults) {
      let catalog = try folder.catalog()
      summary = Self.summary(of: catalog, folder.path)
      warnings = catalog.lint.map { folder.line(of: $0) }
    } catch {
      faults += error.faults.map(\.description)
    }
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
