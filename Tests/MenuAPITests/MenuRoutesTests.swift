import JSONText
import MicroHTTP
import Testing

struct MenuRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `the tree begins at the root`() throws {
    let response = try sample.send(.get, "/menus")
    #expect(try response.value("/root/identifier") == "root")
    #expect(try response.value("/root/children/1/children/0/title") == "Rating")
    #expect(try response.value("/edits") == [])
  }

  @Test func `a menu is answered with what stands in it`() throws {
    let response = try sample.send(.get, "/menus/edit")
    #expect(
      response.text == #"""
        {"identifier":"edit","title":"Edit","options":[],"children":["copy:","delete:"]}
        """#)
  }

  @Test func `edits are made in order and name what has no name`() throws {
    let body = #"""
      {"edits":[
        {"op":"insertSibling","afterMenu":"edit","menu":{"identifier":"view","title":"View"}},
        {"op":"insertChild","atStartOfMenu":"view","menu":{"children":["separate"]}}
      ]}
      """#
    let response = try sample.send(.post, "/menus/edits", body)
    #expect(response.status == .ok)
    #expect(try response.value("/catalogRevision") == 1)
    #expect(try response.value("/edits/1/menu/identifier") == "edit.1")
    let menus = try sample.send(.get, "/menus")
    #expect(try menus.value("/root/children/1/identifier") == "view")
    #expect(try menus.value("/root/children/1/children/0/children/0") == "separate")
    #expect(try menus.value("/edits") == response.value("/edits"))
  }

  @Test func `no edits are no change`() throws {
    let response = try sample.send(.post, "/menus/edits", #"{"edits":[]}"#)
    #expect(response.text == #"{"catalogRevision":0,"edits":[]}"#)
  }
}
