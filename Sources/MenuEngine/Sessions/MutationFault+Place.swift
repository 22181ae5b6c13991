public import JSONText

extension MutationFault {
  /// Where in a session document the fault is.
  ///
  /// - Parameter keyWindow: The key window that the document names, which is to blame when it is
  ///   the responder that is not there.
  public func place(
    in pointer: JSONPointer, keyWindow: ResponderID? = nil
  ) -> JSONPointer {
    let responders = pointer.appending("responders")
    switch self {
    case .danglingLink(let holder, let link, to: _),
      .linkToOtherKind(let holder, let link, to: _, kind: _),
      .linkTaken(let holder, let link, to: _, by: _):
      return responders.appending(holder.rawValue).appending(link.rawValue)
    case .unknownClass(let responder, _):
      return responders.appending(responder.rawValue).appending("class")
    case .secondApplication(let responder, existing: _):
      return responders.appending(responder.rawValue)
    case .unknownLateResponder(_, let host), .lateResponderTaken(_, let host, by: _):
      return responders.appending(host.rawValue).appending("lateResponders")
        .appending("responders")
    case .cycle: return responders
    case .unknownResponder(let id):
      return pointer.appending(id == keyWindow ? "keyWindow" : "firstResponder")
    case .firstResponderRefused, .firstResponderRule: return pointer.appending("firstResponder")
    case .notAWindow: return pointer.appending("keyWindow")
    case .stateIsNoObject: return pointer.appending("state")
    case .unknownHandler, .noCoordinator, .unknownRegistration, .noRegistry, .weightFixed,
      .notAProxy, .patch, .tooLarge, .unknownCommand, .notPerformed, .keyNotPerformed,
      .doesNotRecognizeSelector, .senderCarriesNoAction, .argumentCount, .effectRule,
      .effectPatch, .effect, .sendsTooDeep, .tooManyEffects,
      .tooMuchEffort, .inList:
      return pointer
    }
  }
}
