import ArgumentParser
import MicroHTTP

extension ConfigurationSources {
  /// The configuration; when there are mistakes, they are printed and the program ends.
  func loaded(orExit code: ExitCode) throws -> Configuration {
    try reading(orExit: code).configuration
  }

  /// The configuration with its warnings; when there are mistakes, they are printed and the program
  /// ends.
  func reading(orExit code: ExitCode) throws -> ConfigurationReading {
    let reading = reading()
    guard reading.faults.isEmpty else { throw reading.faults.reported(exit: code) }
    return reading
  }
}

/// The place of a mistake.
enum FaultPlace: Sendable, CustomStringConvertible {
  case file(FilePlace)
  /// An option, a variable or a setting.
  case setting(String)

  var description: String {
    switch self {
    case .file(let place): "\(place)"
    case .setting(let name): name
    }
  }
}

extension Array where Element: Error & CustomStringConvertible {
  /// Prints the mistakes on standard error; answers how the program is to end.
  func reported(exit code: ExitCode) -> ExitCode {
    for fault in self { Posix.write("menud: \(fault)\n", to: Posix.errors) }
    return code
  }
}

extension ServerError {
  /// The reason for which the server cannot listen, as a sentence.
  var wording: String {
    switch self {
    case .unusableHost(let host): "'\(host)' is no numeric address of this machine."
    case .addressInUse(let host, let port): "Port \(port) of \(host) is in use already."
    case .portNotPermitted(let port): "Port \(port) is for privileged processes only."
    case .system(let code): "The system says: \(Posix.description(of: code))."
    }
  }
}

extension Probe.Failure {
  /// The reason for which nothing was learned about a server, as a sentence.
  var wording: String {
    switch self {
    case .unusableHost(let host): "'\(host)' is no numeric address."
    case .unreachable(let code): "It cannot be reached: \(Posix.description(of: code))."
    case .silence: "It does not answer in time."
    case .malformedAnswer: "It does not answer in HTTP/1.1, or not over TLS as configured."
    }
  }
}
