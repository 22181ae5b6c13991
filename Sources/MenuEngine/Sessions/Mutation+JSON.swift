public import JSONText

extension Mutation {
  /// The words for the kinds of mutations.
  public enum Op: String, CaseIterable, Sendable {
    case patchState
    case mergeState
    case putResponder
    case removeResponder
    case putHandler
    case removeHandler
    case registerHandler
    case changeRegistration
    case removeRegistration
    case registerLateResponder
    case deregisterLateResponder
    case changeProxiedSelectors
    case putKeyCommands
    case becomeFirstResponder
    case resignFirstResponder
    case makeKeyWindow
    case makeMainWindow
    case makeModalWindow
    case pushViewController
    case popViewController
    case popToViewController
    case popToRootViewController
    case setViewControllers
    case selectViewController
    case present
    case dismiss
    case removeFromParent
    case collapse
    case expand
    case startCoordinator
    case startChildCoordinator
    case stopChildCoordinator
    case stopCoordinator
    case activateCoordinator
    case takeoverCoordinator
    case coordinatorDidFinish
    case coordinatorShow
    case coordinatorRoot
    case coordinatorTop
    case coordinatorPop
    case undo
    case redo
    case beginUndoGrouping
    case endUndoGrouping
    case setLevelsOfUndo
    case setUndoActionName
    case registerUndo
    case prepareWithInvocationTarget
    case disableUndoRegistration
    case enableUndoRegistration
    case removeAllUndoActions
    case launch
    case instantiate
    case performSegue
    case unwind
    case setDelegate
    case message
    case processMessages
    case removeQueuedMessages
    case perform
    case pressKey
    case invoke
  }

  /// The mutation that a document describes, or nil and the faults.
  ///
  /// For example `{"op": "becomeFirstResponder", "responder": "photoGrid"}`. Commands that send a
  /// message again are looked up in `catalog`.
  public init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog, in catalog: Catalog) {
    guard var reader = ObjectReader(json, at: pointer, log: log),
      let op: Op = reader.required("op", Read.word)
    else { return nil }
    let mutation = Self.read(op, &reader, catalog)
    reader.finish()
    guard let mutation else { return nil }
    self = mutation
  }

  private static func read(
    _ op: Op, _ reader: inout ObjectReader, _ catalog: Catalog
  ) -> Mutation? {
    switch op {
    case .patchState: reader.required("patch", Read.patch).map(Mutation.patchState)
    case .mergeState: reader.required("patch", Read.object).map { .mergeState(.object($0)) }
    case .putResponder: putResponder(&reader)
    case .removeResponder: reader.responder().map(Mutation.removeResponder)
    case .putHandler:
      reader.handler(Handler.init(reading:at:log:)).map { .putHandler($2, for: $1, of: $0) }
    case .removeHandler: removeHandler(&reader)
    case .registerHandler:
      reader.handler(Handler.init(coordinated:at:log:)).map { .register($2, for: $1, with: $0) }
    case .changeRegistration: changeRegistration(&reader)
    case .removeRegistration: removeRegistration(&reader)
    case .registerLateResponder: registerLate(&reader)
    case .deregisterLateResponder: deregisterLate(&reader)
    case .changeProxiedSelectors: changeProxiedSelectors(&reader)
    case .putKeyCommands: putKeyCommands(&reader)
    case .becomeFirstResponder: reader.responder().map(Mutation.becomeFirstResponder)
    case .resignFirstResponder: .resignFirstResponder
    case .makeKeyWindow: reader.window(.key)
    case .makeMainWindow: reader.window(.main)
    case .makeModalWindow: reader.window(.modal)
    case .pushViewController, .popViewController, .popToViewController,
      .popToRootViewController, .setViewControllers, .selectViewController, .present, .dismiss,
      .removeFromParent, .collapse, .expand:
      ViewControllerMutation.Op(rawValue: op.rawValue)
        .flatMap { ViewControllerMutation($0, &reader) }.map(Mutation.viewController)
    case .startCoordinator, .startChildCoordinator, .stopChildCoordinator, .stopCoordinator,
      .activateCoordinator, .takeoverCoordinator, .coordinatorDidFinish, .coordinatorShow,
      .coordinatorRoot, .coordinatorTop, .coordinatorPop:
      CoordinatorOp(rawValue: op.rawValue)
        .flatMap { CoordinatorMutation($0, &reader) }.map(Mutation.coordinator)
    case .undo, .redo, .beginUndoGrouping, .endUndoGrouping, .setLevelsOfUndo,
      .setUndoActionName, .registerUndo, .prepareWithInvocationTarget, .disableUndoRegistration,
      .enableUndoRegistration, .removeAllUndoActions:
      undo(op, &reader)
    case .launch, .instantiate, .performSegue, .unwind, .setDelegate, .message:
      StoryboardMutation.Op(rawValue: op.rawValue)
        .flatMap { StoryboardMutation($0, &reader) }.map(Mutation.storyboard)
    case .processMessages, .removeQueuedMessages:
      MessageQueueMutation.Op(rawValue: op.rawValue)
        .flatMap { MessageQueueMutation($0, &reader) }.map(Mutation.messages)
    case .perform: ActionRequest(&reader).map(Mutation.perform)
    case .pressKey: KeyPress(&reader).map(Mutation.pressKey)
    case .invoke:
      reader.required("invocation") { Invocation(reading: $0, at: $1, log: $2, in: catalog) }
        .map(Mutation.invoke)
    }
  }
}
