import MicroHTTP
import Testing

struct LateResponderRoutesRefusalTests {
  let sample: SampleService
  private let responders = "/sessions/demo/responders"

  init() throws { sample = try SampleService() }

  @Test func `L6: without a registry nothing is listed, and nobody registered`() throws {
    let problem = #"""
      404 /problems/no-registry
      Neither 'photoGrid' nor anybody on its chain or among its parents has a registry of late responders; PUT one of them with a member 'lateResponders'.
      """#
    let path = "\(responders)/photoGrid/late-responders"
    try sample.refuses(.get, path, with: problem)
    try sample.refuses(.put, "\(path)/gridProxy", with: problem)
    try sample.refuses(.get, "\(path)/gridProxy", with: problem)
  }

  @Test func `L6: in a list of mutations too`() throws {
    let body = #"""
      {"mutations":[{"op":"registerLateResponder","lateResponder":"gridProxy","responder":"window"}]}
      """#
    try sample.refuses(
      .post, "/sessions/demo/mutations", body,
      with: #"""
        422 /problems/unresolved-reference
        /mutations/0/responder
        Mutation 0 is refused, and with it all of them. Neither 'window' nor anybody on its chain or among its parents has a registry of late responders; PUT one of them with a member 'lateResponders'.
        """#)
  }

  @Test func `unknown responders are not found`() throws {
    let problem = #"""
      404 /problems/unknown-responder
      The session 'demo' has no responder 'ghost'.
      """#
    try sample.refuses(.get, "\(responders)/ghost/late-responders", with: problem)
    let unknown = #"""
      404 /problems/unknown-responder
      The session has no responder 'ghost'.
      """#
    try sample.refuses(.delete, "\(responders)/ghost/late-responders/gridProxy", with: unknown)
    try sample.refuses(.put, "\(responders)/photoHost/late-responders/ghost", with: unknown)
  }

  @Test func `what a registration does not read is refused`() throws {
    try sample.refuses(
      .put, "\(responders)/photoHost/late-responders/gridProxy", #"{"weight":3}"#,
      with: #"""
        422 /problems/invalid-body
        /weight
        There is no member 'weight' here; nothing is read here.
        """#)
  }

  @Test func `who is not registered is not found, nor patched`() throws {
    let path = "\(responders)/photoHost/late-responders/gridProxy"
    let problem = #"""
      404 /problems/unknown-late-responder
      'gridProxy' is not among the late responders of 'photoHost'.
      """#
    try sample.refuses(.get, path, with: problem)
    try sample.refuses(
      .patch, path, #"{"proxiedSelectors":[]}"#, type: "application/merge-patch+json",
      with: problem)
  }

  @Test func `L8: only a proxy has a filter`() throws {
    let plain = #"{"kind":"responder"}"#
    _ = try sample.send(.put, "\(responders)/plain", plain)
    let path = "\(responders)/photoHost/late-responders/plain"
    _ = try sample.send(.put, path)
    try sample.refuses(
      .patch, path, #"{"proxiedSelectors":[]}"#, type: "application/merge-patch+json",
      with: #"""
        422 /problems/invalid-body
        /proxiedSelectors
        The responder 'plain' is no proxy; PUT it with a member 'proxied'.
        """#)
  }

  @Test func `L3: the weight of a registered responder is fixed`() throws {
    _ = try sample.send(.put, "\(responders)/photoHost/late-responders/gridProxy")
    try sample.refuses(
      .put, "\(responders)/gridProxy", #"{"kind":"responder","weight":6}"#,
      with: #"""
        409 /problems/link-conflict
        /weight
        The weight of 'gridProxy' is 5 and cannot change while it is registered with 'photoHost'; deregister it first.
        """#)
  }

  @Test func `R9: a registry that would lead back to its host is refused with the cycle`() throws {
    try sample.refuses(
      .put, "\(responders)/hostedView/late-responders/photoHost",
      with: #"""
        409 /problems/link-conflict
        The link 'next' would close a cycle: 'photoHost' → 'photoHost/late-initial' → 'photoHost'.
        """#)
  }

  @Test func `members that are not there, or elsewhere, or twice are refused`() throws {
    let path = "\(responders)/panel"
    func document(_ members: String) -> String {
      #"{"kind":"view","lateResponders":{"responders":[\#(members)]}}"#
    }
    try sample.refuses(
      .put, path, document(#""ghost""#),
      with: #"""
        422 /problems/unresolved-reference
        /lateResponders/responders/0
        The registry of 'panel' lists 'ghost', which the session does not have; put that responder first.
        """#)
    try sample.refuses(
      .put, path, document(#""gridProxy","gridProxy""#),
      with: #"""
        409 /problems/link-conflict
        /lateResponders/responders/1
        The registry of 'panel' lists 'gridProxy' twice.
        """#)
    _ = try sample.send(.put, "\(responders)/photoHost/late-responders/gridProxy")
    try sample.refuses(
      .put, path, document(#""gridProxy""#),
      with: #"""
        409 /problems/link-conflict
        /lateResponders/responders/0
        'gridProxy' is in the registries of 'photoHost' and 'panel'; register it with one of them to move it there.
        """#)
  }

  @Test func `a touch bar with two slots is refused`() throws {
    let body = #"{"kind":"view","touchBar":{"items":["otherItems","otherItems"]}}"#
    try sample.refuses(
      .put, "\(responders)/panel", body,
      with: #"""
        422 /problems/invalid-body
        /touchBar/items/1
        The touch bar has 'otherItems' already. The other one stands at /touchBar/items/0.
        """#)
    try sample.refuses(
      .put, "\(responders)/panel", #"{"kind":"view","touchBar":{"items":["others"]}}"#,
      with: #"""
        422 /problems/invalid-body
        /touchBar/items/0
        Expected an item, or the word 'otherItems', found the string 'others'.
        """#)
  }
}
