import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import Synchronization
import Testing

@testable import MenuAPI

/// Sessions that nobody asks any more are closed.
struct IdleSessionTests {
  private let time = Time()
  private let store: SessionStore

  init() throws {
    let time = time
    store = SessionStore(catalog: try SampleCatalog.catalog(), now: { time.now })
    for id: SessionID in ["a", "b", "kept"] {
      store.open(try Session(id, opening: SessionTemplate(), in: store.catalog))
    }
  }

  @Test func `a session is closed when nobody asked for longer than it may be left alone`() {
    time.now = 1000
    #expect(store.closeIdle(forMoreThan: 1000) == [])
    _ = store.version("a")
    time.now = 1001
    #expect(store.closeIdle(forMoreThan: 1000, besides: ["kept"]) == ["b"])
    #expect(store.sessionIDs == ["a", "kept"])
    #expect(store.session("b") == nil)
    time.now = 2001
    #expect(store.closeIdle(forMoreThan: 1000) == ["a", "kept"])
    #expect(store.closeIdle(forMoreThan: 1000) == [])
  }

  @Test(arguments: ["snapshot", "session", "version", "change"])
  func `whatever asks a session counts`(question: String) {
    time.now = 1000
    switch question {
    case "snapshot": _ = store.snapshot("a")
    case "session": _ = store.session("a")
    case "version": _ = store.version("a")
    default: _ = store.change("a") { (_: inout SessionSnapshot, _: Catalog) in }
    }
    time.now = 1500
    #expect(store.closeIdle(forMoreThan: 1000) == ["b", "kept"])
  }

  @Test func `a clock that goes back closes nothing, and the time counts from then on`() {
    time.now = -5000
    #expect(store.closeIdle(forMoreThan: 1000) == [])
    _ = store.version("a")
    time.now = -3999
    #expect(store.closeIdle(forMoreThan: 1000) == ["a"])
  }

  @Test func `its token opens nothing any more, and its name is free`() throws {
    var template = SessionTemplate()
    template.token = TokenDigest(of: "t")
    store.open(try Session("own", opening: template, in: store.catalog))
    #expect(store.incarnation(of: TokenDigest(of: "t")) != nil)
    time.now = 2000
    #expect(store.closeIdle(forMoreThan: 1000).contains("own"))
    #expect(store.incarnation(of: TokenDigest(of: "t")) == nil)
    #expect(store.open(try Session("own", opening: SessionTemplate(), in: store.catalog)) != nil)
  }

  /// A time that the test sets.
  private final class Time: Sendable {
    private let value = Mutex<Int64>(0)
    var now: Int64 {
      get { value.withLock(\.self) }
      set { value.withLock { $0 = newValue } }
    }
  }
}
