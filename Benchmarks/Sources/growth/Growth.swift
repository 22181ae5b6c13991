import ArgumentParser
import Foundation
import JSONText
import Measuring

/// Measures how latency and memory grow with sessions, commands, the chain and the state.
@main
struct Growth: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure how latency and memory grow with sessions, commands, chain and state.")

  @Option(help: "The menud to measure.")
  var menud: String

  @Option(help: "The configuration that menud is started with.")
  var config = "Benchmarks/hundred-commands/menud.json"

  @Option(help: "The folder for growth.json and growth.svg.")
  var folder = "Benchmarks/growth"

  @Option(help: "The port for menud.")
  var port = 18080

  @Option(help: "Measure no sizes beyond this.")
  var most = 1_048_576

  @Option(help: "Measure only what has this in its name, and keep the other figures.")
  var only: String?

  @Flag(help: "Measure nothing; draw growth.svg from growth.json again.")
  var draw = false

  func run() throws {
    let file = URL(fileURLWithPath: folder).appendingPathComponent("growth.json")
    if !draw {
      let known = only == nil ? [] : try read(file)
      let curves = try Axis.allCases.compactMap { axis in
        only.map { axis.rawValue.contains($0) } ?? true
          ? Curves(axis: axis, points: try measure(axis)) : known.first { $0.axis == axis }
      }
      try Data((document(curves).text() + "\n").utf8).write(to: file)
    }
    let curves = try read(file)
    try Data(plot(curves).utf8)
      .write(to: URL(fileURLWithPath: folder).appendingPathComponent("growth.svg"))
    print(curves.map(\.table).joined(separator: "\n\n"))
  }

  private func read(_ file: URL) throws -> [Curves] {
    try Curves.read(JSON(parsing: [UInt8](Data(contentsOf: file))))
  }

  private func document(_ curves: [Curves]) -> JSON {
    ["machine": .string("\(Machine.this())"), "curves": .array(curves.map(\.json))]
  }

  /// The points of an axis, from the smallest to the largest.
  private func measure(_ axis: Axis) throws -> [Point] {
    let sizes = axis.sizes.filter { $0 <= most }
    guard axis == .sessions else {
      return try sizes.map { size in
        note("\(size) \(axis.unit)")
        let server = try start(axis.application(of: size))
        defer { try? server.server.stop() }
        for id in ["s0", "own"] {
          try server.expect(201, for: .post("/sessions", #"{"id":"\#(id)"}"#))
        }
        return try Point(of: axis, size: size, sessions: 1, on: server)
      }
    }
    let server = try start(Application())
    defer { try? server.server.stop() }
    var open = 0
    return try sizes.map { size in
      note("\(size) \(axis.unit)")
      try server.open(open..<size)
      open = size
      return try Point(of: axis, size: size, sessions: size, on: server)
    }
  }

  private func start(_ application: Application) throws -> HTTPServer {
    let folder = try application.write()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try .menud(
      menud, configuration: config, port: port, ["--application", folder.path])
  }
}

extension HTTPServer {
  /// Opens sessions with these numbers, one after the other.
  fileprivate func open(_ numbers: Range<Int>) throws {
    guard let connection = Connection(port: port) else {
      throw ServerFailure.notReady(command: server.command)
    }
    for number in numbers {
      let request = Request.post("/sessions", #"{"id":"s\#(number)"}"#)
      let answer = connection.answer(to: request.bytes)
      guard answer?.status == 201 else { throw UnexpectedAnswer(request, answer) }
    }
  }
}
