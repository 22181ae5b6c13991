import ArgumentParser
import JSONText
import MenuEngine

/// The options of all requests of `menud do` to a server.
struct ServerOptions: ParsableArguments {
  @Option(help: "The server's address. The default is MENUD_SERVER, else http://localhost:8080.")
  var server: String?

  @Option(
    help: "A file with the token. The default is the token in MENUD_TOKEN.", completion: .file())
  var tokenFile: String?

  @Option(help: "The seconds after which a request fails, over all attempts.")
  var timeout = 30.0

  @Flag(help: "Print the answer as the server wrote it.")
  var json = false

  func validate() throws {
    guard timeout >= 0.1, timeout <= 86_400 else {
      throw ValidationError("'--timeout' is a number of seconds from 0.1 to 86400.")
    }
  }

  /// Returns the described client.
  func client() throws(DoFailure) -> DoClient {
    let address = server ?? Posix.environmentValue("MENUD_SERVER").nonEmpty
    return try DoClient(
      server: address ?? "http://localhost:8080", token: token(), timeout: timeout)
  }

  private func token() throws(DoFailure) -> Secret? {
    do throws(ConfigurationFault) {
      if let tokenFile { return try Configuration.tokens(in: tokenFile)[0] }
    } catch {
      throw DoFailure(.noAccess, "\(error)")
    }
    guard let text = Posix.environmentValue("MENUD_TOKEN").nonEmpty else { return nil }
    guard let token = Secret(token: text) else {
      throw DoFailure(.noAccess, "MENUD_TOKEN is no token.")
    }
    return token
  }
}

/// The options of all requests of `menud do` about a session.
struct SessionOptions: ParsableArguments {
  @Option(
    help: "The session. The default is MENUD_SESSION, else the only open one.",
    completion: .custom(DoCompletion.sessions))
  var session: String?

  @OptionGroup var server: ServerOptions

  /// Returns the client, and the session's name.
  func opened() throws(DoFailure) -> (client: DoClient, session: String) {
    let client = try server.client()
    if let name = session ?? Posix.environmentValue("MENUD_SESSION").nonEmpty {
      guard SessionID(name) != nil else { throw DoFailure(.wrong, "No session '\(name)' is open.") }
      return (client, name)
    }
    return (client, try client.onlySession())
  }
}

/// The option of the platform whose keys are shown and pressed (M2).
struct PlatformOption: ParsableArguments {
  @Option(help: "The platform of the keys: apple or other. The default is this machine's.")
  var platform = PlatformOption.native

  private static var native: KeyPlatform {
    #if canImport(Darwin)
      .apple
    #else
      .other
    #endif
  }
}

extension KeyPlatform: ExpressibleByArgument {}

extension String? {
  /// The text, unless it is empty.
  fileprivate var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}

/// A subcommand of `menud do`.
protocol DoSubcommand: ParsableCommand {
  var server: ServerOptions { get }

  /// Sends the requests, and prints the answer.
  func perform() throws(DoFailure)
}

extension DoSubcommand {
  func run() throws {
    do throws(DoFailure) {
      ChildProcess.ignoreBrokenPipes()
      try perform()
    } catch {
      if server.json, let problem = error.problem { DoOutput.print(problem) }
      Posix.write("menud: \(error.sentence.plainText(keepsLines: true))\n", to: Posix.errors)
      throw error.exit.code
    }
  }
}

/// A subcommand about a session.
protocol DoSessionCommand: DoSubcommand {
  var place: SessionOptions { get }
}

extension DoSessionCommand {
  var server: ServerOptions { place.server }
}
