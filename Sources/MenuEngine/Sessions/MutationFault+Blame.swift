package import JSONText

/// The part of a document that a fault blames.
struct Blame {
  /// The name at fault, or the token. Of two conflicting names, it is the one that the document gives to the
  /// other. Nil if no name is at fault.
  var name: JSON?
  /// The tokens of a pointer into the session document.
  var place: [String]

  init(_ name: JSON? = nil, at place: [String] = []) {
    self.name = name
    self.place = place
  }

  init<Subject>(_ name: Identifier<Subject>, at place: [String] = []) {
    self.init(.string(name.rawValue), at: place)
  }

  init(_ name: Selector) { self.init(.string(name.rawValue)) }

  /// Returns the place of a responder's document, or of a member in it.
  static func responder(_ id: ResponderID, _ member: [String] = []) -> [String] {
    ["responders", id.rawValue] + member
  }
}

extension MutationFault {
  /// The name at fault, or the token. Of two conflicting names, it is the one that the document gives to the
  /// other. Nil if no name is at fault.
  package var name: JSON? { blame.name }

  /// Returns the place of the fault in a session document.
  ///
  /// - Parameter windows: The windows in the document; one of them is at fault if it names the missing
  ///   responder.
  package func place(
    in pointer: JSONPointer, windows: [WindowRole: ResponderID] = [:]
  ) -> JSONPointer {
    if case .unknownResponder(let id) = self,
      let role = WindowRole.allCases.first(where: { windows[$0] == id })
    {
      return pointer.appending(role.member)
    }
    return JSONPointer(pointer.tokens + blame.place)
  }

  /// Returns the place, or for a list of names the element at fault. If a name occurs twice, the later one is
  /// at fault.
  package func element(in document: JSON, at place: JSONPointer) -> JSONPointer {
    guard let name, case .array(let elements)? = document[place],
      let index = elements.lastIndex(of: name)
    else { return place }
    return place.appending(index)
  }

  private var blame: Blame {
    switch self {
    case .unknownResponder(let id): Blame(id, at: ["firstResponder"])
    case .unknownClass(let id, let name): Blame(name, at: Blame.responder(id, ["class"]))
    case .danglingLink(let holder, let link, to: let id),
      .linkToOtherKind(let holder, let link, to: let id, kind: _),
      .linkTaken(let holder, let link, to: let id, by: _):
      Blame(id, at: Blame.responder(holder, link.path))
    case .secondApplication(let id, existing: _): Blame(id, at: Blame.responder(id))
    case .cycle, .coordinatingCycle: Blame(at: ["responders"])
    case .notCoordinating(let id, parentOf: let holder):
      Blame(id, at: Blame.responder(holder, ["parentCoordinator"]))
    case .unknownLateResponder(let id, let host), .lateResponderTaken(let id, let host, by: _):
      Blame(id, at: Blame.responder(host, ["lateResponders", "responders"]))
    case .nextOfLateResponder(let id, host: _): Blame(at: Blame.responder(id, ["next"]))
    case .notAWindow(let id, _, as: let role): Blame(id, at: [role.member])
    case .notInWindow(let id, _): Blame(id, at: ["firstResponder"])
    case .firstResponderRefused, .firstResponderRule: Blame(at: ["firstResponder"])
    case .stateIsNoObject, .limitReached(.stateSize, limit: _): Blame(at: ["state"])
    case .limitReached: Blame(at: ["responders"])
    case .noCoordinator(let id), .noRegistry(let id), .notAProxy(let id), .ruleOfProxy(let id, _),
      .noSuchLink(let id, _, kind: _):
      Blame(id)
    case .unknownHandler(_, let selector): Blame(selector)
    case .unknownRegistration(_, let token): Blame(.int(Int64(token)))
    case .unknownCommand(let id): Blame(id)
    case .unknownMenu(let id): Blame(id)
    case .notPerformed(let refusal):
      Blame((refusal.item?.command.rawValue ?? refusal.action?.rawValue).map(JSON.string))
    case .delivery(let fault): Blame(.int(Int64(fault.delivery)))
    case .storyboard(let fault): fault.blame
    case .containment(let fault): fault.blame
    case .coordination(let fault): fault.blame
    case .launching(let fault): Blame(at: ["launch"] + fault.placeInLaunch)
    case .weightFixed, .patch, .tooLarge, .keyNotPerformed, .doesNotRecognizeSelector,
      .senderCarriesNoAction, .argumentCount, .invalidParameters, .noParameters,
      .keyLacksParameters, .effectRule, .effectPatch, .effect, .wrongAnswer, .sendsTooDeep,
      .tooManyEffects, .undo, .messageQueueFull, .queuedMessage, .tooMuchEffort, .inList:
      Blame()
    }
  }

  /// The member of a launch at fault, as tokens of a pointer.
  private var placeInLaunch: [String] {
    switch self {
    case .storyboard(.unknownStoryboard): ["storyboard"]
    case .unknownClass: ["delegate", "class"]
    case .storyboard(.nameTaken): ["delegate", "id"]
    default: []
    }
  }
}
