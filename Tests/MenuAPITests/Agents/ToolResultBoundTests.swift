import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

/// Results are told once as a structure, which is bounded, and in short as a text.
struct ToolResultBoundTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private func declare(_ perform: String) throws {
    _ = try sample.send(.put, "/commands/run:", #"{"title":"T","action":"run:"}"#)
    let response = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/run:", #"{"perform":[\#(perform)]}"#)
    #expect(response.status == .created, "\(response.text)")
  }

  /// Puts a text of so many bytes into the state.
  private func keep(_ size: Int) throws {
    let response = try sample.send(
      .patch, "/sessions/demo/state", #"{"large":"\#(Self.text(size))"}"#,
      type: "application/merge-patch+json")
    #expect(response.status == .ok, "\(response.text)")
  }

  /// A text of so many bytes.
  private static func text(_ size: Int) -> String { String(repeating: "x", count: size) }

  private func call() throws -> (result: JSON, text: String, cut: JSON?) {
    let result = try sample.call("run-")
    let text = try #require(result.firstText)
    #expect(text.utf8.count <= 2048)
    #expect(result.text().utf8.count < 20_480)
    #expect(result[JSONPointer(["isError"])] == nil)
    return (result, text, result[JSONPointer(["structuredContent", "cut"])])
  }

  @Test func `many changes are cut, with how many there are and where all of it is`() throws {
    let effects = (0..<400).map {
      #"{"op":"add","path":"/a\#($0)","value":"'\#(Self.text(200))'"}"#
    }
    try declare(effects.joined(separator: ","))
    let (result, text, cut) = try call()
    #expect(text.hasPrefix("Performed 'T'.\n/a0: \"xxx"))
    #expect(text.hasSuffix(" more; read 'menud://sessions/demo'."))
    #expect(cut?[JSONPointer(["0", "member"])] == "changes")
    #expect(cut?[JSONPointer(["0", "rest"])] == "menud://sessions/demo")
    guard case .array(let shown)? = result[JSONPointer(["structuredContent", "changes"])],
      case .int(let count)? = cut?[JSONPointer(["0", "count"])]
    else {
      Issue.record("no changes")
      return
    }
    #expect(cut?[JSONPointer(["0", "shown"])] == .int(Int64(shown.count)))
    #expect(count >= 400)
    #expect((20...100).contains(shown.count))
  }

  @Test func `one large value is named, and not told twice`() throws {
    try keep(100_000)
    try declare(#"{"op":"add","path":"/a","value":"state.large"}"#)
    let (_, text, cut) = try call()
    #expect(text.contains("\n/a: \"xxx"))
    #expect(cut?[JSONPointer(["0", "member"])] == "changes")
  }

  @Test(arguments: [2048, 5000, 100_000])
  func `a long text that a handler answers is cut in the text, and says so`(size: Int) throws {
    try keep(size)
    try declare(#"{"op":"answer","value":"state.large"}"#)
    let (result, text, cut) = try call()
    #expect(text.hasSuffix("\n(These are the first of \(size) bytes.)"))
    let whole = result[JSONPointer(["structuredContent", "result"])]
    #expect((whole == nil) == (size > 16_384))
    #expect((cut?[JSONPointer(["0", "member"])] == "result") == (size > 16_384))
  }

  @Test func `a text that fits is the text as it is`() throws {
    try declare(#"{"op":"answer","value":"'\#(Self.text(1800))'"}"#)
    #expect(try call().text == Self.text(1800))
  }

  @Test func `a large result of a delivery is cut, and can be read at the delivery`() throws {
    let export = try ExportSample()
    let reader = try export.call(token: nil)
    _ = reader.messages()
    try export.settle("claim", "{}")
    try export.settle("reply", #"{"claim":1,"result":{"a":"\#(Self.text(100_000))"}}"#)
    let message = try #require(reader.messages().last)
    #expect(message.utf8.count < 20_480)
    let cut = try JSON(parsing: message)[
      JSONPointer(["result", "structuredContent", "cut", "0"])]
    #expect(cut?[JSONPointer(["member"])] == "result")
    let uri = try #require(cut?[JSONPointer(["rest"])])
    #expect(uri == "menud://sessions/demo/deliveries/1")
    let read = try export.sample.result(of: "resources/read", #"{"uri":\#(uri.text())}"#)
    #expect(read.text().utf8.count > 100_000)
  }

  @Test func `a text is cut between characters`() {
    #expect("äöü".cut(to: 6) == "äöü")
    #expect("äöü".cut(to: 5) == "ä…")
    #expect("äöü".cut(to: 3) == "…")
  }
}
