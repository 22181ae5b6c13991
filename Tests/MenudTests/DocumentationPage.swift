import Foundation
import Testing

/// A page of the documentation, or another file of the repository.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
  /// Its path in the repository.
  let path: String
  let text: String

  var testDescription: String { path }

  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOf: Program.root.appending(path: path), encoding: .utf8)
  }

  /// README.md and the pages in `docs`.
  static func all() throws -> [DocumentationPage] {
    let names = try FileManager.default.contentsOfDirectory(atPath: Program.path + "/docs")
      .filter { $0.hasSuffix(".md") }
    return try (["README.md"] + names.sorted().map { "docs/\($0)" }).map(DocumentationPage.init)
  }

  /// A command of a console, and the lines that it prints; none when nothing is shown.
  struct Command {
    let text: String
    var output: [String] = []

    /// Returns true if the lines are those shown, where `…` stands for any text in a line.
    func shows(_ lines: [String]) -> Bool {
      lines.count == output.count && zip(lines, output).allSatisfy { Self.matches($0, $1) }
    }

    private static func matches(_ line: String, _ shown: String) -> Bool {
      let pieces = shown.split(separator: "…", omittingEmptySubsequences: false)
      guard pieces.count > 1, let first = pieces.first, let last = pieces.last else {
        return line == shown
      }
      guard line.hasPrefix(first) else { return false }
      var rest = line.dropFirst(first.count)
      for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
        guard let found = rest.firstRange(of: piece) else { return false }
        rest = rest[found.upperBound...]
      }
      return rest.hasSuffix(last)
    }
  }

  /// Returns the commands of its consoles, in their order.
  func commands() -> [Command] {
    var commands: [Command] = []
    for (line, kind) in lines() where kind == .console {
      if line.hasPrefix("$ ") {
        commands.append(Command(text: String(line.dropFirst(2))))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output.append(line)
      }
    }
    return commands
  }

  /// Returns the lines of code that no console has.
  func codeOutsideConsoles() -> [String] {
    lines().compactMap { line, kind in
      kind == .code ? line.trimmingCharacters(in: .whitespaces) : nil
    }
  }

  /// Returns true if a line of code is a command rather than data.
  static func isCommand(_ line: String) -> Bool {
    line.firstMatch(of: /^(\$ |([A-Z_]+=\S* )*(curl|menud|make|docker|openssl|swift) )/) != nil
  }

  /// A link of the page: a path in the repository, and a heading there.
  struct Link {
    let path: String
    let heading: String?

    /// True if something is there, be it a folder or a picture.
    var isThere: Bool { FileManager.default.fileExists(atPath: Program.path + "/" + path) }
  }

  /// Returns its links to files of the repository.
  func links() -> [Link] {
    let prose = lines().filter { $0.kind == .prose }.map(\.line).joined(separator: "\n")
      .replacing(/`[^`]*`/, with: "")
    return prose.matches(of: /\]\(([^)\s#]*)(#([^)\s]+))?\)/).compactMap { match in
      let target = String(match.output.1)
      guard !target.contains("://") else { return nil }
      let folder = URL(filePath: "/" + path).deletingLastPathComponent()
      let file = target.isEmpty ? "/" + path : folder.appending(path: target).standardized.path
      return Link(path: String(file.dropFirst()), heading: match.output.3.map(String.init))
    }
  }

  /// Returns its headings as links name them.
  func headings() -> [String] {
    lines().filter { $0.kind == .prose && $0.line.hasPrefix("#") }.map { line, _ in
      line.drop { $0 == "#" }.lowercased().trimmingCharacters(in: .whitespaces)
        .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
    }
  }

  private enum Kind {
    case prose
    case code
    case console
  }

  private func lines() -> [(line: String, kind: Kind)] {
    var lines: [(String, Kind)] = []
    var fence: Kind?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        fence = fence == nil ? (line == "```console" ? .console : .code) : nil
      } else {
        lines.append((line, fence ?? (line.hasPrefix("    ") ? .code : .prose)))
      }
    }
    return lines
  }
}
