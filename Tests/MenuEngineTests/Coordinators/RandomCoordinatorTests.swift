import JSONText
import RandomSessions
import Randomness
import Testing

@testable import MenuEngine

/// Coordinators under long random sequences of mutations: starts, stops, shows, pops by code and by the
/// user, deletions (C4, C5, R9).
@Suite struct RandomCoordinatorTests {
  private let coordinators = (0..<6).map { ResponderID(stringLiteral: "k\($0)") }
  private let pages = (0..<6).map { ResponderID(stringLiteral: "p\($0)") }
  private let stacks: [ResponderID] = ["nav", "nav2"]

  private func document(_ generator: inout SeededGenerator) -> JSON {
    let identifier = Bool.random(using: &generator) ? "same" : nil
    let root = (stacks + pages.prefix(1)).randomElement(using: &generator)?.rawValue
    let isNavigation = Int.random(in: 0..<4, using: &generator) > 0
    let handlers: JSON = [
      "coordinatorDidFinish:": [
        "perform": [["op": "coordinatorShow", "viewController": "'p5'", "when": "state.acts"]]
      ],
      "handlePopBackToViewController:": [
        "perform": [["op": "activateCoordinator", "coordinator": "'k0'", "when": "state.acts"]]
      ],
    ]
    return coordinator(
      root: root, kind: isNavigation ? "navigation" : "coordinator", identifier: identifier,
      handlers)
  }

  private func stage(_ generator: inout SeededGenerator) throws -> Stage {
    var responders: JSONObject = [
      "window": ["kind": "window", "rootViewController": "tabs"],
      "tabs": controller("UITabBarController", ["nav", "nav2"]),
      "nav": controller("UINavigationController"), "nav2": controller("UINavigationController"),
    ]
    for id in pages { responders[id.rawValue] = controller() }
    for id in coordinators { responders[id.rawValue] = document(&generator) }
    return try Stage(responders: .object(responders), state: ["acts": false])
  }

  private func mutation(_ generator: inout SeededGenerator) throws -> Mutation {
    let id = try #require(coordinators.randomElement(using: &generator))
    let other = try #require(coordinators.randomElement(using: &generator))
    let page = try #require(pages.randomElement(using: &generator))
    let stack = try #require(stacks.randomElement(using: &generator))
    switch Int.random(in: 0..<22, using: &generator) {
    case 0: return .start(id)
    case 1, 2, 3: return .startChild(id, of: other)
    case 4: return .stopChild(id)
    case 5: return .stop(id)
    case 6: return .activate(id)
    case 7: return .takeover(id)
    case 8: return .didFinish(id)
    case 9, 10, 11: return .show(page, by: id)
    case 12: return .root(page, of: id)
    case 13: return .top(page, of: id)
    case 14: return .pop(id, to: Bool.random(using: &generator) ? page : nil)
    case 15: return .pop(stack, by: .user)
    case 16: return .popTo(page, by: .user)
    case 17: return .popToRoot(stack, by: .user)
    case 18: return .pop(stack)
    case 19: return .removeResponder(Bool.random(using: &generator) ? id : page)
    case 20:
      if Bool.random(using: &generator) {
        return .putResponder(try responder(page, controller()))
      }
      return .putResponder(try responder(id, document(&generator)))
    default: return .mergeState(["acts": .bool(Bool.random(using: &generator))])
    }
  }

  @Test(arguments: Seeds.first(5))
  func `whatever happens, coordinators hold together, and the same happens again`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var stage = try stage(&generator)
    var again = stage
    var accepted = 0
    for _ in 0..<120 {
      let mutation = try mutation(&generator)
      let before = stage.session
      guard let outcome = try? stage.apply(mutation) else {
        #expect(stage.session.document == before.document)
        continue
      }
      accepted += 1
      expectCoordination(stage, after: mutation)
      #expect(try again.apply(mutation) == outcome)
    }
    #expect(accepted > 30)
    #expect(again.session.document == stage.session.document)
    let log = FaultLog()
    for responder in stage.session.graph.responders {
      let read = Responder(responder.id, reading: responder.json, at: .root, log: log)
      #expect(read?.json == responder.json)
    }
    #expect(log.faults == [])
  }

  private func expectCoordination(_ stage: Stage, after mutation: Mutation) {
    let graph = stage.session.graph
    for responder in graph.responders {
      guard let coordinating = responder.coordinating else { continue }
      let children = graph.childCoordinators(of: responder.id)
      #expect(Set(children.map(\.identifier)).count == children.count)
      for child in children { #expect(stage.owner(of: child.id) == responder.id) }
      if let parent = stage.owner(of: responder.id) {
        let isChild = graph.childCoordinators(of: parent).contains { $0.id == responder.id }
        #expect(isChild != responder.isReplaced)
      }
      let list = coordinating.viewControllers
      #expect(Set(list).count == list.count)
      #expect(list.allSatisfy { graph[$0]?.kind == .viewController })
      #expect(coordinating.kind == .navigation || list.isEmpty)
      if let root = responder.links[.coordinatedRoot] { #expect(graph[root] != nil) }
    }
    for id in graph.ids {
      let (members, cycle) = graph.coordinatingChain(from: id)
      #expect(cycle == nil, "\(members) after \(mutation.json.text())")
      if let owner = stage.owner(of: id) { #expect(graph[owner]?.coordinating != nil) }
    }
    #expect(graph.chainCycle == nil)
  }
}
