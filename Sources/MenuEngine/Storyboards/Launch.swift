package import JSONText

/// The launch of an application (V1).
package struct Launch: Sendable, Codable {
  /// The main storyboard; without one, only the delegate is made and notified.
  package let storyboard: StoryboardName?
  /// The application's delegate; if it has a property `window`, that is set to the window.
  package let delegate: Responder
  /// The launch options passed to the delegate.
  package let options: JSONObject
}

extension Launch: Equatable {
  package static func == (left: Launch, right: Launch) -> Bool { left.json == right.json }
}

extension Launch {
  /// Reads a launch: `{"storyboard": "Main", "delegate": {"class": "AppDelegate", "properties": {"window":
  /// null}}}`.
  package init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    self.init(&reader)
    reader.finish()
  }

  /// Reads a launch from an object that may have other members.
  package init(_ reader: inout ObjectReader) {
    storyboard = reader.member("storyboard", Read.identifier)
    delegate =
      reader.member("delegate", Self.delegate)
      ?? Responder(bare: Self.defaultDelegate, of: .delegate)
    options = reader.member("options", Read.object) ?? JSONObject()
  }

  private static func delegate(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Responder? {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let id: ResponderID? = reader.member("id", Read.identifier)
    let delegate = Responder(id ?? defaultDelegate, &reader, as: .delegate)
    reader.finish()
    return delegate
  }

  private static var defaultDelegate: ResponderID { "appDelegate" }

  package var json: JSON {
    var delegate = self.delegate.json.members
    delegate["kind"] = nil
    delegate["id"] = .string(self.delegate.id.rawValue)
    var object = JSONObject()
    object["storyboard"] = storyboard.map { .string($0.rawValue) }
    object["delegate"] = .object(delegate)
    object["options"] = .object(options)
    return .object(object)
  }
}

/// One of the eight steps of a launch (V1).
package struct LaunchStep: Equatable, Sendable {
  /// The kinds of steps, in order.
  package enum Kind: String, CaseIterable, Sendable {
    case delegateInstantiated
    case windowCreated
    case windowGivenToDelegate
    case storyboardLoaded
    case initialViewControllerInstantiated
    case rootViewControllerSet
    case didFinishLaunching
    case windowMadeKeyAndVisible

    /// Its number, from 1.
    package var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
  }

  package let kind: Kind
  /// The delegate, window or view controller of the step; nil for the storyboard.
  package let responder: ResponderID?
  /// True if the step had an effect: a delegate without a property `window` or without the method has none.
  package let isDone: Bool
}

extension LaunchStep {
  /// The step as a sentence for people.
  package var sentence: String { "V1.\(kind.number): \(clause)." }

  /// The sentence without the rule and the full stop.
  var clause: String {
    let who = responder.map { "'\($0)'" } ?? "the storyboard"
    return switch kind {
    case .delegateInstantiated: "the delegate \(who) is instantiated"
    case .windowCreated: "the window \(who) is created"
    case .windowGivenToDelegate:
      isDone
        ? "the delegate \(who) is given the window"
        : "the delegate \(who) has no property 'window' and is given none"
    case .storyboardLoaded: "the main storyboard is loaded"
    case .initialViewControllerInstantiated:
      "its initial view controller \(who) is instantiated"
    case .rootViewControllerSet: "\(who) becomes the root view controller of the window"
    case .didFinishLaunching:
      isDone
        ? "the delegate \(who) is told and configures what is there"
        : "the delegate \(who) has no method '\(Selector.didFinishLaunching)' and is not told"
    case .windowMadeKeyAndVisible: "the window \(who) becomes key and visible"
    }
  }
}

/// Launching (V1).
extension Performer {
  /// Launches the application of a session that has none: eight steps with a main storyboard, two without.
  /// Nothing is visible before the last one.
  mutating func launch(_ launch: Launch, when: Int64?) throws(MutationFault) -> [LaunchStep] {
    if let application = session.graph.application {
      throw .launch(.launchedAlready(application: application))
    }
    var steps: [LaunchStep] = []
    let application = try makeApplication(launch, &steps)
    guard let name = launch.storyboard else {
      try tellDelegate(of: application, launch, window: nil, when: when, steps: &steps)
      return steps
    }
    let window = try makeWindow(launch.delegate.id, &steps)
    hiddenWindow = window
    defer { hiddenWindow = nil }
    guard let storyboard = catalog.storyboard(name) else {
      throw .storyboard(.unknownStoryboard(name))
    }
    note(.storyboardLoaded, of: nil, in: &steps)
    let root = try instantiate(
      SceneReference(storyboard: name, scene: storyboard.initialViewController))
    note(.initialViewControllerInstantiated, of: root, in: &steps)
    try setRoot(of: window, to: root)
    note(.rootViewControllerSet, of: root, in: &steps)
    try tellDelegate(of: application, launch, window: window, when: when, steps: &steps)
    hiddenWindow = nil
    changes += try session.make(window, .key)
    note(.windowMadeKeyAndVisible, of: window, in: &steps)
    try settleViews()
    return steps
  }

