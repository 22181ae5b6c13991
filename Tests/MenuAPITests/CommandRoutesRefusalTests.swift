import MicroHTTP
import Testing

struct CommandRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `an unknown command is not found`() throws {
    try sample.refuses(
      .get, "/commands/cpy:",
      with: #"""
        404 /problems/unknown-command
        There is no command 'cpy:'; GET /commands lists those that are declared.
        """#)
  }

  @Test func `what cannot be a command is not found`() throws {
    try sample.refuses(
      .get, "/commands/caf%C3%A9",
      with: #"""
        404 /problems/unknown-command
        There is no command 'café'; GET /commands lists those that are declared.
        """#)
  }

  @Test func `a path of another route can be the name of a command`() throws {
    try sample.refuses(
      .get, "/commands/validate",
      with: #"""
        404 /problems/unknown-command
        There is no command 'validate'; GET /commands lists those that are declared.
        """#)
  }

  @Test func `a command under a name that cannot be one is refused`() throws {
    try sample.refuses(
      .put, "/commands/a%20b", #"{"title":"A","action":"a"}"#,
      with: #"""
        400 /problems/invalid-name
        'a b' cannot be a name; names have 1 to 128 letters A to Z and a to z, digits and '_', '.', ':', '-'.
        """#)
  }

  @Test func `a different declaration of the same command is refused`() throws {
    try sample.refuses(
      .put, "/commands/copy:", #"{"title":"Copy It","action":"copy:"}"#,
      with: #"""
        409 /problems/duplicate-declaration

        The command 'copy:' is declared already, and differently; delete it first, or choose another id.
        """#)
  }

  @Test func `a second command of the same identity is refused`() throws {
    try sample.refuses(
      .put, "/commands/byDate", #"{"title":"By Date","action":"sort:","propertyList":"date"}"#,
      with: #"""
        409 /problems/duplicate-declaration
        /action
        The commands 'byDate' and 'sortByDate' have the same action 'sort:' and property list; give one of them another property list.
        """#)
  }

  @Test func `a second command with the same key is refused`() throws {
    let body = #"""
      {"title":"Clone","action":"clone:","key":{"input":"C","modifiers":["command"]}}
      """#
    try sample.refuses(
      .put, "/commands/clone:", body,
      with: #"""
        409 /problems/duplicate-declaration
        /key
        The commands 'clone:' and 'copy:' have the same key 'command+C'; give one of them another.
        """#)
  }

  @Test func `M10: a command without an action can never be performed, and is refused`() throws {
    try sample.refuses(
      .put, "/commands/clone:", #"{"title":"Clone"}"#,
      with: #"""
        422 /problems/invalid-body

        The member 'action' is missing.
        """#)
  }

  @Test func `a command that calls itself otherwise is refused`() throws {
    try sample.refuses(
      .put, "/commands/clone:", #"{"id":"copy:","title":"Clone","action":"clone:"}"#,
      with: #"""
        422 /problems/invalid-body
        /id
        The command calls itself 'copy:' but stands under 'clone:'; leave out 'id' or make it the same.
        """#)
  }

  @Test func `all faults of a declaration are told together`() throws {
    try sample.refuses(
      .put,
      "/commands/clone:",
      #"{"action":"9lives","key":{"modifiers":["comand"]},"tilte":"Clone"}"#,
      with: #"""
        422 /problems/invalid-body
        /action
        Expected a selector such as 'copy:', whose colons count its arguments, found the string '9lives'. And 3 more, see 'errors'.
        """#)
  }

  @Test func `a command that stands in menus stays`() throws {
    try sample.refuses(
      .delete, "/commands/copy:",
      with: #"""
        409 /problems/command-in-menus
        The command 'copy:' stands in the menu 'edit'; take it out of there first.
        """#)
  }

  @Test func `an unknown command cannot be removed`() throws {
    try sample.refuses(
      .delete, "/commands/cpy:",
      with: #"""
        404 /problems/unknown-command
        There is no command 'cpy:'; GET /commands lists those that are declared.
        """#)
  }
}
