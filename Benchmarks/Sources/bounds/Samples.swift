import CEL
import JSONText

/// Values such as clients may give: as large as a body can be, and as awkward.
enum Samples {
  static let names = variables.map(\.0)
  static let values = variables.map(\.1)

  private static let mebibyte = 1 << 20

  private static let variables: [(String, Value)] = [
    ("text", times("a")), ("wide", times("é")), ("emoji", times("😀")), ("spaces", times(" ")),
    ("accents", times("\u{301}\u{323}")), ("quotes", times("\"")), ("digits", times("7")),
    ("zeros", times("0h")), ("decimals", .string("0." + String(repeating: "7", count: mebibyte))),
    ("words", .string(String(repeating: "word ", count: 2000))), ("kilobyte", times("a", 1024)),
    ("bad", .bytes(Array(repeating: 0xFF, count: mebibyte))),
    ("base64", times("QUJD")), ("noBase64", .string(String(repeating: "A", count: mebibyte) + "!")),
    ("range", list((0..<60_000).map { .int($0) })),
    ("numbers", list((0..<2000).map { .int($0) })),
    ("doubles", list((0..<2000).map { .double(Double($0) + 0.5) })),
    ("strings", list((0..<2000).map { .string("the element \($0)") })),
    ("times", list((0..<2000).map { .string("2024-01-01T00:00:00.\($0)Z") })),
    ("lists", list((0..<1000).map { .array([.int($0)]) })),
    ("deep", Value(nested(128))), ("deeper", Value(nested(600))),
    ("object", Value(object(2000) { "key\($0)" })),
    ("longKeys", Value(object(30) { String(repeating: "k", count: 4000) + "\($0)" })),
    ("longKey", Value(object(1) { _ in String(repeating: "k", count: mebibyte) })),
    ("sameKeys", Value(object(12) { String(repeating: "k", count: 3900) + "\($0 + 10)" })),
  ]

  /// The text so often that it is a mebibyte long.
  private static func times(_ text: String, _ size: Int = mebibyte) -> Value {
    .string(String(repeating: text, count: size / text.utf8.count))
  }

  private static func list(_ elements: [JSON]) -> Value { Value(.array(elements)) }

  private static func nested(_ depth: Int) -> JSON {
    (0..<depth).reduce(JSON.int(1)) { json, _ in .array([json, .int(1)]) }
  }

  private static func object(_ count: Int, _ name: (Int) -> String) -> JSON {
    var object = JSONObject()
    for position in 0..<count { object[name(position)] = .int(Int64(position)) }
    return .object(object)
  }
}