  private mutating func note(
    _ kind: LaunchStep.Kind, of responder: ResponderID?, isDone: Bool = true,
    in steps: inout [LaunchStep]
  ) {
    let step = LaunchStep(kind: kind, responder: responder, isDone: isDone)
    steps.append(step)
    events.append(.launch(step))
    // The storyboard is not a responder; the trace names the application that loads it.
    guard let asked = responder ?? session.graph.application else { return }
    trace.note(
      .launchStep, .responder(asked),
      answer: ["name": .string(kind.rawValue), "done": .bool(isDone)])
  }

  /// Makes the application with its delegate (1).
  private mutating func makeApplication(
    _ launch: Launch, _ steps: inout [LaunchStep]
  ) throws(MutationFault) -> ResponderID {
    var delegate = launch.delegate
    delegate.content.id = try freeName(delegate.id, like: delegate.id.rawValue)
    try put(delegate, as: nil)
    note(.delegateInstantiated, of: delegate.id, in: &steps)
    var application = Responder(bare: try freeName(nil, like: "application"), of: .application)
    application.content.links[.delegate] = delegate.id
    try put(application, as: nil)
    return application.id
  }

  /// Makes the window (2), and sets the delegate's property for it (3).
  private mutating func makeWindow(
    _ delegate: ResponderID, _ steps: inout [LaunchStep]
  ) throws(MutationFault) -> ResponderID {
    let window = try freeName(nil, like: "window")
    try put(Responder(bare: window, of: .window), as: nil)
    note(.windowCreated, of: window, in: &steps)
    let properties = session.graph[delegate]?.properties.members
    let isWanted = properties?["window"] != nil
    if isWanted {
      let patch: JSON = ["window": .string(window.rawValue)]
      try session.graph.merge(patch, intoPropertiesOf: delegate)
      changes.append(.properties(delegate, patch))
    }
    note(.windowGivenToDelegate, of: delegate, isDone: isWanted, in: &steps)
    return window
  }

  /// Sends the launch message to the delegate, whose method configures the root view controller and its
  /// children (7).
  ///
  /// The sender has the window's root view controller, so that rules reach its children:
  /// `sender.rootViewController.viewControllers[0]`.
  private mutating func tellDelegate(
    of application: ResponderID, _ launch: Launch, window: ResponderID?, when: Int64?,
    steps: inout [LaunchStep]
  ) throws(MutationFault) {
    var members: JSONObject = ["kind": "application"]
    let root = window.flatMap { session.graph[$0]?.links[.rootViewController] }
    if let root { members["rootViewController"] = session.graph.ruleValue(of: root) }
    let sender = Sender(
      command: nil,
      description: SenderDescription(responder: window ?? application, members: members))
    let delegate = launch.delegate.id
    let answer = try ask(
      delegate, .didFinishLaunching,
      arguments: [.string(application.rawValue), .object(launch.options)],
      sending: Sending(by: sender, when: when))
    note(.didFinishLaunching, of: delegate, isDone: answer != nil, in: &steps)
  }

  /// Sets the root view controller of a window.
  mutating func setRoot(of window: ResponderID, to root: ResponderID) throws(MutationFault) {
    changes += try session.setRoot(of: window, to: root)
  }

  /// Makes a window the key window and, if `root` is given, sets its root view controller.
  mutating func makeKeyAndVisible(
    _ window: ResponderID, _ root: ResponderID?
  ) throws(MutationFault) {
    if let root { try setRoot(of: window, to: root) }
    changes += try session.make(window, .key)
  }
}

extension Session {
  /// Sets the root view controller of a window; the previous one has no owner then.
  mutating func setRoot(
    of window: ResponderID, to root: ResponderID
  ) throws(MutationFault) -> [Outcome.Change] {
    guard let responder = graph[window] else { throw .unknownResponder(window) }
    guard responder.kind == .window else {
      throw .launch(.notAWindow(window, responder.kind))
    }
    try checkViewController(root)
    guard responder.links[.rootViewController] != root else { return [] }
    try checkUnbound(root)
    if let parent = graph.link(.parent, of: root) {
      throw .presentation(.isChild(root, of: parent))
    }
    try graph.setLink(.rootViewController, of: window, to: root)
    return [.link(window, .rootViewController, root)]
  }
}
