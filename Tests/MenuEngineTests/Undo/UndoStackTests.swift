import JSONText
import Randomness
import Testing

@testable import MenuEngine

/// A stack is what an array of groups is, trimmed to a number and a size.
@Suite struct UndoStackTests {
  @Test(arguments: Seeds.first(2))
  func `U1: whatever is done to it, a stack has the newest groups that the limits allow`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var (stack, model) = (UndoStack(), [UndoGroup]())
    var (droppedByNumber, droppedBySize) = (0, 0)
    for step in 0..<2000 {
      switch Int.random(in: 0..<9, using: &random) {
      case 0: #expect(stack.pop()?.actionName == model.popLast()?.actionName)
      case 1:
        let number = Int.random(in: 0...min(3, model.count), using: &random)
        stack.removeLast(number)
        model.removeLast(number)
      case 2 where !model.isEmpty && step.isMultiple(of: 5):
        let size = Int.random(in: 0..<Limits.undoSize / 4, using: &random)
        let action = try Self.action(on: "a")
        stack.changeLast { $0.append(action, size: size) }
        model[model.count - 1].append(action, size: size)
      case 3 where model.count > 4 && step.isMultiple(of: 4):
        stack.removeSubrange(1..<3)
        model.removeSubrange(1..<3)
      case 4 where step.isMultiple(of: 5):
        stack.removeActions(against: "b")
        for index in model.indices { model[index].removeActions(against: "b") }
        model.removeAll(where: \.isEmpty)
      default:
        var group = UndoGroup(named: "\(step)")
        group.append(
          try Self.action(on: step.isMultiple(of: 7) ? "b" : "a"),
          size: Int.random(in: 0..<Limits.undoSize / 1000, using: &random))
        stack.push(group)
        model.append(group)
      }
      let most = step.isMultiple(of: 100) ? 70 : 200
      stack.trim(to: most)
      while model.count > most {
        model.removeFirst()
        droppedByNumber += 1
      }
      while model.reduce(0, { $0 + $1.size }) > Limits.undoSize {
        model.removeFirst()
        droppedBySize += 1
      }
      #expect(stack.map(\.actionName) == model.map(\.actionName))
      #expect(stack.map(\.size) == model.map(\.size))
    }
    #expect(droppedByNumber > 0 && droppedBySize > 0)
    let text = try JSON(encoding: stack)
    #expect(try text == JSON(encoding: model))
    #expect(try text.decoded(as: UndoStack.self).isSame(as: stack))
  }

  private static func action(on target: ResponderID) throws -> UndoAction {
    .invocation(
      try Invocation(
        target: .responder(target), selector: "act", arguments: [], sender: nil),
      target: target)
  }
}
