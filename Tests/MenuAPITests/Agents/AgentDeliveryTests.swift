import JSONText
import MenuEngine
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Calls that wait until the application has done what they delivered.
struct AgentDeliveryTests {
  let export: ExportSample

  init() throws { export = try ExportSample() }

  @Test func `a call tells its progress, and then its result`() throws {
    let reader = try export.call()
    #expect(reader.messages() == [export.progress(1, ExportSample.waiting())])
    #expect(reader.messages() == [])
    try export.settle("claim", #"{"by":"worker"}"#)
    #expect(reader.messages() == [export.progress(2, "'worker' works on it.")])
    try export.settle("reply", #"{"claim":1,"result":"Exported."}"#)
    let last = reader.messages()
    #expect(last.first == export.progress(3, "The application is done."))
    let response = try JSON(parsing: try #require(last.last))
    #expect(last.count == 2)
    #expect(response[JSONPointer(["id"])] == 1)
    #expect(response[JSONPointer(["result", "content", "0", "text"])] == "Exported.")
    #expect(response[JSONPointer(["result", "isError"])] == nil)
    #expect(response[JSONPointer(["result", "structuredContent", "result"])] == "Exported.")
    #expect(reader.read() == nil)
  }

  @Test func `a result tells one state of a delivery, and its result once`() throws {
    let reader = try export.call(token: nil)
    _ = reader.messages()
    try export.settle("claim", "{}")
    try export.settle("reply", #"{"claim":1,"result":{"pages":3}}"#)
    let text = try #require(reader.messages().last)
    let result = try JSON(parsing: text)[JSONPointer(["result"])]
    #expect(
      result?[JSONPointer(["structuredContent", "deliveries"])] == [["id": 1, "state": "replied"]])
    #expect(!text.contains(#""open""#))
    #expect(result?.firstText == #"Performed 'Export'.\#nIt answered {"pages":3}."#)
  }

  @Test func `a delivery is a resource, which the first progress names`() throws {
    let reader = try export.call()
    #expect(reader.messages() == [export.progress(1, ExportSample.waiting())])
    let uri = "menud://sessions/demo/deliveries/1"
    for (uri, path) in [(uri, "/sessions/demo/deliveries/1")] + [
      ("menud://sessions/demo/deliveries", "/sessions/demo/deliveries")
    ] {
      let read = try export.sample.result(of: "resources/read", #"{"uri":"\#(uri)"}"#)
      #expect(
        read[JSONPointer(["contents", "0", "text"])]
          == .string(try export.sample.send(.get, path).text))
    }
    for name in ["2", "01", "-1", "x", "1/", "99999999999999999999"] {
      let response = try export.sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"\#(uri.dropLast())\#(name)"}}"#
      )
      #expect(try response.errorCode == -32002, "\(name)")
    }
    let completed = try export.sample.result(
      of: "completion/complete",
      #"{"ref":{"type":"ref/resource","uri":"menud://sessions/demo/deliveries/{delivery}"},"argument":{"name":"delivery","value":""}}"#
    )
    #expect(completed[JSONPointer(["completion", "values"])] == ["1"])
  }

