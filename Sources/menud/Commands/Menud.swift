import ArgumentParser

/// The program: the responder chain as an HTTP service.
@main
struct Menud: ParsableCommand {
  /// The version of the program.
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "menud", abstract: "The responder chain as an HTTP service.",
    discussion: """
      Settings are taken from options, then from environment variables, then from a file, which is \
      Config/menud.json when that is there, then from defaults. The variable of a setting is MENUD_ and \
      its path in the file: MENUD_SERVER_PORT for server.port.
      """, version: version,
    subcommands: [
      Serve.self, Check.self, Migrate.self, RuleCommand.self, Health.self, VersionCommand.self,
    ])
}

/// Prints the version.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version.")

  func run() { print("menud \(Menud.version)") }
}

extension ExitCode {
  /// A mistake in the configuration or in the application's folder, as sysexits.h numbers it.
  static let configuration = ExitCode(78)
  /// The journal cannot be read or written, as sysexits.h numbers it.
  static let journal = ExitCode(74)
  /// The server cannot listen, as sysexits.h numbers it.
  static let unavailable = ExitCode(69)
}
