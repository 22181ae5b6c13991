import MenuEngine

extension EngineMessage {
  /// All messages that the engine sends by itself. Undoing also sends the actions that were registered,
  /// with their arguments, and observers get the actions that they name.
  static let all = lifecycle + segues + unwinding + launch + splitViews + coordinators

  private static let lifecycle = LifecycleStage.allCases.map { stage in
    let colons = stage.selector.argumentCount
    return EngineMessage(
      selector: stage.selector, receiver: "The view controller.", moment: stage.moment,
      arguments: (0..<colons).map { _ in
        Argument(name: "animated", description: "Always true.", schema: #"{"type":"boolean"}"#)
      }, rule: "V9")
  }

  private static let segues = [
    EngineMessage(
      selector: .shouldPerformSegue, receiver: "The source.",
      moment: "The user triggers a segue, before the destination is instantiated.",
      arguments: [
        Argument(
          name: "identifier", description: "The segue's.",
          schema: ##"{"$ref":"#/components/schemas/OptionalIdentifier"}"##), .sender,
      ],
      answer: .bool("False refuses the segue.", otherwise: "It is performed."), rule: "V3"),
    EngineMessage(
      selector: .prepareForSegue, receiver: "The source.",
      moment: "The destination of a segue was found or instantiated, and is not shown yet.",
      arguments: [.segue, .sender], rule: "V5"),
  ]

  private static let unwinding = [
    EngineMessage(
      selector: .allowedChildrenForUnwinding, receiver: "Each container that is searched.",
      moment: "The destination of an unwind segue is searched for.",
      arguments: [.responder("source", "Where the unwinding begins.")],
      answer: Answer(
        schema: ##"{"$ref":"#/components/schemas/IdentifierArray"}"##,
        description: "Its children that are searched, in order.",
        fallback: "All but the one that the search comes from."), rule: "V6"),
    EngineMessage(
      selector: .canPerformUnwind, receiver: "Each view controller that is searched.",
      moment: "The destination of an unwind segue is searched for.",
      arguments: [
        Argument(
          name: "action", description: "The action of the unwind segue.",
          schema: ##"{"$ref":"#/components/schemas/Selector"}"##),
        .responder("source", "Where the unwinding begins."), .sender,
      ],
      answer: .bool(
        "False lets the search go on.", otherwise: "Whether it has a handler for the action."),
      rule: "V6"),
  ]

  private static let launch = [
    EngineMessage(
      selector: .didFinishLaunching, receiver: "The delegate of the application.",
      moment: "The storyboard is loaded, and the window not visible yet.",
      arguments: [
        .responder("application", "The application."),
        Argument(
          name: "options", description: "Those of the launch.", schema: #"{"type":"object"}"#),
      ], rule: "V1")
  ]

  private static let splitViews = [
    splitView(
      .splitDelegateShow, when: "Something is to be shown in its primary column.",
      with: [.responder("viewController", "What is to be shown."), .sender],
      answer: .bool(
        "True when the delegate has shown it.", otherwise: "The primary column shows it."),
      rule: "A6"),
    splitView(
      .splitDelegateShowDetail, when: "Something is to be shown as its detail.",
      with: [.responder("viewController", "What is to be shown."), .sender],
      answer: .bool(
        "True when the delegate has shown it.", otherwise: "The secondary column shows it."),
      rule: "A6"),
    splitView(
      .splitDelegateCollapse, when: "It collapses.",
      with: [
        .responder("secondary", "The secondary view controller."),
        .responder("primary", "The primary view controller."),
      ],
      answer: .bool(
        "True when the delegate did what is to be done, and the secondary is left out.",
        otherwise: "The secondary goes onto the stack of the primary."), rule: "A8"),
    splitView(
      .splitDelegateSeparate, when: "It expands.",
      with: [.responder("primary", "The primary view controller.")],
      answer: Answer(
        schema:
          ##"{"oneOf":[{"$ref":"#/components/schemas/OptionalIdentifier"},{"const":false}]}"##,
        description: "The view controller that becomes the secondary; false for none.",
        fallback: "The top of the primary's stack, when more than one is on it."), rule: "A8"),
  ]

  private static func splitView(
    _ selector: Selector, when moment: String, with arguments: [Argument], answer: Answer,
    rule: String
  ) -> EngineMessage {
    EngineMessage(
      selector: selector, receiver: "The delegate of the split view controller.", moment: moment,
      arguments: [.responder("splitViewController", "The split view controller.")] + arguments,
      answer: answer, rule: rule)
  }

  private static let coordinators = [
    coordinator(.didStart("one"), when: "It was started."),
    coordinator(.didStop("one"), when: "It was stopped."),
    coordinator(.didActivate("one"), when: "It owns its root view controller again."),
    EngineMessage(
      selector: CoordinatorEvent.didFinish("one", to: nil).selector,
      receiver: "The parent of the coordinator, else its continuation.",
      moment: "A coordinator finished; its parent has stopped it.",
      arguments: [.responder("coordinator", "The one that finished.")], rule: "C4"),
    coordinator(
      .handlePopBack("one", to: "two"), when: "The user went back to one of its view controllers.",
      with: [.responder("viewController", "The one that is on top now.")], rule: "C5"),
  ]

  private static func coordinator(
    _ event: CoordinatorEvent, when moment: String, with arguments: [Argument] = [],
    rule: String = "C4"
  ) -> EngineMessage {
    EngineMessage(
      selector: event.selector, receiver: "The coordinator.", moment: moment,
      arguments: arguments, rule: rule)
  }
}

extension LifecycleStage {
  fileprivate var moment: String {
    switch self {
    case .awakeFromNib: "It was instantiated, and its relationships are there."
    case .viewDidLoad: "Its view was made, since it is about to be seen for the first time."
    case .viewWillAppear: "It comes into view."
    case .viewDidAppear: "It has come into view."
    case .viewWillDisappear: "It goes out of view."
    case .viewDidDisappear: "It has gone out of view."
    case .dealloc: "It is about to go, with its view and its children."
    }
  }
}
