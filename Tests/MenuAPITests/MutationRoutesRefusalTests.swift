import JSONText
import MicroHTTP
import Testing

struct MutationRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a mutation that is refused names its place in the list`() throws {
    let body = #"""
      {"mutations":[{"op":"mergeState","patch":{"zoom":5}},{"op":"becomeFirstResponder","responder":"ghost"}]}
      """#
    try sample.refuses(
      .post, "/sessions/demo/mutations", body,
      with: #"""
        422 /problems/unresolved-reference
        /mutations/1/responder
        Mutation 1 is refused, and with it all of them. The session has no responder 'ghost'.
        """#)
  }

  @Test(
    arguments: [
      (
        #"{"op":"setViewControllers","container":"nav","viewControllers":["page","ghost"]}"#,
        "/mutations/0/viewControllers/1"
      ),
      (
        #"{"op":"setViewControllers","container":"nav","viewControllers":["page","page"]}"#,
        "/mutations/0/viewControllers/1"
      ),
      (
        #"{"op":"putResponder","responder":"new","value":{"kind":"view","superview":"ghost"}}"#,
        "/mutations/0/value/superview"
      ),
      (
        #"{"op":"putResponder","responder":"new","value":{"kind":"view","class":"Ghost"}}"#,
        "/mutations/0/value/class"
      ),
      (
        #"{"op":"putResponder","responder":"Ghost","value":{"kind":"view","class":"Ghost"}}"#,
        "/mutations/0/value/class"
      ),
      (
        #"{"op":"putResponder","responder":"new","value":{"kind":"view","lateResponders":{"responders":["gridProxy","ghost"]}}}"#,
        "/mutations/0/value/lateResponders/responders/1"
      ),
      (
        #"{"op":"changeRegistration","responder":"host","token":77,"selector":"a:"}"#,
        "/mutations/0/token"
      ),
      (
        #"{"op":"message","message":"go:","from":"ghost"}"#, "/mutations/0/from"
      ),
      (
        #"{"op":"perform","action":"copy:","sender":{"responder":"ghost"}}"#,
        "/mutations/0/sender/responder"
      ),
      (
        #"{"op":"instantiate","storyboard":"Ghost","scene":"a"}"#, "/mutations/0/storyboard"
      ),
    ])
  func `the member of a mutation that names what does not fit is told`(
    mutation: String, place: String
  ) throws {
    let puts = [
      "nav": #"{"kind":"viewController","class":"UINavigationController"}"#,
      "host": #"{"kind":"view","coordinator":{}}"#, "page": #"{"kind":"viewController"}"#,
    ]
    for (id, body) in puts { _ = try sample.send(.put, "/sessions/demo/responders/\(id)", body) }
    let problem = try sample.send(
      .post, "/sessions/demo/mutations", #"{"mutations":[\#(mutation)]}"#)
    #expect(try problem.value("/pointer") == .string(place), "\(problem.text)")
  }

  @Test(
    arguments: [
      (
        #"{"kind":"viewController","class":"UINavigationController","viewControllers":["ghost","root"]}"#,
        "/viewControllers/0"
      ),
      (
        #"{"kind":"view","lateResponders":{"responders":["ghost","gridProxy"]}}"#,
        "/lateResponders/responders/0"
      ),
      (
        #"{"kind":"responder","coordinating":{"kind":"navigation","viewControllers":["ghost","root"]}}"#,
        "/coordinating/viewControllers/0"
      ),
    ])
  func `the element of a list in a document that names nobody is told`(
    document: String, place: String
  ) throws {
    let put = try sample.send(.put, "/sessions/demo/responders/new", document)
    #expect(try put.value("/pointer") == .string(place), "\(put.text)")
    let opening = try sample.send(
      .post, "/sessions", #"{"id":"other","responders":{"new":\#(document)}}"#)
    #expect(
      try opening.value("/pointer") == .string("/responders/new" + place), "\(opening.text)")
  }

  @Test func `a patch that does not fit names its operation`() throws {
    let body = #"""
      {"mutations":[{"op":"patchState","patch":[{"op":"remove","path":"/nothing"}]}]}
      """#
    try sample.refuses(
      .post, "/sessions/demo/mutations", body,
      with: #"""
        409 /problems/patch-conflict
        /mutations/0/patch/0
        Mutation 0 is refused, and with it all of them. Operation 0 cannot be applied: there is no value at "/nothing".
        """#)
  }

  @Test func `an unknown mutation is refused with the place of those that are known`() throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{"mutations":[{"op":"explode"}]}"#,
      with: #"""
        422 /problems/invalid-body
        /mutations/0/op
        Expected one of 72 words, which GET /openapi.json lists, found the string 'explode'.
        """#)
  }

  @Test func `an unknown mutation is refused with the nearest one that is known`() throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{"mutations":[{"op":"putHandlers"}]}"#,
      with: #"""
        422 /problems/invalid-body
        /mutations/0/op
        Expected one of 72 words, which GET /openapi.json lists, found the string 'putHandlers'; did you mean 'putHandler'?
        """#)
  }

  @Test func `the list must be there`() throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{}"#,
      with: #"""
        422 /problems/invalid-body

        The member 'mutations' is missing.
        """#)
  }

  @Test func `a command that is disabled stops the list`() throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{"mutations":[{"op":"perform","command":"delete:"}]}"#,
      with: #"""
        409 /problems/not-performed
        /mutations/0/command
        Mutation 0 is refused, and with it all of them. The command 'delete:' is disabled: the rule of 'photoGrid' says so.
        """#)
  }
}
