import JSONText
import Testing

@Suite struct JSONPlacesTests {
  private func place(_ pointer: String, in text: String) throws -> String {
    let places = try JSONPlaces(of: Array(text.utf8))
    let place = places.value(at: try JSONPointer(parsing: pointer))
    return "\(place.line):\(place.column)"
  }

  @Test(arguments: [
    ("", "1:1"), ("/a", "1:6"), ("/a/0", "2:3"), ("/a/1", "2:6"), ("/a/1/b", "2:12"),
    ("/a/2", "3:3"), ("/c~1d", "4:10"), ("/é", "4:20"), ("/é/x", "4:25"), ("/e", "5:6"),
  ])
  func `a value has the line and column at which it begins`(
    pointer: String, expected: String
  ) throws {
    let text = """
      {"a":[
        1, {"b": [true]},
        -0.5e3 ],
       "c\\/d": [ ], "é" :{"x":null},
       "e":"]},\\"" }
      """
    #expect(try place(pointer, in: text) == expected)
  }

  @Test func `what is not there has the place of what is around it`() throws {
    let text = #"{"a": {"b": [1]}}"#
    #expect(try place("/a/c", in: text) == "1:7")
    #expect(try place("/a/b/1/x", in: text) == "1:13")
    #expect(try place("/z", in: text) == "1:1")
  }

  @Test func `a member has a name besides, and nothing else has`() throws {
    let places = try JSONPlaces(of: Array("{\n \"a\" : [7]}".utf8))
    let member = JSONPointer(["a"])
    let (name, value) = (places.name(at: member), places.value(at: member))
    #expect([name.offset, name.line, name.column] == [3, 2, 2])
    #expect([value.offset, value.line, value.column] == [9, 2, 8])
    let element = member.appending(0)
    #expect(places.name(at: element) == places.value(at: element))
    #expect(places.contains(element) && !places.contains(member.appending(1)))
  }

  @Test func `a text that is no JSON has no places`() {
    #expect(throws: JSONFault.self) { try JSONPlaces(of: Array("[1,]".utf8)) }
    #expect(throws: JSONFault.self) {
      try JSONPlaces(of: Array(String(repeating: "[", count: 200).utf8))
    }
  }

  @Test func `every value of a large text is found where it stands`() throws {
    let text = "[" + (0..<5000).map { #"{"n\#($0)": [\#($0)]}"# }.joined(separator: ",\n") + "]"
    let places = try JSONPlaces(of: Array(text.utf8))
    for index in stride(from: 0, to: 5000, by: 7) {
      let place = places.value(at: JSONPointer(["\(index)", "n\(index)", "0"]))
      #expect(place.line == index + 1)
      #expect(text.utf8.dropFirst(place.offset).starts(with: "\(index)]".utf8))
    }
  }
}
