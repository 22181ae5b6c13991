import Foundation
import JSONText
import Testing

@Suite struct ConformanceTests {
  @Test(.enabled(if: ConformanceData.has("json-parsing.json"), "There are no conformance data."))
  func `every text is accepted or refused as RFC 8259 says, besides duplicate names`() throws {
    for test in try ConformanceData.cases("json-parsing.json") {
      let (name, text) = try (Self.string("name", test), Self.text(test))
      var accepts = true
      do throws(JSONFault) {
        _ = try JSON(parsing: text)
      } catch {
        // RFC 8259 (4) leaves it to the parser what becomes of two members of one name.
        if case .duplicateName = error.reason {} else { accepts = false }
      }
      switch test["expect"] {
      case "accept": #expect(accepts, "\(name)")
      case "reject": #expect(!accepts, "\(name)")
      case "either": break
      default: Issue.record("\(name) expects nothing known")
      }
    }
  }

  @Test(.enabled(if: ConformanceData.has("json-parsing.json"), "There are no conformance data."))
  func `what was accepted is written so that it reads back`() throws {
    for test in try ConformanceData.cases("json-parsing.json") {
      guard let json = try? JSON(parsing: Self.text(test)) else { continue }
      #expect(try JSON(parsing: json.bytes) == json)
      #expect(try JSON(parsing: json.text(.pretty)) == json)
    }
  }

  @Test(.enabled(if: ConformanceData.has("json-patch.json"), "There are no conformance data."))
  func `every patch does what RFC 6902 says`() throws {
    for test in try ConformanceData.cases("json-patch.json") {
      let title = JSON.object(test).text()
      var document = try #require(test["doc"])
      let before = document
      let patch = try #require(test["patch"])
      if let expected = test["expected"] {
        #expect(throws: Never.self, "\(title)") { try document.apply(JSONPatch(patch)) }
        #expect(document == expected, "\(title)")
      } else {
        #expect(test["error"] != nil, "\(title)")
        #expect(throws: (any Error).self, "\(title)") { try document.apply(JSONPatch(patch)) }
        #expect(document == before, "\(title)")
      }
    }
  }

  @Test(.enabled(if: ConformanceData.has("merge-patch.json"), "There are no conformance data."))
  func `every merge patch does what RFC 7396 says`() throws {
    for test in try ConformanceData.cases("merge-patch.json") {
      var document = try #require(test["doc"])
      document.merge(patch: try #require(test["patch"]))
      #expect(document == test["expected"], "\(JSON.object(test))")
    }
  }

  static func string(_ member: String, _ test: JSONObject) throws -> String {
    guard case .string(let string) = test[member] else {
      throw ConformanceData.Fault.noCases(member)
    }
    return string
  }

  private static func text(_ test: JSONObject) throws -> [UInt8] {
    guard case .object(let generate) = test["generate"], case .int(let count) = generate["count"]
    else { return try decoded("bytes", test) }
    let part = try decoded("repeat", generate)
    return try (0..<count).flatMap { _ in part } + decoded("suffix", generate)
  }

  private static func decoded(_ member: String, _ test: JSONObject) throws -> [UInt8] {
    guard let data = Data(base64Encoded: try string(member, test)) else {
      throw ConformanceData.Fault.noCases(member)
    }
    return Array(data)
  }
}
