import MicroHTTP
import Testing

struct ValidationRouteRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `an unknown session is named with its place`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{"session":"nobody"}"#,
      with: #"""
        404 /problems/unknown-session
        /session
        No session 'nobody' is open; POST /sessions opens one.
        """#)
  }

  @Test func `a session must be named`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{}"#,
      with: #"""
        422 /problems/invalid-body

        The member 'session' is missing.
        """#)
  }

  @Test func `commands and a menu exclude each other`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{"session":"demo","commands":[],"menu":"edit"}"#,
      with: #"""
        422 /problems/invalid-body

        'commands' and 'menu' exclude each other; give one of them.
        """#)
  }

  @Test func `an unknown modifier is refused`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{"session":"demo","modifiers":["option"]}"#,
      with: #"""
        422 /problems/invalid-body
        /modifiers/0
        Expected 'command', 'shift', 'alternate', 'control', 'alphaShift' or 'numericPad', found the string 'option'.
        """#)
  }

  @Test func `an unknown menu is refused`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{"session":"demo","menu":"bookmarks"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /menu
        There is no menu 'bookmarks'; GET /menus shows those that are there.
        """#)
  }

  @Test func `a start that is not there is refused`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{"session":"demo","from":"ghost"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /from
        The session has no responder 'ghost'.
        """#)
  }

  @Test func `a sender that is not there is refused`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{"session":"demo","sender":{"responder":"ghost"}}"#,
      with: #"""
        422 /problems/unresolved-reference
        /sender/responder
        The session has no responder 'ghost'.
        """#)
  }

  @Test func `what cannot be a command is refused with its place`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{"session":"demo","commands":["copy:","é"]}"#,
      with: #"""
        422 /problems/invalid-body
        /commands/1
        Expected an identifier (1 to 128 letters A to Z and a to z, digits and '_', '.', ':', '-'), found the string 'é'.
        """#)
  }
}
