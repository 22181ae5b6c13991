package import JSONText

/// A reason why a mutation was refused, or a question; the session is as it was before.
package enum MutationFault: Error, Equatable, Sendable {
  /// There is no responder of this name.
  case unknownResponder(ResponderID)
  /// Links of responders do not hold together (R9).
  case link(LinkFault)
  /// Focus does not move (R8, R11).
  case focus(FocusFault)
  /// A registry does not take a late responder (L2–L6).
  case lateResponder(LateResponderFault)
  /// A handler is not put or removed.
  case handler(HandlerFault)
  /// A command is not performed (M7, P2, K3).
  case command(CommandFault)
  /// A message is not sent, or does not wait (F4, C6).
  indirect case message(MessageFault)
  /// An effect of a handler cannot be done.
  indirect case effect(EffectFault)
  /// A view controller cannot be shown or presented (V4).
  case presentation(PresentationFault)
  /// A delegate does not fit its protocol (V7).
  case delegate(DelegateFault)
  /// Nothing is launched (V1).
  case launch(LaunchFault)
  /// The launch that a session is opened with fails (V1).
  indirect case launching(MutationFault)
  /// A storyboard or a segue does not fit (V2–V6).
  case storyboard(StoryboardFault)
  /// View controllers cannot be arranged as requested (V4).
  case containment(ContainmentFault)
  /// A coordinator cannot do what was requested (C4, C5).
  case coordination(CoordinationFault)
  /// The state would be something else than an object.
  case stateIsNoObject
  /// A JSON Patch cannot be applied to the state.
  case patch(JSONPatchFault)
  /// A value nested deeper than `Limits.depth`, or with more values and bytes of text than the limit.
  case tooLarge(limit: Int)
  /// The catalogue has no command of this name.
  case unknownCommand(CommandID)
  /// The catalogue has no menu of this name.
  case unknownMenu(MenuID)
  /// An undo manager refuses (U1, U2).
  case undo(UndoFault)
  /// A delivery is not in the state for what is asked, or is not there (D2).
  case delivery(DeliveryFault)
  /// The request takes more steps than `Limits.effort`.
  case tooMuchEffort
  /// The session would exceed one of its limits (`SessionLimits`).
  case limitReached(Holding, limit: Int)
  /// A mutation of a list was refused, and with it the whole list.
  indirect case inList(index: Int, MutationFault)
}

extension MutationFault {
  /// The trace before the fault, when that was recorded.
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
  /// True if a limit of the request, the session or the host was reached. Under other limits the same mutation may
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
  /// The item as it was validated, when a command was to be performed.
  package let item: ValidatedItem?
  package let action: Selector?
  package let reason: ValidationReason
  /// The rule that failed, when one did.
  package let fault: RuleFault?
  /// The trace, if requested.
  package let trace: Trace
}
