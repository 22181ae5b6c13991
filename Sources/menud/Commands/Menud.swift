import ArgumentParser

/// The program: the responder chain as an HTTP service.
@main
struct Menud: ParsableCommand {
  static let version = "0.2.0"

  static let configuration = CommandConfiguration(
    commandName: "menud", abstract: "The responder chain as an HTTP service.",
    discussion: """
      An application is a folder of JSON files: its commands, its menus, and what handles them. \
      'menud serve' serves it over HTTP. An option takes precedence over an environment variable, a \
      variable over the configuration file, and the file over the default. The file is \
      Config/menud.json, if it is there. The variable of a setting is its path in the file, in \
      capitals: MENUD_SERVER_PORT is server.port.
      """, version: version,
    subcommands: [
      Serve.self, Check.self, TestCommand.self, RuleCommand.self, SchemaCommand.self, Health.self,
      HistoryCommand.self, DoCommand.self, Migrate.self, ManualCommand.self, VersionCommand.self,
    ])

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch  where exitCode(for: error) == .success {
      // A bash script is extended before it is printed.
      let text = fullMessage(for: error)
      let script = text.replacing(BashCompletion.registration, with: BashCompletion.wholeWords)
      guard text.hasPrefix("#!/bin/bash") else { exit(withError: error) }
      Posix.print(script)
    } catch {
      exit(withError: error)
    }
  }
}

/// Prints the version.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version.")

  func run() { Posix.print("menud \(Menud.version)") }
}

extension ExitCode {
  /// A mistake in the configuration or in the application's folder (sysexits.h: EX_CONFIG).
  static let configuration = ExitCode(78)
  /// The journal cannot be read or written, or standard output cannot be written (sysexits.h: EX_IOERR).
  static let inputOutput = ExitCode(74)
  /// The server cannot listen (sysexits.h: EX_UNAVAILABLE).
  static let unavailable = ExitCode(69)
}
