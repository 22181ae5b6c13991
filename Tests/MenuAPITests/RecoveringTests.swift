import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import Testing

@testable import MenuAPI

/// A service that listens already, while its store is still being recovered.
@Suite(.inOneProcess("It has no store yet."))
struct RecoveringTests {
  private let service: Service

  init() throws {
    service = Service(
      store: nil,
      Service.Dependencies(
        now: { 0 }, newSessionID: { "new" }, newToken: { "token" }, nonce: "run1"),
      authorization: .closed)
  }

  @Test func `it is alive and not ready, and says why`() throws {
    #expect(try ask(.get, "/health").status == .ok)
    #expect(try ask(.get, "/health/live").text == #"{"status":"ok"}"#)
    let ready = try ask(.get, "/health/ready")
    #expect(ready.status == .serviceUnavailable)
    #expect(
      ready.text == #"""
        {"status":"notReady","reasons":[{"reason":"recovering",\#
        "detail":"The journal is being opened and read, and nothing else is answered until that is done."}]}
        """#)
    #expect(try ask(.get, "/openapi.json").status == .ok)
  }

  @Test func `everything else is a 503 that may be repeated, with and without a token`() throws {
    let paths = Service.routes.filter { !$0.isAboutService && !$0.isOfEvents }
    #expect(paths.count == Service.routes.count - 7)
    for route in paths {
      let path = route.path.text.replacing("{", with: "").replacing("}", with: "")
      for headers in [[], SampleService.administrator] {
        let response = try ask(route.method, path, headers)
        #expect(response.status == .serviceUnavailable, "\(path)")
        #expect(response.headers["retry-after"] == "1")
        #expect(
          try response.problem == """
            /problems/recovering
            The journal is being opened and read, and nothing else is answered until that is done.
            """)
      }
    }
    #expect(try ask(.get, "/nowhere").status == .notFound)
    #expect(try ask(.get, "/health", [("Host", "evil.example")]).status == .misdirectedRequest)
  }

  private func subscribe(
    _ target: String, _ fields: [(String, String)], from address: String = "127.0.0.1"
  ) throws -> EventualResponse {
    var headers = Headers()
    for (name, value) in fields { headers.append(name, value) }
    return service.answer(
      to: try Request(.get, target, headers: headers, body: [], remoteAddress: address))
  }

  @Test func `E5: a stream of events waits for the sessions, and then ends`() throws {
    let unknown = SampleService.bearer("tokenOfASession0")
    let streams = try [
      subscribe("/sessions/demo/events", SampleService.administrator),
      subscribe("/events?sessions=demo", unknown), subscribe("/sessions/demo/events?ticket=a", []),
    ].map(StreamedAnswer.init)
    for stream in streams {
      #expect(stream.headers["content-type"] == "text/event-stream")
      #expect(stream.read() == ":\n" && !stream.hasEnded)
      #expect(stream.read() == "" && !stream.hasEnded)
    }
    service.recoveryStreams.end()
    for stream in streams { #expect(stream.read() == "" && stream.hasEnded) }
  }

  @Test(arguments: ["/sessions/demo/events", "/events?sessions=demo"])
  func `who shows no token holds no stream`(target: String) throws {
    let refused = try ask(.get, target)
    #expect(refused.status == .unauthorized)
    #expect(
      try refused.problem
        == "/problems/unauthorized\nA token is needed; send it as 'Authorization: Bearer …'.")
    #expect(try ask(.get, target, [("Authorization", "Basic YTpi")]).status == .unauthorized)
  }

  @Test func `tokens that are not known yet hold bounded streams at each address`() throws {
    let most = RecoveryStreams.mostUnknownOfAddress
    let fields = { (number: Int) in SampleService.bearer("tokenOfASession\(number)") }
    var held = try (0..<most).map {
      StreamedAnswer(try subscribe("/sessions/demo/events", fields($0)))
    }
    #expect(held.allSatisfy { $0.read() == ":\n" })
    let more = Asked(try subscribe("/sessions/demo/events", fields(most)))
    #expect(more.response?.text == "retry: 10000\n\n")
    #expect(more.response?.headers["content-type"] == "text/event-stream")
    for (fields, address) in [
      (fields(most), "127.0.0.2"), (SampleService.administrator, "127.0.0.1"),
    ] {
      let other = StreamedAnswer(
        try subscribe("/sessions/demo/events", fields, from: address))
      #expect(other.read() == ":\n")
    }
    // One that ends leaves its place.
    held.removeLast()
    let last = StreamedAnswer(try subscribe("/sessions/demo/events", fields(most)))
    #expect(last.read() == ":\n")
  }

  @Test func `metrics are there, as far as there are any, for who may see them`() throws {
    #expect(try ask(.get, "/metrics").status == .unauthorized)
    let page = try ask(.get, "/metrics", SampleService.administrator).text
    #expect(page.contains("\nmenud_ready 0\n"))
    #expect(page.contains("\nmenud_not_ready{reason=\"recovering\"} 1\n"))
    #expect(!page.contains("menud_sessions"))
  }

  @Test func `both reasons are told when it is to stop before it is ready`() throws {
    service.isDraining = true
    #expect(service.unreadyReasons == [.recovering, .draining])
  }

  @Test func `with a store it answers everything, and keeps the first one`() throws {
    let store = SessionStore(catalog: try SampleCatalog.catalog())
    service.begin(with: store, recoveredIn: 2_500_000_000)
    service.begin(with: SessionStore(catalog: try SampleCatalog.catalog()), recoveredIn: 0)
    #expect(try ask(.get, "/health/ready").text == #"{"status":"ok"}"#)
    #expect(try ask(.get, "/commands/copy:", SampleService.administrator).status == .ok)
    #expect(service.recoveryTime == 2_500_000_000)
  }

  private func ask(
    _ method: MicroHTTP.Method, _ target: String, _ headers: [(String, String)] = []
  ) throws -> Response {
    var fields = Headers()
    for (name, value) in headers { fields.append(name, value) }
    return service.respond(to: try Request(method, target, headers: fields))
  }
}
