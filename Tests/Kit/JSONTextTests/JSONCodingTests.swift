import JSONText
import Testing

/// Between Swift's `Codable` values and JSON.
@Suite struct JSONCodingTests {
  /// A value with all kinds of properties.
  private struct Everything: Codable, Equatable {
    var bool = true
    var int = Int.min
    var byte: UInt8 = 255
    var large: UInt64 = 1 << 62
    var double = 0.1
    var whole = -0.0
    var float: Float = 1.5
    var text = "é\u{0301}\"\\\n\u{0}😀"
    var absent: String?
    var present: String? = ""
    var no: Bool? = false
    var none: [Int]?
    var empty: [Int]? = []
    var numbers = [1, 2, 3]
    var optionals: [Int?] = [1, nil, 3]
    var words = ["b": 1, "a": 2, "é": 3]
    var ids = [Name("z"): [Name("y")], Name("x"): []]
    var json: JSON = ["z": 1, "a": [nil, 1.0, "x"]]
    var null: JSON? = JSON.null
    var noJSON: JSON?
    var place = JSONPointer(["a/b", "~"])
    var nested: [Choice] = [.nothing, .one(nil), .two("x", with: .null), .deep(.deep(.nothing))]
  }

  /// An id, which is the name of a member where it is a key.
  private struct Name: Codable, Hashable, CodingKeyRepresentable {
    let text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
    var codingKey: any CodingKey { JSONMemberName(text) }
    init?(codingKey: some CodingKey) { text = codingKey.stringValue }
  }

  private indirect enum Choice: Codable, Equatable, Sendable {
    case nothing
    case one(Int?)
    case two(String, with: JSON?)
    case deep(Choice)
  }

  @Test func `everything comes back as it was, and a second time in the same bytes`() throws {
    let value = Everything()
    let bytes = try JSON(encoding: value).bytes
    let copy: Everything = try JSON(parsing: bytes).decoded()
    #expect(copy == value)
    #expect(copy.whole.sign == .minus)
    #expect(copy.text.utf8.elementsEqual(value.text.utf8))
    #expect(copy.json.text() == value.json.text())
    #expect(try JSON(encoding: copy).bytes == bytes)
  }

  @Test func `members are sorted by their bytes, a value of JSON stays as it is`() throws {
    struct Sorted: Codable {
      var b = ["ä": 1, "z": 2, "a": 3]
      var a: JSON = ["z": 1, "a": 2]
      var aa = 1.0
      var aB = 1
    }
    #expect(
      try JSON(encoding: Sorted()).text()
        == #"{"a":{"z":1,"a":2},"aB":1,"aa":1.0,"b":{"a":3,"z":2,"ä":1}}"#)
  }

  @Test func `a nil has no member, nor has what is empty; a value that may be nil has`() throws {
    struct Empty: Codable, Equatable {
      var list: [Int] = []
      var words: [String: Int] = [:]
      var isOn = false
      var nothing: Int?
      var json: JSON = [:]
      var object = JSONObject()
      var some: [Int]? = []
      var null: JSON? = JSON.null
      var no: Bool? = false
      var zero = 0
      var text = ""
    }
    #expect(
      try JSON(encoding: Empty()).text()
        == #"{"json":{},"no":false,"null":null,"object":{},"some":[],"text":"","zero":0}"#)
    let json: JSON = ["json": [], "object": [:], "text": "t", "zero": 1]
    #expect(
      try json.decoded() == Empty(json: [], some: nil, null: nil, no: nil, zero: 1, text: "t"))
  }

  @Test(arguments: [
    (Choice.nothing, #"{"nothing":{}}"#), (.one(nil), #"{"one":{}}"#),
    (.one(1), #"{"one":{"_0":1}}"#), (.two("", with: nil), #"{"two":{"_0":""}}"#),
    (.two("", with: .null), #"{"two":{"_0":"","with":null}}"#),
    (.deep(.nothing), #"{"deep":{"_0":{"nothing":{}}}}"#),
  ])
  private func `an enum is as the compiler synthesises it`(choice: Choice, text: String) throws {
    #expect(try JSON(encoding: choice).text() == text)
    #expect(try JSON(parsing: text).decoded() == choice)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func `an integer is exact`(int: Int64) throws {
    #expect(try JSON(parsing: JSON(encoding: int).bytes).decoded(as: Int64.self) == int)
  }

  @Test func `a double is exact, and stays a double`() throws {
    let doubles = (1...1000 as ClosedRange<UInt64>)
      .map { Double(bitPattern: $0 &* 0x9E37_79B9_7F4A_7C15) }.filter(\.isFinite)
    for double in doubles + [.leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0, 1e15, 1e16] {
      let copy = try JSON(parsing: JSON(encoding: double).bytes).decoded(as: Double.self)
      #expect(copy.bitPattern == double.bitPattern)
    }
    #expect(try JSON(encoding: 1.0).text() == "1.0")
  }

  /// A class with a superclass, and containers in containers.
  private class Base: Codable {
    var base = 1
  }

  private final class Derived: Base {
    var own: [[Int]] = [[1], []]

    override init() { super.init() }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: JSONMemberName.self)
      var lists = container.nestedUnkeyedContainer(forKey: JSONMemberName("lists"))
      for numbers in own {
        var list = lists.nestedUnkeyedContainer()
        for number in numbers { try list.encode(number) }
      }
      var inner = lists.nestedContainer(keyedBy: JSONMemberName.self)
      try inner.encodeNil(forKey: JSONMemberName("null"))
      try super.encode(to: container.superEncoder())
      try super.encode(to: lists.superEncoder())
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: JSONMemberName.self)
      var lists = try container.nestedUnkeyedContainer(forKey: JSONMemberName("lists"))
      own = []
      for _ in 0..<2 {
        var list = try lists.nestedUnkeyedContainer()
        var numbers: [Int] = []
        while !list.isAtEnd { numbers.append(try list.decode(Int.self)) }
        own.append(numbers)
      }
      let inner = try lists.nestedContainer(keyedBy: JSONMemberName.self)
      #expect(try inner.decodeNil(forKey: JSONMemberName("null")))
      #expect(try Base(from: lists.superDecoder()).base == 7)
      #expect(lists.isAtEnd)
      try super.init(from: container.superDecoder())
    }
  }

  @Test func `a superclass is coded apart, and containers nest`() throws {
    let value = Derived()
    value.base = 7
    let json = try JSON(encoding: value)
    #expect(json.text() == #"{"lists":[[1],[],{"null":null},{"base":7}],"super":{"base":7}}"#)
    let copy: Derived = try json.decoded()
    #expect(copy.own == [[1], []])
    #expect(copy.base == 7)
  }

  @Test func `of members that are encoded twice the last one counts`() throws {
    struct Twice: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONMemberName.self)
        try container.encode(1, forKey: JSONMemberName("a"))
        try container.encode(2, forKey: JSONMemberName("a"))
      }
    }
    #expect(try JSON(encoding: Twice()) == ["a": 2])
  }
}

