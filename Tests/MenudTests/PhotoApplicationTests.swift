import JSONText
import MenuEngine
import Testing

@testable import menud

/// The sample in `Config/photo-app`, without a server.
@Suite struct PhotoApplicationTests {
  private let catalog: Catalog

  init() throws {
    catalog = try CatalogFolder(path: Program.path + "/Config/photo-app").catalog()
  }

  /// The three ways of handling the ratings, and where each keeps the photo it is about.
  enum Focus: String, CaseIterable {
    case photoGrid
    case viewer
    case photoHost

    /// Patches of the state after which there is no photo to rate.
    var emptying: String {
      switch self {
      case .photoGrid: #"{"selection": []}"#
      case .viewer: #"{"viewed": []}"#
      case .photoHost: #"{"hosted": []}"#
      }
    }

    var target: String { self == .photoHost ? "photoHost/forwarder" : rawValue }
  }

  @Test(arguments: Focus.allCases)
  func `the check mark goes to the rating that is performed`(focus: Focus) throws {
    var session = try session(focus)
    for rating in Self.ratings {
      let outcome = try session.apply(.perform(rating.request), in: catalog)
      #expect(outcome.performance?.target.description == focus.target)
      let items = try session.items(Self.ratings, in: catalog)
      #expect(items.filter { $0.state == .on }.map(\.command) == [rating])
    }
  }

  @Test(arguments: Focus.allCases)
  func `without a photo nothing can be rated, and nothing is checked`(focus: Focus) throws {
    var session = try session(focus)
    _ = try session.apply(.mergeState(JSON(parsing: focus.emptying)), in: catalog)
    for item in try session.items(Self.ratings, in: catalog) {
      #expect(!item.isEnabled && item.state == .off && item.reason == .ruleFalse)
    }
  }

  @Test(arguments: Focus.allCases)
  func `the flag's title and the mark of a rejection follow the photo`(focus: Focus) throws {
    var session = try session(focus)
    let flag: CommandID = "flagPhotos:"
    let reject: CommandID = "rejectPhotos:"
    func seen() throws -> [String] {
      let items = try session.items([flag, reject], in: catalog)
      return [items[0].title, items[1].state.rawValue]
    }
    _ = try session.apply(.perform(reject.request), in: catalog)
    #expect(try seen() == ["Flag", "on"])
    _ = try session.apply(.perform(flag.request), in: catalog)
    #expect(try seen() == ["Unflag", "off"])
    _ = try session.apply(.perform(flag.request), in: catalog)
    #expect(try seen() == ["Flag", "off"])
  }

  @Test(arguments: Focus.allCases)
  func `the sort order is one action with three property lists`(focus: Focus) throws {
    var session = try session(focus)
    let orders = try ["sortByDate", "sortByTitle", "sortByRating"].map {
      try #require(CommandID($0))
    }
    for order in orders {
      _ = try session.apply(.perform(order.request), in: catalog)
      let items = try session.items(orders, in: catalog)
      #expect(items.filter { $0.state == .on }.map(\.command) == [order])
      #expect(items.allSatisfy { $0.target?.description == "root" })
    }
  }

  @Test(arguments: Focus.allCases)
  func `whatever is enabled can be performed, and no rule ever fails`(focus: Focus) throws {
    var performed = 0
    for patch in ["{}"] + Focus.allCases.map(\.emptying) {
      for command in catalog.commands.map(\.id) {
        var session = try session(focus)
        _ = try session.apply(.mergeState(JSON(parsing: patch)), in: catalog)
        guard try session.items([command], in: catalog)[0].isEnabled else { continue }
        _ = try session.apply(.perform(Self.request(of: command)), in: catalog)
        let failed = try session.items(catalog.commands.map(\.id), in: catalog)
          .filter { $0.reason == .ruleError }
        #expect(failed.isEmpty, "after \(command)")
        performed += 1
      }
    }
    #expect(performed > 0)
  }

