package import MenuEngine

extension MutationFault {
  /// The kind of problem that a request with this fault meets, when it is the body that names what
  /// is not there.
  package var type: ProblemType {
    switch self {
    case .unknownResponder, .unknownClass, .danglingLink, .unknownHandler, .noCoordinator,
      .unknownRegistration, .unknownMenu, .noRegistry, .unknownLateResponder:
      .unresolvedReference
    case .notAProxy, .ruleOfProxy, .notAWindow, .notCoordinating, .linkToOtherKind,
      .stateIsNoObject, .argumentCount, .invalidParameters, .noParameters, .keyLacksParameters:
      .invalidBody
    case .noSuchLink: .invalidBody
    case .storyboard(let fault): fault.type
    case .launching(let fault): fault.type
    case .notInWindow, .linkTaken, .secondApplication, .cycle, .coordinatingCycle,
      .lateResponderTaken,
      .weightFixed, .nextOfLateResponder:
      .linkConflict
    case .firstResponderRefused, .firstResponderRule: .firstResponderRefused
    case .containment(let fault): fault.type
    case .coordination(let fault): fault.type
    case .patch: .patchConflict
    case .unknownCommand: .unknownCommand
    case .notPerformed, .keyNotPerformed: .notPerformed
    case .doesNotRecognizeSelector: .doesNotRecognizeSelector
    case .senderCarriesNoAction: .senderCarriesNoAction
    case .effectRule, .effectPatch, .wrongAnswer, .sendsTooDeep, .tooManyEffects: .effectFailed
    case .tooLarge: .patchConflict
    case .tooMuchEffort: .tooMuchEffort
    case .limitReached: .limitReached
    case .undo: .undoRefused
    case .effect(_, _, index: _, let fault):
      switch fault {
      case .storyboard(.delegateLacks), .storyboard(.handlerRequired): .delegateRefused
      case .limitReached: .limitReached
      default: fault.type == .firstResponderRefused ? .firstResponderRefused : .effectFailed
      }
    case .messageQueueFull: .messageQueueFull
    case .delivery(.unknown): .unresolvedReference
    case .delivery: .deliveryConflict
    case .queuedMessage(index: _, _, from: _, let fault): fault.type
    case .inList(index: _, let fault): fault.type
    }
  }

  /// The kind of problem when the path names what is not there.
  var typeInPath: ProblemType {
    switch self {
    case .unknownResponder: .unknownResponder
    case .unknownHandler: .unknownHandler
    case .noCoordinator: .noCoordinator
    case .noRegistry: .noRegistry
    case .unknownRegistration: .unknownRegistration
    case .delivery(.unknown): .unknownDelivery
    default: type
    }
  }
}
