import JSONText
import Randomness

@testable import MenuEngine

/// Random mutations of all systems together, of the session that `SystemsSession` opens.
struct RandomMutations {
  private var generator: SeededGenerator
  /// True if undoing everything must give the first state: then nothing is made that does more when
  /// it is undone, or that forgets what can be undone.
  private let isExact: Bool

  init(seed: UInt64, isExact: Bool) {
    generator = SeededGenerator(seed: seed)
    self.isExact = isExact
  }

  /// A mutation that the session may refuse.
  mutating func next(for session: Session) -> Mutation {
    switch roll(12) {
    case 0, 1, 2: storyboard(session)
    case 3, 4, 5: containment(session)
    case 6, 7: performance(session)
    case 8: undo()
    case 9: responder(session)
    case 10: registry(session)
    default: undoManager(session)
    }
  }
}

extension RandomMutations {
  private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }

  private mutating func one<Element>(of elements: [Element], or other: Element) -> Element {
    elements.randomElement(using: &generator) ?? other
  }

  private mutating func anybody(_ session: Session) -> ResponderID {
    one(of: session.graph.ids, or: "nobody")
  }

  /// A view controller, of a class if one is given; not those whose messages are to be exact.
  private mutating func controller(
    _ session: Session, _ className: ClassName? = nil
  ) -> ResponderID {
    let all = session.graph.responders.filter {
      $0.kind == .viewController && !SystemsSession.sideShow.contains($0.id)
    }
    let some = all.filter { className == nil || $0.className == className }
    return one(of: some.map(\.id), or: one(of: all.map(\.id), or: "nobody"))
  }

  private mutating func some(_ ids: [ResponderID], oneOf sides: Int) -> [ResponderID] {
    ids.filter { _ in Int.random(in: 0..<sides, using: &generator) == 0 }
  }
}

extension RandomMutations {
  /// Segues, ways back, instances, delegates (V).
  private mutating func storyboard(_ session: Session) -> Mutation {
    let id = controller(session)
    switch roll(12) {
    case 0..<6:
      let known = SystemsSession.segues(of: session.graph[id]?.scene?.scene)
      let request = SegueRequest(
        identifier: one(of: known, or: "showdetail"), source: id,
        trigger: roll(3) == 0 ? .code : .user,
        sender: roll(2) == 0 ? SenderDescription(members: ["title": "Button"]) : nil)
      return .performSegue(request)
    case 6, 7, 8: return .unwind(UnwindRequest(action: "home:", source: id))
    case 9:
      let scene: SceneName = one(of: ["form", "left", "detail", "board"], or: "form")
      return .instantiate(
        SceneReference(storyboard: "Main", scene: scene),
        id: roll(3) == 0 ? ResponderID(unchecked: "made\(roll(3))") : nil)
    case 10: return .setDelegate(roll(2) == 0 ? "judge" : nil, of: id)
    default:
      return .message(MessageRequest(message: "listen:", from: id, destination: .delegate))
    }
  }

  /// Returns a mutation by which a front end shows or hides something (V4, A8).
  private mutating func containment(_ session: Session) -> Mutation {
    let (id, other) = (controller(session), controller(session))
    let navigation = controller(session, .navigationController)
    switch roll(14) {
    case 0, 1: return .push(id, onto: navigation)
    case 2: return .pop(navigation)
    case 3: return .popTo(id)
    case 4: return .popToRoot(navigation)
    case 5:
      let ids = session.graph.responders.filter { $0.kind == .viewController }.map(\.id)
      let free = ids.filter { !SystemsSession.sideShow.contains($0) }
      return .setViewControllers(some(free, oneOf: 8), of: other)
    case 6:
      let children = session.graph[controller(session, .tabBarController)]?.viewControllers
      return .select(one(of: children ?? [], or: id))
    case 7, 8: return .present(id, from: other)
    case 9, 10: return .dismiss(id)
    case 11: return .removeFromParent(id)
    case 12: return .collapse(controller(session, .splitViewController))
    default: return .expand(controller(session, .splitViewController))
    }
  }

