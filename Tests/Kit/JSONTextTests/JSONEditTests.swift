import JSONText
import Testing

@Suite struct JSONEditTests {
  /// Makes an operation, takes it back and makes it again; answers how it was noted.
  private func edits(_ document: String, _ operation: String) throws -> [JSONEdit] {
    let original = try JSON(parsing: document)
    var changed = original
    let edits = try changed.noteEdits(of: JSONPatch.Operation(JSON(parsing: operation)))
    var json = changed
    for edit in edits.reversed() { _ = json.apply(edit.inverse) }
    #expect(json.text() == document)
    for edit in edits { _ = json.apply(edit) }
    #expect(json.text() == changed.text())
    return edits
  }

  @Test(arguments: [
    (#"{"a":1,"b":2,"c":3}"#, #"{"op":"remove","path":"/b"}"#, 1),
    (#"{"a":1,"b":2,"c":3}"#, #"{"op":"remove","path":"/a"}"#, 1),
    (#"{"a":1,"b":2}"#, #"{"op":"add","path":"/c","value":{}}"#, 1),
    (#"{"a":1,"b":2}"#, #"{"op":"add","path":"/a","value":1}"#, 0),
    (#"{"a":1,"b":2}"#, #"{"op":"add","path":"/a","value":1.0}"#, 1),
    (#"{"a":0.0}"#, #"{"op":"replace","path":"/a","value":-0.0}"#, 1),
    (#"{"a":1,"b":2}"#, #"{"op":"move","from":"/a","path":"/b"}"#, 2),
    (#"{"a":1,"b":2}"#, #"{"op":"move","from":"/a","path":"/a"}"#, 0),
    (#"{"z":0,"a":{"b":1,"c":2}}"#, #"{"op":"move","from":"/a/b","path":"/a"}"#, 2),
    (#"{"a":1,"b":[1,2]}"#, #"{"op":"copy","from":"/a","path":"/b/-"}"#, 1),
    ("[1,2,3]", #"{"op":"add","path":"/1","value":null}"#, 1),
    ("[1,2,3]", #"{"op":"remove","path":"/0"}"#, 1),
    ("[1,2,3]", #"{"op":"move","from":"/0","path":"/-"}"#, 2),
    ("[1,2,3]", #"{"op":"move","from":"/2","path":"/0"}"#, 2),
    (#"[{"a":[1]},2]"#, #"{"op":"add","path":"/0/a/0","value":7}"#, 1),
    (#"{"a":1}"#, #"{"op":"replace","path":"","value":[1]}"#, 1),
    (#"{"a":1}"#, #"{"op":"add","path":"","value":{"b":2}}"#, 2),
    (#"{"a":1}"#, #"{"op":"test","path":"/a","value":1}"#, 0),
    (#"{"a":1,"b":2}"#, #"{"op":"replace","path":"","value":{"b":2,"a":1}}"#, 1),
    (#"{"é":1,"e\u0301":2}"#, #"{"op":"remove","path":"/é"}"#, 1),
  ])
  func `what an operation did is taken back and made again to the byte`(
    _ document: String, _ operation: String, _ count: Int
  ) throws {
    let text = try JSON(parsing: document).text()
    #expect(try edits(text, operation).count == count)
  }

  @Test func `a value in another one's place is noted by what is different`() throws {
    let edits = try edits(
      #"{"photos":{"lake":{"stars":3,"tags":["a","b"]},"owl":{"stars":1},"fog":{"stars":2}}}"#,
      #"""
      {"op":"replace","path":"/photos","value":
       {"lake":{"stars":5,"tags":["a","c"]},"fog":{"stars":2},"sea":{"stars":0}}}
      """#)
    #expect(
      edits.map(\.place.description) == [
        "/photos/owl", "/photos/lake/stars",
        "/photos/lake/tags/1", "/photos/sea",
      ])
    #expect(edits.map(\.before) == [["stars": 1], 3, "b", nil])
    #expect(edits.map(\.after) == [nil, 5, "c", ["stars": 0]])
    #expect(
      edits.map(\.operation) == [
        .remove(path: JSONPointer(["photos", "owl"])),
        .replace(path: JSONPointer(["photos", "lake", "stars"]), value: 5),
        .replace(path: JSONPointer(["photos", "lake", "tags", "1"]), value: "c"),
        .add(path: JSONPointer(["photos", "sea"]), value: ["stars": 0]),
      ])
    #expect(edits.map(\.inverse.inverse) == edits)
  }

  @Test func `a value that is different in many places is replaced as a whole`() throws {
    let old = "[\((0..<40).map(String.init).joined(separator: ","))]"
    let new = "[\((1...40).map(String.init).joined(separator: ","))]"
    #expect(
      try edits(
        "{\"a\":\(old),\"b\":1}",
        "{\"op\":\"replace\",\"path\":\"\",\"value\":{\"a\":\(new),\"b\":2}}"
      )
      .map(\.place.description) == ["/a", "/b"])
    let many = (0..<20).map { "\"n\($0)\":0" }.joined(separator: ",")
    #expect(
      try edits("{\"a\":1,\"b\":{}}", "{\"op\":\"replace\",\"path\":\"/b\",\"value\":{\(many)}}")
        .map(\.place.description)
        == ["/b"])
  }

  @Test(arguments: [
    (
      #"{"a":2,"c":3}"#, #"{"op":"remove","path":"/c"}"#,
      #"{"a":2,"c":1}"#
    ),
    (
      #"{"a":2,"b":3}"#, #"{"op":"replace","path":"/a","value":9}"#, nil
    ),
    (
      #"{"a":2,"b":3}"#, #"{"op":"add","path":"/a","value":9}"#, #"{"b":3}"#
    ),
    (
      #"{"a":[1,2]}"#, #"{"op":"remove","path":"/a/0"}"#, #"{"a":[1,2,3]}"#
    ),
    (
      #"{"a":[{"x":1}]}"#, #"{"op":"replace","path":"/a/0/x","value":2}"#, #"{"a":[{},{"x":2}]}"#
    ),
    (
      #"{"a":[1,2]}"#, #"{"op":"remove","path":"/a/0"}"#,
      #"{"a":{"0":1}}"#
    ),
    (
      #"{"a":{"0":1}}"#, #"{"op":"remove","path":"/a/0"}"#, #"{"a":[]}"#
    ),
    (
      #"{"a":{"b":1}}"#, #"{"op":"remove","path":"/a/b"}"#, #"{"a":1}"#
    ),
  ])
  func `an edit does not fit a value that was changed where it counts`(
    _ document: String, _ operation: String, _ other: String?
  ) throws {
    var json = try JSON(parsing: document)
    let edits = try json.noteEdits(of: JSONPatch.Operation(JSON(parsing: operation)))
    let edit = try #require(edits.first)
    var changed = try other.map { try JSON(parsing: $0) } ?? JSON(parsing: document)
    let before = changed.text()
    let isApplied = changed.apply(edit.inverse)
    #expect(!isApplied)
    #expect(changed.text() == before)
  }

  @Test func `the size of an edit is that of both values and the place`() throws {
    var json: JSON = ["ab": "four"]
    let path = JSONPointer(["ab"])
    let edit = try #require(try json.noteEdits(of: .replace(path: path, value: [1])).first)
    #expect(edit.size(upTo: 100) == 16 + 3 + 5 + 2)
    #expect(edit.size(upTo: 2) == 16 + 3 + 5 + 2)
    #expect(JSON.array(Array(repeating: 1, count: 1000)).size(upTo: 10) == 11)
  }

  @Test func `a change elsewhere is in nobody's way`() throws {
    var json: JSON = ["a": 1, "b": [1], "c": 3]
    let edit = try #require(try json.noteEdits(of: .remove(path: JSONPointer(["c"]))).first)
    try json.apply(JSONPatch.Operation.remove(path: JSONPointer(["a"])))
    try json.apply(JSONPatch.Operation.remove(path: JSONPointer(["b"])))
    _ = json.apply(edit.inverse)
    #expect(json.text() == #"{"c":3}"#)
  }

  @Test func `an operation that fails notes and changes nothing`() throws {
    for operation: JSONPatch.Operation in [
      .remove(path: .root), .remove(path: JSONPointer(["x"])),
      .add(path: JSONPointer(["x", "y"]), value: 1), .replace(path: JSONPointer(["x"]), value: 1),
      .move(from: JSONPointer(["a"]), path: JSONPointer(["a", "b"])),
      .copy(from: JSONPointer(["x"]), path: JSONPointer(["y"])),
      .add(path: JSONPointer(["b", "5"]), value: 1), .test(path: JSONPointer(["a"]), value: 2),
    ] {
      var json: JSON = ["a": 1, "b": [1]]
      #expect(throws: JSONPatchFault.self) { try json.noteEdits(of: operation) }
      #expect(json.text() == #"{"a":1,"b":[1]}"#)
    }
  }

  @Test func `members of a large object return to where they stood`() throws {
    var json = JSON.object(JSONObject((0..<100).map { .init(name: "n\($0)", value: .int($0)) })!)
    let text = json.text()
    var edits: [JSONEdit] = []
    for name in [50, 51, 0, 99, 49, 98, 7] {
      edits += try json.noteEdits(of: .remove(path: JSONPointer(["n\(name)"])))
    }
    edits += try json.noteEdits(of: .add(path: JSONPointer(["n7"]), value: "again"))
    for edit in edits.reversed() { _ = json.apply(edit.inverse) }
    #expect(json.text() == text)
    for number in 0..<100 { #expect(json[JSONPointer(["n\(number)"])] == .int(Int64(number))) }
    try json.apply(JSONPatch.Operation.remove(path: JSONPointer(["n50"])))
    #expect(json[JSONPointer(["n50"])] == nil)
    #expect(json[JSONPointer(["n51"])] == 51)
  }
}
