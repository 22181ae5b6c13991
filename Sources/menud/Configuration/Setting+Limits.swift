import MenuAPI
import MenuEngine

extension Setting {
  /// The limits of clients.
  static let limits = [
    maximumSessions, sessionIdle, processorTime, bodyDepth, mutations, commands, menuElements,
    storyboards, protocols,
    catalogChanges, responders, handlers, rulesOfSession, keyCommands, undoManagers, stateSize,
    responderSize, effects, sends,
  ]

  static let maximumSessions = limit("sessions", 1...1_000_000, \.limits.sessions)
  /// How long a session may be left alone; 0 for as long as it likes.
  static let sessionIdle = Setting(["limits", "sessionIdle"], .seconds(\.sessionIdle))
  static let processorTime = Setting(["limits", "processorTime"], .seconds(\.limits.processorTime))
  static let bodyDepth = limit("bodyDepth", 1...128, \.limits.bodyDepth)
  static let mutations = limit("mutations", 1...100_000, \.limits.mutations)
  static let commands = limit("commands", 0...1_000_000, \.limits[.commands])
  static let menuElements = limit("menuElements", 1...1_000_000, \.limits[.menuElements])
  static let storyboards = limit("storyboards", 0...100_000, \.limits[.storyboards])
  static let protocols = limit("protocols", 0...100_000, \.limits[.protocols])
  static let catalogChanges = limit("catalogChanges", 0...1_000_000, \.limits[.catalogChanges])
  static let responders = session("responders", 1...1_000_000, .responders)
  static let handlers = session("handlers", 0...1_000_000, .handlers)
  static let rulesOfSession = session("rules", 0...10_000_000, .rules)
  static let keyCommands = session("keyCommands", 0...1_000_000, .keyCommands)
  static let undoManagers = session("undoManagers", 0...10_000, .undoManagers)
  static let stateSize = session("stateSize", 1...(1 << 30), .stateSize)
  static let responderSize = session("responderSize", 1...(1 << 30), .responderSize)
  static let effects = limit("effects", 1...100_000, \.limits.session.effects)
  static let sends = limit("sends", 1...16, \.limits.session.sends)

  private static func limit(
    _ name: String, _ range: ClosedRange<Int>, _ target: Form.Target<Int>
  ) -> Setting {
    Setting(["limits", name], .integer(range, target))
  }

  private static func session(
    _ name: String, _ range: ClosedRange<Int>, _ holding: Holding
  ) -> Setting {
    limit(name, range, \.limits.session[holding])
  }
}
