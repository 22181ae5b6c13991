import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Launching (V1), segues (V3) and unwinding (V6).
enum SegueRoutes {
  static let all = [
    Route(
      .post, at: "/sessions/{session}/launch", needing: .declare, id: "launch",
      "Launches the application of a session that has none, by default as the catalogue's session says.",
      parameters: ["session": "phone"],
      body: .json(
        "LaunchRequest",
        #"{"storyboard":"Main","delegate":{"class":"UIResponder","properties":{"window":null}}}"#,
        isRequired: false),
      answers: [.ok("Launched", "The steps, in order.", headers: ["ETag"])],
      problems: [
        .unresolvedReference, .launchedAlready, .delegateRefused, .effectFailed, .linkConflict,
        .doesNotRecognizeSelector, .tooMuchEffort,
      ],
      answeredBy: launch),
    Route(
      .post, at: "/sessions/{session}/segues/{identifier}", needing: .perform, id: "performSegue",
      "Performs a segue of a view controller; when the user triggers it, the source is asked first.",
      parameters: ["session": "phone"],
      body: .json(
        "SegueRequest", #"{"source":"photos","sender":{"kind":"cell","row":2},"explain":true}"#),
      answers: [.ok("SegueAnswer", "The outcome.", headers: ["ETag"])],
      problems: [
        .unknownSegue, .unresolvedReference, .noStoryboard, .delegateRefused, .effectFailed,
        .linkConflict, .firstResponderRefused, .doesNotRecognizeSelector, .tooMuchEffort,
      ],
      answeredBy: segue),
  ]

  static let unwinding = [
    Route(
      .post, at: "/sessions/{session}/unwind", needing: .perform, id: "unwind",
      "Unwinds to the nearest view controller that takes the action; nobody does: nothing happens.",
      parameters: ["session": "phone"],
      body: .json("UnwindRequest", #"{"action":"unwindToPhotos:","source":"zoom"}"#),
      answers: [.ok("SegueAnswer", "The outcome.", headers: ["ETag"])],
      problems: [
        .unresolvedReference, .delegateRefused, .effectFailed, .linkConflict,
        .firstResponderRefused, .doesNotRecognizeSelector, .tooMuchEffort,
      ],
      answeredBy: unwind)
  ]

  private static func launch(_ call: Call) throws(Problem) -> Response {
    var given: Launch?
    var options = try ChangeOptions(call)
    if !call.request.body.isEmpty {
      (given, options) = try call.objectAndOptions({ reader in Launch(&reader) })
    }
    return try call.apply(.launch(given), options, at: \.placeInLaunch) { writer, outcome in
      writer.member("steps", outcome.launch)
    }
  }

  private static func segue(_ call: Call) throws(Problem) -> Response {
    let name = call.parameters[1]
    guard let identifier = SegueIdentifier(name) else {
      throw Problem(.unknownSegue, "\(quoted(name)) cannot be the identifier of a segue.")
    }
    let (request, options) = try call.objectAndOptions({ reader in
      SegueRequest(&reader, identifier, isDated: false)
    })
    var made = request
    made.when = call.service.dependencies.now()
    let dated = made
    let place = { (fault: MutationFault) in fault.placeInSegue(from: dated.source, dated.sender) }
    return try call.apply(.performSegue(dated), options, at: place) { $0.members(segueOf: $1) }
  }

  private static func unwind(_ call: Call) throws(Problem) -> Response {
    let (request, options) = try call.objectAndOptions({ UnwindRequest(&$0, isDated: false) })
    var made = request
    made.when = call.service.dependencies.now()
    let dated = made
    let place = { (fault: MutationFault) in fault.placeInUnwind(from: dated.source, dated.sender) }
    return try call.apply(.unwind(dated), options, at: place) { $0.members(segueOf: $1) }
  }
}

extension JSONWriter {
  fileprivate mutating func members(segueOf outcome: Outcome) {
    if let segue = outcome.segue { members(segue) }
  }
}

extension MutationFault {
  /// The member of a launch's body that the fault is about.
  fileprivate var placeInLaunch: JSONPointer? {
    switch self {
    case .storyboard(.unknownStoryboard): JSONPointer(["storyboard"])
    case .link(.unknownClass): JSONPointer(["delegate", "class"])
    default: nil
    }
  }

  /// Returns the member of a segue's body that the fault is about.
  fileprivate func placeInSegue(
    from source: ResponderID, _ sender: SenderDescription?
  ) -> JSONPointer? {
    switch self {
    case .storyboard(.nameTaken): JSONPointer(["id"])
    case .storyboard(.noStoryboard): JSONPointer(["source"])
    default: placeInUnwind(from: source, sender)
    }
  }

  /// Returns the member of an unwind's body that the fault is about.
  fileprivate func placeInUnwind(
    from source: ResponderID, _ sender: SenderDescription?
  ) -> JSONPointer? {
    switch self {
    case .unknownResponder(source): JSONPointer(["source"])
    case .unknownResponder(let id) where id == sender?.responder:
      JSONPointer(["sender", "responder"])
    default: nil
    }
  }
}
