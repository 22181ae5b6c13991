import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

struct ResponderChainRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `R5: the chain is told in order, with what each step is`() throws {
    let response = try sample.send(.get, "/sessions/demo/chain")
    #expect(
      try column(response, "responder") == [
        "photoGrid", "rootView", "root", "window", "application",
      ])
    #expect(
      try column(response, "kind") == ["view", "view", "viewController", "window", "application"])
    #expect(try response.value("/isCyclic") == false)
    #expect(try response.value("/action") == nil)
    #expect(try response.value("/chain/0/answers") == nil)
    let from = try sample.send(.get, "/sessions/demo/chain?from=root")
    #expect(try column(from, "responder") == ["root", "window", "application"])
  }

  @Test func `R2: one answer has the next responder of each, and the chain that is asked`() throws {
    let response = try sample.send(.get, "/sessions/demo/chains")
    guard case .object(let next)? = try response.value("/next"),
      case .object(let all)? = try sample.send(.get, "/sessions/demo").value("/responders")
    else {
      Issue.record("\(response.text)")
      return
    }
    #expect(Set(all.members.map(\.name)).isSubset(of: Set(next.members.map(\.name))))
    #expect(
      try response.value("/chain") == ["photoGrid", "rootView", "root", "window", "application"])
    #expect(try response.value("/isCyclic") == false)
    for start in all.members.map(\.name) {
      let chain = try column(
        sample.send(.get, "/sessions/demo/chain?from=\(start)"), "responder")
      for (here, after) in zip(chain, chain.dropFirst() + [.null]) {
        guard case .string(let id) = here else { continue }
        #expect(next[id] == after, "\(id)")
      }
    }
    let tag = try #require(response.headers["etag"])
    let again = try sample.send(
      .get, "/sessions/demo/chains", headers: [("If-None-Match", tag)])
    #expect(again.status == .notModified)
  }

  @Test func `R6: with an action, it says who would answer, also those behind the target`() throws {
    _ = try sample.send(.put, "/sessions/demo/responders/root/handlers/copy:", "{}")
    let response = try sample.send(.get, "/sessions/demo/chain?action=copy:")
    #expect(
      try column(response, "answers") == ["photoGrid", .null, "root", .null, .null])
    #expect(try response.value("/target") == "photoGrid")
    let resolved = try sample.send(
      .post, "/targets/resolve", #"{"session":"demo","action":"copy:"}"#)
    #expect(try response.value("/target") == resolved.value("/target"))
  }

  @Test func `F2: a host answers with its forwarder`() throws {
    let response = try sample.send(
      .get, "/sessions/demo/chain?action=applyFiveStarRating:&from=hostedView")
    #expect(try column(response, "answers").contains("photoHost/forwarder"))
  }

  @Test func `a rule that fails is told where it stands`() throws {
    let handler = #"{"canPerform":"state.nothing.at.all"}"#
    _ = try sample.send(.put, "/sessions/demo/responders/photoGrid/handlers/share:", handler)
    let response = try sample.send(.get, "/sessions/demo/chain?action=share:")
    #expect(try response.value("/chain/0/answers") == JSON.null)
    #expect(try response.value("/chain/0/error/rule") == "state.nothing.at.all")
    #expect(try response.value("/target") == JSON.null)
  }

  @Test func `each question has a tag of its own, which a change of the session changes`() throws {
    var tags: Set<String> = []
    for query in ["", "?action=copy:", "?action=paste:", "?from=root", "?action=copy:&from=root"] {
      let response = try sample.send(.get, "/sessions/demo/chain\(query)")
      let tag = try #require(response.headers["etag"])
      #expect(tags.insert(tag).inserted, "\(query)")
      let again = try sample.send(
        .get, "/sessions/demo/chain\(query)", headers: [("If-None-Match", tag)])
      #expect(again.status == .notModified)
    }
    _ = try sample.send(
      .put, "/sessions/demo/first-responder", #"{"responder":"root"}"#)
    let response = try sample.send(.get, "/sessions/demo/chain")
    #expect(tags.insert(try #require(response.headers["etag"])).inserted)
  }

  @Test(arguments: [
    (
      "action=9",
      "'9' as 'action' in the query is not a selector; selectors are like 'copy:' or "
        + "'insert:at:'."
    ),
    ("from=nobody", "The session has no responder 'nobody'."),
  ])
  func `what names nothing is refused`(query: String, detail: String) throws {
    let response = try sample.send(.get, "/sessions/demo/chain?\(query)")
    #expect(response.status == .badRequest)
    #expect(try response.value("/detail") == .string(detail))
  }

  private func column(_ response: Response, _ name: String) throws -> [JSON] {
    guard case .array(let steps)? = try response.json[JSONPointer(parsing: "/chain")] else {
      return []
    }
    return steps.compactMap { if case .object(let step) = $0 { step[name] } else { nil } }
  }
}
