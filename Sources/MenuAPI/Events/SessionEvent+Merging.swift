import JSONText

extension SessionEvent {
  /// One event that tells what several changes in a row tell, for a subscriber that is behind; nil if they are not all
  /// changes.
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

/// The data of several changes in a row as that of one.
private struct MergedChange {
  private var members: JSONObject = [:]
  private var changes: [JSON] = []
  private var menu: JSON?
  private var menuEdits: [JSON] = []
  /// The items that were told last, in the order in which they were first told; nil if asking about them took too much.
  private var items: JSONObject? = [:]
  private var hasChanges = false
  private var hasItems = false
  /// The deliveries that were told last, and those that are none of them any more, by their numbers.
  private var deliveries: [Int64: JSON] = [:]
  private var goneDeliveries: Set<Int64> = []

  /// Adds the data of the next change; false if it is none.
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

  /// The data.
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
