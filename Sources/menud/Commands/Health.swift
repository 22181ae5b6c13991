import ArgumentParser
import JSONText
import MicroHTTP

/// Checks whether a running server is ready, for the HEALTHCHECK of a container.
struct Health: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ask a running server whether it is ready.",
    discussion: """
      Asks at server.healthPort if that is configured and no other port is given. Exits with 0 if the \
      server is ready, else with 1 and the reasons.
      """)

  @OptionGroup var file: FileOption

  @Option(help: "The server's address. The default is the configured one.")
  var host: String?

  @Option(help: "The server's port. The default is the configured one.")
  var port: String?

  @Option(help: "The seconds to wait, from 1 to 65535.")
  var timeout: UInt16 = 2

  func validate() throws {
    guard timeout > 0 else {
      throw ValidationError("'--timeout' is a number of seconds from 1 to 65535, not 0.")
    }
  }

  func run() throws {
    var sources = ConfigurationSources(file: file.file)
    sources.give("server.host", option: "--host", host)
    sources.give("server.port", option: "--port", port)
    let configuration = try sources.loaded(orExit: .failure)
    var server = configuration.server
    if port == nil, let healthPort = configuration.healthPort { server.port = healthPort }
    let (isReady, finding) = ask(server, isEncrypted: configuration.tls.isWanted)
    Posix.print("\(server.host):\(server.port): \(finding)")
    guard isReady else { throw ExitCode.failure }
  }

  private func ask(
    _ server: ServerConfiguration, isEncrypted: Bool
  ) -> (isReady: Bool, finding: String) {
    do throws(Probe.Failure) {
      let answer = try Probe.answer(
        to: "/health/ready", host: server.host.reachable, port: server.port,
        within: .seconds(Int(timeout)), isEncrypted: isEncrypted)
      return answer.status == .ok ? (true, "Ready.") : (false, answer.reasonsWhyNotReady)
    } catch {
      return (false, error.wording)
    }
  }
}

extension Response {
  /// The reasons in the body of `/health/ready`; the status if there are none.
  fileprivate var reasonsWhyNotReady: String {
    guard case .object(let object)? = try? JSON(parsing: body),
      case .array(let reasons)? = object["reasons"], !reasons.isEmpty
    else { return "Not ready, status \(status.rawValue)." }
    let sentences = reasons.compactMap { reason -> String? in
      guard case .object(let reason) = reason, case .string(let name)? = reason["reason"],
        case .string(let detail)? = reason["detail"]
      else { return nil }
      return "\(name): \(detail)"
    }
    return "Not ready, status \(status.rawValue). " + sentences.joined(separator: " ")
  }
}
