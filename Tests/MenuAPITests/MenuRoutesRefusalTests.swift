import MicroHTTP
import Testing

struct MenuRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `an unknown menu is not found`() throws {
    try sample.refuses(
      .get, "/menus/bookmarks",
      with: #"""
        404 /problems/unknown-menu
        There is no menu 'bookmarks'; GET /menus shows those that are there.
        """#)
  }

  @Test func `an edit at an unknown menu is refused with its place`() throws {
    let body = #"""
      {"edits":[{"op":"remove","menu":"rating"},{"op":"insertSibling","afterMenu":"bookmarks","menu":{}}]}
      """#
    try sample.refuses(
      .post, "/menus/edits", body,
      with: #"""
        422 /problems/unresolved-reference
        /edits/1/afterMenu
        There is no menu 'bookmarks'; GET /menus shows those that are there.
        """#)
  }

  @Test func `an edit that names a menu twice is refused`() throws {
    let body = #"""
      {"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"identifier":"image"}}]}
      """#
    try sample.refuses(
      .post, "/menus/edits", body,
      with: #"""
        409 /problems/duplicate-declaration
        /edits/0/menu/identifier
        Two menus have the identifier 'image'; give one of them another.
        """#)
    let refused = try sample.send(.post, "/menus/edits", body)
    #expect(try refused.value("/existing") == sample.send(.get, "/menus/image").json)
  }

  @Test func `an edit with an undeclared command is refused`() throws {
    let body = #"""
      {"edits":[{"op":"replaceChildren","ofMenu":"edit","children":["cut:"]}]}
      """#
    try sample.refuses(
      .post, "/menus/edits", body,
      with: #"""
        422 /problems/unresolved-reference
        /edits/0/children/0
        The menus name the command 'cut:', which is not declared; declare it first.
        """#)
  }

  @Test func `the root menu stays`() throws {
    try sample.refuses(
      .post, "/menus/edits", #"{"edits":[{"op":"remove","menu":"root"}]}"#,
      with: #"""
        422 /problems/invalid-body
        /edits/0/menu
        The menu 'root' holds all others; it cannot be replaced or removed or have siblings.
        """#)
  }

  @Test func `an unknown operation is refused with those that are known`() throws {
    try sample.refuses(
      .post, "/menus/edits", #"{"edits":[{"op":"add"}]}"#,
      with: #"""
        422 /problems/invalid-body
        /edits/0/op
        Expected 'insertSibling', 'insertChild', 'replace', 'replaceChildren' or 'remove', found the string 'add'.
        """#)
  }

  @Test func `two places of one edit exclude each other`() throws {
    let body = #"""
      {"edits":[{"op":"insertSibling","menu":{},"beforeMenu":"edit","afterMenu":"edit"}]}
      """#
    try sample.refuses(
      .post, "/menus/edits", body,
      with: #"""
        422 /problems/invalid-body
        /edits/0
        'beforeMenu' and 'afterMenu' exclude each other; give one of them.
        """#)
  }

  @Test func `menus stand in one another to a limit`() throws {
    let menu =
      String(repeating: #"{"children":["#, count: 40)
      + String(repeating: "]}", count: 40)
    try sample.refuses(
      .post,
      "/menus/edits",
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":\#(menu)}]}"#,
      with: #"""
        422 /problems/invalid-body
        /edits/0
        Menus stand more than 32 deep inside each other; make the tree flatter.
        """#)
  }
}
