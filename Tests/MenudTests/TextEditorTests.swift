import JSONText
import MenuEngine
import Testing

@testable import menud

/// The sample in `Config/text-editor`, as a front end that types between commands uses it.
@Suite struct TextEditorTests {
  private let catalog: Catalog
  private var session: Session

  init() throws {
    catalog = try CatalogFolder(path: Program.path + "/Config/text-editor").catalog()
    session = try Session("demo", opening: try #require(catalog.template), in: catalog)
  }

  private var lines: JSON? { session.state.value(at: JSONPointer(["lines"])) }

  private mutating func perform(_ command: CommandID) throws -> Outcome {
    try session.apply(.perform(ActionRequest(.command(command))), in: catalog)
  }

  private mutating func type(_ line: JSON, at index: Int) throws {
    let path = JSONPointer(["lines", String(index)])
    _ = try session.apply(
      .patchState(JSONPatch([.replace(path: path, value: line)])), in: catalog)
  }

  private func undoItem() throws -> ValidatedItem {
    var request = ValidationRequest()
    request.commands = ["undo:"]
    return try #require(try session.validate(request, in: catalog).first)
  }

  @Test mutating func `U4: undo takes back a line, and keeps what was typed into another one`()
    throws
  {
    _ = try perform("uppercaseLine:")
    #expect(lines == ["ROSES ARE RED", "Violets are blue"])
    try type("Violets are violet", at: 1)
    let item = try undoItem()
    #expect(item.isEnabled)
    #expect(item.title == "Undo Make Upper Case")
    _ = try perform("undo:")
    #expect(lines == ["Roses are red", "Violets are violet"])
    let after = try undoItem()
    #expect(!after.isEnabled)
    #expect(after.title == "Undo")
    _ = try perform("redo:")
    #expect(lines == ["ROSES ARE RED", "Violets are violet"])
  }

  @Test mutating func `U4: undo keeps what was typed into the same line`() throws {
    _ = try perform("uppercaseLine:")
    try type("Roses are pink", at: 0)
    #expect(try !undoItem().isEnabled)
    #expect(throws: MutationFault.self) { try perform("undo:") }
    #expect(lines == ["Roses are pink", "Violets are blue"])
  }

  @Test mutating func `U2: the title of undo has none of what was pasted`() throws {
    _ = try perform("copy:")
    var request = ValidationRequest()
    request.commands = ["paste:"]
    let title = try session.validate(request, in: catalog).first?.title
    #expect(title == "Paste “Roses are red”")
    _ = try perform("paste:")
    #expect(try undoItem().title == "Undo Paste")
  }
}
