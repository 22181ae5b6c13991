import ArgumentParser
import JSONText
import MenuAPI

/// The exit codes of `menud do`, which scripts can use.
enum DoExit: Int32, CaseIterable, Sendable {
  case done = 0
  case refused = 1
  case wrong = 2
  case noAccess = 3
  case unreached = 4
  case unsettled = 5
  /// The code of a mistake that the argument parser finds, too.
  case mistake = 64

  /// The meaning, as a sentence.
  var about: String {
    switch self {
    case .done: "Done."
    case .refused:
      "The application refuses: the item is disabled or needs a confirmation, or a delivery failed."
    case .wrong:
      "The request is wrong: an unknown session or command, invalid parameters, a conflict."
    case .noAccess: "No access: the token is missing, or does not permit it."
    case .unreached: "The server is not reached, or cannot answer."
    case .unsettled: "Performed, but its deliveries are not settled within --wait."
    case .mistake: "The command line has a mistake."
    }
  }

  /// Returns the code for a refusal by the server.
  static func of(_ answer: DoAnswer) -> DoExit {
    switch answer.status {
    case 401, 403: .noAccess
    case 409 where refusals.contains(answer.text("type") ?? ""): .refused
    case 300..<400, 408, 429, 500...: .unreached
    default: .wrong
    }
  }

  /// The types of problems with which an application refuses.
  private static let refusals = [
    ProblemType.notPerformed, .needsConfirmation, .effectFailed, .doesNotRecognizeSelector,
    .undoRefused,
  ].map(\.uri)

  /// The error that ends the program with this code.
  var code: ExitCode { ExitCode(rawValue) }
}

/// The reason why `menud do` fails.
struct DoFailure: Error {
  let exit: DoExit
  /// The reason for people, as sentences.
  let sentence: String
  /// The server's problem, if it returned one.
  var problem: DoAnswer?

  init(_ exit: DoExit, _ sentence: String, problem: DoAnswer? = nil) {
    self.exit = exit
    self.sentence = sentence
    self.problem = problem
  }

  /// Creates the failure of a refused request.
  init(problem answer: DoAnswer) {
    let place = answer.fields["location"].map { " It names \($0)." } ?? ""
    let isAboutBody = answer.text("type") == ProblemType.invalidBody.uri
    let words = answer.json.faults.map { fault in
      let detail = fault.text("detail") ?? answer.text("title")
      let pointer = isAboutBody ? fault.text("pointer") ?? "" : ""
      return (pointer.isEmpty ? "" : pointer + ": ")
        + (detail ?? "The status is \(answer.status).\(place)")
    }
    let hint = answer.status == 401 ? " Name a token by MENUD_TOKEN or --token-file." : ""
    self.init(DoExit.of(answer), words.joined(separator: "\n  ") + hint, problem: answer)
  }

  /// Checks the items of an answer.
  ///
  /// - Throws: `DoFailure` if one is of an unknown command.
  static func checkCommands(of answer: JSON) throws(DoFailure) {
    for item in answer.list("items") where item.text("reason") == "unknownCommand" {
      throw DoFailure(.wrong, "There is no command '\(item.text("command") ?? "")'.")
    }
  }

  /// True if the command requires a confirmation that was not given (W4).
  var needsConfirmation: Bool { problem?.text("type") == ProblemType.needsConfirmation.uri }
}
