import JSONText

extension Invocation {
  /// A message with the arguments given, else with its sender as the first and nulls for the rest.
  init(
    _ action: Selector, of sender: Sender?, to target: Receiver?, arguments: [JSON]?,
    when: Int64?, in session: Session
  ) throws(MutationFault) {
    let count = action.argumentCount
    var real = arguments ?? Array(repeating: .null, count: count)
    if arguments == nil, count > 0 { real[0] = sender?.json(in: session.graph) ?? .null }
    do throws(InvocationFault) {
      try self.init(
        target: target, selector: action, arguments: real, sender: sender, when: when)
    } catch {
      throw .argumentCount(action, given: real.count)
    }
  }
}
