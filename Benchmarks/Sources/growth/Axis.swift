/// What grows while everything else stays the same.
enum Axis: String, CaseIterable {
  case sessions
  case commands
  case depth
  case state

  /// What its sizes count.
  var unit: String {
    switch self {
    case .sessions: "open sessions"
    case .commands: "commands"
    case .depth: "responders from focus to handler"
    case .state: "bytes of state"
    }
  }

  var sizes: [Int] {
    switch self {
    case .sessions: [1, 10, 100, 1000, 10_000, 100_000]
    case .commands: [10, 100, 1000, 10_000]
    case .depth: [2, 10, 32, 100, 320, 1000]
    case .state: [1024, 4096, 16_384, 65_536, 262_144, 1_048_576]
    }
  }

  /// What the sessions of a size are opened with.
  func application(of size: Int) -> Application {
    var application = Application()
    switch self {
    case .sessions: break
    case .commands: application.commands = size
    case .depth: application.depth = size
    case .state: application.stateSize = size
    }
    return application
  }
}
