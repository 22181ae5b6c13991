import MenuAPI
import MenuEngine

extension Service.Surroundings {
  /// The system's clock and its random numbers.
  static var system: Service.Surroundings {
    Service.Surroundings(
      now: { Posix.milliseconds }, newSessionID: { .random }, nonce: SessionID.random.rawValue)
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
