import Foundation
import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// The messages that the engine sends by itself, as the OpenAPI document tells them.
struct EngineMessageTests {
  /// The selectors of all messages, and the number of their arguments.
  private let messages: [(selector: Selector, arguments: Int)]

  private struct Malformed: Error {}

  init() throws {
    guard case .array(let messages) = OpenAPIFiles().messages else { throw Malformed() }
    self.messages = try messages.map { message in
      guard case .string(let name)? = message[JSONPointer(["selector"])],
        let selector = Selector(name),
        case .array(let arguments)? = message[JSONPointer(["arguments"])]
      else { throw Malformed() }
      return (selector, arguments.count)
    }
  }

  @Test func `each has as many arguments as its selector has colons`() {
    for message in messages {
      #expect(message.arguments == message.selector.argumentCount, "\(message.selector)")
    }
  }

  @Test func `each selector stands once`() {
    #expect(Set(messages.map(\.selector)).count == messages.count)
  }

  @Test func `the selectors are those that the engine knows, but for its own methods`() throws {
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
    let told = Set(messages.map(\.selector.rawValue))
    // What containers show and undo managers undo, and the name of a custom segue's effects in faults.
    let own: Set = [
      "showViewController:sender:", "showDetailViewController:sender:", "undo:", "redo:",
      "performSegue:sender:",
    ]
    #expect(named.isSuperset(of: own))
    let events: [CoordinatorEvent] = [
      .didStart("one"), .didStop("one"), .didActivate("one"), .didFinish("one", to: nil),
      .handlePopBack("one", to: "two"),
    ]
    let composed = LifecycleStage.allCases.map(\.selector) + events.map(\.selector)
    #expect(told == named.subtracting(own).union(composed.map(\.rawValue)))
  }

  @Test func `the document tells receiver, moment, arguments and answer`() throws {
    let sample = try SampleService()
    let document = try sample.send(.get, "/openapi.json").json
    guard case .array(let messages)? = try document[JSONPointer(parsing: "/x-messages")] else {
      Issue.record("There are no messages.")
      return
    }
    #expect(messages.count == self.messages.count)
    #expect(
      messages[LifecycleStage.allCases.count].text() == ##"""
        {"selector":"shouldPerformSegueWithIdentifier:sender:","receiver":"The source.",\##
        "moment":"The user triggers a segue, before the destination is instantiated.",\##
        "rule":"V3","arguments":[{"name":"identifier","description":"The segue's.",\##
        "schema":{"$ref":"#/components/schemas/OptionalIdentifier"}},{"name":"sender",\##
        "description":"The trigger, or null.","schema":{"type":["object","null"]}}],\##
        "answer":{"description":"False refuses the segue.","default":"It is performed.",\##
        "schema":{"type":"boolean"}}}
        """##)
  }
}
