import MenuAPI
import MenuEngine
import MicroHTTP

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
