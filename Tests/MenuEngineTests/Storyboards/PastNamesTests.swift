import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// The names that no instance gets again (V2).
@Suite struct PastNamesTests {
  @Test func `V2: the next number is after the highest that is gone`() {
    var names = PastNames()
    #expect(names.nextNumber(of: "detail") == 1)
    names.note("detail-3", isOfFrontEnd: true)
    #expect(names.nextNumber(of: "detail") == 4)
    #expect(names.nextNumber(of: "detail-3") == 2)
    #expect(names.nextNumber(of: "detail-4") == 1)
    #expect(names.nextNumber(of: "list") == 1)
    names.note("list", isOfFrontEnd: true)
    #expect(names.nextNumber(of: "list") == 2)
  }

  @Test func `V2: what is no number that is given is a name of its own`() {
    var names = PastNames()
    for name: ResponderID in ["a-1", "a-02", "a-x", "a-99999999999999999999", "-"] {
      names.note(name, isOfFrontEnd: true)
    }
    #expect(names.nextNumber(of: "a") == 1)
    #expect(names.nextNumber(of: "a-1") == 2)
  }

  @Test func `V2: no name of a front end's leaves a session without numbers`() {
    var names = PastNames()
    names.note("d-1152921504606846975", isOfFrontEnd: true)
    #expect(names.nextNumber(of: "d") == 1)
    names.note("d-1000000000", isOfFrontEnd: true)
    #expect(names.nextNumber(of: "d") == 1_000_000_001)
    names.note("d-1000000001", isOfFrontEnd: false)
    #expect(names.nextNumber(of: "d") == 1_000_000_002)
  }

  @Test func `V2: instances are made whatever names a front end gave and took back`() throws {
    var stage = try StoryboardStage(launching: ["root": [:], "d": [:]])
    for name: ResponderID in ["d-1152921504606846975", "d-1000000000"] {
      try stage.apply(.putResponder(try responder(name, ["kind": "responder"])))
      try stage.apply(.removeResponder(name))
    }
    for number in [1_000_000_001, 1_000_000_002] {
      let made = try stage.apply(
        .instantiate(SceneReference(storyboard: "Main", scene: "d"), id: nil))
      #expect(made.instance == "d-\(number)")
      try stage.apply(.removeResponder(try #require(made.instance)))
    }
  }

  @Test func `V2: many names take bounded room, and none is given again`() {
    var names = PastNames()
    var gone: Set<String> = []
    for index in 0..<5_000 {
      let name = "n\(index)-\(index % 7 + 2)"
      names.note(ResponderID(unchecked: name), isOfFrontEnd: index % 2 == 0)
      gone.insert(name)
    }
    for index in 0..<5_000 {
      let number = names.nextNumber(of: "n\(index)")
      #expect(!gone.contains(number == 1 ? "n\(index)" : "n\(index)-\(number)"))
      #expect(number <= 9)
    }
  }
}
