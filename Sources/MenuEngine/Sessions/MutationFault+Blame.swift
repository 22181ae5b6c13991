package import JSONText

/// The part of a document that a fault blames.
struct Blame {
  /// The name to blame, or the token: of two names that do not go together, the one that the document
  /// gives to the other. Nil when no name is to blame.
  var name: JSON?
  /// The place in a session document, as a pointer's tokens.
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
  /// The name in a document that the fault is about, or the token: of two that do not go together, the
  /// one that the document gives to the other. Nil when no name is to blame.
  package var name: JSON? { blame.name }

  /// Returns the place of the fault in a session document.
  ///
  /// The `windows` are those that the document names; one of them is to blame when it is the responder
  /// that is not there.
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

  /// A place in a document, or the element there that is to blame, when it is a list of names.
  ///
  /// Of a name that stands twice in the list, the later one is to blame.
  package func element(in document: JSON, at place: JSONPointer) -> JSONPointer {
    guard let name, case .array(let elements)? = document[place],
      let index = elements.lastIndex(of: name)
    else { return place }
    return place.appending(index)
  }

  private var blame: Blame {
    switch self {
    case .unknownResponder(let id): Blame(id, at: ["firstResponder"])
    case .link(let fault): fault.blame
    case .focus(let fault): fault.blame
    case .lateResponder(let fault): fault.blame
    case .handler(let fault): fault.blame
    case .command(let fault): fault.blame
    case .presentation(let fault): fault.blame
    case .delegate(let fault): fault.blame
    case .launch(let fault): fault.blame
    case .storyboard(let fault): fault.blame
    case .containment(let fault): fault.blame
    case .coordination(let fault): fault.blame
    case .launching(let fault): Blame(at: ["launch"] + fault.placeInLaunch)
    case .delivery(let fault): Blame(.int(Int64(fault.delivery)))
    case .stateIsNoObject, .limitReached(.stateSize, limit: _): Blame(at: ["state"])
    case .limitReached: Blame(at: ["responders"])
    case .unknownCommand(let id): Blame(id)
    case .unknownMenu(let id): Blame(id)
    case .message, .effect, .undo, .patch, .tooLarge, .tooMuchEffort, .inList: Blame()
    }
  }

  /// The member of a launch that is to blame, as a pointer's tokens.
  private var placeInLaunch: [String] {
    switch self {
    case .storyboard(.unknownStoryboard): ["storyboard"]
    case .link(.unknownClass): ["delegate", "class"]
    case .storyboard(.nameTaken): ["delegate", "id"]
    default: []
    }
  }
}
