import JSONText
import MenuEngine

/// A menu, or a list of items, as written, with the revisions at which each element last changed.
///
/// Differences refer to menus and commands by name, so that they apply wherever the elements are. Items from data
/// (M12) are reported by key: those removed, moved and inserted since a revision.
struct ElementTable: Sendable {
  /// A menu or an item.
  fileprivate struct Element: Sendable {
    /// The identifier of a menu, or the command of an item.
    let name: String
    /// The key of an item from data (M12).
    var key: ItemKey?
    let isMenu: Bool
    let text: Range<Int>
    /// The members of a menu before its elements.
    let own: Range<Int>
    /// The number of the next element outside of this one.
    let next: Int
    /// The revisions of the last change: of an item, or of a menu's own members and elements, apart from items from
    /// data.
    var changed: EventID.Revisions
    /// The revisions at which an item from data was inserted.
    var came: EventID.Revisions
    /// The revisions at which an item from data was inserted, or moved within its menu.
    var placed: EventID.Revisions

    init(
      _ name: String, key: ItemKey? = nil, isMenu: Bool, text: Range<Int>, own: Range<Int>,
      next: Int, at now: EventID.Revisions
    ) {
      (self.name, self.key, self.isMenu) = (name, key, isMenu)
      (self.text, self.own, self.next) = (text, own, next)
      (changed, came, placed) = (now, now, now)
    }
  }

  /// A removed item from data.
  private struct Gone {
    let menu: String
    let command: String
    let key: ItemKey
    /// The revisions at which it was inserted and removed.
    let came: EventID.Revisions
    let left: EventID.Revisions
  }

  private var bytes: [UInt8]
  /// The elements, each menu before those in it.
  private var elements: [Element] = []
  private var gone: [Gone] = []

  /// Creates the table of a menu, all of which is new.
  init(_ menu: ValidatedMenu, at now: EventID.Revisions) {
    var writer = JSONWriter()
    bytes = []
    add(menu, to: &writer, at: now)
    bytes = writer.bytes
  }

  /// Creates the table of a list of items, all of which are new; `read` calls its argument with the text of each.
  init<Fault: Error>(
    of commands: [CommandID], at now: EventID.Revisions,
    _ read: ((ArraySlice<UInt8>) -> Void) throws(Fault) -> Void
  ) throws(Fault) {
    var (bytes, items): ([UInt8], [Element]) = ([], [])
    items.reserveCapacity(commands.count)
    try read { text in
      if !items.isEmpty { bytes.append(UInt8(ascii: ",")) }
      let start = bytes.count
      bytes += text
      items.append(
        Element(
          commands[items.count].rawValue, isMenu: false, text: start..<bytes.count,
          own: start..<start, next: items.count + 2, at: now))
    }
    let list = Element(
      "", isMenu: true, text: 0..<bytes.count, own: 0..<0, next: items.count + 1, at: now)
    (self.bytes, elements) = (bytes, [list] + items)
  }

  private mutating func add(
    _ menu: ValidatedMenu, to writer: inout JSONWriter, at now: EventID.Revisions
  ) {
    writer.beginObject()
    let (start, index) = (writer.bytes.count - 1, elements.count)
    writer.members(of: menu) { fault, writer in writer.value(fault) }
    let own = start..<writer.bytes.count
    elements.append(Element("", isMenu: true, text: own, own: own, next: index, at: now))
    writer.member("children")
    writer.beginArray()
    for child in menu.children {
      switch child {
      case .item(let item): add(item, to: &writer, at: now)
      case .menu(let menu): add(menu, to: &writer, at: now)
      }
    }
    writer.endArray()
    writer.endObject()
    elements[index] = Element(
      menu.identifier.rawValue, isMenu: true, text: start..<writer.bytes.count, own: own,
      next: elements.count, at: now)
  }

