/// How several processes serve what one journal has.
struct ReplicaConfiguration: Sendable {
  /// True if other processes may serve the same journal, which is in PostgreSQL then. The default is false.
  var isEnabled = false
  /// How current answers are. The default is linearizable.
  var reads = Reads.linearizable

  /// How current answers are.
  enum Reads: String, CaseIterable, Sendable {
    /// No answer is older than one that any process gave before it was asked for.
    case linearizable
    /// An answer may be some milliseconds older than what another process answered.
    case recent
  }
}
