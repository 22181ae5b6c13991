import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes a member with a trace.
  mutating func member(_ name: String, _ trace: Trace) {
    member(name)
    value(trace)
  }

  /// Writes the questions asked and their answers, in order (M10).
  mutating func value(_ trace: Trace) {
    beginArray()
    steps(of: trace)
    endArray()
  }

  /// Writes the elements of a trace.
  mutating func steps(of trace: Trace) {
    for step in trace.steps { value(step) }
  }

  private mutating func value(_ step: Trace.Step) {
    beginObject()
    member("asked", step.asked.description)
    member("question", step.question.rawValue)
    optionalMember("selector", step.selector?.rawValue)
    member("answer", step.answer)
    member("rule", step.question.rule)
    if let fault = step.fault {
      member("error")
      value(fault)
    }
    endObject()
  }
}
