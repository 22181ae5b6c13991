import CEL
import Glibc
import JSONText

/// The outcome of compiling, evaluating and explaining a hostile rule.
struct Encounter {
  let rule: HostileRule
  /// The result when it ended.
  let result: Result
  /// The processor time of the whole, the median of several times.
  let milliseconds: Double

  struct Result {
    /// Compiling, estimating before the first evaluation, evaluating or explaining.
    let phase: String
    /// The message of the fault, or the value when there was none.
    let outcome: String
    let steps: Int
  }

  init(with rule: HostileRule) {
    self.rule = rule
    var result = Result(phase: "", outcome: "", steps: 0)
    var times: [Double] = []
    repeat {
      let start = Self.now
      result = Self.meet(rule)
      times.append(Self.now - start)
    } while times.count < 5 && times[0] < 10 * Bounds.milliseconds
    self.result = result
    milliseconds = times.sorted()[times.count / 2]
  }

  /// True if it took longer than a rule may within the default bounds.
  var isTooLong: Bool {
    guard rule.limits.maximumSourceLength == ProgramLimits().maximumSourceLength else {
      return false
    }
    return milliseconds > Bounds.milliseconds * (rule.isExplained ? 2 : 1)
  }

  private static func meet(_ rule: HostileRule) -> Result {
    do {
      let environment = Environment(variables: Samples.names)
      let program = try Program(rule.source, in: environment, limits: rule.limits)
      return rule.isExplained ? explain(program) : evaluate(program)
    } catch {
      let phase = error.message.hasPrefix("evaluating") || error.reason.isOfValue
      return Result(phase: phase ? "estimate" : "compile", outcome: error.message, steps: 0)
    }
  }

  private static func evaluate(_ program: Program) -> Result {
    var steps = 0
    do {
      let value = try program.value(addingStepsTo: &steps) { Samples.values[$0] }
      let json = (try? value.json).map { "\($0.text().utf8.count) bytes of JSON" }
      return Result(phase: "run", outcome: json ?? "no JSON", steps: steps)
    } catch {
      return Result(phase: "run", outcome: error.message, steps: steps)
    }
  }

  private static func explain(_ program: Program) -> Result {
    let explanation = program.explanation { Samples.values[$0] }
    let text = explanation.text()
    let isComplete = explanation.isComplete ? "complete" : "cut short"
    return Result(
      phase: "explain", outcome: "\(isComplete), \(text.utf8.count) bytes",
      steps: explanation.steps)
  }

  /// The milliseconds of processor time that this thread has had: other programs do not count.
  private static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}

extension CompilationFault.Reason {
  /// True if it concerns a value that would be made.
  fileprivate var isOfValue: Bool {
    switch self {
    case .stringTooLong, .tooManyElements: true
    default: false
    }
  }
}
