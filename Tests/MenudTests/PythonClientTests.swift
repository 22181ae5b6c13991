import Foundation
import Testing

/// The module `menud.py` and its wheel; `make python-client` runs the same script.
@Suite(Program.isBuilt) struct PythonClientTests {
  private static let types = Program.path + "/.build/python-types"

  @Test func `requests, mirrors and workers survive what disturbs them, in threads and in tasks`()
    throws
  {
    let (status, text) = try CheckScript(name: "python_client.py").run()
    #expect(status == 0, "\(text)")
    #expect(text.hasSuffix(" checks passed\n"), "\(text)")
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: types + "/installed.txt"),
      "The type checkers are not installed: 'make test' installs them where PyPI can be reached."))
  func `mypy and pyright find nothing, and mistakes in a program that uses it`() throws {
    let (status, text) = try CheckScript(name: "python_client.py").run(["--types", Self.types])
    #expect(status == 0, "\(text)")
    #expect(text == "ok: types\n")
  }
}
