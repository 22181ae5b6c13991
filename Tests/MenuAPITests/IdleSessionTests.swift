import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// Sessions that nobody asks any more are closed.
@Suite(.inOneProcess("It asks a store of its own, and sends no request."))
struct IdleSessionTests {
  private let time = Time()
  private let store: SessionStore

  init() throws {
    let time = time
    store = SessionStore(catalog: try SampleCatalog.catalog(), now: { time.now })
    for id: SessionID in ["a", "b", "kept"] {
      try store.open(Session(id, opening: SessionTemplate(), in: store.catalog))
    }
  }

  @Test func `a session is closed when nobody asked for longer than it may be left alone`() {
    time.now = 1000
    #expect(store.closeIdle(forMoreThan: 1000).closed == [])
    _ = store.read("a")
    time.now = 1001
    #expect(store.closeIdle(forMoreThan: 1000, besides: ["kept"]).closed == ["b"])
    #expect(store.sessionIDs == ["a", "kept"])
    #expect(store.session("b") == nil)
    time.now = 2001
    #expect(store.closeIdle(forMoreThan: 1000).closed == ["a", "kept"])
    #expect(store.closeIdle(forMoreThan: 1000).closed == [])
  }

  @Test(arguments: ["read", "change"])
  func `whatever asks a session counts`(question: String) throws {
    time.now = 1000
    switch question {
    case "read": _ = store.read("a")
    default: _ = try store.change("a") { _ in }
    }
    time.now = 1500
    #expect(store.closeIdle(forMoreThan: 1000).closed == ["b", "kept"])
  }

  @Test func `whoever lists sessions keeps none of them open`() {
    time.now = 1000
    _ = store.read("a", isUse: false)
    time.now = 1500
    #expect(store.closeIdle(forMoreThan: 1000).closed == ["a", "b", "kept"])
  }

  @Test func `a clock that goes back closes nothing, and the time counts from then on`() {
    time.now = -5000
    #expect(store.closeIdle(forMoreThan: 1000).closed == [])
    _ = store.read("a")
    time.now = -3999
    #expect(store.closeIdle(forMoreThan: 1000).closed == ["a"])
  }

  @Test func `its token opens nothing any more, and its name is free`() throws {
    var template = SessionTemplate()
    template.token = TokenDigest(of: "t")
    try store.open(Session("own", opening: template, in: store.catalog))
    #expect(store.opening(of: TokenDigest(of: "t")) != nil)
    time.now = 2000
    #expect(store.closeIdle(forMoreThan: 1000).closed.contains("own"))
    #expect(store.opening(of: TokenDigest(of: "t")) == nil)
    #expect(try store.open(Session("own", opening: SessionTemplate(), in: store.catalog)) != nil)
  }

  /// A time that the test sets.
  private final class Time: Sendable {
    private let value = Lock<Int64>(0)
    var now: Int64 {
      get { value.withLock(\.self) }
      set { value.withLock { $0 = newValue } }
    }
  }
}
