import JSONText
import Testing

/// The parts of a text stand where they were written.
@Suite struct JSONSlicesTests {
  private static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private static func members(_ bytes: [UInt8]) -> [(name: Range<Int>, value: Range<Int>)]? {
    JSONSlices.members(of: bytes.span, at: 0)
  }

  private static func elements(_ bytes: [UInt8]) -> [Range<Int>]? {
    JSONSlices.elements(of: bytes.span, at: 0)
  }

  @Test func `members are found with their names, whatever is in strings and in one another`()
    throws
  {
    let json: JSON = [
      "a": 1, "b,}": ["x": "\"]}\\", "y": [1, [2], [:]]], "c": "", "d": [], "e": true, "ü": 1.5,
    ]
    let bytes = json.bytes
    let members = try #require(Self.members(bytes))
    guard case .object(let object) = json else {
      Issue.record("'object' is not an object")
      return
    }
    #expect(members.map { Self.text(bytes, $0.name) } == object.members.map(\.name))
    let values = try members.map { try JSON(parsing: Array(bytes[$0.value])) }
    #expect(values == object.members.map(\.value))
  }

  @Test func `elements are found`() throws {
    let bytes = JSON.array([1, "a]", ["b": []], [], .null]).bytes
    let elements = try #require(Self.elements(bytes))
    #expect(elements.map { Self.text(bytes, $0) } == ["1", #""a]""#, #"{"b":[]}"#, "[]", "null"])
    #expect(Self.elements(Array("[]".utf8))?.isEmpty == true)
    #expect(Self.members(Array("{}".utf8))?.isEmpty == true)
  }

  @Test func `the second element is found before the end of the text is`() {
    #expect(JSONSlices.secondElement(of: Array(#"["a,",{"b""#.utf8).span, at: 0) == 6)
    for text in ["", "[", "[1", "[1]", "[1,", "{}"] {
      #expect(JSONSlices.secondElement(of: Array(text.utf8).span, at: 0) == nil)
    }
  }

  @Test(arguments: [
    "", "1", "{", "{1:2}", "{a:2}", "[", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":"x"#,
    "[1", "[1,",
    #"["\"#, "[[1]", #"{"a":}"#, "{,}", "[,]", "{1}", "}",
  ])
  func `of a text that is cut off or wrong there are no parts`(text: String) {
    let bytes = Array(text.utf8)
    #expect(Self.members(bytes)?.count == nil)
    #expect(Self.elements(bytes) == nil)
  }
}