  @Test func `a photo that is cut from an album can be pasted into another`() throws {
    var session = try session(.photoGrid)
    for (command, albums) in [("cut:", "[]"), ("paste:", #"["Alps"]"#)] {
      let id = try #require(CommandID(command))
      _ = try session.apply(.perform(id.request), in: catalog)
      let pointer = try JSONPointer(parsing: "/photos/lake/albums")
      #expect(session.state.value(at: pointer)?.text() == albums)
    }
    #expect(session.state.value(at: JSONPointer(["selection"]))?.text() == "[]")
  }

  @Test(arguments: Focus.allCases)
  func `what was done to photos is undone and done again, under the title of its item`(
    focus: Focus
  ) throws {
    var session = try session(focus)
    let first = session.state.text()
    let commands: [CommandID] = ["applyFiveStarRating:", "flagPhotos:"]
    var titles: [String] = []
    for command in commands {
      titles.append("Undo \(try session.items([command], in: catalog)[0].title)")
      _ = try session.apply(.perform(command.request), in: catalog)
    }
    let last = session.state.text()
    for title in titles.reversed() {
      #expect(try session.items(["undo:"], in: catalog)[0].title == title)
      _ = try session.apply(.perform(ActionRequest(.command("undo:"))), in: catalog)
    }
    #expect(session.state.text() == first)
    #expect(try session.items(["undo:"], in: catalog)[0].reason == .ruleFalse)
    for _ in commands {
      _ = try session.apply(.perform(ActionRequest(.command("redo:"))), in: catalog)
    }
    #expect(session.state.text() == last)
  }

  @Test(arguments: [Focus.photoGrid, .viewer])
  func `M12: an album is an item, which adds the photos and removes them`(focus: Focus) throws {
    var session = try session(focus)
    let photo = focus == .viewer ? "harbour" : "lake"
    let own = focus == .viewer ? "Coast" : "Alps"
    func albums() throws -> [String] {
      try session.albums(in: catalog).items.map { "\($0.title) \($0.state.rawValue)" }
    }
    let before = ["Alps", "Coast", "Owls"].map { "\($0) \($0 == own ? "on" : "off")" }
    #expect(try albums() == before)
    let owls = Self.request(ofAlbum: "Owls")
    _ = try session.apply(.perform(owls), in: catalog)
    let pointer = JSONPointer(["photos", photo, "albums"])
    #expect(session.state.value(at: pointer)?.text() == #"["\#(own)","Owls"]"#)
    #expect(try albums().last == "Owls on")
    _ = try session.apply(.perform(owls), in: catalog)
    #expect(try albums() == before)
    _ = try session.apply(.perform(ActionRequest(.command("undo:"))), in: catalog)
    #expect(try albums().last == "Owls on")
  }

  @Test func `M12: an album of some selected photos is mixed, and takes the others`() throws {
    var session = try session(.photoGrid)
    _ = try session.apply(.mergeState(["selection": ["lake", "harbour"]]), in: catalog)
    func states() throws -> [String] {
      try session.albums(in: catalog).items.map(\.state.rawValue)
    }
    #expect(try states() == ["mixed", "mixed", "off"])
    _ = try session.apply(.perform(Self.request(ofAlbum: "Alps")), in: catalog)
    #expect(try states() == ["on", "mixed", "off"])
    _ = try session.apply(.perform(Self.request(ofAlbum: "Alps")), in: catalog)
    // Photos that are not in the shown album are not selected any more.
    #expect(session.state.value(at: JSONPointer(["selection"]))?.text() == "[]")
  }

  @Test func `M12: a session without albums has no items, and no fault`() throws {
    var session = try session(.photoGrid)
    _ = try session.apply(.mergeState(["albums": .null]), in: catalog)
    let menu = try session.albums(in: catalog)
    #expect(menu.items.isEmpty && menu.faults.isEmpty)
  }

  @Test func `what was cut comes back into the album, whatever was selected since`() throws {
    var session = try session(.photoGrid)
    let photos = session.state.value(at: JSONPointer(["photos"]))
    for command in ["cut:", "selectAll:", "delete:", "toggleSidebar:"] {
      let id = try #require(CommandID(command))
      _ = try session.apply(.perform(id.request), in: catalog)
    }
    _ = try session.apply(.mergeState(["selection": ["harbour"], "clipboard": []]), in: catalog)
    for _ in 0..<2 {
      let key = KeySequence(
        try #require(KeyCombination(input: "z", modifiers: KeyModifiers([.command]))))
      _ = try session.apply(.pressKey(KeyPress(key)), in: catalog)
    }
    #expect(session.state.value(at: JSONPointer(["photos"]))?.text() == photos?.text())
    #expect(try session.items(["undo:"], in: catalog)[0].reason == .ruleFalse)
  }

  @Test func `a deleted photo is nowhere any more`() throws {
    var session = try session(.photoGrid)
    for command in ["selectAll:", "delete:"] {
      let id = try #require(CommandID(command))
      _ = try session.apply(.perform(id.request), in: catalog)
    }
    #expect(session.state.value(at: JSONPointer(["selection"]))?.text() == "[]")
    #expect(session.state.value(at: JSONPointer(["hosted"]))?.text() == "[]")
    #expect(session.state.value(at: JSONPointer(["viewed"]))?.text() == #"["harbour"]"#)
  }

  @Test func `the arrow keys move the selection, and select the first photo when there is none`()
    throws
  {
    var session = try session(.photoGrid)
    let right = "UIKeyInputRightArrow"
    let left = "UIKeyInputLeftArrow"
    #expect(try session.selection(after: [right], in: catalog) == #"["meadow"]"#)
    #expect(try session.selection(after: [right, right], in: catalog) == #"["owl"]"#)
    #expect(try session.selection(after: [left], in: catalog) == #"["meadow"]"#)
    _ = try session.apply(.mergeState(JSON(parsing: #"{"selection": []}"#)), in: catalog)
    #expect(try session.selection(after: [right], in: catalog) == #"["lake"]"#)
    #expect(try session.selection(after: [left, left], in: catalog) == #"["lake"]"#)
  }

  @Test func `with the alternate key held, rejecting goes on to the next photo`() throws {
    var session = try session(.photoGrid)
    let key = try #require(
      KeyCombination(input: "x", modifiers: KeyModifiers([.command, .shift, .alternate])))
    let outcome = try session.apply(.pressKey(KeyPress(KeySequence(key))), in: catalog)
    #expect(outcome.performance?.invocation.selector.rawValue == "rejectAndSelectNext:")
    #expect(session.state.value(at: JSONPointer(["selection"]))?.text() == #"["meadow"]"#)
    let flag = JSONPointer(["photos", "lake", "flag"])
    #expect(session.state.value(at: flag)?.text() == #""rejected""#)
  }

  @Test func `the two meanings of one key are told in the catalogue, and never both there`() throws
  {
    #expect(catalog.keyConflicts.map(\.key.first.input) == ["UIKeyInputRightArrow"])
    #expect(try session(.photoGrid).keyConflicts(in: catalog) == [])
  }

  private static let ratings = ["No", "One", "Two", "Three", "Four", "Five"].compactMap {
    CommandID("apply\($0)StarRating:")
  }

  /// A request for a command, with the parameters that it needs.
  private static func request(of command: CommandID) -> ActionRequest {
    ActionRequest(
      .command(command), parameters: command == "toggleAlbum:" ? ["album": "Coast"] : nil)
  }

  private static func request(ofAlbum album: String) -> ActionRequest {
    ActionRequest(.command("toggleAlbum:"), itemKey: ItemKey(album))
  }

  private func session(_ focus: Focus) throws -> Session {
    let template = try #require(catalog.template)
    let id: SessionID = "demo"
    var session = try Session(id, opening: template, in: catalog)
    let responder = try #require(ResponderID(focus.rawValue))
    _ = try session.apply(.becomeFirstResponder(responder), in: catalog)
    return session
  }
}

extension Identifier<Command> {
  fileprivate var request: ActionRequest { ActionRequest(.command(self)) }
}

extension Session {
  fileprivate func items(_ commands: [CommandID], in catalog: Catalog) throws -> [ValidatedItem] {
    var request = ValidationRequest()
    request.commands = commands
    return try validate(request, in: catalog)
  }

  fileprivate func albums(in catalog: Catalog) throws -> ValidatedMenu {
    try validate(#require(catalog.menuAsShown("albums")), ValidationRequest(), in: catalog)
  }

  /// The selection after keys were pressed.
  fileprivate mutating func selection(
    after keys: [String], in catalog: Catalog
  ) throws -> String? {
    for input in keys {
      let key = KeySequence(try #require(KeyCombination(input: input, modifiers: [])))
      _ = try apply(.pressKey(KeyPress(key)), in: catalog)
    }
    return state.value(at: JSONPointer(["selection"]))?.text()
  }
}
