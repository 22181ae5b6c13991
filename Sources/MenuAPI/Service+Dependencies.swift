package import MenuEngine

extension Service {
  /// The clock, names and tokens that are given from outside.
  package struct Dependencies: Sendable {
    /// The time in milliseconds since 1970-01-01T00:00:00Z.
    package var now: @Sendable () -> Int64
    /// A name for a session that is opened without one, different each time.
    package var newSessionID: @Sendable () -> SessionID
    /// A token that nobody can guess, different each time.
    package var newToken: @Sendable () -> String
    /// A word that differs from one run of the program to the next, for entity tags.
    package var nonce: String
    /// A time in nanoseconds that only grows, from any beginning, to measure with. By default it stands
    /// still, so that no request is long.
    package var nanoseconds: @Sendable () -> Int = { 0 }
    /// The processor time of the present thread in nanoseconds; nil, the default, when nobody knows. Then
    /// requests count as long as they take with all their waiting.
    package var processorNanoseconds: (@Sendable () -> Int)?
    /// Does on another thread what may take long or must not hold up the journal, and answers false if too
    /// much waits for that already; nil, the default, when there is no such thread.
    package var runLater: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
    /// The same for requests with large bodies, whose rules are compiled: questions do not wait for those. By default it
    /// is the same thread.
    package var runLargeLater: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
    /// Makes events on another thread, in the order in which they are asked for; nil, the default, makes each where it is
    /// read.
    package var runEvents: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
    /// Returns the resources of the process; nil, the default, when nobody knows.
    package var process: @Sendable () -> ProcessFigures? = { nil }
    /// True if every request gets a name, since a log tells of each; else only those get one whose client
    /// sends one. The default is false.
    package var namesRequests = false
    /// The version of the program. The default is empty.
    package var version = ""
    /// The name of the application, as agents are told it. The default is empty: menud's own.
    package var application = ""

    /// These dependencies.
    package init(
      now: @escaping @Sendable () -> Int64, newSessionID: @escaping @Sendable () -> SessionID,
      newToken: @escaping @Sendable () -> String, nonce: String
    ) {
      self.now = now
      self.newSessionID = newSessionID
      self.newToken = newToken
      self.nonce = nonce
    }
  }
}
