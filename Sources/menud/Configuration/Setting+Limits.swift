import MenuAPI
import MenuEngine

extension Setting {
  /// The limits of clients.
  static let limits = [
    maximumSessions, sessionIdle, processorTime, openingTime, bodyDepth, mutations, commands,
    menuElements,
    storyboards, protocols,
    catalogChanges, responders, handlers, rulesOfSession, keyCommands, undoManagers, stateSize,
    responderSize, deliveriesOfSession, deliverySize, effects, sends,
  ]

  static let maximumSessions = limit("sessions", in: 1...1_000_000, \.limits.sessions)
  /// The time after which an idle session is closed; 0 for never.
  static let sessionIdle = Setting(["limits", "sessionIdle"], .seconds(\.sessionIdle))
  static let processorTime = Setting(["limits", "processorTime"], .seconds(\.limits.processorTime))
  static let openingTime = Setting(["limits", "openingTime"], .seconds(\.limits.openingTime))
  static let bodyDepth = limit("bodyDepth", in: 1...128, \.limits.bodyDepth)
  static let mutations = limit("mutations", in: 1...100_000, \.limits.mutations)
  static let commands = limit("commands", in: 0...1_000_000, \.limits[.commands])
  static let menuElements = limit("menuElements", in: 1...1_000_000, \.limits[.menuElements])
  static let storyboards = limit("storyboards", in: 0...100_000, \.limits[.storyboards])
  static let protocols = limit("protocols", in: 0...100_000, \.limits[.protocols])
  static let catalogChanges = limit("catalogChanges", in: 0...1_000_000, \.limits[.catalogChanges])
  static let responders = session("responders", in: 1...1_000_000, .responders)
  static let handlers = session("handlers", in: 0...1_000_000, .handlers)
  static let rulesOfSession = session("rules", in: 0...10_000_000, .rules)
  static let keyCommands = session("keyCommands", in: 0...1_000_000, .keyCommands)
  static let undoManagers = session("undoManagers", in: 0...10_000, .undoManagers)
  static let stateSize = session("stateSize", in: 1...(1 << 30), .stateSize)
  static let responderSize = session("responderSize", in: 1...(1 << 30), .responderSize)
  static let deliveriesOfSession = session("deliveries", in: 0...100_000, .deliveries)
  static let deliverySize = session("deliverySize", in: 1...(1 << 30), .deliverySize)
  static let effects = limit("effects", in: 1...100_000, \.limits.session.effects)
  static let sends = limit("sends", in: 1...16, \.limits.session.sends)

  private static func limit(
    _ name: String, in range: ClosedRange<Int>, _ target: Form.Target<Int>
  ) -> Setting {
    Setting(["limits", name], .integer(range, target))
  }

  private static func session(
    _ name: String, in range: ClosedRange<Int>, _ holding: Holding
  ) -> Setting {
    limit(name, in: range, \.limits.session[holding])
  }
}