  private mutating func add(
    _ item: ValidatedItem, to writer: inout JSONWriter, at now: EventID.Revisions
  ) {
    // The text begins after the comma that separates elements.
    let start = writer.bytes.count + (writer.bytes.last == UInt8(ascii: "[") ? 0 : 1)
    writer.value(inMenu: item) { item, writer in
      writer.members(of: item) { fault, writer in writer.value(fault) }
    }
    elements.append(
      Element(
        item.command.rawValue, key: item.itemKey, isMenu: false, text: start..<writer.bytes.count,
        own: start..<start, next: elements.count + 1, at: now))
  }

  /// The approximate size in bytes.
  var size: Int {
    bytes.count + elements.count * MemoryLayout<Element>.stride
      + gone.reduce(0) { $0 + MemoryLayout<Gone>.stride + $1.key.text.utf8.count }
  }

  /// The text of the menu, or of all items with commas.
  var text: [UInt8] { bytes }
}

// MARK: Following

extension ElementTable {
  /// Keeps the revisions of unchanged elements; returns false if nothing has changed.
  mutating func follow(_ former: ElementTable) -> Bool {
    guard !bytes.span.hasSameBytes(as: former.bytes.span) else {
      self = former
      return false
    }
    let now = elements[0].changed
    gone = former.gone
    compare(0, with: former, 0)
    forgetGone(at: now)
    return true
  }

  private mutating func compare(_ number: Int, with former: ElementTable, _ formerNumber: Int) {
    let (menu, old) = (elements[number], former.elements[formerNumber])
    let (children, oldChildren) = (children(of: number), former.children(of: formerNumber))
    guard menu.name.hasSameBytes(as: old.name), hasSameBytes(menu.own, as: old.own, former),
      let difference = ElementDifference(
        of: children.map { elements[$0].identity },
        from: oldChildren.map { former.elements[$0].identity })
    else { return }
    let now = menu.changed
    elements[number].changed = old.changed
    for (place, kept) in zip(children, difference.kept) {
      guard let kept else { continue }
      let formerChild = oldChildren[kept.former]
      if elements[place].isMenu {
        compare(place, with: former, formerChild)
        continue
      }
      let earlier = former.elements[formerChild]
      if hasSameBytes(elements[place].text, as: earlier.text, former) {
        elements[place].changed = earlier.changed
      }
      elements[place].came = earlier.came
      if !kept.hasMoved { elements[place].placed = earlier.placed }
    }
    for child in difference.gone.map({ former.elements[oldChildren[$0]] }) {
      guard let key = child.key else { continue }
      gone.append(Gone(menu: menu.name, command: child.name, key: key, came: child.came, left: now))
    }
  }

  /// Drops removed items of menus that are reported as a whole: new menus, and menus with more removed items than
  /// present ones.
  private mutating func forgetGone(at now: EventID.Revisions) {
    guard !gone.isEmpty else { return }
    var kept: [Gone] = []
    for number in elements.indices
    where elements[number].isMenu && elements[number].changed != now {
      let left = gone.filter { $0.menu.hasSameBytes(as: elements[number].name) }
      if left.count > max(Self.keptGone, elements[number].next - number) {
        elements[number].changed = now
      } else {
        kept += left
      }
    }
    gone = kept
  }

  /// The number of a menu's removed items that are always kept.
  private static let keptGone = 64

  private func hasSameBytes(
    _ range: Range<Int>, as formerRange: Range<Int>, _ former: ElementTable
  ) -> Bool {
    let text = former.bytes.span.extracting(formerRange)
    return bytes.span.extracting(range).hasSameBytes(as: text)
  }

  /// Returns the numbers of a menu's direct children.
  private func children(of number: Int) -> [Int] {
    var children: [Int] = []
    var child = number + 1
    while child < elements[number].next {
      children.append(child)
      child = elements[child].next
    }
    return children
  }
}

extension ElementTable.Element {
  fileprivate var identity: ElementDifference.Identity {
    ElementDifference.Identity(isMenu: isMenu, name: name, key: key)
  }
}

// MARK: Writing

extension ElementTable {
  /// Returns true if an element changed after these revisions.
  func hasChanged(since start: EventID.Revisions) -> Bool {
    elements.contains { !$0.changed.isNotAfter(start) || !$0.placed.isNotAfter(start) }
      || gone.contains { !$0.left.isNotAfter(start) }
  }

