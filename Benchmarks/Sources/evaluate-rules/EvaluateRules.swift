import Glibc
import JSONText

/// Evaluates rules as often as standard input says, and answers what that took.
///
/// The first line is the state, the second an array of rules; a line with the name of the evaluator
/// says that they are compiled. Each further line is a question and has one line for an answer.
@main
struct EvaluateRules {
  static func main() throws {
    guard let state = readLine(), let rules = readLine() else { throw Bench.Misuse("no rules") }
    let bench = try Bench(state: JSON(parsing: state), rules: JSON(parsing: rules))
    answer("menud")
    while let question = readLine() { answer(try bench.answer(to: question)) }
  }

  /// Writes the answer at once, since its reader waits for it.
  private static func answer(_ line: String) {
    print(line)
    fflush(nil)
  }
}
