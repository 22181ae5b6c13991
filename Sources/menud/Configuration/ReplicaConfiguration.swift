/// The settings of several processes on one journal.
struct ReplicaConfiguration: Sendable {
  /// True if other processes may serve the same journal, which is in PostgreSQL then. The default is false.
  var isEnabled = false
  /// The currency of answers. The default is linearizable.
  var reads = Reads.linearizable
  /// The time after which a session leaves the memory of a process that nobody asks for it; zero for never. The default
  /// is five minutes.
  var unloadAfter = Duration.seconds(300)

  /// The currency of answers.
  enum Reads: String, CaseIterable, Sendable {
    /// No answer is older than one that any process gave before it was asked for.
    case linearizable
    /// An answer may be some milliseconds older than what another process answered.
    case recent
  }
}
