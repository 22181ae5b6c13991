public import JSONText

extension MutationFault {
  /// Returns the place of the fault in a session document.
  ///
  /// The `windows` are those that the document names; one of them is to blame when it is the responder
  /// that is not there.
  public func place(
    in pointer: JSONPointer, windows: [WindowRole: ResponderID] = [:]
  ) -> JSONPointer {
    let responders = pointer.appending("responders")
    switch self {
    case .danglingLink(let holder, let link, to: _),
      .linkToOtherKind(let holder, let link, to: _, kind: _),
      .linkTaken(let holder, let link, to: _, by: _):
      return JSONPointer(responders.tokens + [holder.rawValue] + link.path)
    case .notCoordinating(_, parentOf: let holder):
      return responders.appending(holder.rawValue).appending("parentCoordinator")
    case .nextOfLateResponder(let responder, host: _):
      return responders.appending(responder.rawValue).appending("next")
    case .unknownClass(let responder, _):
      return responders.appending(responder.rawValue).appending("class")
    case .secondApplication(let responder, existing: _):
      return responders.appending(responder.rawValue)
    case .unknownLateResponder(_, let host), .lateResponderTaken(_, let host, by: _):
      return responders.appending(host.rawValue).appending("lateResponders")
        .appending("responders")
    case .cycle, .coordinatingCycle: return responders
    case .containment(let fault): return fault.place(in: responders)
    case .coordination(let fault): return fault.place(in: responders)
    case .storyboard(let fault): return fault.place(in: pointer)
    case .launching(let fault): return fault.placeOfLaunch(in: pointer.appending("launch"))
    case .unknownResponder(let id):
      let role = WindowRole.allCases.first { windows[$0] == id }
      return pointer.appending(role?.member ?? "firstResponder")
    case .firstResponderRefused, .firstResponderRule, .notInWindow:
      return pointer.appending("firstResponder")
    case .notAWindow(_, _, as: let role): return pointer.appending(role.member)
    case .stateIsNoObject: return pointer.appending("state")
    case .limitReached(.stateSize, limit: _): return pointer.appending("state")
    case .limitReached: return responders
    case .noSuchLink, .unknownHandler, .noCoordinator, .unknownRegistration, .noRegistry,
      .weightFixed,
      .notAProxy, .ruleOfProxy, .patch, .tooLarge, .unknownCommand, .unknownMenu, .notPerformed,
      .keyNotPerformed,
      .doesNotRecognizeSelector, .senderCarriesNoAction, .argumentCount, .invalidParameters,
      .noParameters, .keyLacksParameters, .effectRule,
      .effectPatch, .effect, .wrongAnswer, .sendsTooDeep, .tooManyEffects,
      .tooMuchEffort, .inList, .undo, .messageQueueFull, .queuedMessage, .delivery:
      return pointer
    }
  }
}
