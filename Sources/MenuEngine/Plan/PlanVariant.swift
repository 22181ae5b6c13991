import JSONText

/// The asker of a validation; there is a table for each.
struct PlanVariant: Sendable {
  let sender: SenderDescription?
  let window: ResponderID?
  let modifiers: KeyModifiers

  init(_ request: ValidationRequest) {
    sender = request.sender
    window = request.window
    modifiers = request.modifiers
  }

  /// True if rules see the same of both, to the byte.
  func isSame(as other: PlanVariant) -> Bool {
    guard modifiers == other.modifiers, window == other.window,
      sender?.responder == other.sender?.responder
    else { return false }
    return switch (sender?.members, other.sender?.members) {
    case (nil, nil): true
    case (let members?, let others?): JSON.object(members).isWritten(as: .object(others))
    case (nil, _?), (_?, nil): false
    }
  }
}
