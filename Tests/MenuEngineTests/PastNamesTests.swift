import Testing

@testable import MenuEngine

/// The names that no instance gets again (V2).
@Suite struct PastNamesTests {
  @Test func `V2: the next number is after the highest that is gone`() {
    var names = PastNames()
    #expect(names.nextNumber(of: "detail") == 1)
    names.note("detail-3")
    #expect(names.nextNumber(of: "detail") == 4)
    #expect(names.nextNumber(of: "detail-3") == 2)
    #expect(names.nextNumber(of: "detail-4") == 1)
    #expect(names.nextNumber(of: "list") == 1)
    names.note("list")
    #expect(names.nextNumber(of: "list") == 2)
  }

  @Test func `V2: what is no number that is given is a name of its own`() {
    var names = PastNames()
    for name: ResponderID in ["a-1", "a-02", "a-x", "a-99999999999999999999", "-"] {
      names.note(name)
    }
    #expect(names.nextNumber(of: "a") == 1)
    #expect(names.nextNumber(of: "a-1") == 2)
  }

  @Test func `V2: many names take bounded room, and none is given again`() {
    var names = PastNames()
    var gone: Set<String> = []
    for index in 0..<5_000 {
      let name = "n\(index)-\(index % 7 + 2)"
      names.note(ResponderID(unchecked: name))
      gone.insert(name)
    }
    for index in 0..<5_000 {
      let number = names.nextNumber(of: "n\(index)")
      #expect(!gone.contains(number == 1 ? "n\(index)" : "n\(index)-\(number)"))
      #expect(number <= 9)
    }
  }
}