  /// Commands with effects of all kinds, and the built-in actions (M7, A4).
  private mutating func performance(_ session: Session) -> Mutation {
    let (id, other) = (controller(session), controller(session))
    switch roll(10) {
    case 0, 1, 2, 3:
      let command: CommandID = one(of: ["mark:", "shuffle:", "prune:", "twist:"], or: "mark:")
      return .perform(ActionRequest(.command(command), from: "keeper"))
    case 4:
      let message: Selector = one(of: ["touch:", "focus:"], or: "touch:")
      return .perform(ActionRequest(.action(message), to: .responder("keeper")))
    case 5:
      let child: ResponderID = one(of: ["s0", "s1"], or: "s0")
      return .perform(
        ActionRequest(
          .action("choose:"), to: .responder("side"), arguments: [.string(child.rawValue)]))
    case 6 where !isExact:
      return .perform(ActionRequest(.action("open:"), to: .responder(id)))
    case 6, 7:
      return .perform(
        ActionRequest(
          .action("display:"), to: .responder("keeper"),
          arguments: [[.string(id.rawValue), .string(other.rawValue)]]))
    default:
      return .perform(
        ActionRequest(
          .action(roll(2) == 0 ? .show : .showDetail), to: .responder(other),
          arguments: [.string(id.rawValue), nil]))
    }
  }

  private mutating func undo() -> Mutation {
    if roll(3) == 0 { return .perform(ActionRequest(.command(roll(2) == 0 ? "undo:" : "redo:"))) }
    return roll(5) < 3 ? .undo() : .redo()
  }

  /// Groups, names, prepared messages (U2, U3).
  private mutating func undoManager(_ session: Session) -> Mutation {
    let holder = isExact || roll(2) == 0 ? nil : anybody(session)
    switch roll(isExact ? 6 : 12) {
    case 0: return .beginUndoGrouping(of: holder)
    case 1, 2: return .endUndoGrouping(of: holder)
    case 3: return .setUndoActionName("Name \(roll(3))", of: holder)
    case 4: return .prepareWithInvocationTarget("keeper", of: holder)
    case 5:
      return .perform(ActionRequest(.action("touch:"), to: .undoManager(of: "keeper")))
    case 6: return .disableUndoRegistration(of: "judge")
    case 7, 8: return .enableUndoRegistration(of: "judge")
    case 9: return .setLevelsOfUndo(roll(4), of: holder)
    case 10:
      return .removeAllUndoActions(
        withTarget: roll(2) == 0 ? anybody(session) : nil, of: holder)
    default:
      let isUndo = roll(2) == 0
      let owner = anybody(session)
      return isUndo ? .undo(of: owner) : .redo(of: owner)
    }
  }

  /// Responders that join, are replaced, change or go (R).
  private mutating func responder(_ session: Session) -> Mutation {
    switch roll(12) {
    case 0, 1, 2:
      let id = anybody(session)
      let isNeeded = SystemsSession.keeps(id, isExact: isExact)
      return .removeResponder(isNeeded ? controller(session) : id)
    case 3, 4:
      let id: ResponderID = one(of: SystemsSession.controllers, or: "c0")
      let parent = roll(2) == 0 ? controller(session) : nil
      let children = roll(3) == 0 ? some(SystemsSession.controllers, oneOf: 4) : []
      let document = SystemsSession.controller(
        one(of: SystemsSession.controllerClasses, or: "UIViewController"), parent, children)
      return put(id, document)
    case 5:
      // What was an instance is the front end's from now on, or stays as it is.
      let id = controller(session)
      guard case .object(var document)? = session.graph[id]?.json else {
        return .resignFirstResponder
      }
      if roll(2) == 0 { document["isInstance"] = nil }
      return put(id, .object(document))
    case 6, 7, 8: return .becomeFirstResponder(anybody(session))
    case 9: return .resignFirstResponder
    case 10:
      return .makeWindow(
        roll(3) == 0 ? nil : one(of: ["window", "panel"], or: "window"),
        one(of: WindowRole.allCases, or: .key))
    default: return .mergeState(["answer": .int(Int64(roll(4)))])
    }
  }

  /// Puts a responder that reads without a fault, else lets go of focus.
  private func put(_ id: ResponderID, _ document: JSON) -> Mutation {
    let read = try? FaultLog.collecting { Responder(id, reading: document, at: .root, log: $0) }
    return read.map { .putResponder($0) } ?? .resignFirstResponder
  }

  /// Late responders (L).
  private mutating func registry(_ session: Session) -> Mutation {
    let id: ResponderID = roll(3) == 0 ? anybody(session) : ResponderID(unchecked: "late\(roll(3))")
    let start: ResponderID = one(of: ["host", "inner", "keeper", anybody(session)], or: "host")
    guard !SystemsSession.keeps(id, isExact: isExact) else {
      return .registerLate("late0", from: start)
    }
    switch roll(4) {
    case 0: return .deregisterLate(id, from: roll(2) == 0 ? nil : start)
    default: return .registerLate(id, from: start)
    }
  }
}
