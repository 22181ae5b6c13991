import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes the members that say what became of a command, an action or an invocation.
  mutating func members(_ performance: Outcome.Performance, of command: CommandID?) {
    member("performed", performance.isPerformed)
    member("reason", performance.reason.rawValue)
    optionalMember("command", command?.rawValue)
    member("action", performance.invocation.originalSelector.rawValue)
    member("target", performance.target.description)
    optionalMember("proxied", performance.proxied?.rawValue)
    writeResult(of: performance.invocation)
    member("invocation")
    value(performance.invocation)
  }

  /// Writes the member with what a message answered (F9), if it did.
  mutating func writeResult(of invocation: Invocation) {
    if let result = try? invocation.result() { member("result", result) }
  }

  /// Writes a message as it arrived, so that it can be sent again (F9).
  mutating func value(_ invocation: Invocation) {
    beginObject()
    if case .object(let document) = invocation.json {
      for part in document.members where part.name != "when" { member(part.name, part.value) }
    }
    if let when = invocation.when { member("when", InternetTimestamp(milliseconds: when).text) }
    endObject()
  }
}
