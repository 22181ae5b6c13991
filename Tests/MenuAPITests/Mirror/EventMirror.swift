import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI
@testable import MenuEngine

/// A subscriber of one selection or several on one stream, that holds what it is told by events, and nothing else (E1).
struct EventMirror {
  private var stream: EventStream
  private let channels: [EventChannel]
  private var rest = ""
  /// The id that was sent last.
  private(set) var lastID: String?
  /// Its contents, by the names of the selections.
  private var held: [String: HeldSelection] = [:]

  /// A subscriber of channels, which is compared with those answers.
  init(_ channels: EventChannel..., comparedWith present: PresentAnswers) {
    self.channels = channels
    stream = EventStream(channels)
    for channel in channels {
      let query = channel.subscription
      held[query.name?.rawValue ?? ""] = HeldSelection(query, comparedWith: present)
    }
  }

  var resets: Int { held.values.reduce(0) { $0 + $1.resets } }
  var changes: Int { held.values.reduce(0) { $0 + $1.changes } }

  /// Loses the connection, and connects again with the last id.
  mutating func reconnect() {
    rest = ""
    stream = EventStream(channels, after: lastID.map(EventID.list) ?? [])
  }

  /// Reads what there is, or so many events.
  mutating func read(atMost count: Int = .max) throws {
    var left = count
    while left > 0, let bytes = nextBytes {
      left -= 1
      rest += String(decoding: bytes, as: UTF8.self)
      while let end = rest.firstRange(of: "\n\n") {
        try take(block: String(rest[..<end.lowerBound]))
        rest = String(rest[end.upperBound...])
      }
    }
  }

  /// The bytes that come next; nil if there are none now.
  private var nextBytes: [UInt8]? {
    switch stream.next() {
    case .bytes(let bytes): bytes
    case .parts(let parts): parts.reduce(into: []) { $0 += $1 }
    case .waiting, .end: nil
    }
  }

  private mutating func take(block: String) throws {
    var (event, data) = ("", "")
    for line in block.split(separator: "\n") {
      if line.hasPrefix("id: ") { lastID = String(line.dropFirst(4)) }
      if line.hasPrefix("event: ") { event = String(line.dropFirst(7)) }
      if line.hasPrefix("data: ") { data += line.dropFirst(6) }
    }
    guard !data.isEmpty else { return }
    let json = try JSON(parsing: data)
    let name = json["selection"]?.word ?? ""
    #expect(held[name] != nil, "an event of \(name)")
    try held[name]?.take(event, json)
  }

  /// Compares what it holds with what GET answers, to the byte.
  func compare(_ comment: @autoclosure () -> String) throws {
    for selection in held.values { try selection.compare(comment()) }
  }
}

/// The contents of one selection that a subscriber holds.
struct HeldSelection {
  private let present: PresentAnswers
  private let query: EventSubscription
  private var document: DocumentMirror?
  private var menu: JSON?
  private var items: [String: JSON] = [:]
  private var keys: JSON?
  private var tools: JSON?
  private var deliveries: [Int: JSON] = [:]
  private(set) var resets = 0
  private(set) var changes = 0

  init(_ query: EventSubscription, comparedWith present: PresentAnswers) {
    self.query = query
    self.present = present
  }

  /// Takes the data of an event.
  mutating func take(_ event: String, _ json: JSON) throws {
    switch event {
    case "reset":
      resets += 1
      document = json["document"].map { DocumentMirror($0) }
      menu = json["menu"]
      (items, deliveries) = ([:], [:])
      take(json)
    case "change":
      changes += 1
      try document?.apply(changesOf: json)
      if let whole = json["menu"] { menu = whole }
      for edit in json["menuEdits"]?.items ?? [] { menu = menu?.edited(by: edit) }
      take(json)
    case "closed": break
    default: Issue.record("an event \(event)")
    }
  }

  private mutating func take(_ told: JSON) {
    if let whole = told["keys"] { keys = whole }
    if let whole = told["tools"] { tools = whole }
    for item in told["items"]?.items ?? [] { items[item["command"]?.word ?? ""] = item }
    for delivery in told["deliveries"]?.items ?? [] {
      deliveries[delivery["id"]?.number ?? 0] = delivery
    }
    for id in told["deliveriesGone"]?.items ?? [] { deliveries[id.number ?? 0] = nil }
  }

