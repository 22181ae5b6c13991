import JSONText
import Testing

@Suite struct JSONPointerTests {
  /// The document of RFC 6901 (5).
  let document: JSON = [
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
    " ": 7, "m~n": 8,
  ]

  @Test(
    arguments: [
      ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3),
      ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
    ] as [(String, JSON)])
  func `the examples of RFC 6901 lead to their values`(_ text: String, _ value: JSON) throws {
    let pointer = try JSONPointer(parsing: text)
    #expect(document[pointer] == value)
    #expect(pointer.description == text)
  }

  @Test func `the empty pointer is the whole value`() throws {
    #expect(try JSONPointer(parsing: "") == .root)
    #expect(document[.root] == document)
    #expect(JSONPointer.root.description == "")
  }

  @Test(arguments: [
    "/foo/2", "/foo/00", "/foo/01", "/foo/-", "/foo/-1", "/foo/+1", "/foo/1e0", "/foo/",
    "/foo/99999999999999999999", "/foo/0/x", "/bar", "/foo/\u{661}", "//",
  ])
  func `a place that is not there has no value`(_ text: String) throws {
    #expect(try document.value(at: JSONPointer(parsing: text)) == nil)
  }

  @Test(
    arguments: [
      ("foo", .missingSlash, "A JSON Pointer is empty or begins with a slash."),
      ("#/foo", .missingSlash, "A JSON Pointer is empty or begins with a slash."),
      (
        "/a~", .invalidEscape(offset: 2),
        "The tilde at offset 2 must be followed by 0 (a tilde) or 1 (a slash)."
      ),
      (
        "/é/b~2", .invalidEscape(offset: 5),
        "The tilde at offset 5 must be followed by 0 (a tilde) or 1 (a slash)."
      ),
      (
        "/~~0", .invalidEscape(offset: 1),
        "The tilde at offset 1 must be followed by 0 (a tilde) or 1 (a slash)."
      ),
    ] as [(String, JSONPointerFault, String)])
  func `a string that is no pointer is refused`(
    _ text: String, _ fault: JSONPointerFault, _ description: String
  ) {
    #expect(throws: fault) { try JSONPointer(parsing: text) }
    #expect(fault.description == description)
  }

  @Test func `tokens are escaped when they are appended`() throws {
    let pointer = JSONPointer.root.appending("a/b~").appending(3).appending("")
    #expect(pointer.description == "/a~1b~0/3/")
    #expect(pointer.tokens == ["a/b~", "3", ""])
    #expect(try JSONPointer(parsing: "/~01") == JSONPointer(["~1"]))
  }

  @Test func `pointers are compared by their bytes`() {
    #expect(
      Set([JSONPointer(["\u{E9}"]), JSONPointer(["e\u{301}"]), JSONPointer(["\u{E9}"])]).count == 2)
    #expect(JSONPointer(["a"]) != JSONPointer(["a", "b"]))
  }

  @Test func `a place contains itself and what is within`() {
    let place = JSONPointer(["a", "b"])
    #expect(place.contains(place))
    #expect(place.contains(place.appending("c")))
    #expect(JSONPointer.root.contains(place))
    #expect(!place.contains(JSONPointer(["a"])))
    #expect(!place.contains(JSONPointer(["a", "bc"])))
  }
}
