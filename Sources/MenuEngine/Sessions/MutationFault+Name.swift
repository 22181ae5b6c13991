public import JSONText

extension MutationFault {
  /// The name in a document that the fault is about, or the token: of two that do not go together, the
  /// one that the document gives to the other. Nil when no name is to blame.
  public var name: JSON? {
    switch self {
    case .unknownResponder(let id), .danglingLink(_, _, to: let id),
      .linkToOtherKind(_, _, to: let id, kind: _), .linkTaken(_, _, to: let id, by: _),
      .secondApplication(let id, existing: _), .notCoordinating(let id, parentOf: _),
      .noCoordinator(let id), .noRegistry(let id), .unknownLateResponder(let id, host: _),
      .lateResponderTaken(let id, host: _, by: _), .notAProxy(let id),
      .ruleOfProxy(let id, _), .notAWindow(let id, _, as: _), .notInWindow(let id, _),
      .noSuchLink(let id, _, kind: _):
      id.json
    case .unknownClass(_, let name): .string(name.rawValue)
    case .unknownHandler(_, let selector): .string(selector.rawValue)
    case .unknownRegistration(_, let token): .int(Int64(token))
    case .unknownCommand(let id): .string(id.rawValue)
    case .unknownMenu(let id): .string(id.rawValue)
    case .notPerformed(let refusal): refusal.name
    case .delivery(let fault): .int(Int64(fault.delivery))
    case .storyboard(let fault): fault.name
    case .containment(let fault): fault.name
    case .coordination(let fault): fault.name
    case .cycle, .coordinatingCycle, .weightFixed, .nextOfLateResponder, .launching,
      .firstResponderRefused, .firstResponderRule, .stateIsNoObject, .patch, .tooLarge,
      .keyNotPerformed, .doesNotRecognizeSelector, .senderCarriesNoAction, .argumentCount,
      .invalidParameters, .noParameters, .keyLacksParameters,
      .effectRule, .effectPatch, .effect, .wrongAnswer, .sendsTooDeep, .tooManyEffects, .undo,
      .messageQueueFull, .queuedMessage, .tooMuchEffort, .limitReached, .inList:
      nil
    }
  }

  /// A place in a document, or the element there that is to blame, when it is a list of names.
  ///
  /// Of a name that stands twice in the list, the later one is to blame.
  public func element(in document: JSON, at place: JSONPointer) -> JSONPointer {
    guard let name, case .array(let elements)? = document[place],
      let index = elements.lastIndex(of: name)
    else { return place }
    return place.appending(index)
  }
}

extension ResponderID {
  fileprivate var json: JSON { .string(rawValue) }
}

extension Refusal {
  /// The command, or the action that was sent without one.
  fileprivate var name: JSON? {
    (item?.command.rawValue ?? action?.rawValue).map(JSON.string)
  }
}

extension ContainmentFault {
  /// The view controller that is to blame.
  fileprivate var name: JSON? {
    switch self {
    case .unknownChild(let id, of: _), .notAViewController(let id, _), .notA(_, let id, _),
      .notInA(_, let id), .repeated(let id, in: _), .hasParent(let id, _, not: _),
      .notAChild(let id, of: _), .isChild(let id, of: _), .isPresented(let id, by: _),
      .isRoot(let id, of: _), .isPresenting(let id, _), .tooManyColumns(let id, _),
      .changesCollapsed(let id, to: _):
      id.json
    case .nothingToShow: nil
    }
  }
}

extension CoordinationFault {
  /// The coordinator or view controller that is to blame.
  fileprivate var name: JSON {
    switch self {
    case .notACoordinator(let id), .notANavigationCoordinator(let id), .noRoot(let id),
      .noParent(let id), .identifierTaken(let id, _, of: _, by: _),
      .unknownViewController(let id, of: _), .notAViewController(let id, _, of: _),
      .repeated(let id, of: _):
      id.json
    }
  }
}

extension StoryboardFault {
  /// The storyboard, scene, segue, message or responder that is to blame.
  fileprivate var name: JSON? {
    switch self {
    case .unknownStoryboard(let name): .string(name.rawValue)
    case .unknownScene(let reference): .string(reference.scene.rawValue)
    case .noStoryboard(let id), .nameTaken(let id), .unknownOwner(let id, of: _),
      .delegateLacks(_, delegate: let id, of: _, _), .notAWindow(let id, _):
      id.json
    case .unknownSegue(let identifier, of: _, _, _), .embedded(let identifier, of: _):
      .string(identifier.rawValue)
    case .handlerRequired(let selector, delegate: _, of: _, _),
      .messageOutsideProtocol(let selector, of: _, _):
      .string(selector.rawValue)
    case .nameTooLong, .notChildren, .launchedAlready, .nothingToLaunch: nil
    }
  }
}
