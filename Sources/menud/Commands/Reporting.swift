import ArgumentParser
import MenuAPI
import MenuEngine
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

extension Service.Dependencies {
  /// The system's clock and its random numbers, and threads for what takes long and for events.
  ///
  /// - Parameters:
  ///   - namesRequests: True if the log tells of each request.
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

  /// A word that nobody guesses: 256 random bits.
  private static var randomToken: String {
    "menud_"
      + (0..<4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined(separator: "-")
  }
}

extension SessionID {
  /// A name that nobody guesses and nobody else has: 128 random bits.
  fileprivate static var random: SessionID {
    while true {
      let bits = String(UInt128.random(in: 0 ... .max), radix: 36)
      if let id = SessionID(bits) { return id }
    }
  }
}

extension ProcessFigures {
  /// Returns the resources of this process as Linux reports them; nil where it does not.
  static func ofThisProcess(startedAt startTime: Int64) -> ProcessFigures? {
    guard let text = try? Posix.contents(of: "/proc/self/statm") else { return nil }
    let pages = text.split(separator: UInt8(ascii: " ")).prefix(2).compactMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard pages.count == 2 else { return nil }
    return ProcessFigures(
      processorTime: Posix.processorNanoseconds, residentMemory: pages[1] * Posix.pageSize,
      virtualMemory: pages[0] * Posix.pageSize, startTime: startTime,
      // Not counted: `.`, `..`, and the descriptor that reads the folder.
      openDescriptors: max(0, Posix.entryCount(of: "/proc/self/fd") - 3),
      maximumDescriptors: Posix.maximumDescriptors)
  }
}
