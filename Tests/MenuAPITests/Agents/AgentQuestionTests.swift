import JSONText
import MenuEngine
import MenuStore
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Questions to the person behind a client of a handshake: requests on the stream of the call (elicitation of 2025-06-18
/// and 2025-11-25).
@Suite(.inOneProcess("A question is answered where it was asked."))
struct AgentQuestionTests {
  private let asks: QuestionSample

  init() throws { asks = try QuestionSample() }

  private static let agreed = #""result":{"action":"accept","content":{"confirm":true}}"#

  private func ids(in text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
  }

  @Test func `the handshake says whether a client can be asked, wherever its calls arrive`() throws
  {
    for (capabilities, isAsked) in [
      ("{}", false), (#"{"elicitation":{}}"#, true), (#"{"elicitation":{"url":{}}}"#, false),
      (#"{"elicitation":{"form":{}}}"#, true),
    ] {
      let response = try asks.sample.post(
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":\#(capabilities)}}"#,
        revision: nil)
      let name = try #require(response.headers["mcp-session-id"])
      #expect(ClientCapabilities(named: name).answersForms == isAsked)
    }
    let planned = try asks.sample.call("purge-", headers: [("Mcp-Session-Id", "other")])
    #expect(planned.at("structuredContent", "planned") == true)
  }

  @Test(arguments: ["2025-06-18", "2025-11-25"])
  func `W4: the call asks on its stream, and ends with its result`(revision: String) throws {
    let reader = try asks.open("purge-", revision: revision)
    let question = try #require(try QuestionSample.messages(of: reader).first)
    #expect(question.at("method") == "elicitation/create")
    #expect(question.at("params", "message") == "Purge?\nFor good.")
    #expect((question.at("params", "mode") == nil) == (revision == "2025-06-18"))
    #expect(reader.messages() == [])
    #expect(try asks.number() == 1)
    let id = question.at("id")
    #expect(try asks.reply(id, Self.agreed, revision: revision) == .accepted)
    let result = try QuestionSample.messages(of: reader)
    #expect(result.map { $0.at("id") } == [1])
    #expect(result.first?.at("result", "structuredContent", "performed") == true)
    #expect(reader.read() == nil)
    #expect(try asks.number() == 2)
    // A repeated answer is refused.
    #expect(try asks.reply(id, Self.agreed, revision: revision) == .badRequest)
    #expect(try asks.number() == 2)
  }

  @Test func `P4: what does not fit is asked for again on the same stream`() throws {
    let reader = try asks.open("spin-")
    var question = try #require(try QuestionSample.messages(of: reader).first)
    #expect(question.at("params", "message") == "“Turn” needs: Degrees.")
    for (answer, message) in [
      (#"{"by":0}"#, "“Turn” needs other values."), (#"{"by":4}"#, "Purge?\nFor good.\n/n: 5"),
    ] {
      let status = try asks.reply(
        question.at("id"), #""result":{"action":"accept","content":\#(answer)}"#)
      #expect(status == .accepted)
      let next = try #require(try QuestionSample.messages(of: reader).last)
      #expect(next.at("method") == "elicitation/create")
      #expect(next.at("id") != question.at("id"))
      #expect(next.at("params", "message")?.word?.hasPrefix(message) == true, "\(next)")
      question = next
    }
    #expect(try asks.reply(question.at("id"), Self.agreed) == .accepted)
    let result = try #require(try QuestionSample.messages(of: reader).last)
    #expect(result.at("result", "structuredContent", "performed") == true, "\(result)")
    #expect(reader.read() == nil)
    #expect(try asks.number() == 5)
  }

  @Test(
    arguments: [
      (#""result":{"action":"decline"}"#, "Nothing was done: the person declined."),
      (#""result":{"action":"cancel"}"#, "Nothing was done: the person did not answer."),
      (#""error":{"code":-32603,"message":"no"}"#, "Nothing was done: the person did not answer."),
    ])
  func `nothing is done without agreement`(answer: String, text: String) throws {
    let reader = try asks.open("purge-")
    let question = try #require(try QuestionSample.messages(of: reader).first)
    #expect(try asks.reply(question.at("id"), answer) == .accepted)
    let result = try #require(try QuestionSample.messages(of: reader).first)
    #expect(result.at("result")?.firstText == text)
    #expect(try asks.number() == 1)
  }

  @Test func `an answer that is none ends the call with an error`() throws {
    let reader = try asks.open("purge-")
    let question = try #require(try QuestionSample.messages(of: reader).first)
    #expect(try asks.reply(question.at("id"), #""result":{"action":"perhaps"}"#) == .accepted)
    let result = try #require(try QuestionSample.messages(of: reader).first)
    #expect(result.at("error", "code") == -32602)
    #expect(reader.read() == nil)
  }

  @Test func `answers of others, and to what was not asked, are refused`() throws {
    let reader = try asks.open("purge-")
    let question = try #require(try QuestionSample.messages(of: reader).first)
    for (id, client) in [
      (question.at("id"), "other~form"), (JSON.string("none"), "client~form"),
      (JSON.int(1), "client~form"),
    ] {
      #expect(try asks.reply(id, Self.agreed, client: client) == .badRequest)
    }
    let late = try asks.reply(question.at("id"), Self.agreed, revision: "2026-07-28")
    #expect(late == .badRequest)
    #expect(try asks.number() == 1)
  }

  @Test func `nobody waits for ever`() throws {
    let clock = SteppingClock()
    let asks = try QuestionSample(now: { 0 }, nanoseconds: { clock.nanoseconds })
    let reader = try asks.open("purge-")
    let question = try #require(try QuestionSample.messages(of: reader).first)
    asks.sample.service.agents.beat()
    #expect(reader.read() == ":\n")
    clock.nanoseconds = 300_000_000_000
    asks.sample.service.agents.beat()
    let last = try QuestionSample.messages(of: reader)
    #expect(last.first?.at("method") == "notifications/cancelled")
    #expect(last.first?.at("params", "requestId") == question.at("id"))
    #expect(last.last?.at("result")?.firstText == "Nothing was done: nobody answered in time.")
    #expect(last.last?.at("result", "isError") == true)
    #expect(reader.read() == nil)
    #expect(try asks.reply(question.at("id"), Self.agreed) == .badRequest)
  }

  @Test func `a question ends with its session, and with the server`() throws {
    let reader = try asks.open("purge-")
    _ = reader.messages()
    asks.sample.service.isDraining = true
    let last = try #require(reader.messages().last)
    #expect(
      last.contains(#"{"performed":false,"explanation":"Nothing was done: menud stops."}"#),
      "\(last)")
    #expect(last.contains(#""text":"Nothing was done: menud stops.""#), "\(last)")
    #expect(reader.read() == nil)
    let other = try QuestionSample()
    let second = try other.open("purge-")
    _ = second.messages()
    _ = try other.sample.send(.delete, "/sessions/demo")
    other.sample.service.agents.beat()
    #expect(second.messages().last?.contains("the session was closed") == true)
  }

  @Test func `a cancelled call asks no more, and is not answered`() throws {
    let reader = try asks.open("purge-", id: 4)
    let question = try #require(try QuestionSample.messages(of: reader).first)
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#
    _ = try asks.sample.post(cancel, headers: [("Mcp-Session-Id", "client~form")])
    #expect(reader.read() == nil)
    #expect(try asks.reply(question.at("id"), Self.agreed) == .badRequest)
    #expect(try asks.number() == 1)
  }

  private func resume(
    after event: String, of asks: QuestionSample? = nil
  ) throws -> AgentReader {
    let headers: Headers = [
      "MCP-Protocol-Version": "2025-11-25", "Last-Event-ID": event,
      "Mcp-Session-Id": "client~form",
    ]
    let request = try Request(.get, "/sessions/demo/mcp", headers: headers)
    let answer = (asks ?? self.asks).sample.service.answer(to: request)
    guard case .response(let response) = answer, let stream = response.stream else {
      throw Lost.stream
    }
    return AgentReader(stream: stream)
  }

  private enum Lost: Error { case stream }

  @Test func `a question whose stream broke is asked again only if it was lost`() throws {
    let first = try asks.open("purge-")
    let text = try #require(first.read())
    let ids = ids(in: text)
    #expect(ids.count == 2 && text.hasPrefix("retry: 2000\nid: \(ids[0])\ndata:\n\n"))
    first.stream.close()
    let lost = try resume(after: ids[0])
    let question = try #require(try QuestionSample.messages(of: lost).first)
    lost.stream.close()
    let known = try resume(after: ids[1])
    #expect(try QuestionSample.messages(of: known) == [])
    known.stream.close()
    #expect(try asks.reply(question.at("id"), Self.agreed) == .accepted)
    let last = try resume(after: ids[1])
    let result = try QuestionSample.messages(of: last)
    #expect(result.first?.at("result", "structuredContent", "performed") == true)
    #expect(try asks.number() == 2)
  }

  /// The ids and the messages that a reader has got.
  private func news(of reader: AgentReader) throws -> (ids: [String], messages: [JSON]) {
    let text = reader.read() ?? ""
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("data: ") }
    return (ids(in: text), try lines.map { try JSON(parsing: String($0.dropFirst(6))) })
  }

  @Test func `a result that was lost is sent again`() throws {
    let first = try asks.open("purge-")
    let asked = try news(of: first)
    #expect(try asks.reply(asked.messages.last?.at("id"), Self.agreed) == .accepted)
    let told = try news(of: first)
    #expect(told.messages.count == 1)
    first.stream.close()
    for event in asked.ids + told.ids {
      let again = try resume(after: event)
      #expect(try news(of: again).messages == told.messages)
      #expect(again.read() == nil)
      again.stream.close()
    }
    #expect(try asks.number() == 2)
  }

  @Test func `a second question that was lost is asked again`() throws {
    let first = try asks.open("spin-")
    let asked = try news(of: first)
    let by = #""result":{"action":"accept","content":{"by":4}}"#
    #expect(try asks.reply(asked.messages.last?.at("id"), by) == .accepted)
    let second = try news(of: first)
    first.stream.close()
    let known = try #require(asked.ids.last)
    let again = try resume(after: known)
    let question = try news(of: again)
    #expect(question.messages == second.messages)
    #expect(first.read() == nil)
    again.stream.close()
    #expect(try asks.reply(question.messages.last?.at("id"), Self.agreed) == .accepted)
    for event in [known] + question.ids {
      let last = try resume(after: event)
      let result = try news(of: last).messages
      #expect(result.last?.at("result", "structuredContent", "performed") == true, "\(result)")
      last.stream.close()
    }
    #expect(try asks.number() == 5)
  }

  @Test func `the result of what was agreed to is sent again`() throws {
    let first = try asks.open("export-")
    let asked = try news(of: first)
    #expect(try asks.reply(asked.messages.last?.at("id"), Self.agreed) == .accepted)
    let opening = try news(of: first)
    let path = "/sessions/demo/deliveries/1"
    _ = try asks.sample.send(.post, path + "/claim", "{}")
    _ = try asks.sample.send(.post, path + "/reply", #"{"claim":1,"result":"Exported."}"#)
    let told = try news(of: first)
    #expect(first.read() == nil)
    first.stream.close()
    for event in asked.ids + opening.ids + told.ids {
      let again = try resume(after: event)
      #expect(try news(of: again).messages == told.messages)
      again.stream.close()
    }
  }

  @Test func `a question that is over says so again, and leaves nothing behind`() throws {
    let clock = SteppingClock()
    let asks = try QuestionSample(now: { 0 }, nanoseconds: { clock.nanoseconds })
    let reader = try asks.open("purge-")
    let event = try #require(try news(of: reader).ids.last)
    clock.nanoseconds = 300_000_000_000
    reader.stream.close()
    for _ in 0..<2 {
      let again = try resume(after: event, of: asks)
      #expect(
        try news(of: again).messages.last?.at("result")?.firstText
          == "Nothing was done: nobody answered in time.")
      #expect(again.read() == nil)
      again.stream.close()
    }
    for _ in 0..<6 { asks.sample.service.forgetIdle() }
    #expect(asks.sample.service.agents.calls.count == 0)
  }

  @Test func `a question that is cancelled, or whose session is closed, leaves nothing behind`()
    throws
  {
    let calls = asks.sample.service.agents.calls
    let readers = try (1...3).map { try asks.open("purge-", id: $0) }
    let event = try #require(try news(of: readers[0]).ids.last)
    #expect(calls.count == 3)
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
    _ = try asks.sample.post(cancel, headers: [("Mcp-Session-Id", "client~form")])
    #expect(throws: (any Error).self) { try resume(after: event) }
    #expect(calls.count == 2)
    readers[1].stream.close()
    _ = try asks.sample.send(.delete, "/sessions/demo")
    #expect(calls.count == 0)
  }

  @Test func `a call that was agreed to waits for the application on the same stream`() throws {
    let reader = try asks.open("export-")
    let question = try #require(try QuestionSample.messages(of: reader).first)
    #expect(try asks.reply(question.at("id"), Self.agreed) == .accepted)
    #expect(reader.messages() == [])
    let path = "/sessions/demo/deliveries/1"
    _ = try asks.sample.send(.post, path + "/claim", "{}")
    _ = try asks.sample.send(.post, path + "/reply", #"{"claim":1,"result":"Exported."}"#)
    let result = try #require(try QuestionSample.messages(of: reader).last)
    #expect(result.at("result")?.firstText == "Exported.", "\(result)")
    #expect(result.at("id") == 1)
    #expect(reader.read() == nil)
  }
}