  /// Compares what it holds with what GET answers, to the byte.
  func compare(_ comment: @autoclosure () -> String) throws {
    if query.hasDocument {
      let shown = try present.bytes(of: .get, "/sessions/s")
      let held = document?.document.bytes ?? []
      #expect(held == shown, "\(comment())")
    }
    if query.menu != nil {
      let shown = try present.members(of: .get, menuTarget)
      #expect(menu?.bytes == shown["menu"], "\(comment())")
    }
    if query.keys != nil {
      let shown = try present.members(of: .get, "/sessions/s/keys?platform=other")
      #expect(keys?.bytes == shown["keys"], "\(comment())")
    }
    if query.hasTools {
      #expect(try tools?.bytes == present.tools(), "\(comment())")
    }
    if !query.deliveries.isEmpty {
      let states = query.deliveries.map(\.rawValue).joined(separator: ",")
      let shown = try present.members(of: .get, "/sessions/s/deliveries?state=\(states)")
      let told = JSON.array(deliveries.sorted { $0.key < $1.key }.map(\.value))
      #expect(told.bytes == shown["deliveries"], "\(comment())")
    }
    if !query.commands.isEmpty {
      for (command, bytes) in try present.items(of: .post, "/commands/validate", validation) {
        #expect(items[command]?.bytes == bytes, "\(comment())")
      }
    }
  }

  /// The target of the question for the menu.
  private var menuTarget: String {
    var parts = query.modifiers.isEmpty ? [] : ["modifiers=shift"]
    if let from = query.from { parts.append("from=\(from)") }
    if query.menu?.kind == .context { parts.append("kind=context") }
    return "/sessions/s/menu?\(parts.joined(separator: "&"))"
  }

  /// The body of the question for the items.
  private var validation: String {
    let names = JSON.array(query.commands.map { .string($0.rawValue) }).text()
    let held = query.modifiers.isEmpty ? "[]" : #"["shift"]"#
    let from = query.from.map { #","from":"\#($0)""# } ?? ""
    return #"{"session":"s","commands":\#(names),"modifiers":\#(held)\#(from)}"#
  }
}

extension JSON {
  /// A menu with an edit that events tell of it or of a menu below it.
  fileprivate func edited(by edit: JSON) -> JSON {
    guard case .object(var menu) = self, case .array(let children)? = menu["children"] else {
      return self
    }
    let isMeant = menu["identifier"]?.bytes == edit["menu"]?.bytes
    if isMeant, let value = edit["value"] { return value }
    menu["children"] = .array(
      isMeant
        ? JSON.children(children, editedBy: edit)
        : children.map { $0["command"] == nil ? $0.edited(by: edit) : $0 })
    return .object(menu)
  }

  /// The elements of a menu with the items that left, moved, came and differ by an edit.
  private static func children(_ children: [JSON], editedBy edit: JSON) -> [JSON] {
    var (children, placed) = (children, [(at: Int, item: JSON)]())
    for item in edit["removed"]?.items ?? [] { children.removeAll { $0.isItem(item) } }
    for item in edit["moved"]?.items ?? [] {
      guard let index = children.firstIndex(where: { $0.isItem(item) }) else {
        Issue.record("no item \(item) to move")
        continue
      }
      placed.append((item["at"]?.number ?? 0, children.remove(at: index)))
    }
    for inserted in edit["inserted"]?.items ?? [] {
      if let item = inserted["item"] { placed.append((inserted["at"]?.number ?? 0, item)) }
    }
    for (place, item) in placed.sorted(by: { $0.at < $1.at }) { children.insert(item, at: place) }
    return children.map { child in edit["items"]?.items.first { child.isItem($0) } ?? child }
  }

  /// True if both are items of one command, and of one key.
  private func isItem(_ other: JSON) -> Bool {
    self["command"] != nil && self["command"]?.bytes == other["command"]?.bytes
      && self["itemKey"]?.bytes == other["itemKey"]?.bytes
  }
}
