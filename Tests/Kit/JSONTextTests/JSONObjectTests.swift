import JSONText
import Testing

@Suite struct JSONObjectTests {
  @Test func `assigning replaces in place, appends, or removes`() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["a"] = 3
    object["c"] = 4
    object["b"] = nil as JSON?
    object["absent"] = nil as JSON?
    #expect(JSON.object(object).text() == #"{"a":3,"c":4}"#)
    #expect(object["absent"] == nil)
    #expect(object.position(of: "c") == 1)
  }

  @Test(arguments: [2, 40])
  func `the members of another object replace those of the same names`(_ size: Int) {
    var object: JSONObject = ["a": 1, "b": 2]
    for number in 2..<size { object["n\(number)"] = .int(Int64(number)) }
    var expected = object
    let other: JSONObject = ["b": 3, "c": 4, "d": 5]
    for member in other { expected[member.name] = member.value }
    object.assign(membersOf: other)
    #expect(JSON.object(object).text() == JSON.object(expected).text())
    #expect(object.position(of: "d") == size + 1)
  }

  @Test func `a name that is taken is refused`() {
    var object: JSONObject = ["a": 1]
    let appended = [
      object.append(.init(name: "a", value: 2)), object.append(.init(name: "b", value: 2)),
    ]
    #expect(appended == [false, true])
    #expect(JSON.object(object).text() == #"{"a":1,"b":2}"#)
    #expect(JSONObject([.init(name: "a", value: 1), .init(name: "a", value: 1)]) == nil)
    #expect(JSONObject([.init(name: "a", value: 1), .init(name: "b", value: 1)])?.count == 2)
  }

  @Test(arguments: [0, 1, 12, 13, 200])
  func `an object of any size behaves like a list of pairs`(_ size: Int) {
    var generator = SystemRandomNumberGenerator()
    var object = JSONObject()
    var model: [(String, JSON)] = []
    for step in 0..<(4 * size) {
      let name = "n\(Int.random(in: 0..<(2 * size), using: &generator))"
      let place = model.firstIndex { $0.0 == name }
      if Bool.random(using: &generator), let place {
        let removed = object.removeValue(forName: name)
        #expect(removed == model.remove(at: place).1)
      } else {
        object[name] = .int(Int64(step))
        if let place {
          model[place].1 = .int(Int64(step))
        } else {
          model.append((name, .int(Int64(step))))
        }
      }
    }
    #expect(object.members.map(\.name) == model.map(\.0))
    for (name, value) in model { #expect(object[name] == value) }
    for (position, member) in object.enumerated() {
      #expect(object.position(of: member.name) == position)
    }
    object.removeAll { _ in true }
    #expect(object.isEmpty)
    #expect(object["n0"] == nil)
  }

  @Test func `names that only look alike are two names`() throws {
    let json = try JSON(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
    guard case .object(let object) = json else {
      Issue.record("no object")
      return
    }
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
  }

  @Test func `hostile names are names like others`() throws {
    let marks = (0..<32_000).map { $0.isMultiple(of: 2) ? "\u{301}" : "\u{316}" }.joined()
    let prefix = String(repeating: "p", count: 4_000)
    var text = "{"
    for number in 0..<40 { text += #""\#(marks)\#(number)":0,"\#(prefix)\#(number)":0,"# }
    text += #""end":0}"#
    // Normalising one such name, as `String` does to hash it, takes half a second.
    let json = try JSON(parsing: text)
    #expect(json[JSONPointer(["\(marks)39"])] == 0)
    #expect(json == json)
  }

  @Test func `an object of 150,000 members is read, searched and thinned out`()
    throws
  {
    let text = "{" + (0..<150_000).map { #""n\#($0)":\#($0)"# }.joined(separator: ",") + "}"
    guard case .object(var object) = try JSON(parsing: text) else {
      Issue.record("no object")
      return
    }
    for number in 0..<150_000 where object["n\(number)"] != .int(Int64(number)) {
      Issue.record("n\(number) is lost")
    }
    object.removeAll { $0.name.utf8.count < 7 }
    #expect(object.count == 50_000)
    #expect(object["n149999"] == 149_999)
  }

  @Test func `a duplicate is found however it is written and however late it comes`() {
    for count in [1, 12, 13, 1_000] {
      let members = (0..<count).map { #""n\#($0)":0"# }.joined(separator: ",")
      let fault = #expect(throws: JSONFault.self) {
        try JSON(parsing: #"{\#(members),"\u006e0":1}"#)
      }
      #expect(fault?.reason == .duplicateName("n0"))
      #expect(fault?.offset == members.utf8.count + 2)
    }
  }
}
