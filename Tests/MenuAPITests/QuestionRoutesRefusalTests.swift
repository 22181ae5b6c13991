import MicroHTTP
import Testing

struct QuestionRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a menu from a responder that is not there is refused`() throws {
    try sample.refuses(
      .get, "/sessions/demo/menu?from=ghost",
      with: #"""
        400 /problems/invalid-query
        The session has no responder 'ghost'.
        """#)
  }

  @Test func `a menu from what cannot be a responder is refused`() throws {
    try sample.refuses(
      .get, "/sessions/demo/menu?from=a%20b",
      with: #"""
        400 /problems/invalid-query
        'a b' as 'from' in the query is not a name.
        """#)
  }

  @Test func `a menu of an unknown session is not found`() throws {
    try sample.refuses(
      .get, "/sessions/nobody/menu",
      with: #"""
        404 /problems/unknown-session
        No session 'nobody' is open; POST /sessions opens one.
        """#)
  }

  @Test func `another chain is refused with those that are known`() throws {
    try sample.refuses(
      .post, "/targets/resolve", #"{"session":"demo","action":"copy:","chain":"food"}"#,
      with: #"""
        422 /problems/invalid-body
        /chain
        Expected 'responder', 'actor' or 'coordinating', found the string 'food'.
        """#)
  }

  @Test(arguments: [
    ("", "The member 'from' is missing.", "422 /problems/invalid-body", ""),
    (
      #","from":"photoGrid""#,
      "'photoGrid' is of kind 'view'; only a responder of kind 'viewController' can be shown or show another one.",
      "422 /problems/invalid-body", "/from"
    ),
    (
      #","from":"ghost""#, "The session has no responder 'ghost'.",
      "422 /problems/unresolved-reference", "/from"
    ),
  ])
  func `A1: the actor chain begins at a view controller`(
    from: String, detail: String, problem: String, place: String
  ) throws {
    try sample.refuses(
      .post, "/targets/resolve",
      #"{"session":"demo","action":"showViewController:sender:","chain":"actor"\#(from)}"#,
      with: [problem, place, detail].joined(separator: "\n"))
  }

  @Test(arguments: [
    (
      "", "422 /problems/invalid-body", "",
      "The member 'from' is missing."
    ),
    (
      #","from":"ghost""#, "422 /problems/unresolved-reference", "/from",
      "The session has no responder 'ghost'."
    ),
    (
      #","from":"root","sender":{}"#, "422 /problems/invalid-body", "/sender",
      "There is no member 'sender' here; known are session, action, chain, from, explain and assuming."
    ),
  ])
  func `C2: a target on the coordinating chain is asked for from somebody, by no sender`(
    members: String, problem: String, place: String, detail: String
  ) throws {
    try sample.refuses(
      .post, "/targets/resolve",
      #"{"session":"demo","action":"pick:","chain":"coordinating"\#(members)}"#,
      with: [problem, place, detail].joined(separator: "\n"))
  }

  @Test func `a target from a responder that is not there is refused`() throws {
    try sample.refuses(
      .post, "/targets/resolve", #"{"session":"demo","action":"copy:","from":"ghost"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /from
        The session has no responder 'ghost'.
        """#)
  }
}
