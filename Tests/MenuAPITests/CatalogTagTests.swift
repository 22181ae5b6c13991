import MenuEngine
import MenuStore
import MicroHTTP
import Testing

@testable import MenuAPI

/// Entity tags of the catalogue's parts, and preconditions about them.
struct CatalogTagTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  static let declarations = [
    Question(.put, "/commands/new:", #"{"title":"New","action":"new:"}"#),
    Question(.put, "/protocols/PickerDelegate", #"{"required":["pickerDidCancel:"]}"#),
    Question(.put, "/storyboards/Help", #"{"initialViewController":"a","scenes":{"a":{}}}"#),
  ]

  static let lists = [
    "/commands", "/menus", "/menus/edit", "/protocols", "/storyboards", "/storyboards/warnings",
  ]

  @Test(arguments: lists)
  func `what the client has is not given again`(_ target: String) throws {
    let tag = try #require(try sample.send(.get, target).headers["etag"])
    let again = try sample.send(.get, target, headers: [("If-None-Match", tag)])
    #expect(again.status == .notModified)
    #expect(again.headers["etag"] == tag)
    #expect(try sample.send(.get, target, headers: [("If-None-Match", "\"other\"")]).status == .ok)
  }

  @Test func `each list has a tag of its own, which every change of the catalogue changes`() throws
  {
    let lists = Self.lists.filter { $0 != "/menus/edit" }
    let before = try lists.map { try #require(try sample.send(.get, $0).headers["etag"]) }
    #expect(Set(before).count == lists.count)
    _ = try sample.send(Self.declarations[0])
    let after = try lists.map { try #require(try sample.send(.get, $0).headers["etag"]) }
    #expect(Set(before + after).count == 2 * lists.count)
  }

  @Test(arguments: declarations)
  func `a declaration has the tag of its answer, whatever else is declared`(
    _ declaration: Question
  ) throws {
    let created = try sample.send(declaration)
    #expect(created.status == .created)
    let tag = try #require(created.headers["etag"])
    _ = try sample.send(.put, "/commands/other:", #"{"title":"Other","action":"other:"}"#)
    let found = try sample.send(.get, declaration.target)
    #expect(found.headers["etag"] == tag)
    #expect(found.body == created.body)
    let having = [("If-None-Match", tag)]
    #expect(try sample.send(.get, declaration.target, headers: having).status == .notModified)
    #expect(try sample.send(declaration).headers["etag"] == tag)
    let supposing = [("If-Match", tag)]
    #expect(try sample.send(declaration, supposing).status == .ok)
    #expect(try sample.send(.delete, declaration.target, headers: supposing).status == .noContent)
  }

  @Test func `two menus with the same in them have tags that tell a change of one`() throws {
    let tag = try #require(try sample.send(.get, "/menus/edit").headers["etag"])
    _ = try sample.send(
      .post, "/menus/edits",
      #"{"edits":[{"op":"replaceChildren","ofMenu":"edit","children":["copy:"]}]}"#)
    #expect(try sample.send(.get, "/menus/edit", headers: [("If-None-Match", tag)]).status == .ok)
  }

  @Test func `a declaration that is not as supposed is neither declared again nor removed`() throws
  {
    let tag = try #require(try sample.send(Self.declarations[0]).headers["etag"])
    for question in [Self.declarations[0], Question(.delete, "/commands/new:")] {
      try sample.refuses(
        question.method, question.target, question.body, headers: [("If-Match", "\"other\"")],
        with: """
          412 /problems/precondition-failed
          The command 'new:' is at \(tag), not at '"other"'; GET it again and decide anew.
          """)
      #expect(try sample.send(question, [("If-Match", "\"other\"")]).headers["etag"] == tag)
    }
  }

  @Test(arguments: ["\"other\"", "*"])
  func `what is not there is not as supposed`(field: String) throws {
    try sample.refuses(
      .put, "/commands/new:", #"{"title":"New","action":"new:"}"#, headers: [("If-Match", field)],
      with: """
        412 /problems/precondition-failed
        The command 'new:' is not there, so that it cannot be at '\(field)'; leave out 'If-Match' to make it.
        """)
    #expect(
      try sample.send(.delete, "/commands/new:", headers: [("If-Match", field)]).status == .notFound
    )
  }

  @Test func `nothing is declared in the place of what must not be there`() throws {
    let fields = [("If-None-Match", "*")]
    let tag = try #require(try sample.send(Self.declarations[0], fields).headers["etag"])
    try sample.refuses(
      .put, "/commands/new:", #"{"title":"New","action":"new:"}"#, headers: fields,
      with: """
        412 /problems/precondition-failed
        The command 'new:' is there already, at \(tag), and 'If-None-Match' says that it must not be.
        """)
  }

  @Test func `menus are edited as they were seen`() throws {
    let edit =
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"image","menu":{"title":"More","children":["copy:"]}}]}"#
    let tag = try #require(try sample.send(.get, "/menus").headers["etag"])
    let edited = try sample.send(.post, "/menus/edits", edit, headers: [("If-Match", tag)])
    let now = try #require(edited.headers["etag"])
    #expect(try sample.send(.get, "/menus").headers["etag"] == now)
    try sample.refuses(
      .post, "/menus/edits", edit, headers: [("If-Match", tag)],
      with: """
        412 /problems/precondition-failed
        The menu tree is at \(now), not at '\(tag)'; GET it again and decide anew.
        """)
  }

  @Test func `a session that is opened is at nothing, and only where none is if so supposed`()
    throws
  {
    try sample.refuses(
      .post, "/sessions", #"{"id":"tablet"}"#, headers: [("If-Match", "*")],
      with: """
        412 /problems/precondition-failed
        The session 'tablet' is not there, so that it cannot be at '*'; leave out 'If-Match' to make it.
        """)
    let fields = [("If-None-Match", "*")]
    #expect(
      try sample.send(.post, "/sessions", #"{"id":"tablet"}"#, headers: fields).status == .created)
    let tag = try #require(try sample.send(.get, "/sessions/tablet").headers["etag"])
    try sample.refuses(
      .post, "/sessions", #"{"id":"tablet"}"#, headers: fields,
      with: """
        412 /problems/precondition-failed
        The session 'tablet' is there already, at \(tag), and 'If-None-Match' says that it must not be.
        """)
    #expect(
      try sample.send(.post, "/sessions", #"{"id":"tablet"}"#, headers: [("If-Match", tag)]).status
        == .conflict)
  }
}
