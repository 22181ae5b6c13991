package import MenuEngine

/// The limits of clients, beside those of `ServerConfiguration` and of rules.
package struct ServiceLimits: Sendable {
  /// The most sessions that may be open; the default is 10,000.
  package var sessions = 10_000
  /// The depth to which arrays and objects may be nested in a body; the default, 128, is the most.
  package var bodyDepth = 128
  /// The most mutations that one list may have; the default is 1,000.
  package var mutations = 1000
  /// The time that the long requests of one session may take in each second; the default is
  /// a quarter of a second, and zero is no limit.
  ///
  /// They may take a second more at once.
  package var processorTime: Duration = .milliseconds(250)
  /// The time that the long openings of sessions by one client, a token or an address, may take in each second; the
  /// default is half a second, and zero is no limit.
  ///
  /// They may take a second more at once.
  package var openingTime: Duration = .milliseconds(500)
  /// The limits of events.
  package var events = EventLimits()
  /// For how many milliseconds a claim of a delivery lasts; the default is 30 seconds.
  package var claim: Int64 = 30_000
  /// For how many milliseconds a settled delivery is kept; the default is an hour.
  package var deliveryRetention: Int64 = 3_600_000
  /// The most seconds that a request waits for what it prefers to wait for; the default is 25.
  package var longestWait = 25
  /// The most requests that wait so at a time; the default is 256.
  package var waitingRequests = 256
  /// The limits of one session, and of one mutation.
  package var session = SessionLimits()
  private var commands = 10_000
  private var menuElements = 20_000
  private var storyboards = 1000
  private var protocols = 1000
  private var catalogChanges = 10_000

  /// The defaults.
  package init() {}

  /// The most that the catalogue may hold of a kind: by default 10,000 commands, 20,000 elements of menus,
  /// 1,000 storyboards, 1,000 protocols and 10,000 changes.
  package subscript(holding: CatalogHolding) -> Int {
    get {
      switch holding {
      case .commands: commands
      case .menuElements: menuElements
      case .storyboards: storyboards
      case .protocols: protocols
      case .catalogChanges: catalogChanges
      }
    }
    set {
      switch holding {
      case .commands: commands = newValue
      case .menuElements: menuElements = newValue
      case .storyboards: storyboards = newValue
      case .protocols: protocols = newValue
      case .catalogChanges: catalogChanges = newValue
      }
    }
  }
}

/// A kind of thing in the catalogue whose number is limited.
package enum CatalogHolding: String, CaseIterable, Sendable {
  case commands
  /// Menus, and what stands in them.
  case menuElements
  case storyboards
  case protocols
  /// The changes by clients since the catalogue was loaded, which a reload makes again.
  case catalogChanges
}

extension ServiceLimits {
  /// Refuses what makes the catalogue grow over a limit.
  func check(
    _ holding: CatalogHolding, of catalog: Catalog, grownFrom before: Catalog
  ) throws(Problem) {
    let (now, limit) = (holding.count(in: catalog), self[holding])
    guard now > limit, now > holding.count(in: before) else { return }
    throw .limitReached(
      holding.rawValue, at: limit, sentence: holding.sentence(limit))
  }
}

extension CatalogHolding {
  fileprivate func count(in catalog: Catalog) -> Int {
    switch self {
    case .commands: catalog.commands.count
    case .menuElements: catalog.menus.menus.reduce(0) { $0 + 1 + $1.children.count }
    case .storyboards: catalog.storyboards.count
    case .protocols: catalog.protocols.count
    case .catalogChanges: catalog.changes.count
    }
  }
}

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
