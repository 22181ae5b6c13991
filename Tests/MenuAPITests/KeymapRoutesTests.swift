import JSONText
import MicroHTTP
import Testing

/// The routes of keymaps, and of keys of several strokes (K8, K9).
struct KeymapRoutesTests {
  let sample: SampleService
  private let ada =
    #"{"entries":[{"key":"ctrl+k ctrl+5","command":"applyFiveStarRating:"},{"key":"cmd+0","command":"-copy:"}]}"#

  init() throws { sample = try SampleService() }

  private func key(_ strokes: String..., as modifier: String = "control") -> String {
    "[\(strokes.map { #"{"input":"\#($0)","modifiers":["\#(modifier)"]}"# }.joined(separator: ","))]"
  }

  @Test func `K9: what an entry cannot perform is told, and the answer can be put again`() throws {
    let declared = try sample.send(
      .put, "/commands/step:",
      #"{"title":"Step","action":"step:","parameters":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}"#
    )
    try #require(declared.status == .created, "\(declared.text)")
    let body =
      #"{"entries":[{"key":"cmd+1","command":"step:","parameters":{"n":"x"}},{"key":"ctrl+2","command":"nope:"}]}"#
    let put = try sample.send(.put, "/keymaps/ada", body)
    #expect(
      try put.value("/remarks") == [
        [
          "pointer": "/entries/0/parameters",
          "detail": "The command does not take these parameters; GET /commands has its schema.",
        ],
        ["pointer": "/entries/1/command", "detail": "There is no command 'nope:'."],
      ])
    let get = try sample.send(.get, "/keymaps/ada")
    #expect(get.text == put.text && get.headers["etag"] == put.headers["etag"])
    let again = try sample.send(.put, "/keymaps/ada", get.text)
    #expect(again.status == .ok && again.text == get.text)
    let other = try sample.send(.put, "/keymaps/bob", get.text)
    #expect(other.status == .created)
    #expect(try other.value("/name") == "bob")
    #expect(try other.value("/entries") == get.value("/entries"))
    _ = try sample.send(.put, "/sessions/demo/keymap", #"{"keymap":"ada"}"#)
    let press = #"{"session":"demo","key":{"input":"1","modifiers":["command"]}}"#
    let resolved = try sample.send(.post, "/keys/resolve", press)
    #expect(try resolved.value("/action") == .null)
    let keys = try sample.send(.get, "/sessions/demo/keys")
    guard case .array(let all)? = try keys.value("/keys") else {
      Issue.record("\(keys.text)")
      return
    }
    let mine = all.filter { $0[JSONPointer(["keymap"])] == "ada" }
    #expect(mine.count == 1 && mine[0][JSONPointer(["enabled"])] == false, "\(mine)")
  }

