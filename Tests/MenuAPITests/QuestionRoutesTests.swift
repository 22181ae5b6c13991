import JSONText
import MicroHTTP
import Testing

struct QuestionRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `the menu is a tree of menus and items`() throws {
    let response = try sample.send(.get, "/sessions/demo/menu")
    #expect(
      try response.value("/menu/children/1")?.text() == #"""
        {"identifier":"image","title":"Image","options":[],"enabled":true,"children":[\#
        {"identifier":"rating","title":"Rating","options":["singleSelection"],"enabled":true,\#
        "children":[\#
        {"command":"applyFourStarRating:","title":"★★★★","enabled":true,"state":"off",\#
        "checkable":true,"attributes":[],"target":"photoGrid","reason":"enabled"},\#
        {"command":"applyFiveStarRating:","title":"★★★★★","enabled":true,"state":"off",\#
        "checkable":true,"attributes":[],"target":"photoGrid","reason":"enabled",\#
        "key":{"input":"5","modifiers":["command"]}}]}]}
        """#)
    #expect(try response.value("/session") == "demo")
    #expect(try response.value("/revision") == 0)
    #expect(try response.value("/catalogRevision") == 0)
    #expect(try response.value("/menu/identifier") == "root")
  }

  @Test func `the menu is asked about from elsewhere, and explained`() throws {
    let response = try sample.send(.get, "/sessions/demo/menu?from=photoHost&explain=true")
    let item = "/menu/children/1/children/0/children/1"
    #expect(try response.value("\(item)/target") == "photoHost/forwarder")
    #expect(try response.value("\(item)/trace/0/question") == "redirect")
    let plain = try sample.send(.get, "/sessions/demo/menu?explain=false")
    #expect(try plain.value("\(item)/trace") == nil)
  }

  @Test func `diagnostics say what is odd`() throws {
    _ = try sample.send(.put, "/sessions/demo/responders/lost", #"{"kind":"view"}"#)
    let print = #"{"title":"Print","action":"copy:","propertyList":1}"#
    _ = try sample.send(.put, "/commands/print:", print)
    _ = try sample.send(.put, "/commands/scan:", #"{"title":"Scan","action":"scan:"}"#)
    let path = "/sessions/demo/responders/root/handlers/copy:"
    _ = try sample.send(.put, path, "{}")
    let response = try sample.send(.get, "/sessions/demo/diagnostics")
    #expect(
      response.text == #"""
        {"session":"demo","revision":2,"catalogRevision":2,\#
        "chain":["photoGrid","rootView","root","window","application"],"cycles":[],\#
        "detached":["gridProxy","lost"],"unhandled":["separate","scan:"],\#
        "unhandledAlternates":[],"unhandledKeyCommands":[],"unhooked":[],\#
        "unreachableRegistries":[],"deadProxies":[],"ignoredDelegates":[],"brokenDelegates":[],\#
        "coordinating":{"cycles":[],"cut":[],"rootless":[],"goneSenders":[],"replaced":[],"dead":[]},"shadowed":[\#
        {"action":"copy:","winner":"photoGrid","shadowed":"root"}],"keyConflicts":[],\#
        "allRulesTried":true,"failing":[{"receiver":"photoGrid","action":"paste:",\#
        "command":"paste:","always":false,"error":{\#
        "rule":"state.clipboard.isOpen","message":"no such key \"clipboard\"; the keys are \#
        \"rating\", \"selection\", \"photos\", \"zoom\", \"sortedBy\"","offset":0,"line":1,\#
        "column":1,"place":"validate/enabled","hint":"has() and .? are for what may be missing; \#
        a merge patch with null removes a member (RFC 7396)"}}]}
        """#)
  }

  @Test func `a target is answered with what was asked`() throws {
    let body = #"{"session":"demo","action":"copy:","chain":"responder"}"#
    let response = try sample.send(.post, "/targets/resolve", body)
    #expect(
      response.text == #"""
        {"session":"demo","revision":0,"target":"photoGrid","reason":"enabled","trace":[\#
        {"asked":"photoGrid","question":"respondsToSelector","selector":"copy:","answer":true,\#
        "rule":"R3",\#
        "says":"R3: 'photoGrid' responds to 'copy:': it or its class has a handler."},\#
        {"asked":"photoGrid","question":"canPerformAction","selector":"copy:","answer":true,\#
        "rule":"R4","says":"R4: 'photoGrid' can perform 'copy:'."}]}
        """#)
  }

  @Test func `no target is an answer too`() throws {
    let body = #"{"session":"demo","action":"print:","from":"window"}"#
    let response = try sample.send(.post, "/targets/resolve", body)
    #expect(response.status == .ok)
    #expect(try response.value("/target") == .null)
    #expect(try response.value("/reason") == "noTarget")
  }
}
