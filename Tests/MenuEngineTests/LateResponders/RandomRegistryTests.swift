import JSONText
import Randomness
import Testing

@testable import MenuEngine

/// Registries under random mutations (L2, L3, L5, R9).
@Suite struct RandomRegistryTests {
  private let ids = (0..<8).map { ResponderID(stringLiteral: "r\($0)") }

  func mutation(_ generator: inout SeededGenerator) throws -> Mutation {
    let id = try #require(ids.randomElement(using: &generator))
    let other = try #require(ids.randomElement(using: &generator))
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return .removeResponder(id)
    case 1..<5: return .registerLate(id, from: other)
    case 5: return .deregisterLate(id, from: nil)
    default: return .putResponder(try responder(id, document(other, &generator)))
    }
  }

  private func document(_ other: ResponderID, _ generator: inout SeededGenerator) -> JSON {
    var object: JSONObject = ["kind": "view"]
    if Bool.random(using: &generator) { object["superview"] = .string(other.rawValue) }
    if Bool.random(using: &generator) {
      object["lateResponders"] = ["hooksLast": .bool(Bool.random(using: &generator))]
    }
    object["weight"] = .int(Int64.random(in: -1...1, using: &generator))
    return .object(object)
  }

  @Test(arguments: Seeds.first(6))
  func `changing one by one comes to the same as opening with the documents`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var stage = try Stage()
    var registered = 0
    for _ in 0..<150 where (try? stage.apply(try mutation(&generator))) != nil {
      let graph = stage.session.graph
      var responders = JSONObject()
      for id in graph.ids { responders[id.rawValue] = graph[id]?.json }
      let whole = try Stage(responders: .object(responders)).session.graph
      for id in graph.ids {
        #expect(graph.chain(from: id) == whole.chain(from: id))
        #expect(graph.host(ofLate: id) == whole.host(ofLate: id))
        registered += graph.host(ofLate: id) == nil ? 0 : 1
      }
      expectOrder(graph)
    }
    #expect(registered > 5)
  }

  private func expectOrder(_ graph: ResponderGraph) {
    for host in graph.responders {
      let weights = (host.lateResponders?.members ?? []).map { graph[$0]?.weight ?? 0 }
      #expect(weights == weights.sorted())
    }
    #expect(Set(graph.responders.map(\.id)).count == graph.count)
    let ends = graph.responders.filter { $0.id.isRegistryEnd }.count
    #expect(ends == 2 * graph.responders.filter { $0.lateResponders != nil }.count)
    #expect(graph.chainCycle == nil)
  }
}
