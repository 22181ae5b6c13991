import JSONText
import Testing

/// Values that are known to be the same without comparing all of them.
@Suite struct JSONIdentityTests {
  @Test(arguments: [
    ("a", "a", true), ("", "", true), ("a", "b", false), ("é", "e\u{301}", false),
    ("fifteen bytes..", "fifteen bytes..", true), ("a", "a\u{0}", false),
  ])
  func `short strings are identical when their bytes are`(left: String, right: String, isSame: Bool)
  {
    #expect(left.isIdentical(to: right) == isSame)
    #expect(left.hasSameBytes(as: right) == isSame)
  }

  @Test func `long strings are identical where they are stored together`() {
    let text = String(repeating: "a", count: 40)
    let copy = text
    #expect(copy.isIdentical(to: text))
    #expect(String(repeating: "a", count: 40).hasSameBytes(as: text))
    #expect(!String(repeating: "b", count: 40).hasSameBytes(as: text))
  }

  @Test func `members are compared where they stand`() throws {
    let text = #"{"a":1,"b":{"c":[2]},"d":"a string of more than fifteen bytes","e":1.5}"#
    guard case .object(let old) = try JSON(parsing: text) else { return #expect(Bool(false)) }
    var new = old
    new["a"] = 1
    new["e"] = .double(2.5)
    let same = old.members.indices.map {
      old.isIdentical(to: new, at: $0, named: old.members[$0].name)
    }
    #expect(same == [true, true, true, false])
    #expect(!old.isIdentical(to: new, at: 0, named: "b"))
    #expect(!old.isIdentical(to: new, at: 4, named: "a"))
    #expect(!old.isIdentical(to: JSONObject(), at: 0, named: "a"))
  }

  @Test func `a member of another type, or one that was put elsewhere, is not identical`() {
    let old = JSONObject([.init(name: "a", value: 1), .init(name: "b", value: 2)])
    let new = JSONObject([.init(name: "b", value: 2), .init(name: "a", value: .double(1))])
    #expect(old?.isIdentical(to: new ?? JSONObject(), at: 0, named: "a") == false)
    #expect(JSON.int(1).isIdentical(to: .double(1)) == false)
  }
}
