import MenuAPI
import MenuStore

extension Setting {
  /// The limits of events.
  static let events = [
    events("kept", in: 1...65_536, \.limits.events.kept.count),
    events("keptSize", in: 1...(1 << 30), \.limits.events.kept.size),
    events("sessions", in: 1...64, \.limits.events.sessions),
    events("selections", in: 1...64, \.limits.events.selections),
    events("subscriptions", in: 1...10_000, \.limits.events.subscriptions),
    events("streamsOfSession", in: 1...65_536, \.limits.events.streamsOfSession),
    events("streamsOfToken", in: 1...65_536, \.limits.events.streamsOfToken),
    events("memory", in: 1...(1 << 40), \.limits.events.memory),
    events("memoryOfSession", in: 1...(1 << 40), \.limits.events.memoryOfSession),
    Setting(["events", "heartbeat"], .seconds(\.limits.events.heartbeat)),
  ]

  private static func events(
    _ name: String, in range: ClosedRange<Int>, _ target: Form.Target<Int>
  ) -> Setting {
    Setting(["events", name], .integer(range, target))
  }
}
