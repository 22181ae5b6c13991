package import MenuStore

/// The limits of events.
package struct EventLimits: Sendable {
  /// The number of events that are kept of each subscription, and their bytes; as many commits of each session are kept
  /// to make them of.
  package var kept = Follower.Bounds()
  /// The most sessions of one stream; the default is 16.
  package var sessions = 16
  /// The most named selections of one stream; the default is 16.
  package var selections = 16
  /// The most subscriptions of a session that differ in what they ask for; the default is 100.
  package var subscriptions = 100
  /// The most streams of one session; the default is 5,000.
  package var streamsOfSession = 5000
  /// The most streams that were asked for with one administrator's token; the default is 5,000.
  package var streamsOfToken = 5000
  /// The most bytes that are kept for the subscribers of all sessions; the default is 128 MiB.
  package var memory = 128 << 20
  /// The most bytes that are kept for the subscribers of one session; the default is 32 MiB.
  package var memoryOfSession = 32 << 20
  /// The time after which a stream shows that it is alive; the default is 15 s.
  package var heartbeat: Duration = .seconds(15)
  /// The most seconds for which `GET /sessions/{session}/changes` waits.
  package static let maximumWait = 60
  /// The interval of looking which streams are to show that they are alive, and which are over.
  package static let interval: Duration = .milliseconds(500)

  /// The defaults.
  package init() {}
}
