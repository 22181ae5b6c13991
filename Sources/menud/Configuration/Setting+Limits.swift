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

  static let maximumSessions = limit("sessions", "SESSIONS", 1...1_000_000, \.limits.sessions)
  /// How long a session may be left alone; 0 for as long as it likes.
  static let sessionIdle = Setting(
    ["limits", "sessionIdle"], "LIMITS_SESSION_IDLE", .seconds(\.sessionIdle))
  static let processorTime = Setting(
    ["limits", "processorTime"], "LIMITS_PROCESSOR_TIME", .seconds(\.limits.processorTime))
  static let bodyDepth = limit("bodyDepth", "BODY_DEPTH", 1...128, \.limits.bodyDepth)
  static let mutations = limit("mutations", "MUTATIONS", 1...100_000, \.limits.mutations)
  static let commands = limit("commands", "COMMANDS", 0...1_000_000, \.limits[.commands])
  static let menuElements = limit(
    "menuElements", "MENU_ELEMENTS", 1...1_000_000, \.limits[.menuElements])
  static let storyboards = limit("storyboards", "STORYBOARDS", 0...100_000, \.limits[.storyboards])
  static let protocols = limit("protocols", "PROTOCOLS", 0...100_000, \.limits[.protocols])
  static let catalogChanges = limit(
    "catalogChanges", "CATALOG_CHANGES", 0...1_000_000, \.limits[.catalogChanges])
  static let responders = session("responders", "RESPONDERS", 1...1_000_000, .responders)
  static let handlers = session("handlers", "HANDLERS", 0...1_000_000, .handlers)
  static let rulesOfSession = session("rules", "RULES", 0...10_000_000, .rules)
  static let keyCommands = session("keyCommands", "KEY_COMMANDS", 0...1_000_000, .keyCommands)
  static let undoManagers = session("undoManagers", "UNDO_MANAGERS", 0...10_000, .undoManagers)
  static let stateSize = session("stateSize", "STATE_SIZE", 1...(1 << 30), .stateSize)
  static let responderSize = session(
    "responderSize", "RESPONDER_SIZE", 1...(1 << 30), .responderSize)
  static let effects = limit("effects", "EFFECTS", 1...100_000, \.limits.session.effects)
  static let sends = limit("sends", "SENDS", 1...16, \.limits.session.sends)

  private static func limit(
    _ name: String, _ variable: String, _ range: ClosedRange<Int>, _ target: Form.Target<Int>
  ) -> Setting {
    Setting(["limits", name], "LIMITS_\(variable)", .integer(range, target))
  }

  private static func session(
    _ name: String, _ variable: String, _ range: ClosedRange<Int>, _ holding: Holding
  ) -> Setting {
    limit(name, variable, range, \.limits.session[holding])
  }
}
