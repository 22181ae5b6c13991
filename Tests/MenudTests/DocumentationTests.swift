import ArgumentParser
import Foundation
import Testing

@testable import menud

/// Runs the commands of README.md and of the pages in `docs`, and looks whether what they say is there.
@Suite struct DocumentationTests {
  private static let pages = (try? DocumentationPage.all()) ?? []

  @Test func `there are pages, and the README leads to each of them`() throws {
    #expect(Self.pages.count >= 9)
    let readme = try DocumentationPage("README.md")
    for page in Self.pages where page.path != readme.path {
      #expect(readme.text.contains("](\(page.path))"), "\(page.path)")
    }
  }

  @Test func `the README can be read in one sitting`() throws {
    let text = try DocumentationPage("README.md").text
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  /// The commands of a page run in their order. Those that begin with `menud serve` start a server that
  /// the ones after it ask; the first server is that of `make run`.
  @Test(Program.isBuilt, arguments: pages)
  func `every command prints what is shown`(page: DocumentationPage) throws {
    let commands = page.commands()
    guard !commands.isEmpty else { return }
    let terminal = try DocumentationTerminal()
    for command in commands {
      let outcome = try terminal.run(command.text)
      if command.output.isEmpty {
        #expect(outcome.status == 0, "\(page.path): \(command.text)\n\(outcome.lines)")
      } else {
        #expect(
          command.shows(outcome.lines),
          "\(page.path): \(command.text)\n\(outcome.lines.joined(separator: "\n"))")
      }
    }
  }

  @Test func `the pages have the commands that they are about`() {
    #expect(Self.pages.flatMap { $0.commands() }.count >= 30)
  }

  @Test(arguments: pages)
  func `no command stands where it is not run`(page: DocumentationPage) {
    #expect(page.codeOutsideConsoles().filter(DocumentationPage.isCommand) == [])
  }

  @Test func `a console shows any text for an ellipsis, and nothing else`() {
    let command = DocumentationPage.Command(text: "", output: ["a…c", "d"])
    #expect(command.shows(["abbc", "d"]))
    #expect(!command.shows(["abb", "d"]))
    #expect(!command.shows(["abbc"]))
    #expect(DocumentationPage.isCommand("menud serve --host ::"))
    #expect(!DocumentationPage.isCommand("menud.json"))
  }

  @Test(arguments: pages)
  func `every target of make and every command of menud is there`(page: DocumentationPage) throws {
    let makefile = try DocumentationPage("Makefile").text
    for match in page.text.matches(of: /`make ([a-z-]+)/) {
      #expect(makefile.contains("\n\(match.output.1):"), "\(match.output.1)")
    }
    let commands = Menud.configuration.subcommands.map { $0._commandName }
    for match in page.text.matches(of: /`menud ([a-z]+)/) {
      #expect(commands.contains(String(match.output.1)), "\(match.output.1)")
    }
  }

  @Test(arguments: Setting.all)
  func `every setting is in a table with its variable`(setting: Setting) throws {
    let name = setting.path.first == "limits" ? "docs/limits.md" : "docs/configuration.md"
    let row = "| `\(setting.path.joined(separator: "."))` | `\(setting.variable)`"
    #expect(try DocumentationPage(name).text.contains(row), "\(row)")
  }

  @Test func `every variable in a table is a setting's`() throws {
    let variables = Set(Setting.all.map(\.variable))
    for page in Self.pages {
      for match in page.text.matches(of: /\| `(MENUD_[A-Z_]+)`/) {
        #expect(variables.contains(String(match.output.1)), "\(page.path): \(match.output.1)")
      }
    }
  }

  @Test(
    arguments: pages.map(\.path)
      + ["Benchmarks/README.md", "Tests/Checks/README.md", "Fuzz/README.md"])
  func `every link leads to a file and a heading that are there`(path: String) throws {
    for link in try DocumentationPage(path).links() {
      let target = try? DocumentationPage(link.path)
      #expect(link.isThere, "\(path): \(link.path)")
      if let heading = link.heading {
        #expect(target?.headings().contains(heading) == true, "\(path): \(link.path)#\(heading)")
      }
    }
  }
}