  @Test func `K9: a keymap is put, read, listed and removed`() throws {
    #expect(try sample.send(.get, "/keymaps").value("/keymaps") == [])
    let put = try sample.send(.put, "/keymaps/ada", ada)
    #expect(put.status == .created)
    #expect(put.headers["location"] == "/keymaps/ada")
    #expect(put.text == #"{"name":"ada",\#(ada.dropFirst())"#)
    let again = try sample.send(.put, "/keymaps/ada", ada)
    #expect(again.status == .ok)
    let get = try sample.send(.get, "/keymaps/ada")
    #expect(get.text == put.text)
    #expect(get.headers["etag"] == put.headers["etag"])
    #expect(try sample.send(.get, "/keymaps").value("/keymaps") == ["ada"])
    let other = try sample.send(
      .put, "/keymaps/ada", #"{"entries":[]}"#, headers: [("If-Match", #""x""#)])
    #expect(other.status == .preconditionFailed)
    let tag = try #require(get.headers["etag"])
    let changed = try sample.send(
      .put, "/keymaps/ada", #"{"entries":[]}"#, headers: [("If-Match", tag)])
    #expect(changed.status == .ok)
    #expect(try sample.send(.delete, "/keymaps/ada").status == .noContent)
    #expect(try sample.send(.delete, "/keymaps/ada").value("/type") == "/problems/unknown-keymap")
    #expect(try sample.send(.get, "/keymaps/ada").status == .notFound)
    #expect(try sample.send(.get, "/keymaps/a%20b").value("/type") == "/problems/unknown-keymap")
  }

  @Test func `K9: the keys of the commands can be read, not put`() throws {
    let apple = try sample.send(.get, "/keymaps/default")
    #expect(try apple.value("/entries/0") == ["key": "cmd+5", "command": "applyFiveStarRating:"])
    let other = try sample.send(.get, "/keymaps/default?platform=other")
    #expect(try other.value("/entries/0/key") == "ctrl+5")
    #expect(other.headers["etag"] != apple.headers["etag"])
    let put = try sample.send(.put, "/keymaps/default", ada)
    #expect(try put.value("/type") == "/problems/invalid-name")
    #expect(try sample.send(.get, "/keymaps/default?platform=amiga").status == .badRequest)
  }

  @Test func `K9: a session uses a keymap, and its document says so`() throws {
    _ = try sample.send(.put, "/keymaps/ada", ada)
    let used = try sample.send(.put, "/sessions/demo/keymap", #"{"keymap":"ada"}"#)
    #expect(
      used.text == #"""
        {"session":"demo","revision":1,"keymap":"ada","changes":[{"change":"keymap",\#
        "keymap":"ada","op":"add","path":"/keymap","value":"ada","position":9}]}
        """#)
    #expect(try sample.send(.get, "/sessions/demo").value("/keymap") == "ada")
    let pressed = try sample.key("press", key("k", "5"))
    #expect(try pressed.value("/command") == "applyFiveStarRating:")
    #expect(try pressed.value("/matches/0/keymap") == "ada")
    _ = try sample.send(.put, "/sessions/demo/keymap", #"{"keymap":null}"#)
    #expect(try sample.send(.get, "/sessions/demo").value("/keymap") == nil)
    #expect(try sample.key("press", key("k", "5")).status == .conflict)
    let opened = try sample.send(.post, "/sessions", #"{"id":"b","keymap":"ada"}"#)
    #expect(try opened.value("/keymap") == "ada")
    #expect(try sample.send(.put, "/sessions/demo/keymap", "{}").status == .unprocessableContent)
    #expect(
      try sample.send(.put, "/sessions/demo/keymap", #"{"keymap":"a b"}"#).status
        == .unprocessableContent)
  }

  @Test func `K8: the beginning of a key is pending, with what can follow`() throws {
    _ = try sample.send(.put, "/keymaps/ada", ada)
    _ = try sample.send(.put, "/sessions/demo/keymap", #"{"keymap":"ada"}"#)
    let resolved = try sample.key("resolve", key("k"))
    #expect(try resolved.value("/pending") == true)
    #expect(try resolved.value("/action") == .null)
    #expect(
      try resolved.value("/continuations/0/strokes") == [["input": "5", "modifiers": ["control"]]])
    let refused = try sample.key("press", key("k"))
    #expect(refused.status == .conflict)
    #expect(try refused.value("/reason") == "pending")
    #expect(try refused.value("/continuations/0/command") == "applyFiveStarRating:")
    let final = try sample.send(
      .post, "/keys/press", #"{"session":"demo","key":\#(key("k")),"final":true}"#)
    #expect(try final.value("/reason") == "noMatch")
  }

  @Test func `K9: the menu and the search tell the key that holds`() throws {
    _ = try sample.send(.put, "/keymaps/ada", ada)
    let menu = "/sessions/demo/menu"
    let before = try sample.send(.get, menu)
    #expect(before.text.contains(#""key":{"input":"5","modifiers":["command"]}"#))
    _ = try sample.send(.put, "/sessions/demo/keymap", #"{"keymap":"ada"}"#)
    let after = try sample.send(.get, menu)
    #expect(after.headers["etag"] != before.headers["etag"])
    #expect(!after.text.contains(#""key":{"input":"5","modifiers":["command"]}"#))
    let held = #"{"apple":\#(key("k", "5")),"other":\#(key("k", "5", as: "command"))}"#
    #expect(after.text.contains(#""key":\#(held)"#))
    let found = try sample.send(
      .post, "/commands/search", #"{"session":"demo","query":"★★★★★","disabled":true}"#)
    #expect(found.text.contains(#""key":\#(held)"#))
    // A keymap that changes changes the menu, without a change of the session.
    _ = try sample.send(.put, "/keymaps/ada", #"{"entries":[{"command":"-applyFiveStarRating:"}]}"#)
    let gone = try sample.send(
      .get, menu, headers: [("If-None-Match", after.headers["etag"] ?? "")])
    #expect(gone.status == .ok)
    #expect(!gone.text.contains(#""input":"5""#))
  }
}
