import JSONText
import MenuEngine

/// A command to perform, an action to send, or an invocation to send again (F9).
enum Message {
  case request(ActionRequest)
  case invocation(Invocation)

  init?(_ reader: inout ObjectReader, in catalog: Catalog) {
    let isInvocation = reader.json("invocation") != nil
    guard isInvocation else {
      let request = ActionRequest(&reader, isDated: false, orElse: ["action", "invocation"])
      guard let request else { return nil }
      self = .request(request)
      return
    }
    let invocation = reader.member("invocation") {
      Invocation(reading: $0, at: $1, log: $2, in: catalog)
    }
    for other in [
      "command", "action", "sender", "from", "window", "to", "arguments", "parameters", "modifiers",
    ]
    where reader.json(other) != nil {
      reader.log.note(.conflictingMembers("invocation", other), at: reader.pointer)
    }
    guard let invocation else { return nil }
    self = .invocation(invocation)
  }

  var mutation: Mutation {
    switch self {
    case .request(let request): .perform(request)
    case .invocation(let invocation): .invoke(invocation)
    }
  }

  /// The command, when one is to be performed.
  var command: CommandID? {
    switch self {
    case .request(let request): request.subject.command
    case .invocation: nil
    }
  }

  func dated(_ time: Int64) -> Message {
    switch self {
    case .request(let request): .request(request.dated(time))
    case .invocation(let invocation): .invocation(invocation.dated(time))
    }
  }

  /// The member of the body that a fault is about.
  func place(of fault: MutationFault) -> JSONPointer? {
    switch self {
    case .request(let request): request.place(of: fault)
    case .invocation(let invocation): invocation.place(of: fault)
    }
  }
}

extension ActionRequest.Subject {
  /// The command, when it is one.
  var command: CommandID? {
    switch self {
    case .command(let id): id
    case .action: nil
    }
  }
}

extension ActionRequest {
  /// The member of the request that a fault is about.
  fileprivate func place(of fault: MutationFault) -> JSONPointer? {
    switch (fault, subject) {
    case (.unknownCommand, _), (.notPerformed, .command): JSONPointer.root.appending("command")
    case (.notPerformed, .action): JSONPointer.root.appending("action")
    default: fault.placeOfResponder(from: from, sender, to: to, window: window)
    }
  }
}

extension Invocation {
  /// The member of the invocation that a fault is about.
  fileprivate func place(of fault: MutationFault) -> JSONPointer? {
    let invocation = JSONPointer.root.appending("invocation")
    if case .notPerformed = fault { return invocation.appending("selector") }
    let member = fault.placeOfResponder(from: nil, nil, to: target)
    return member == nil ? nil : invocation.appending("target")
  }
}
