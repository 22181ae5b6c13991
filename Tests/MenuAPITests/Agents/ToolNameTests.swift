import JSONText
import MenuEngine
import Randomness
import Testing

@testable import MenuAPI

struct ToolNameTests {
  @Test(
    arguments: [
      ("copy:", "copy-"), ("insertItem:atIndex:", "insertItem-atIndex-"),
      ("test_simple_text", "test_simple_text"), ("admin.tools.list", "admin.tools.list"),
      ("sort-by", "sort--by"), ("a::b", "a-.-b"), ("a:.b", "a-..b"), ("a:-b", "a-.--b"),
      ("a-:b", "a---b"), (":", "-"), ("::", "-.-"),
    ])
  func `colons are hyphens`(id: String, name: String) throws {
    #expect(ToolName.text(of: try #require(CommandID(id))) == name)
  }

  @Test func `no two commands have one name, and each name leads back`() throws {
    var names: [String: String] = [:]
    let alphabet = Array("a:-._")
    var generator = SeededGenerator(seed: 1)
    var ids: Set<String> = []
    for length in 1...5 {
      for number in 0..<Int(3125) where number < Int(pow5(length)) {
        var (rest, text) = (number, "")
        for _ in 0..<length {
          text.append(alphabet[rest % 5])
          rest /= 5
        }
        ids.insert(text)
      }
    }
    for _ in 0..<200 {
      let length = Int.random(in: 60...128, using: &generator)
      ids.insert(String((0..<length).map { _ in alphabet.randomElement(using: &generator) ?? "a" }))
    }
    for text in ids {
      let id = try #require(CommandID(text))
      let name = ToolName.text(of: id)
      #expect((1...128).contains(name.utf8.count))
      #expect(!name.contains(":"))
      #expect(names.updateValue(text, forKey: name) == nil, "\(name)")
    }
    let chosen = ids.sorted().prefix(300) + ids.filter { $0.utf8.count > 100 && !$0.hasPrefix("-") }
    let commands = JSON.array(
      chosen.map { ["id": .string($0), "title": .string($0)] })
    let catalog = try CatalogDocument([.commands: commands]).catalog()
    for text in chosen {
      let id = try #require(CommandID(text))
      #expect(ToolName.command(named: ToolName.text(of: id), in: catalog)?.id == id)
    }
    for other in ["", "b", "a-.b", "-..", "é", "a b", String(repeating: "a", count: 129)] {
      #expect(ToolName.command(named: other, in: catalog) == nil, "\(other)")
    }
  }

  private func pow5(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 5 } }
}
