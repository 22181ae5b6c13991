import JSONText

/// An event, encoded once for every subscriber of a channel.
struct SessionEvent: Sendable {
  /// The name of an event.
  enum Kind: String, CaseIterable {
    /// The complete state, to start with.
    case reset
    /// The differences from the previous event.
    case change
    /// The last event.
    case closed
  }

  /// A large text within an event, shared with other events.
  struct Inset {
    /// The bytes from which on a text is kept separately.
    static let threshold = 16 << 10

    let text: [UInt8]
    /// The number of bytes of the data before the text.
    let place: Int
  }

  let kind: Kind
  /// The position that a subscriber must be at to get this event.
  let start: EventID
  let id: EventID
  /// The time from which on it could be made, in nanoseconds.
  let time: Int
  /// The id field in a stream of Server-Sent Events (HTML, 9.2).
  private let idField: [UInt8]
  /// The rest of the event, which all streams share; a large document is a part of its own.
  private let content: [[UInt8]]
  /// The offset of the data in the first part.
  private let dataStart: Int

  /// Creates an event with a JSON object as its data.
  ///
  /// - Parameter inset: A text that belongs to the data but is not among its bytes; none by default.
  init(
    _ kind: Kind, from start: EventID, to id: EventID, at time: Int, data: [UInt8],
    with inset: Inset? = nil
  ) {
    (self.kind, self.start, self.id, self.time) = (kind, start, id, time)
    idField = Self.field(ofID: id.text)
    let end = inset?.place ?? data.count
    var block = Array("event: \(kind.rawValue)\ndata: ".utf8)
    block.reserveCapacity(block.count + end + 2)
    dataStart = block.count
    block += data[..<end]
    if let inset {
      content = [block, inset.text, Array(data[end...]) + Array("\n\n".utf8)]
    } else {
      block += "\n\n".utf8
      content = [block]
    }
  }

  /// The bytes that it takes, without a shared document.
  var ownSize: Int {
    idField.count + content[0].count + (content.count > 1 ? content[content.count - 1].count : 0)
  }

  /// The bytes that it takes in a stream.
  var size: Int { content.reduce(idField.count) { $0 + $1.count } }

  /// The data: a JSON object.
  var data: [UInt8] {
    var data = Array(content[0][dataStart...])
    for part in content.dropFirst() { data += part }
    data.removeLast(2)
    return data
  }

  /// The parts of the event, in order.
  var parts: [[UInt8]] { [idField] + content }

  /// Returns the parts with another id.
  func parts(withID text: String) -> [[UInt8]] { [Self.field(ofID: text)] + content }

  private static func field(ofID text: String) -> [UInt8] { Array("id: \(text)\n".utf8) }

  /// True if it covers more than one revision.
  var isMerged: Bool {
    id.revision - start.revision + id.catalogRevision - start.catalogRevision > 1
  }

  /// Writes the event as an element of a JSON array, with its id there.
  func write(to writer: inout JSONWriter, withID text: String) {
    writer.beginObject()
    writer.member("id", text)
    writer.member("event", kind.rawValue)
    writer.member("data")
    writer.value(encoded: data)
    writer.endObject()
  }
}

extension SessionEvent {
  /// Returns one event in place of several consecutive changes, for a subscriber that is behind; nil if they
  /// are not all changes.
  static func merging(_ events: ArraySlice<SessionEvent>) -> SessionEvent? {
    guard let first = events.first, let last = events.last else { return nil }
    var merged = MergedChange()
    for event in events {
      guard case .change = event.kind, merged.add(event.data) else { return nil }
    }
    return SessionEvent(
      .change, from: first.start, to: last.id, at: first.time, data: merged.json.bytes)
  }
}

/// The merged data of several consecutive changes.
private struct MergedChange {
  private var members: JSONObject = [:]
  private var changes: [JSON] = []
  private var menu: JSON?
  private var menuEdits: [JSON] = []
  /// The latest items, in the order of their first occurrence; nil if their validation took too much.
  private var items: JSONObject? = [:]
  private var hasChanges = false
  private var hasItems = false
  /// The latest deliveries, and those that left the subscribed states, by id.
  private var deliveries: [Int64: JSON] = [:]
  private var goneDeliveries: Set<Int64> = []

  /// Adds the data of the next change; returns false if it is malformed.
  mutating func add(_ data: [UInt8]) -> Bool {
    guard
      case .object(let next)? = try? JSON(parsing: data, maximumDepth: JSON.codingDepth)
    else { return false }
    for name in ["session", "from", "revision", "catalogRevision", "selection"]
    where name != "from" || members[name] == nil {
      members[name] = next[name]
    }
    if case .array(let more)? = next["changes"] {
      changes += more
      hasChanges = true
    }
    if let whole = next["menu"] { (menu, menuEdits) = (whole, []) }
    if case .array(let edits)? = next["menuEdits"] { menuEdits += edits }
    add(items: next["items"])
    add(deliveries: next["deliveries"], gone: next["deliveriesGone"])
    return true
  }

  private mutating func add(deliveries told: JSON?, gone: JSON?) {
    if case .array(let told)? = told {
      for delivery in told {
        guard case .int(let id)? = delivery[JSONPointer(["id"])] else { continue }
        deliveries[id] = delivery
        goneDeliveries.remove(id)
      }
    }
    guard case .array(let gone)? = gone else { return }
    for case .int(let id) in gone {
      deliveries[id] = nil
      goneDeliveries.insert(id)
    }
  }

  private mutating func add(items next: JSON?) {
    guard let next else { return }
    hasItems = true
    guard case .array(let told) = next else {
      items = nil
      return
    }
    var all = items ?? [:]
    for item in told {
      if case .string(let command)? = item[JSONPointer(["command"])] { all[command] = item }
    }
    items = all
  }

  var json: JSON {
    var members = members
    if hasChanges { members["changes"] = .array(changes) }
    if let menu { members["menu"] = menu }
    if !menuEdits.isEmpty { members["menuEdits"] = .array(menuEdits) }
    if hasItems { members["items"] = items.map { .array($0.members.map(\.value)) } ?? .null }
    if !deliveries.isEmpty {
      members["deliveries"] = .array(deliveries.sorted { $0.key < $1.key }.map(\.value))
    }
    if !goneDeliveries.isEmpty {
      members["deliveriesGone"] = .array(goneDeliveries.sorted().map(JSON.int))
    }
    return .object(members)
  }
}
