import ArgumentParser

/// The option with the path of the configuration file.
struct FileOption: ParsableArguments {
  @Option(
    name: .customLong("config"), help: "The configuration file.",
    completion: .file(extensions: ["json"]))
  var file: String?
}

/// The options for settings.
///
/// They are texts here, so that a malformed one is reported together with all other mistakes.
struct ConfigurationOptions: ParsableArguments {
  @OptionGroup var file: FileOption

  @Option(help: "The numeric address to listen on.")
  var host: String?

  @Option(help: "The port to listen on; 0 takes any free one.")
  var port: String?

  @Option(help: "The number of threads that answer.")
  var threads: String?

  @Option(
    help: "The server's certificate, in PEM; with it, menud speaks TLS.",
    completion: .file(extensions: ["pem", "crt"]))
  var tlsCertificate: String?

  @Option(
    help: "The certificate's private key, in PEM.", completion: .file(extensions: ["pem", "key"]))
  var tlsKey: String?

  @Option(help: "The folder of the application.", completion: .directory)
  var application: String?

  @Option(
    name: .customLong("session"),
    help: ArgumentHelp("A session to open at the start; can be given again.", valueName: "id"))
  var sessions: [String] = []

  @Option(
    help: "The journal of sessions: sqlite, postgresql or memory.",
    completion: .list(Setting.at("journal.store").words))
  var journalStore: String?

  @Option(help: "The SQLite file of the journal.", completion: .file())
  var journalPath: String?

  @Option(
    help: "The durability of acknowledged changes: full, normal or off.",
    completion: .list(Setting.at("journal.durability").words))
  var journalDurability: String?

  @Option(help: "The seconds to wait for another process to release the journal.")
  var journalWait: String?

  @Option(
    help: "The lowest level of events that are logged, from trace to critical.",
    completion: .list(Setting.at("log.level").words))
  var logLevel: String?

  @Option(
    help: "The form of the log: text or json.",
    completion: .list(Setting.at("log.format").words))
  var logFormat: String?

  @Flag(inversion: .prefixedNo, help: "Log every request, or none.")
  var logRequests: Bool?

  @OptionGroup(title: "Bounds of rules") var rules: RuleOptions

  /// The sources: these options, the environment and the file.
  var sources: ConfigurationSources {
    var sources = ConfigurationSources(file: file.file)
    sources.give("server.host", option: "--host", host)
    sources.give("server.port", option: "--port", port)
    sources.give("server.threads", option: "--threads", threads)
    sources.give("tls.certificate", option: "--tls-certificate", tlsCertificate)
    sources.give("tls.key", option: "--tls-key", tlsKey)
    sources.give("application", option: "--application", application)
    sources.give(
      "sessions", option: "--session", sessions.isEmpty ? nil : sessions.joined(separator: ","))
    sources.give("journal.store", option: "--journal-store", journalStore)
    sources.give("journal.path", option: "--journal-path", journalPath)
    sources.give("journal.durability", option: "--journal-durability", journalDurability)
    sources.give("journal.wait", option: "--journal-wait", journalWait)
    sources.give("log.level", option: "--log-level", logLevel)
    sources.give("log.format", option: "--log-format", logFormat)
    sources.give("log.requests", option: "--log-requests", logRequests.map(\.description))
    rules.add(to: &sources)
    return sources
  }
}
