import Foundation
import JSONText
import Measuring

/// A process that has compiled the rules and evaluates them as often as it is asked to.
///
/// It ends with its input, and so with this program.
final class Evaluator {
  /// The command that starts an evaluator, and the name of its column.
  struct Command {
    let column: String
    let arguments: [String]

    var line: String { arguments.joined(separator: " ") }
  }

  /// The value that an evaluator answers for a rule.
  enum Answer: Equatable, CustomStringConvertible {
    case json(JSON)
    /// It cannot evaluate the rule.
    case none(String)

    var description: String {
      switch self {
      case .json(let json): "\(json)"
      case .none(let reason): "nothing (\(reason))"
      }
    }
  }

  let command: Command
  /// Its name and version.
  let name: String
  private let process: Process
  private let questions = Pipe()
  private var answers: Lines

  init(_ command: Command, for workload: Workload) throws {
    self.command = command
    process = tool(command.arguments[0], Array(command.arguments.dropFirst()))
    let output = Pipe()
    process.standardInput = questions
    process.standardOutput = output
    try process.run()
    answers = Lines(output.fileHandleForReading)
    try questions.fileHandleForWriting.write(contentsOf: Data(workload.opening.utf8))
    guard let name = answers.next() else { throw Failure.ended(command, question: "who are you") }
    self.name = name
  }

  /// The value of a rule.
  func value(of rule: Int) throws -> Answer {
    let answer = try answer(to: "value \(rule)")
    if answer.hasPrefix("none ") { return .none(String(answer.dropFirst(5))) }
    return .json(try JSON(parsing: answer))
  }

  /// The nanoseconds of processor time that so many evaluations take.
  func nanoseconds(of rule: Int, count: Int) throws -> Double {
    try number("time \(rule) \(count)")
  }

  /// Returns the number of allocations of one evaluation, once all is warm.
  func allocations(of rule: Int) throws -> Double {
    _ = try number("allocations \(rule) 1")
    return try number("allocations \(rule) 1000") / 1000
  }

  private func number(_ question: String) throws -> Double {
    guard let number = Double(try answer(to: question)) else {
      throw Failure.ended(command, question: question)
    }
    return number
  }

  private func answer(to question: String) throws -> String {
    try questions.fileHandleForWriting.write(contentsOf: Data("\(question)\n".utf8))
    guard let answer = answers.next() else { throw Failure.ended(command, question: question) }
    return answer
  }
}

extension Evaluator {
  static let menud = Command(column: "menud, ns", arguments: [sibling("evaluate-rules")])

  /// The evaluators of `peers/rules/`, in the environment of that Python.
  static func peers(of python: String) -> [Command] {
    func peer(_ column: String, _ arguments: String...) -> Command {
      Command(
        column: column, arguments: [python, "Benchmarks/peers/rules/evaluate_rules.py"] + arguments)
    }
    return [
      peer("C++ in its own loop, ns", "cel-expr-python", "within"),
      peer("C++ called from Python, ns", "cel-expr-python", "call"),
      peer("Rust called from Python, ns", "common-expression-language", "call"),
    ]
  }
}

/// The lines of a file, each as soon as it is there.
private struct Lines {
  private let file: FileHandle
  private var bytes = Data()

  init(_ file: FileHandle) { self.file = file }

  /// The next line, or nil at the end.
  mutating func next() -> String? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes = Data(bytes[(end + 1)...]) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      let more = file.availableData
      guard !more.isEmpty else { return nil }
      bytes += more
    }
  }
}
