/// A quantity that grows while everything else stays the same.
enum Axis: String, CaseIterable {
  case sessions
  case commands
  case depth
  case responders
  case state

  /// The unit of its sizes.
  var unit: String {
    switch self {
    case .sessions: "open sessions"
    case .commands: "commands"
    case .depth: "responders from focus to handler"
    case .responders: "responders beside focus"
    case .state: "bytes of state"
    }
  }

  var sizes: [Int] {
    switch self {
    case .sessions: [1, 10, 100, 1000, 10_000, 100_000]
    case .commands: [10, 100, 1000, 10_000]
    case .depth: [2, 10, 32, 100, 320, 1000]
    case .responders: [30, 100, 300, 1000, 3000, 9000]
    case .state: [1024, 4096, 16_384, 65_536, 262_144, 1_048_576]
    }
  }

  /// The number of places to which focus can move where another quantity grows.
  private static let places = 1000

  /// Returns the application for a size.
  func application(of size: Int) -> Application {
    var application = Application()
    switch self {
    case .sessions: break
    case .commands: (application.commands, application.places) = (size, Self.places)
    case .depth: (application.depth, application.places) = (size, Self.places)
    case .responders: application.places = size
    case .state: application.stateSize = size
    }
    return application
  }
}