/// Values that are refused, with their places.
@Suite struct JSONCodingFaultTests {
  private struct Part: Codable, Equatable {
    var number: Int
    var byte: UInt8?
    var double: Double?
    var flag: Bool?
    var list: [String]?
    var parts: [String: Part]?
    var place: JSONPointer?
    var word: Word?
  }

  private enum Word: String, Codable {
    case yes
  }

  @Test(arguments: [
    (#"{}"#, #""/number": it is missing."#),
    (#"[]"#, "The whole value: an object is expected here instead of an array."),
    (#"{"number":"1"}"#, #""/number": an integer is expected here instead of a string."#),
    (#"{"number":1.0}"#, #""/number": an integer is expected here instead of a number."#),
    (#"{"number":null}"#, #""/number": an integer is expected here instead of null."#),
    (
      #"{"number":9223372036854775808}"#,
      #""/number": an integer is expected here instead of a number."#
    ),
    (#"{"number":1,"byte":256}"#, #""/byte": the number 256 cannot be kept exactly."#),
    (
      #"{"number":1,"double":9007199254740993}"#,
      #""/double": the number 9007199254740993 cannot be kept exactly."#
    ),
    (#"{"number":1,"flag":0}"#, #""/flag": true or false is expected here instead of an integer."#),
    (#"{"number":1,"list":{}}"#, #""/list": an array is expected here instead of an object."#),
    (#"{"number":1,"list":[1]}"#, #""/list/0": a string is expected here instead of an integer."#),
    (
      #"{"number":1,"parts":{"a/b":{"number":2,"list":["",null]}}}"#,
      #""/parts/a~1b/list/1": a string is expected here instead of null."#
    ),
    (
      #"{"number":1,"place":"a"}"#,
      #""/place": A JSON Pointer is empty or begins with a slash."#
    ),
    (
      #"{"number":1,"word":"no"}"#,
      #""/word": Cannot initialize Word from invalid String value no."#
    ),
  ])
  func `what is no value of the type is refused with its place`(
    text: String, fault: String
  ) throws {
    let json = try JSON(parsing: text)
    do throws(JSONCodingFault) {
      _ = try json.decoded(as: Part.self)
      Issue.record("decoded \(text)")
    } catch {
      #expect("\(error)" == fault)
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func `a number that JSON cannot hold is refused`(double: Double) {
    #expect(throws: JSONCodingFault(.inexact("\(double)"), at: JSONPointer(["a", "0"]))) {
      try JSON(encoding: ["a": [double]])
    }
  }

  @Test func `a number that JSON cannot hold is refused also in a value of JSON`() {
    let json: JSON = ["b": [1, .double(.nan)]]
    #expect(throws: JSONCodingFault(.inexact("nan"), at: JSONPointer(["a", "b", "1"]))) {
      try JSON(encoding: ["a": json])
    }
  }

  @Test func `an integer beyond those of JSON is refused`() {
    #expect(throws: JSONCodingFault(.inexact("18446744073709551615"), at: JSONPointer(["1"]))) {
      try JSON(encoding: [0, UInt64.max])
    }
  }

  @Test func `a type's own refusal has its place`() {
    struct Refusing: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
          1, .init(codingPath: encoder.codingPath, debugDescription: "it is odd."))
      }
    }
    #expect(throws: JSONCodingFault(.refused("it is odd"), at: JSONPointer(["a", "0"]))) {
      try JSON(encoding: ["a": [Refusing()]])
    }
  }

  private final class Chain: Codable {
    let next: Chain?
    init(_ next: Chain?) { self.next = next }
  }

  @Test func `nesting is bounded on both ways`() throws {
    var chain = Chain(nil)
    for _ in 0..<20 { chain = Chain(chain) }
    #expect(throws: JSONCodingFault.self) { try JSON(encoding: chain, maximumDepth: 10) }
    let json = try JSON(encoding: chain, maximumDepth: 40)
    #expect(throws: JSONCodingFault.self) { try json.decoded(as: Chain.self, maximumDepth: 10) }
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: JSONFault.self) { try JSON(parsing: deep) }
  }

  @Test func `an array that is read beyond its end is refused`() {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Int.self)
        _ = try container.decode(Int.self)
      }
    }
    #expect(throws: JSONCodingFault(.endOfArray(count: 1), at: JSONPointer.root)) {
      try JSON.array([1]).decoded(as: Pair.self)
    }
  }
}