  /// Writes the items of a list that changed after these revisions, as elements of an array; nil for all items.
  func writeItems(since start: EventID.Revisions?, to writer: inout JSONWriter) {
    for item in elements.dropFirst()
    where start.map({ !item.changed.isNotAfter($0) }) ?? true {
      writer.value(encoded: bytes[item.text])
    }
  }

  /// Writes the differences of a menu since these revisions, as an array of edits.
  func writeEdits(since start: EventID.Revisions, to writer: inout JSONWriter) {
    writer.beginArray()
    writeEdits(of: 0, since: start, to: &writer)
    writer.endArray()
  }

  private func writeEdits(
    of number: Int, since start: EventID.Revisions, to writer: inout JSONWriter
  ) {
    let children = children(of: number)
    let items = children.filter { child in
      let element = elements[child]
      return !element.isMenu && !element.changed.isNotAfter(start)
        && (element.key == nil || element.came.isNotAfter(start))
    }
    guard elements[number].changed.isNotAfter(start), areOnly(items, among: children) else {
      return writeEdit(of: number, to: &writer) { writer in
        writer.member("value")
        writer.value(encoded: bytes[elements[number].text])
      }
    }
    writeEdit(of: number, among: children, since: start, items: items, to: &writer)
    for child in children where elements[child].isMenu {
      writeEdits(of: child, since: start, to: &writer)
    }
  }

  /// Writes the removed, moved, inserted and changed items, if there are any.
  private func writeEdit(
    of number: Int, among children: [Int], since start: EventID.Revisions, items: [Int],
    to writer: inout JSONWriter
  ) {
    let menu = elements[number].name
    let removed = gone.filter { item in
      item.menu.hasSameBytes(as: menu) && item.came.isNotAfter(start)
        && !item.left.isNotAfter(start)
    }
    let placed = children.enumerated().filter { _, child in
      elements[child].key != nil && !elements[child].placed.isNotAfter(start)
    }
    guard !removed.isEmpty || !placed.isEmpty || !items.isEmpty else { return }
    let moved = placed.filter { elements[$0.element].came.isNotAfter(start) }
    let inserted = placed.filter { !elements[$0.element].came.isNotAfter(start) }
    writeEdit(of: number, to: &writer) { writer in
      writer.member("removed", of: removed) { item, writer in
        writer.beginObject()
        writer.members(ofItem: item.command, item.key)
        writer.endObject()
      }
      writer.member("moved", of: moved) { moved, writer in
        let element = elements[moved.element]
        writer.beginObject()
        writer.members(ofItem: element.name, element.key)
        writer.member("at", moved.offset)
        writer.endObject()
      }
      writer.member("inserted", of: inserted) { inserted, writer in
        writer.beginObject()
        writer.member("at", inserted.offset)
        writer.member("item")
        writer.value(encoded: bytes[elements[inserted.element].text])
        writer.endObject()
      }
      writer.member("items", of: items) { item, writer in
        writer.value(encoded: bytes[elements[item].text])
      }
    }
  }

  private func writeEdit(
    of number: Int, to writer: inout JSONWriter, _ content: (inout JSONWriter) -> Void
  ) {
    writer.beginObject()
    writer.member("menu", elements[number].name)
    content(&writer)
    writer.endObject()
  }

  /// True if each of these items is the only one of its command among the children.
  private func areOnly(_ items: [Int], among children: [Int]) -> Bool {
    guard !items.isEmpty else { return true }
    var counts = JSONObject()
    for child in children where !elements[child].isMenu && elements[child].key == nil {
      let name = elements[child].name
      counts[name] = .bool(counts[name] == nil)
    }
    return items.allSatisfy {
      elements[$0].key != nil || counts[elements[$0].name] == .bool(true)
    }
  }
}

extension JSONWriter {
  /// Writes a member with an array, unless it is empty.
  fileprivate mutating func member<Element>(
    _ name: String, of elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) {
    guard !elements.isEmpty else { return }
    member(name)
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }

  fileprivate mutating func members(ofItem command: String, _ key: ItemKey?) {
    member("command", command)
    optionalMember("itemKey", key?.text)
  }
}
