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
    case .perform: ActionRequest(&reader).map(Mutation.perform)
    case .pressKey: KeyPress(&reader).map(Mutation.pressKey)
    case .invoke:
      reader.required("invocation") { Invocation(reading: $0, at: $1, log: $2, in: catalog) }
        .map(Mutation.invoke)
    }
  }

  private static func undo(_ op: Op, _ reader: inout ObjectReader) -> Mutation? {
    let responder: ResponderID? = reader.member("responder", Read.identifier)
    return UndoOperation.Op(rawValue: op.rawValue).flatMap { UndoOperation($0, &reader) }
      .map { .undo($0, of: responder) }
  }

  private static func putResponder(_ reader: inout ObjectReader) -> Mutation? {
    let id = reader.responder()
    let value = reader.required("value", Read.any)
    guard let id, let value else { return nil }
    return Responder(id, reading: value, at: reader.place(of: "value"), log: reader.log)
      .map(Mutation.putResponder)
  }

  private static func removeHandler(_ reader: inout ObjectReader) -> Mutation? {
    let id = reader.responder()
    let selector = reader.required("selector", Read.selector)
    guard let id, let selector else { return nil }
    return .removeHandler(for: selector, of: id)
  }

  private static func changeRegistration(_ reader: inout ObjectReader) -> Mutation? {
    let host = reader.responder()
    let token = reader.required("token", Read.int)
    let selector = reader.member("selector", Read.selector)
    let handler = reader.member("handler", Handler.init(coordinated:at:log:))
    guard let host, let token else { return nil }
    return .changeRegistration(token, with: host, selector: selector, handler: handler)
  }

  private static func putKeyCommands(_ reader: inout ObjectReader) -> Mutation? {
    let id = reader.responder()
    let keyCommands = reader.required("keyCommands", KeyCommand.list(reading:at:log:))
    guard let id, let keyCommands else { return nil }
    return .putKeyCommands(keyCommands, of: id)
  }

  private static func removeRegistration(_ reader: inout ObjectReader) -> Mutation? {
    let host = reader.responder()
    let token = reader.required("token", Read.int)
    guard let host, let token else { return nil }
    return .removeRegistration(token, with: host)
  }
}

extension ObjectReader {
  fileprivate mutating func responder() -> ResponderID? {
    required("responder", Read.identifier)
  }

  fileprivate mutating func window(_ role: WindowRole) -> Mutation? {
    required("window", Read.optionalIdentifier).map { .makeWindow($0, role) }
  }

  fileprivate mutating func handler(
    _ read: (JSON, JSONPointer, FaultLog) -> Handler?
  ) -> (ResponderID, Selector, Handler)? {
    let id = responder()
    let selector = required("selector", Read.selector)
    let handler = required("handler", read)
    guard let id, let selector, let handler else { return nil }
    return (id, selector, handler)
  }
}

extension Mutation {
  /// The mutation as a document, which reads back as the same under the same catalogue.
  public var json: JSON {
    switch self {
    case .patchState(let patch): document(.patchState, ("patch", patch.json))
    case .mergeState(let patch): document(.mergeState, ("patch", patch))
    case .putResponder(let responder):
      document(.putResponder, ("responder", text(responder.id)), ("value", responder.json))
    case .removeResponder(let id): document(.removeResponder, ("responder", text(id)))
    case .putHandler(let handler, for: let selector, of: let id):
      document(
        .putHandler, ("responder", text(id)), ("selector", text(selector)),
        ("handler", handler.json))
    case .removeHandler(for: let selector, of: let id):
      document(.removeHandler, ("responder", text(id)), ("selector", text(selector)))
    case .register(let handler, for: let selector, with: let host):
      document(
        .registerHandler, ("responder", text(host)), ("selector", text(selector)),
        ("handler", handler.json))
    case .changeRegistration(let token, with: let host, let selector, let handler):
      document(
        .changeRegistration, ("responder", text(host)), ("token", .int(Int64(token))),
        ("selector", selector.map(text)), ("handler", handler?.json))
    case .removeRegistration(let token, with: let host):
      document(.removeRegistration, ("responder", text(host)), ("token", .int(Int64(token))))
    case .registerLate(let id, from: let start):
      document(
        .registerLateResponder, ("lateResponder", text(id)), ("responder", text(start)))
    case .deregisterLate(let id, from: let start):
      document(
        .deregisterLateResponder, ("lateResponder", text(id)), ("responder", start.map(text)))
    case .changeProxiedSelectors(let selectors, of: let id):
      document(
        .changeProxiedSelectors, ("responder", text(id)),
        ("proxiedSelectors", selectors.map { .array($0.map(text)) } ?? .null))
    case .putKeyCommands(let keyCommands, of: let id):
      document(
        .putKeyCommands, ("responder", text(id)),
        ("keyCommands", .array(keyCommands.map(\.json))))
    case .becomeFirstResponder(let id): document(.becomeFirstResponder, ("responder", text(id)))
    case .resignFirstResponder: document(.resignFirstResponder)
    case .makeWindow(let id, let role): document(op(role), ("window", id.map(text) ?? .null))
    case .viewController(let mutation): mutation.json
    case .coordinator(let mutation): mutation.json
    case .undo(let operation, of: let id): operation.json(of: id)
    case .storyboard(let mutation): mutation.json
    case .perform(let request): document(.perform, request.members)
    case .pressKey(let press): document(.pressKey, press.members)
    case .invoke(let invocation): document(.invoke, ("invocation", invocation.json))
    }
  }

  private func op(_ role: WindowRole) -> Op {
    switch role {
    case .key: .makeKeyWindow
    case .main: .makeMainWindow
    case .modal: .makeModalWindow
    }
  }

  private func text(_ name: some CustomStringConvertible) -> JSON { .string(name.description) }

  private func document(_ op: Op, _ members: (String, JSON?)...) -> JSON { document(op, members) }

  private func document(_ op: Op, _ members: [(String, JSON?)]) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    for (name, value) in members { object[name] = value }
    return .object(object)
  }
}
