/// The service manager that started the program, which is notified of its states by the protocol of sd_notify(3).
///
/// systemd sets `NOTIFY_SOCKET` to the name of its socket. Without that variable, no notification is sent.
struct ServiceManager {
  enum State {
    case ready
    /// Reloading; it is ready again afterwards.
    case reloading
    case stopping
  }

  private let socket: String?

  init() { socket = Posix.environmentValue("NOTIFY_SOCKET") }

  /// Sends a state. Failures are ignored.
  func tell(_ state: State) {
    guard let socket else { return }
    Posix.send(Self.message(state), toSocket: socket)
  }

  private static func message(_ state: State) -> String {
    switch state {
    case .ready: "READY=1"
    // The time distinguishes this reload from an earlier one.
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Posix.monotonicNanoseconds / 1000)"
    case .stopping: "STOPPING=1"
    }
  }
}
