import JSONText
import Testing

@testable import MenuEngine

@Suite struct MergePropertiesTests {
  private func stage() throws -> Stage {
    try Stage(responders: [
      "v": [
        "kind": "view", "properties": ["a": 1, "b": ["c": 2]],
        "handlers": [
          "rate:": [
            "perform": [["op": "mergeProperties", "properties": "{'rating': arguments[0]}"]]
          ]
        ],
      ]
    ])
  }

  private func merge(_ properties: JSON, of id: String = "v") throws -> Mutation {
    let document: JSON = [
      "op": "mergeProperties", "responder": .string(id), "properties": properties,
    ]
    return try EveryOperation.mutation(document)
  }

  @Test func `a front end changes some properties of a responder`() throws {
    var stage = try stage()
    let outcome = try stage.apply(try merge(["a": nil, "b": ["d": 3]]))
    #expect(stage.session.graph["v"]?.properties == ["b": ["c": 2, "d": 3]])
    #expect(outcome.changes == [.properties("v", ["a": nil, "b": ["d": 3]])])
    #expect(stage.session.revision == 1)
  }

  @Test func `it changes nothing when the properties are so already`() throws {
    var stage = try stage()
    #expect(try stage.apply(try merge(["a": 1])).changes == [])
    #expect(stage.session.revision == 0)
  }

  @Test func `a handler changes those of the receiver by default`() throws {
    var stage = try stage()
    try stage.apply(
      .perform(ActionRequest(.action("rate:"), to: .responder("v"), arguments: [5])))
    #expect(stage.session.graph["v"]?.properties.object?["rating"] == 5)
  }

  @Test func `it needs a responder that is there, and an object`() throws {
    #expect(try stage().refusal(of: try merge([:], of: "ghost")) == .unknownResponder("ghost"))
    #expect(throws: DocumentFaults.self) { try merge([1]) }
  }

  @Test func `it is stored and counted under its name`() throws {
    let mutation = try merge(["a": nil])
    #expect(
      String(decoding: try StoredFormat.bytes(of: mutation), as: UTF8.self)
        == #"[1,{"mergeProperties":{"properties":{"a":null},"responder":"v"}}]"#)
    #expect(try reread(mutation).json.text() == mutation.json.text())
    #expect(Mutation.labels[mutation.labelIndex] == "mergeProperties")
  }
}
