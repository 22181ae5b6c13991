import Testing

@testable import JSONText

/// By how much a value grows is what its sizes before and afterwards say.
@Suite struct JSONGrowthTests {
  private static let value: JSON = [
    "a": 1, "é": ["c": "text", "d": [1, nil, ["x": true]]], "list": [[], "two", 3], "e": nil,
  ]

  @Test(arguments: [
    #"[]"#, #"[{"op":"add","path":"/new","value":{"k":"v"}}]"#,
    #"[{"op":"add","path":"/a","value":"longer"}]"#,
    #"[{"op":"add","path":"/list/1","value":["x"]}]"#,
    #"[{"op":"add","path":"/list/-","value":null}]"#, #"[{"op":"remove","path":"/é"}]"#,
    #"[{"op":"remove","path":"/list/1"}]"#, #"[{"op":"replace","path":"","value":{}}]"#,
    #"[{"op":"replace","path":"/é","value":{"c":"t","d":[1]}}]"#,
    #"[{"op":"move","from":"/é/d","path":"/list/0"}]"#,
    #"[{"op":"move","from":"/list/0","path":"/list/1"}]"#,
    #"[{"op":"move","from":"/list/1","path":"/a"}]"#,
    #"[{"op":"copy","from":"/é","path":"/list/-"},{"op":"copy","from":"/list","path":"/a"}]"#,
    #"[{"op":"test","path":"/a","value":1},{"op":"remove","path":"/a"},{"op":"remove","path":"/e"}]"#,
  ])
  func `of a patch`(text: String) throws {
    var value = Self.value
    let patch = try JSONPatch(JSON(parsing: text))
    let growth = try value.growth(applying: patch)
    #expect(growth == value.writtenSize - Self.value.writtenSize)
    var other = Self.value
    try other.apply(patch)
    #expect(value.text() == other.text())
  }

  @Test func `a patch that fails changes nothing, and says where`() throws {
    var value = Self.value
    let text = #"[{"op":"remove","path":"/a"},{"op":"remove","path":"/a"}]"#
    let patch = try JSONPatch(JSON(parsing: text))
    #expect(throws: JSONPatchFault(operation: 1, reason: .noSuchPath(JSONPointer(["a"])))) {
      try value.growth(applying: patch)
    }
    #expect(value.text() == Self.value.text())
  }

  @Test func `the work of a patch is that of all its operations`() throws {
    var value = Self.value
    let text = #"[{"op":"add","path":"/x","value":"abc"},{"op":"add","path":"/y","value":"abc"}]"#
    let patch = try JSONPatch(JSON(parsing: text))
    #expect(throws: JSONPatchFault(operation: 1, reason: .tooMuchWork(limit: 7))) {
      try value.growth(applying: patch, limits: JSONPatchLimits(depth: 10, work: 7))
    }
    _ = try value.growth(applying: patch, limits: JSONPatchLimits(depth: 10, work: 8))
  }

  @Test(arguments: [
    "{}", "null", "1", #""text""#, "[1,2]", #"{"a":null}"#, #"{"none":null}"#, #"{"a":{"b":1}}"#,
    #"{"é":{"c":null,"n":{"x":null,"y":{}}},"list":"short"}"#, #"{"é":1,"list":{"l":null}}"#,
    #"{"new":{"deep":{"null":null,"list":[null,{"kept":null}]}}}"#,
    #"{"a":null,"é":null,"list":null,"e":null,"b":null}"#,
  ])
  func `of a merge patch`(text: String) throws {
    let patch = try JSON(parsing: text)
    for before in [Self.value, [], nil, ["a": ["b": ["c": 1]]]] {
      var after = before
      after.merge(patch: patch)
      #expect(before.growth(merging: patch) == after.writtenSize - before.writtenSize)
    }
  }
}
