import CEL
import JSONText

extension JSONWriter {
  /// Writes the values of the parts of a program, and the reasons why it is false.
  ///
  /// Long literals are truncated, so that the size of the answer depends on the rule alone.
  mutating func value(_ explanation: Explanation) {
    let source = Array(explanation.source.utf8)
    beginObject()
    member("complete", explanation.isComplete)
    member("parts")
    beginArray()
    for part in explanation.parts where !part.isLiteral { value(part, of: source) }
    endArray()
    member("reasons")
    beginArray()
    for reason in explanation.reasons { value(reason, of: source) }
    endArray()
    endObject()
  }

  private mutating func value(_ reason: Explanation.Reason, of source: [UInt8]) {
    beginObject()
    members(of: reason.part, of: source)
    member("operands")
    beginArray()
    for operand in reason.operands where !operand.isLiteral { value(operand, of: source) }
    endArray()
    endObject()
  }

  private mutating func value(_ part: Explanation.Part, of source: [UInt8]) {
    beginObject()
    members(of: part, of: source)
    member("decisive", part.isDecisive)
    endObject()
  }

  private mutating func members(of part: Explanation.Part, of source: [UInt8]) {
    let text = source[part.range.start..<part.range.end].prefix(Self.longestText)
    member("text", String(decoding: text, as: UTF8.self))
    member("start", part.range.start)
    member("end", part.range.end)
    if let element = part.element { member("element", element) }
    switch part.outcome {
    case .success(let value):
      member("value", value.description)
      member("type", value.type.rawValue)
    case .failure(let fault): member("fault", fault.message)
    }
  }

  /// The maximum length of the text of a part; its place is always written.
  private static var longestText: Int { 256 }
}
