import JSONText

/// On whose behalf commands are asked about; there is a plan for each.
struct PlanVariant: Sendable {
  let from: ResponderID?
  let sender: SenderDescription?
  let modifiers: KeyModifiers

  init(_ request: ValidationRequest) {
    from = request.from
    sender = request.sender
    modifiers = request.modifiers
  }

  /// True if rules see the same of both, to the byte.
  func isSame(as other: PlanVariant) -> Bool {
    guard from == other.from, modifiers == other.modifiers,
      sender?.responder == other.sender?.responder
    else { return false }
    return switch (sender?.members, other.sender?.members) {
    case (nil, nil): true
    case (let members?, let others?): JSON.object(members).isWritten(as: .object(others))
    case (nil, _?), (_?, nil): false
    }
  }
}
