import JSONText
import Testing

@Suite struct JSONPatchTests {
  static func patched(_ document: String, _ patch: String) throws -> String {
    var json = try JSON(parsing: document)
    try json.apply(JSONPatch(JSON(parsing: patch)))
    return json.text()
  }

  @Test(arguments: [
    (#"{"a":{"b":1}}"#, #"[{"op":"add","path":"/a/c","value":[2]}]"#, #"{"a":{"b":1,"c":[2]}}"#),
    (#"{"a":1,"b":2}"#, #"[{"op":"add","path":"/a","value":3}]"#, #"{"a":3,"b":2}"#),
    (
      "[1,3]", #"[{"op":"add","path":"/1","value":2},{"op":"add","path":"/-","value":4}]"#,
      "[1,2,3,4]"
    ),
    ("[1]", #"[{"op":"add","path":"/1","value":2}]"#, "[1,2]"),
    ("1", #"[{"op":"add","path":"","value":{}},{"op":"replace","path":"","value":[]}]"#, "[]"),
    ("[[1,2],3]", #"[{"op":"remove","path":"/0/1"}]"#, "[[1],3]"),
    (
      #"{"a":1,"b":2}"#, #"[{"op":"replace","path":"/a","value":{"x":0}}]"#, #"{"a":{"x":0},"b":2}"#
    ),
    ("[1,2,3]", #"[{"op":"move","from":"/0","path":"/2"}]"#, "[2,3,1]"),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
    (#"{"a":1,"b":2}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1,"b":2}"#),
    ("[[1]]", #"[{"op":"copy","from":"/0","path":"/-"}]"#, "[[1],[1]]"),
    (#"{"a":1}"#, #"[{"op":"copy","from":"","path":"/b"}]"#, #"{"a":1,"b":{"a":1}}"#),
    ("[1.0]", #"[{"op":"test","path":"/0","value":1}]"#, "[1.0]"),
  ])
  func `operations do what they are named after`(
    _ document: String, _ patch: String, _ expected: String
  ) throws {
    #expect(try Self.patched(document, patch) == expected)
  }

  @Test(arguments: [
    ("null", "The patch must be an array of operations."),
    ("[1]", #"The operation at "/0" must be an object."#),
    ("[{}]", #"The operation at "/0" lacks the member "op"."#),
    (#"[{"op":1}]"#, #"The value at "/0/op" must be a string."#),
    (
      #"[{"op":"test","path":"","value":1},{"op":"Add"}]"#,
      #"The operation "Add" at "/1/op" is none of add, remove, replace, move, copy and test."#
    ),
    (#"[{"op":"add","value":1}]"#, #"The operation at "/0" lacks the member "path"."#),
    (#"[{"op":"add","path":""}]"#, #"The operation at "/0" lacks the member "value"."#),
    (#"[{"op":"move","path":""}]"#, #"The operation at "/0" lacks the member "from"."#),
    (#"[{"op":"copy","from":[],"path":""}]"#, #"The value at "/0/from" must be a string."#),
    (
      #"[{"op":"remove","path":"a"}]"#,
      #"The value at "/0/path" is no JSON Pointer. A JSON Pointer is empty or begins with a slash."#
    ),
  ])
  func `what is no patch is refused`(_ patch: String, _ description: String) throws {
    let json = try JSON(parsing: patch)
    let fault = #expect(throws: JSONPatchDecodingFault.self) { try JSONPatch(json) }
    #expect(fault?.description == description)
  }

  @Test(arguments: [
    (#"{"op":"remove","path":"/x/y"}"#, #"there is no value at "/x"."#),
    (#"{"op":"remove","path":"/o/x"}"#, #"there is no value at "/o/x"."#),
    (#"{"op":"replace","path":"/x","value":1}"#, #"there is no value at "/x"."#),
    (#"{"op":"add","path":"/x/y","value":1}"#, #"there is no value at "/x"."#),
    (#"{"op":"add","path":"/n/y","value":1}"#, #"the value at "/n" is neither object nor array."#),
    (#"{"op":"add","path":"/a/3","value":1}"#, #""/a/3" is beyond the end of the array."#),
    (#"{"op":"replace","path":"/a/2","value":1}"#, #""/a/2" is beyond the end of the array."#),
    (#"{"op":"remove","path":"/a/-"}"#, #""/a/-" is beyond the end of the array."#),
    (
      #"{"op":"remove","path":"/a/99999999999999999999"}"#,
      #""/a/99999999999999999999" is beyond the end of the array."#
    ),
    (#"{"op":"add","path":"/a/01","value":1}"#, #""/a/01" does not end in an array index."#),
    (#"{"op":"remove","path":"/a/x/y"}"#, #""/a/x" does not end in an array index."#),
    (#"{"op":"remove","path":""}"#, "the whole document cannot be removed."),
    (#"{"op":"move","from":"/o","path":"/o/p/q"}"#, #"the value at "/o" cannot move into itself."#),
    (#"{"op":"move","from":"","path":"/o"}"#, #"the value at "" cannot move into itself."#),
    (#"{"op":"move","from":"/x","path":"/x"}"#, #"there is no value at "/x"."#),
    (#"{"op":"move","from":"/x","path":"/y"}"#, #"there is no value at "/x"."#),
    (
      #"{"op":"move","from":"/a/0","path":"/n/x"}"#,
      #"the value at "/n" is neither object nor array."#
    ),
    (#"{"op":"move","from":"/o/p","path":"/a/9"}"#, #""/a/9" is beyond the end of the array."#),
    (#"{"op":"copy","from":"/x","path":"/y"}"#, #"there is no value at "/x"."#),
    (#"{"op":"test","path":"/x","value":null}"#, #"there is no value at "/x"."#),
    (#"{"op":"test","path":"/n","value":"1"}"#, #"the value at "/n" is not the one tested for."#),
  ])
  func `a patch that fails says why and changes nothing`(_ operation: String, _ reason: String)
    throws
  {
    let before = try JSON(parsing: #"{"o":{"p":{},"z":0},"a":[1,2],"n":1}"#)
    let patch = try JSONPatch(
      JSON(parsing: #"[{"op":"add","path":"/a/0","value":0},\#(operation)]"#))

    var json = before
    let fault = #expect(throws: JSONPatchFault.self) {
      try json.apply(JSONPatch([patch.operations[1]]))
    }
    #expect(fault?.description == "Operation 0 cannot be applied: " + reason)
    #expect(json.text() == before.text())

    let single = #expect(throws: JSONPatchFault.self) { try json.apply(patch.operations[1]) }
    #expect(single?.description == "The operation fails: " + reason)
    #expect(json.text() == before.text())

    let none: JSON = ["o": ["p": [:], "z": 0], "a": [], "n": 1]
    json = none
    #expect(throws: JSONPatchFault.self) {
      try json.apply(
        JSONPatch([.add(path: JSONPointer(["a", "0"]), value: 0), .test(path: .root, value: 0)]))
    }
    #expect(json.text() == none.text())
  }

  @Test func `a large object gets back what could not be moved`() throws {
    var object = JSONObject()
    for number in 0..<50 { object["n\(number)"] = .int(Int64(number)) }
    var json = JSON.object(object)
    let before = json.text()
    #expect(throws: JSONPatchFault.self) {
      try json.apply(.move(from: JSONPointer(["n7"]), path: JSONPointer(["n8", "x"])))
    }
    #expect(json.text() == before)
    #expect(json[JSONPointer(["n7"])] == 7)
    #expect(json[JSONPointer(["n49"])] == 49)
  }

  @Test func `copies cannot make a value deeper than the limit`() throws {
    let wrap = JSONPatch.Operation.copy(from: .root, path: JSONPointer(["a"]))
    var json: JSON = [:]
    let fault = #expect(throws: JSONPatchFault.self) {
      try json.apply(JSONPatch(Array(repeating: wrap, count: 1_000)))
    }
    #expect(
      fault?.description
        == #"Operation 127 cannot be applied: the value at "/a" would be nested more than 128 deep."#
    )
    #expect(json == [:])
  }

  @Test func `copies cannot double a value without end`() throws {
    let operations = (0..<100).map {
      JSONPatch.Operation.copy(from: .root, path: JSONPointer(["\($0)"]))
    }
    var json: JSON = [:]
    let fault = #expect(throws: JSONPatchFault.self) { try json.apply(JSONPatch(operations)) }
    #expect(fault?.reason == .tooMuchWork(limit: 1 << 24))
    #expect(
      fault?.description == "Operation 22 cannot be applied: the work exceeds 16777216 units.")
  }

  @Test func `a long array cannot be moved up time and again without end`() throws {
    let first = JSONPointer(["0"])
    let array = JSON.array(Array(repeating: 0, count: 100_000))
    var json = array
    let operations = Array(repeating: JSONPatch.Operation.remove(path: first), count: 1_000)
    let fault = #expect(throws: JSONPatchFault.self) { try json.apply(JSONPatch(operations)) }
    #expect(fault?.reason == .tooMuchWork(limit: 1 << 24))
    try json.apply(JSONPatch(Array(operations.prefix(100))), limits: .init(work: 10_000_000))
    #expect(json == .array(Array(repeating: 0, count: 99_900)))
  }

  @Test func `changes are made in the array that is there`() throws {
    var json: JSON = ["items": .array(Array(repeating: ["on": 0, "off": 0], count: 1_000))]
    let before = Self.address(of: json)
    let operations: [JSONPatch.Operation] = [
      .replace(path: JSONPointer(["items", "5", "on"]), value: 1),
      .add(path: JSONPointer(["items", "5", "new"]), value: 2),
      .remove(path: JSONPointer(["items", "999"])),
      .add(path: JSONPointer(["items", "3"]), value: [:]),
      .remove(path: JSONPointer(["items", "3"])),
      .move(from: JSONPointer(["items", "7", "on"]), path: JSONPointer(["on"])),
    ]
    for operation in operations {
      try json.apply(operation)
      #expect(Self.address(of: json) == before, "\(operation)")
    }
    try json.apply(JSONPatch([.remove(path: JSONPointer(["items", "900"]))]))
    #expect(Self.address(of: json) == before)
    json.merge(patch: ["on": nil, "more": 1])
    #expect(Self.address(of: json) == before)
    #expect(json[JSONPointer(["items", "5"])] == ["on": 1, "off": 0, "new": 2])

    let kept = json
    try json.apply(.replace(path: JSONPointer(["items", "5"]), value: 0))
    #expect(kept[JSONPointer(["items", "5", "on"])] == 1)
    #expect(Self.address(of: json) != before)
  }

  /// Returns the address of the elements of the member `items`.
  private static func address(of json: JSON) -> Int? {
    guard case .array(let items) = json[JSONPointer(["items"])] else { return nil }
    // Only the address is taken, nothing is read there.
    return unsafe items.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
  }
}
