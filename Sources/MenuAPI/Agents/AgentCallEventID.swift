/// The id of an event on the stream of a call: the call, the progress that a client knows who has the event, and a number
/// that no other event of the call has.
struct AgentCallEventID: Sendable {
  /// The name of the call, which no other one has.
  let call: String
  let progress: Int64
  let number: Int

  /// An id.
  init(of call: String, progress: Int64, number: Int) {
    self.call = call
    self.progress = progress
    self.number = number
  }

  /// The id that a client sends back; nil for what is none.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "call", let progress = Int64(parts[2]),
      let number = Int(parts[3])
    else { return nil }
    self.init(of: String(parts[1]), progress: progress, number: number)
  }

  /// The id as an event has it.
  var text: String { "call/\(call)/\(progress)/\(number)" }
}