  @Test func `a call that is repeated under its key waits for the same delivery`() throws {
    let first = try export.call(key: "k")
    #expect(first.messages() == [export.progress(1, ExportSample.waiting())])
    let second = try export.call(id: 2, token: "8", client: "other", key: "k")
    #expect(second.messages() == [export.progress(1, ExportSample.waiting(), token: "8")])
    try export.settle("claim", "{}")
    try export.settle("reply", #"{"claim":1,"result":"Exported."}"#)
    for (reader, id) in [(first, 1), (second, 2)] {
      let response = try JSON(parsing: try #require(reader.messages().last))
      #expect(response[JSONPointer(["id"])] == .int(Int64(id)))
      #expect(response[JSONPointer(["result", "content", "0", "text"])] == "Exported.")
    }
    #expect(
      try export.sample.send(.get, "/sessions/demo/deliveries").value("/deliveries/1") == nil)
    let late = try export.call(id: 3, token: nil, key: "k")
    #expect(late.messages().last?.contains("Exported.") == true)
  }

  @Test func `the first progress of a call names the resource, whatever was done before it`() throws
  {
    let first = try export.call(key: "k")
    try export.settle("claim", #"{"by":"worker"}"#)
    let uri = "'menud://sessions/demo/deliveries/1'"
    #expect(first.messages() == [export.progress(1, "'worker' works on it: \(uri).")])
    let second = try export.call(id: 2, token: "8", client: "other", key: "k")
    #expect(second.messages() == [export.progress(1, "'worker' works on it: \(uri).", token: "8")])
    try export.settle("reply", #"{"claim":1,"result":"Exported."}"#)
    #expect(first.messages().first == export.progress(2, "The application is done."))
    let third = try export.call(id: 3, token: "9", client: "third", key: "k")
    #expect(
      third.messages().first == export.progress(1, "The application is done: \(uri).", token: "9"))
  }

  @Test func `without a token there is the result alone`() throws {
    let reader = try export.call(token: nil, isStateless: true)
    #expect(reader.messages() == [])
    try export.settle("claim", "{}")
    #expect(reader.messages() == [])
    try export.settle("reply", #"{"claim":1,"result":{"content":[]}}"#)
    let response = try JSON(parsing: try #require(reader.messages().last))
    #expect(response[JSONPointer(["result", "content"])] == [])
    #expect(response[JSONPointer(["result", "resultType"])] == "complete")
    #expect(reader.read() == nil)
  }

  @Test(arguments: ["null", "1.5", "true", "{}", "[7]"])
  func `a token that is no string and no integer is none`(token: String) throws {
    let reader = try export.call(token: token)
    #expect(reader.messages() == [])
    try export.settle("claim", "{}")
    #expect(reader.messages() == [])
    try export.settle("reply", #"{"claim":1}"#)
    #expect(reader.messages().count == 1)
  }

  @Test func `a failure is told to the model`() throws {
    let reader = try export.call(token: #""t""#)
    try export.settle("claim", "{}")
    try export.settle(
      "fail", #"{"claim":1,"problem":{"title":"The disk is full","detail":"Free some room."}}"#)
    let response = try JSON(parsing: try #require(reader.messages().last))
    #expect(response[JSONPointer(["result", "isError"])] == true)
    #expect(
      response[JSONPointer(["result", "content", "0", "text"])]
        == "'export-' failed.\nThe disk is full.\nFree some room.")
  }

  @Test(.inOneProcess("A call is cancelled where it was made."))
  func `a cancellation of its client cancels what is delivered, without an answer`() throws {
    let reader = try export.call(id: 4)
    _ = reader.messages()
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#
    for headers in [[], [("Mcp-Session-Id", "other")]] {
      #expect(try export.sample.post(cancel, headers: headers).status == .accepted)
      #expect(try export.state() == "open")
    }
    let other = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"4"}}"#
    #expect(
      try export.sample.post(other, headers: [("Mcp-Session-Id", "client")]).status == .accepted)
    #expect(try export.state() == "open")
    #expect(
      try export.sample.post(cancel, headers: [("Mcp-Session-Id", "client")]).status == .accepted)
    #expect(try export.state() == "cancelled")
    #expect(reader.read() == nil)
    #expect(
      try export.sample.post(cancel, headers: [("Mcp-Session-Id", "client")]).status == .accepted)
  }

  @Test func `a stream that is closed cancels a request of 2026-07-28, and no other`() throws {
    let old = try export.call()
    _ = old.messages()
    old.stream.close()
    #expect(try export.state() == "open")
    let new = try export.call(isStateless: true)
    _ = new.messages()
    new.stream.close()
    #expect(try export.state(2) == "cancelled")
    #expect(try export.state() == "open")
    // It was done before its stream was closed.
    let done = try export.call(isStateless: true)
    try export.settle("claim", "{}", 3)
    try export.settle("reply", #"{"claim":1}"#, 3)
    _ = done.messages()
    done.stream.close()
    #expect(try export.state(3) == "replied")
  }

  @Test func `the call of a session that owes time is streamed later`() throws {
    let other = try SampleService(runLater: { job in
      job()
      return true
    })
    try ExportSample.declare(in: other)
    other.replicas.each { $0.budget.charge(.session("demo"), 3_000_000, at: 0) }
    let reader = try export.call(of: other)
    #expect(reader.messages() == [export.progress(1, ExportSample.waiting())])
  }

  @Test func `another front end may cancel it, and close the session`() throws {
    let reader = try export.call()
    #expect(reader.messages() == [export.progress(1, ExportSample.waiting())])
    try export.settle("cancel", "")
    let response = try JSON(parsing: try #require(reader.messages().last))
    #expect(response[JSONPointer(["result", "isError"])] == true)
    let second = try export.call()
    _ = second.messages()
    _ = try export.sample.send(.delete, "/sessions/demo")
    #expect(second.messages().last?.contains("The session was closed") == true)
    #expect(second.read() == nil)
  }

  @Test func `a quiet call shows that it is alive, and ends when the server stops`() throws {
    let reader = try export.call()
    _ = reader.messages()
    export.sample.replicas.each { $0.agents.beat() }
    #expect(reader.read() == ":\n")
    export.sample.replicas.each { $0.isDraining = true }
    let last = try #require(QuestionSample.messages(of: reader).last?.at("result"))
    #expect(last.at("isError") == true)
    #expect(
      last.firstText
        == "The application is not done, and may go on, but menud stops. Read 'menud://sessions/demo/deliveries/1'."
    )
    #expect(try export.state() == "open")
  }
}
