package import JSONText

/// The part of a document at fault.
struct Blame {
  /// The name or the token at fault. If two names conflict, it is the one whose document refers to the other. Nil if
  /// no name is at fault.
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
  /// The name or the token at fault. If two names conflict, it is the one whose document refers to the other. Nil if
  /// no name is at fault.
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

  /// The member of a launch at fault, as tokens of a pointer.
  private var placeInLaunch: [String] {
    switch self {
    case .storyboard(.unknownStoryboard): ["storyboard"]
    case .link(.unknownClass): ["delegate", "class"]
    case .storyboard(.nameTaken): ["delegate", "id"]
    default: []
    }
  }
}
