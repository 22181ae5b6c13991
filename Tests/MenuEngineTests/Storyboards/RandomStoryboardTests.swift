import JSONText
import RandomSessions
import Randomness
import Testing

@testable import MenuEngine

/// Long sequences of segues, unwinding, pops, selections, dismissals and deletions keep the graph
/// together (R9, V3, V6, V9).
@Suite struct RandomStoryboardTests {
  static let scenes: JSON = {
    func segues(_ destination: String) -> JSON {
      .array(
        ["show", "showDetail", "present", "push", "popover"].map { kind in
          [
            "identifier": .string(kind + destination), "kind": .string(kind),
            "destination": .string(destination),
          ]
        })
    }
    let home: JSON = ["home:": logging("home")]
    return [
      "root": ["class": "UITabBarController", "viewControllers": ["left", "split"]],
      "left": ["class": "UINavigationController", "viewControllers": ["list"]],
      "list": ["segues": segues("detail"), "handlers": home],
      "detail": ["segues": segues("modal")],
      "modal": ["class": "UINavigationController", "viewControllers": ["form"]],
      "form": [
        "segues": segues("list"),
        "handlers": ["viewDidDisappear:": logging("gone"), "dealloc": logging("dealloc")],
      ],
      "split": ["class": "UISplitViewController", "viewControllers": ["left2", "detail"]],
      "left2": ["class": "UINavigationController", "viewControllers": ["list"]],
    ]
  }()

  @Test(arguments: Seeds.first(4))
  func `V9: whatever happens, no link dangles and nobody is left behind`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var stage = try StoryboardStage(launching: Self.scenes)
    var accepted = 0
    for _ in 0..<60 {
      let mutation = mutation(of: stage.session, &random)
      let before = stage.session
      do throws(MutationFault) {
        _ = try stage.session.apply(mutation, in: stage.catalog)
        accepted += 1
      } catch {
        continue
      }
      stage.session.expectSound(in: stage.catalog, after: mutation)
      stage.session.expectFocusOnScreen(since: before, in: stage.catalog, after: mutation)
    }
    #expect(accepted > 5)
  }

  func mutation(of session: Session, _ random: inout SeededGenerator) -> Mutation {
    let controllers = session.graph.ids.filter { session.graph[$0]?.kind == .viewController }
    guard let id = controllers.randomElement(using: &random) else { return .resignFirstResponder }
    let kinds = ["show", "showDetail", "present", "push", "popover"]
    let destinations = ["detail", "modal", "list"]
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<6:
      let kind = kinds.randomElement(using: &random) ?? "show"
      let destination = destinations.randomElement(using: &random) ?? "list"
      let identifier = SegueIdentifier(stringLiteral: kind + destination)
      return .performSegue(SegueRequest(identifier: identifier, source: id))
    case 6, 7: return .unwind(UnwindRequest(action: "home:", source: id))
    case 8: return .pop(id)
    case 9: return .select(id)
    case 10: return .dismiss(id)
    default: return .removeResponder(id)
    }
  }
}
