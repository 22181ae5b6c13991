import JSONText

extension StoryboardMutation {
  /// The words for the kinds of mutations.
  enum Op: String, CaseIterable {
    case launch
    case instantiate
    case performSegue
    case unwind
    case setDelegate
    case message
  }

  /// The mutation with the members of a document, or nil and the faults.
  init?(_ op: Op, _ reader: inout ObjectReader) {
    switch op {
    case .launch:
      self = .launch(reader.member("launch", Launch.init(reading:at:log:)))
    case .instantiate:
      let storyboard: StoryboardName? = reader.required("storyboard", Read.identifier)
      let scene: SceneName? = reader.required("scene", Read.identifier)
      let id: ResponderID? = reader.member("id", Read.identifier)
      guard let storyboard, let scene else { return nil }
      self = .instantiate(SceneReference(storyboard: storyboard, scene: scene), id: id)
    case .performSegue:
      let identifier: SegueIdentifier? = reader.required("identifier", Read.identifier)
      guard let request = SegueRequest(&reader, identifier) else { return nil }
      self = .performSegue(request)
    case .unwind:
      guard let request = UnwindRequest(&reader) else { return nil }
      self = .unwind(request)
    case .setDelegate:
      let holder: ResponderID? = reader.required("responder", Read.identifier)
      let delegate: ResponderID?? = reader.required("delegate", Read.optionalIdentifier)
      guard let holder, let delegate else { return nil }
      self = .setDelegate(delegate, of: holder)
    case .message:
      guard let request = MessageRequest(&reader) else { return nil }
      self = .message(request)
    }
  }

  /// The mutation as a document.
  var json: JSON {
    switch self {
    case .launch(let launch): document(.launch, [("launch", launch?.json)])
    case .instantiate(let reference, let id):
      document(
        .instantiate,
        [
          ("storyboard", .string(reference.storyboard.rawValue)),
          ("scene", .string(reference.scene.rawValue)), ("id", id.map { .string($0.rawValue) }),
        ])
    case .performSegue(let request): document(.performSegue, request.members)
    case .unwind(let request): document(.unwind, request.members)
    case .setDelegate(let delegate, of: let holder):
      document(
        .setDelegate,
        [
          ("responder", .string(holder.rawValue)),
          ("delegate", delegate.map { .string($0.rawValue) } ?? .null),
        ])
    case .message(let request): document(.message, request.members)
    }
  }

  private func document(_ op: Op, _ members: [(String, JSON?)]) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    for (name, value) in members { object[name] = value }
    return .object(object)
  }
}

extension SegueRequest {
  /// The members of a segue to perform, its identifier read already; nil when that or another one is at
  /// fault.
  public init?(
    _ reader: inout ObjectReader, _ identifier: SegueIdentifier?, isDated: Bool = true
  ) {
    let source: ResponderID? = reader.required("source", Read.identifier)
    let trigger: Trigger? = reader.member("by", Read.word)
    let sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    let id: ResponderID? = reader.member("id", Read.identifier)
    let when = isDated ? reader.member("when", Read.time) : nil
    guard let identifier, let source else { return nil }
    self.init(
      identifier, from: source, by: trigger ?? .user, sender: sender, as: id, when: when)
  }

  /// The request as members of a document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("identifier", .string(identifier.rawValue)), ("source", .string(source.rawValue)),
      ("by", .string(trigger.rawValue)), ("sender", sender?.json),
      ("id", id.map { .string($0.rawValue) }), ("when", when.map(JSON.int)),
    ]
  }
}

extension UnwindRequest {
  /// The members of a way back to take, or nil and the faults.
  public init?(_ reader: inout ObjectReader, isDated: Bool = true) {
    let action = reader.required("action", Read.selector)
    let source: ResponderID? = reader.required("source", Read.identifier)
    let sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    let when = isDated ? reader.member("when", Read.time) : nil
    guard let action, let source else { return nil }
    self.init(action, from: source, sender: sender, when: when)
  }

  /// The request as members of a document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("action", .string(action.rawValue)), ("source", .string(source.rawValue)),
      ("sender", sender?.json), ("when", when.map(JSON.int)),
    ]
  }
}
