package import MenuEngine
package import MicroHTTP

/// The limits of clients, beside those of `ServerConfiguration` and of rules.
package struct ServiceLimits: Sendable {
  /// The maximum number of open sessions; the default is 10,000.
  package var sessions = 10_000
  /// The maximum depth of nested arrays and objects in a body; the default, 128, is the greatest possible.
  package var bodyDepth = 128
  /// The maximum number of mutations in a list; the default is 1,000.
  package var mutations = 1000
  /// The time that the long requests of one session may take in each second; the default is a quarter of a
  /// second, and zero is no limit.
  ///
  /// A burst of one more second is allowed.
  package var processorTime: Duration = .milliseconds(250)
  /// The time that the long openings of sessions by one client, a token or an address, may take in each second;
  /// the default is half a second, and zero is no limit.
  ///
  /// A burst of one more second is allowed.
  package var openingTime: Duration = .milliseconds(500)
  /// The maximum bytes of recomputable data kept beside all sessions; the default is 256 MiB.
  package var memory = 256 << 20
  /// The maximum bytes kept beside one session; the default is 64 MiB.
  package var memoryOfSession = 64 << 20
  package var events = EventLimits()
  /// The duration of a claim of a delivery, in milliseconds; the default is 30 seconds.
  package var claim: Int64 = 30_000
  /// The time for which a settled delivery is kept, in milliseconds; the default is an hour.
  package var deliveryRetention: Int64 = 3_600_000
  /// The consent to calls of agents for commands that do not declare one (T7).
  package var agentConsent = AgentConsent.call
  /// The tools listed for agents if the address does not select them; the default depends on the client.
  package var agentTools = AskedTools.listening
  /// The time for which a plan can be performed, in milliseconds (T6).
  package var planLifetime: Int64 = 300_000
  /// The maximum number of items from data in a menu (M12); the default is 1,000.
  package var itemsFromData = ItemsFromData.usualLimit
  /// The maximum duration of a long poll, in seconds; the default is 25.
  package var longestWait = 25
  /// The maximum number of long polls; the default is 256.
  package var waitingRequests = 256
  /// The limits of one session, and of one mutation.
  package var session = SessionLimits()
  /// The maximum numbers, in the order of the cases of `CatalogHolding`.
  private var holdings = CatalogHolding.allCases.map(\.usualLimit)

  /// The defaults.
  package init() {}

  /// The maximum number of declarations of a kind in the catalogue: by default 10,000 commands, 20,000 menu
  /// elements, 1,000 storyboards, 1,000 protocols, 1,000 keymaps and 10,000 changes.
  package subscript(holding: CatalogHolding) -> Int {
    get { holdings[holding.position] }
    set { holdings[holding.position] = newValue }
  }
}

/// A kind of declarations in the catalogue whose number is limited.
package enum CatalogHolding: String, CaseIterable, Sendable {
  case commands
  /// Menus and their elements.
  case menuElements
  case storyboards
  case protocols
  case keymaps
  /// The changes by clients since the catalogue was loaded, which a reload replays.
  case catalogChanges

  fileprivate var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  fileprivate var usualLimit: Int {
    switch self {
    case .commands, .catalogChanges: 10_000
    case .menuElements: 20_000
    case .storyboards, .protocols, .keymaps: 1000
    }
  }
}

extension ServiceLimits {
  /// Refuses a change by which the catalogue grows beyond a limit.
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
    case .keymaps: catalog.keymaps.count
    case .catalogChanges: catalog.changes.count
    }
  }
}

extension Service {
  /// The clock, ids and tokens that are passed to the service.
  package struct Dependencies: Sendable {
    /// The time in milliseconds since 1970-01-01T00:00:00Z.
    package var now: @Sendable () -> Int64
    /// Returns a unique id for a session that is opened without one.
    package var newSessionID: @Sendable () -> SessionID
    /// Returns an unguessable token, unique each time.
    package var newToken: @Sendable () -> String
    /// The nonce in entity tags, different for each run of the program.
    package var nonce: String
    /// Returns a monotonic time in nanoseconds, from any origin. By default it stands still, so that no request
    /// is long.
    package var nanoseconds: @Sendable () -> Int = { 0 }
    /// Returns the processor time of the present thread in nanoseconds; nil, the default, if it is unavailable.
    /// Then requests are charged for their elapsed time, waiting included.
    package var processorNanoseconds: (@Sendable () -> Int)?
    /// Runs a closure on another thread, if it may take long or must not delay the journal; returns false if the queue
    /// is full. Nil, the default, without such a thread.
    package var runLater: Worker.Runner?
    /// Runs requests with large bodies, whose rules are compiled, so that queries do not wait for them. The default is
    /// the thread of `runLater`.
    package var runLargeLater: Worker.Runner?
    /// Runs closures that make events on another thread, in order. The default is nil: events are made on the thread
    /// that reads them.
    package var runEvents: Worker.Runner?
    /// Returns the resources of the process; nil, the default, if they are unavailable.
    package var process: @Sendable () -> ProcessFigures? = { nil }
    /// True if every request gets an id, for the log; otherwise only requests with a client's id. The default is
    /// false.
    package var namesRequests = false
    /// The version of the program. The default is empty.
    package var version = ""
    /// The name of the application, for agents. The default is empty: menud's own.
    package var application = ""

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
