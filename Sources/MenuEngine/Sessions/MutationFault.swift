package import JSONText

/// A reason why a mutation or a request was refused; the session is unchanged.
package enum MutationFault: Error, Equatable, Sendable {
  /// The responder does not exist.
  case unknownResponder(ResponderID)
  /// Links of responders are inconsistent (R9).
  case link(LinkFault)
  /// Focus cannot move (R8, R11).
  case focus(FocusFault)
  /// A registry refuses a late responder (L2–L6).
  case lateResponder(LateResponderFault)
  /// A handler cannot be added or removed.
  case handler(HandlerFault)
  /// A command cannot be performed (M7, P2, K3).
  case command(CommandFault)
  /// A message cannot be sent or queued (F4, C6).
  indirect case message(MessageFault)
  /// An effect of a handler failed.
  indirect case effect(EffectFault)
  /// A view controller cannot be shown or presented (V4).
  case presentation(PresentationFault)
  /// A delegate does not conform to its protocol (V7).
  case delegate(DelegateFault)
  /// The application cannot be launched (V1).
  case launch(LaunchFault)
  /// The launch that opens the session failed (V1).
  indirect case launching(MutationFault)
  /// An operation with a storyboard or a segue failed (V2–V6).
  case storyboard(StoryboardFault)
  /// View controllers cannot be arranged as requested (V4).
  case containment(ContainmentFault)
  /// A coordinator cannot do what was requested (C4, C5).
  case coordination(CoordinationFault)
  /// The state would no longer be an object.
  case stateIsNoObject
  /// A JSON Patch cannot be applied to the state.
  case patch(JSONPatchFault)
  /// A value is nested deeper than `Limits.depth`, or exceeds the limit of values and bytes of text.
  case tooLarge(limit: Int)
  /// The catalogue has no command of this name.
  case unknownCommand(CommandID)
  /// The catalogue has no menu of this name.
  case unknownMenu(MenuID)
  /// An undo manager refuses (U1, U2).
  case undo(UndoFault)
  /// A delivery is missing, or its state does not allow the operation (D2).
  case delivery(DeliveryFault)
  /// The request takes more steps than `Limits.effort`.
  case tooMuchEffort
  /// The session would exceed one of its limits (`SessionLimits`).
  case limitReached(Holding, limit: Int)
  /// A mutation in a list was refused, and with it the whole list.
  indirect case inList(index: Int, MutationFault)
}

extension MutationFault {
  /// The trace up to the fault, if recorded.
  package var trace: Trace? {
    let trace: Trace? =
      switch self {
      case .message(.doesNotRecognizeSelector(_, _, isRegistered: _, let trace)): trace
      case .effect(.sendsTooDeep(_, _, limit: _, let trace)): trace
      case .command(.notPerformed(let refusal)): refusal.trace
      case .command(.keyNotPerformed(let resolution)): resolution.trace
      case .effect(.mutation(_, _, index: _, let fault)),
        .message(.queuedMessage(index: _, _, from: _, let fault)),
        .inList(index: _, let fault), .launching(let fault):
        fault.trace
      default: nil
      }
    return trace?.isRecording == true ? trace : nil
  }
}

extension MutationFault {
  /// True if a limit of the request, the session or the host was reached. The same mutation may succeed under other
  /// limits.
  /// succeed.
  var isOfLimit: Bool {
    switch self {
    case .tooMuchEffort, .limitReached, .effect(.tooManyEffects), .effect(.sendsTooDeep): true
    case .effect(.mutation(_, _, index: _, let fault)),
      .effect(.wrongAnswer(_, of: _, _, expected: .secondary(refused: let fault?))),
      .message(.queuedMessage(index: _, _, from: _, let fault)),
      .inList(index: _, let fault), .launching(let fault):
      fault.isOfLimit
    default: false
    }
  }
}

/// A reason why nothing was performed (M7, M10).
package struct Refusal: Equatable, Sendable {
  /// The validated item, if a command was requested.
  package let item: ValidatedItem?
  package let action: Selector?
  package let reason: ValidationReason
  /// The failed rule, if any.
  package let fault: RuleFault?
  /// The trace, if requested.
  package let trace: Trace
}
