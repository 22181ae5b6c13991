import CEL
import JSONText
import MenuEngine

extension JSONWriter {
  mutating func member(_ name: String, _ trace: Trace) {
    member(name)
    value(trace)
  }

  /// Writes the questions and their answers, in order (M10).
  mutating func value(_ trace: Trace) {
    beginArray()
    steps(of: trace)
    endArray()
  }

  mutating func steps(of trace: Trace) {
    for step in trace.steps { value(step) }
  }

  private mutating func value(_ step: Trace.Step) {
    beginObject()
    member("asked", step.asked.description)
    member("question", step.question.rawValue)
    optionalMember("selector", step.selector?.rawValue)
    member("answer", step.answer)
    member("rule", step.rule)
    member("says", step.sentence)
    if let fault = step.fault {
      member("error")
      value(fault)
    }
    if !step.explanation.isEmpty {
      member("explanation", .array(step.explanation.map { .string($0) }))
    }
    if !step.rules.isEmpty {
      member("rules")
      beginArray()
      for rule in step.rules { value(rule) }
      endArray()
    }
    endObject()
  }

  /// Writes an evaluated rule, with the values of its parts.
  private mutating func value(_ rule: ExplainedRule) {
    beginObject()
    member("place", rule.place)
    member("rule", rule.explanation.source)
    switch rule.explanation.outcome {
    case .success(let value):
      member("value", value.description)
      member("type", value.type.rawValue)
    case .failure(let fault): member("fault", fault.message)
    }
    member("explanation")
    value(rule.explanation)
    endObject()
  }
}
