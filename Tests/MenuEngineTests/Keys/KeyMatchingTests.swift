import JSONText
import Testing

@testable import MenuEngine

@Suite struct KeyMatchingTests {
  private typealias Names = [KeyModifiers.Name]

  @Test(arguments: [
    ("a", "a", true), ("a", "A", true), ("A", "a", true), ("ä", "Ä", true), ("a", "b", false),
    ("1", "1", true), ("1", "!", false), ("/", "?", false), ("ß", "s", false),
    ("UIKeyInputF1", "UIKeyInputF1", true), ("UIKeyInputF1", "UIKeyInputF2", false),
    ("UIKeyInputUpArrow", "UIKeyInputDownArrow", false), ("UIKeyInputEscape", "e", false),
  ])
  func `K4: the input is equal, letters without regard to case`(
    declared: String, pressed key: String, isMatch: Bool
  ) throws {
    #expect(try pressed(declared).matches(pressed(key)) == isMatch)
  }

  @Test func `K4: that a letter is large is what shift means, and shift is a modifier`() throws {
    for (declared, key) in [("a", "a"), ("a", "A"), ("A", "a"), ("A", "A")] {
      #expect(try pressed(declared, [.shift]).matches(pressed(key, [.shift])))
      #expect(try !pressed(declared).matches(pressed(key, [.shift])))
      #expect(try !pressed(declared, [.shift]).matches(pressed(key)))
    }
  }

  @Test(arguments: [KeyModifiers.Name.command, .shift, .alternate, .control])
  func `K4: four modifiers are held exactly as declared`(name: KeyModifiers.Name) throws {
    let others = KeyModifiers.Name.allCases.filter { $0 != name }
    for other in others {
      #expect(try pressed("a", [name]).matches(pressed("a", [name])))
      #expect(try !pressed("a", [name]).matches(pressed("a")))
      #expect(try !pressed("a").matches(pressed("a", [name])))
      #expect(try !pressed("a", [name]).matches(pressed("a", [other])))
      #expect(try !pressed("a", [name, other]).matches(pressed("a", [other])))
    }
  }

  @Test(arguments: [KeyModifiers.Name.alphaShift, .numericPad])
  func `K4: caps lock and numeric pad count only when the declaration names them`(
    name: KeyModifiers.Name
  ) throws {
    #expect(try pressed("5", [.command]).matches(pressed("5", [.command, name])))
    #expect(try pressed("5", [.command, name]).matches(pressed("5", [.command, name])))
    #expect(try !pressed("5", [.command, name]).matches(pressed("5", [.command])))
    #expect(try !pressed("5", [name]).matches(pressed("5", [.command, name])))
    #expect(
      try pressed("5", [name]).matches(pressed("5", [.alphaShift, .numericPad])))
  }

  @Test func `K4: every named input matches itself only`() throws {
    let names = KeyInput.named
    #expect(names.count == 22)
    for name in names {
      #expect(try names.filter { try pressed(name).matches(pressed($0)) } == [name])
    }
  }
}
