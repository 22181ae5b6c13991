import JSONText
import MicroHTTP
import Testing

struct ContextMenuRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `M8: a context menu leaves out what cannot be performed`() throws {
    let response = try sample.send(.get, "/sessions/demo/menu?menu=edit&kind=context")
    #expect(
      response.text == #"""
        {"session":"demo","revision":0,"catalogRevision":0,"menu":{"identifier":"edit",\#
        "title":"Edit","options":[],"enabled":true,"children":[{"command":"copy:",\#
        "title":"Copy Photo","enabled":true,"state":"off","attributes":[],\#
        "target":"photoGrid","reason":"enabled","key":{"input":"c","modifiers":["command"]}}]}}
        """#)
  }

  @Test func `M8: a main menu, the default, shows it as disabled`() throws {
    for query in ["", "&kind=main"] {
      let response = try sample.send(.get, "/sessions/demo/menu?menu=edit\(query)")
      #expect(try response.value("/menu/children/1/command") == "delete:")
      #expect(try response.value("/menu/children/1/enabled") == false)
    }
  }

  @Test func `M8: with explain a context menu says what it leaves out and why`() throws {
    let response = try sample.send(.get, "/sessions/demo/menu?menu=edit&kind=context&explain")
    #expect(try response.value("/menu/leftOut/0/command") == "delete:")
    #expect(try response.value("/menu/leftOut/0/reason") == "ruleFalse")
    #expect(try response.value("/menu/leftOut/0/trace/0/rule") == "R3")
    let plain = try sample.send(.get, "/sessions/demo/menu?menu=edit&kind=context")
    #expect(try plain.value("/menu/leftOut") == nil)
  }

  @Test func `M8: submenus with nothing left in them are left out, from the whole tree too`() throws
  {
    let response = try sample.send(.get, "/sessions/demo/menu?kind=context&from=root")
    #expect(try response.value("/menu/children") == [])
    #expect(try response.value("/menu/enabled") == false)
  }

  @Test func `M8: each question about a menu has a tag of its own`() throws {
    let queries = [
      "", "menu=edit", "menu=image", "kind=context", "menu=edit&kind=context", "from=root",
      "modifiers=shift", "explain",
    ]
    let tags = try queries.map { query in
      try #require(try sample.send(.get, "/sessions/demo/menu?\(query)").headers["etag"])
    }
    #expect(Set(tags).count == queries.count)
  }

  @Test func `M8: a menu or kind that is not there is refused`() throws {
    try sample.refuses(
      .get, "/sessions/demo/menu?menu=ghost",
      with: #"""
        400 /problems/invalid-query
        There is no menu 'ghost'; GET /menus shows those that are there.
        """#)
    try sample.refuses(
      .get, "/sessions/demo/menu?kind=popup",
      with: #"""
        400 /problems/invalid-query
        'kind' in the query is 'main' or 'context', not 'popup'.
        """#)
  }
}
