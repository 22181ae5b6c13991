import ArgumentParser
import MenuAPI
import MenuEngine
import MicroHTTP

extension ConfigurationSources {
  /// Returns the configuration; mistakes are printed and end the program.
  func loaded(orExit code: ExitCode) throws -> Configuration {
    try reading(orExit: code).configuration
  }

  /// Returns the configuration with its warnings; mistakes are printed and end the program.
  func reading(orExit code: ExitCode) throws -> ConfigurationReading {
    let reading = reading()
    guard reading.faults.isEmpty else { throw reading.faults.reported(exit: code) }
    return reading
  }
}

/// Returns the result of a closure; a mistake is printed and ends the program.
func reporting<Result>(
  exit code: ExitCode, _ body: () throws(ConfigurationFault) -> Result
) throws -> Result {
  do throws(ConfigurationFault) {
    return try body()
  } catch {
    throw [error].reported(exit: code)
  }
}

/// The place of a mistake.
enum FaultPlace: Sendable, CustomStringConvertible {
  case file(FilePlace)
  /// An option, an environment variable or a setting.
  case setting(String)

  var description: String {
    switch self {
    case .file(let place): "\(place)"
    case .setting(let name): name
    }
  }
}

extension Array where Element: Error & CustomStringConvertible {
  /// Prints the mistakes on standard error; returns the exit code of the program.
  func reported(exit code: ExitCode) -> ExitCode {
    for fault in self { Posix.write("menud: \("\(fault)".plainText())\n", to: Posix.errors) }
    return code
  }
}

extension ServerError {
  /// The reason why the server cannot listen, as a sentence.
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
  /// The reason why a server could not be queried, as a sentence.
  var wording: String {
    switch self {
    case .unusableHost(let host): "'\(host)' is no numeric address."
    case .unreachable(let code): "It cannot be reached: \(Posix.description(of: code))."
    case .silence: "It does not answer in time."
    case .malformedAnswer: "It does not answer in HTTP/1.1, or not over TLS as configured."
    }
  }
}

extension Service.Dependencies {
  /// Returns the system's clock and random numbers, and threads for long requests and for events.
  ///
  /// - Parameters:
  ///   - namesRequests: True if the log has a line for each request.
  ///   - application: The name of the application.
  static func system(
    answeringLongRequestsBy worker: Worker, largeOnesBy large: Worker,
    makingEventsBy events: Worker, namesRequests: Bool, application: String
  ) -> Service.Dependencies {
    let startTime = Posix.milliseconds
    var dependencies = Service.Dependencies(
      now: { Posix.milliseconds }, newSessionID: { .random }, newToken: { randomToken },
      nonce: SessionID.random.rawValue)
    dependencies.nanoseconds = { Posix.monotonicNanoseconds }
    dependencies.processorNanoseconds = { Posix.threadNanoseconds }
    dependencies.runLater = { worker.run($0) }
    dependencies.runLargeLater = { large.run($0) }
    dependencies.runEvents = { events.run($0) }
    dependencies.process = { .ofThisProcess(startedAt: startTime) }
    dependencies.version = Menud.version
    dependencies.application = application
    dependencies.namesRequests = namesRequests
    return dependencies
  }

  /// An unguessable token: 256 random bits.
  private static var randomToken: String {
    "menud_"
      + (0..<4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined(separator: "-")
  }
}

extension SessionID {
  /// An unguessable, unique id: 128 random bits.
  fileprivate static var random: SessionID {
    while true {
      let bits = String(UInt128.random(in: 0 ... .max), radix: 36)
      if let id = SessionID(bits) { return id }
    }
  }
}

extension ProcessFigures {
  /// Returns the resources of this process as reported by Linux; nil on other systems.
  static func ofThisProcess(startedAt startTime: Int64) -> ProcessFigures? {
    guard let text = try? Posix.contents(of: "/proc/self/statm") else { return nil }
    let pages = text.split(separator: UInt8(ascii: " ")).prefix(2).compactMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard pages.count == 2 else { return nil }
    return ProcessFigures(
      processorTime: Posix.processorNanoseconds, residentMemory: pages[1] * Posix.pageSize,
      virtualMemory: pages[0] * Posix.pageSize, startTime: startTime,
      // Without `.`, `..`, and the descriptor that reads the folder.
      openDescriptors: max(0, ((try? Posix.entries(of: "/proc/self/fd").count) ?? 0) - 3),
      maximumDescriptors: Posix.maximumDescriptors)
  }
}

extension String {
  /// The address for reaching, from this machine, a server that listens on this address.
  var reachable: String {
    switch self {
    case "0.0.0.0": "127.0.0.1"
    case "::": "::1"
    default: self
    }
  }
}
