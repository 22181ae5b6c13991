import JSONText
import RandomSessions
import Randomness
import Testing

@testable import MenuEngine

/// View controllers under long random sequences of mutations: shows, presentations, pops, collapses,
/// deletions (V4, A4, A6, A8, R9).
@Suite struct RandomContainmentTests {
  private static let classes = [
    "UIViewController", "UINavigationController", "UITabBarController", "UISplitViewController",
    "Careful",
  ]
  private let ids = (0..<9).map { ResponderID(stringLiteral: "c\($0)") }

  /// A window, its root, a delegate that answers at random, nine controllers with views.
  func stage(_ generator: inout SeededGenerator) throws -> Stage {
    var responders: JSONObject = [
      "app": ["kind": "application"],
      "window": ["kind": "window", "rootViewController": "root"],
      "root": controller("UITabBarController", nil, ["view": "rootView"]),
      "rootView": ["kind": "view"], "delegate": ["kind": "responder", "class": "Delegate"],
    ]
    for id in ids {
      responders["\(id)View"] = ["kind": "view"]
      responders[id.rawValue] = document(of: id, &generator)
    }
    return try Stage(
      classes: [
        "Careful": [
          "superclass": "UIViewController",
          "handlers": ["showViewController:sender:": ["perform": [["op": "super"]]]],
        ],
        "Delegate": [
          "superclass": "UIResponder",
          "handlers": [
            "splitViewController:collapseSecondaryViewController:ontoPrimaryViewController:":
              answering("state.answer == 1"),
            "splitViewController:separateSecondaryViewControllerFromPrimaryViewController:":
              answering("[null, false, 'c0', 'c1'][state.answer]"),
            "splitViewController:showDetailViewController:sender:": answering("state.answer == 2"),
          ],
        ],
      ], responders: .object(responders), state: ["answer": 0])
  }

  private func answering(_ rule: String) -> JSON {
    ["perform": [["op": "answer", "value": .string(rule)]]]
  }

  private func document(of id: ResponderID, _ generator: inout SeededGenerator) -> JSON {
    controller(
      Self.classes.randomElement(using: &generator), nil,
      ["view": .string("\(id)View"), "delegate": "delegate"])
  }

  func mutation(
    _ session: Session, _ generator: inout SeededGenerator
  ) throws -> Mutation {
    let all = ids + ["root"]
    let id = try #require(ids.randomElement(using: &generator))
    let other = try #require(all.randomElement(using: &generator))
    let views = ids.map { ResponderID(stringLiteral: "\($0)View") }
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: return .removeResponder(id)
    case 1, 2:
      guard case .object(var object) = document(of: id, &generator) else { break }
      if Bool.random(using: &generator) { object["parent"] = .string(other.rawValue) }
      if Bool.random(using: &generator) {
        let children = ids.filter { _ in Int.random(in: 0..<6, using: &generator) == 0 }
        object["viewControllers"] = .array(children.map { .string($0.rawValue) })
        object["selectedViewController"] = children.first.map { .string($0.rawValue) }
      }
      return .putResponder(try responder(id, .object(object)))
    case 3, 4: return .push(id, onto: other)
    case 5: return .pop(other)
    case 6: return .popTo(id)
    case 7: return .popToRoot(other)
    case 8:
      let children = ids.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
      return .setViewControllers(children, of: other)
    case 9: return .select(id)
    case 10: return .present(id, from: other)
    case 11: return .dismiss(other)
    case 12: return .removeFromParent(id)
    case 13: return .collapse(other)
    case 14: return .expand(other)
    case 15: return .mergeState(["answer": .int(Int64.random(in: 0..<4, using: &generator))])
    case 16:
      return .becomeFirstResponder(try #require(views.randomElement(using: &generator)))
    default: break
    }
    let action: Selector = Bool.random(using: &generator) ? .show : .showDetail
    return .perform(
      ActionRequest(
        .action(action), to: .responder(other),
        arguments: [.string(id.rawValue), nil]))
  }

  @Test(arguments: Seeds.first(6))
  func `whatever happens, containers and chains hold together`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var stage = try stage(&generator)
    var accepted = 0
    for _ in 0..<120 {
      let mutation = try mutation(stage.session, &generator)
      let before = stage.session
      if (try? stage.apply(mutation)) == nil {
        #expect(stage.session.document == before.document)
        continue
      }
      accepted += 1
      stage.session.expectSound(in: stage.catalog, after: mutation)
      stage.session.expectFocusOnScreen(since: before, in: stage.catalog, after: mutation)
      try stage.session.graph.expectSameAsFresh()
    }
    #expect(accepted > 30)
  }
}
