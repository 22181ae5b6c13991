import MenuAPI
import MenuStore

extension Setting {
  /// The limits of events.
  static let events = [
    events("kept", in: 1...65_536, \.limits.events.kept.count),
    events("keptSize", in: 1...(1 << 30), \.limits.events.kept.size),
    events("sessions", in: 1...64, \.limits.events.sessions),
    events("selections", in: 1...64, \.limits.events.selections),
    Setting(["events", "heartbeat"], .seconds(\.limits.events.heartbeat)),
  ]

  private static func events(
    _ name: String, in range: ClosedRange<Int>, _ target: Form.Target<Int>
  ) -> Setting {
    Setting(["events", name], .integer(range, target))
  }
}
