import Foundation
import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// The messages that the engine sends by itself, as the OpenAPI document tells them.
struct EngineMessageTests {
  @Test(arguments: EngineMessage.all.map(\.selector))
  func `each has as many arguments as its selector has colons`(selector: Selector) throws {
    let message = try #require(EngineMessage.all.first { $0.selector == selector })
    #expect(message.arguments.count == selector.argumentCount)
  }

  @Test func `each selector stands once`() {
    let selectors = EngineMessage.all.map(\.selector)
    #expect(Set(selectors).count == selectors.count)
  }

  @Test func `every selector that the engine knows by name is told, or is a method of its own`()
    throws
  {
    let engine = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/MenuEngine").standardized
    let files = FileManager.default.enumerator(at: engine, includingPropertiesForKeys: nil)
    var named: Set<String> = []
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /static let \w+: Selector =\s+"([^"]+)"/) {
        named.insert(String(match.1))
      }
    }
    let told = Set(EngineMessage.all.map(\.selector.rawValue))
    // What containers show and undo managers undo, and the name of a custom segue's effects in faults.
    let own: Set = [
      "showViewController:sender:", "showDetailViewController:sender:", "undo:", "redo:",
      "performSegue:sender:",
    ]
    #expect(named.subtracting(told) == own)
    #expect(LifecycleStage.allCases.allSatisfy { told.contains($0.selector.rawValue) })
  }

  @Test func `the document tells receiver, moment, arguments and answer`() throws {
    let sample = try SampleService()
    let document = try sample.send(.get, "/openapi.json").json
    guard case .array(let messages)? = try document[JSONPointer(parsing: "/x-messages")] else {
      Issue.record("There are no messages.")
      return
    }
    #expect(messages.count == EngineMessage.all.count)
    #expect(
      messages[LifecycleStage.allCases.count].text() == ##"""
        {"selector":"shouldPerformSegueWithIdentifier:sender:","receiver":"The source.",\##
        "moment":"The user triggers a segue, before the destination is instantiated.",\##
        "rule":"V3","arguments":[{"name":"identifier","description":"The segue's.",\##
        "schema":{"$ref":"#/components/schemas/OptionalIdentifier"}},{"name":"sender",\##
        "description":"What triggers it, or null.","schema":{"type":["object","null"]}}],\##
        "answer":{"description":"False refuses the segue.","default":"It is performed.",\##
        "schema":{"type":"boolean"}}}
        """##)
  }
}
