import ArgumentParser
import Counters
import Foundation
import JSONText
import Measuring
import MenuEngine

/// Prints the nanoseconds of validating the hundred commands: nothing changed, after a change of the
/// state that concerns ten of them, and cold.
struct Hundred: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Validate a hundred commands: warm, after one change of the state, and cold.")

  @Option(help: "The folder that describes the application.")
  var application = "Benchmarks/hundred-commands/application"

  func run() throws {
    let catalog = try CatalogDocument([
      .commands: json("commands"), .menus: json("menus"), .classes: json("classes"),
    ]).catalog()
    let opened = try FrontEnd(catalog, opening: SessionTemplate(json("session")))
    var frontEnd = opened
    var choice: Int64 = 0
    let figures = [
      try nanoseconds(of: &frontEnd, times: 100) { _ in },
      try nanoseconds(of: &frontEnd) { frontEnd in
        choice = (choice + 1) % 10
        try frontEnd.apply(.mergeState(["group1": ["choice": .int(choice)]]))
      },
      try nanoseconds(of: &frontEnd) { $0 = opened },
    ]
    print(figures.map { fixed($0, 0) }.joined(separator: " "))
  }

  /// Returns the time of one validation after each preparation, the clock's own time taken off.
  private func nanoseconds(
    of frontEnd: inout FrontEnd, times: Int = 1, after prepare: (inout FrontEnd) throws -> Void
  ) throws -> Double {
    var samples: [Double] = []
    let begin = thread_nanoseconds()
    while samples.count < 20 || thread_nanoseconds() - begin < 1_000_000_000 {
      try prepare(&frontEnd)
      let empty = thread_nanoseconds()
      let start = thread_nanoseconds()
      for _ in 0..<times { _ = try frontEnd.validate() }
      samples.append(Double(thread_nanoseconds() - start - (start - empty)) / Double(times))
    }
    return median(samples)
  }

  private func json(_ part: String) throws -> JSON {
    try JSON(
      parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(application)/\(part).json"))))
  }
}
