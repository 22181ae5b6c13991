import JSONText
import MenuEngine

/// A menu, or a list of items, as it is written, with the revisions at which each of its elements last changed.
///
/// Differences are named by menus and commands, so that they apply wherever the elements stand.
struct ElementTable: Sendable {
  /// A menu or an item.
  fileprivate struct Element: Sendable {
    /// The identifier of a menu, or the command of an item.
    let name: String
    let isMenu: Bool
    let text: Range<Int>
    /// The members of a menu before its elements.
    let own: Range<Int>
    /// The number of the next element outside of this one.
    let next: Int
    /// The revisions at which an item last differed, or a menu in its own members or in which elements it has.
    var changed: EventID.Revisions
  }

  private var bytes: [UInt8]
  /// The elements, each menu before those in it.
  private var elements: [Element] = []

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
          name: commands[items.count].rawValue, isMenu: false, text: start..<bytes.count,
          own: start..<start, next: items.count + 2, changed: now))
    }
    let list = Element(
      name: "", isMenu: true, text: 0..<bytes.count, own: 0..<0, next: items.count + 1, changed: now
    )
    (self.bytes, elements) = (bytes, [list] + items)
  }

  private mutating func add(
    _ menu: ValidatedMenu, to writer: inout JSONWriter, at now: EventID.Revisions
  ) {
    writer.beginObject()
    let (start, index) = (writer.bytes.count - 1, elements.count)
    writer.members(
      ofMenu: menu.identifier, title: menu.title, image: menu.image, options: menu.options,
      isEnabled: menu.isEnabled)
    let own = start..<writer.bytes.count
    elements.append(
      Element(name: "", isMenu: true, text: own, own: own, next: index, changed: now))
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
      name: menu.identifier.rawValue, isMenu: true, text: start..<writer.bytes.count,
      own: own, next: elements.count, changed: now)
  }

  private mutating func add(
    _ item: ValidatedItem, to writer: inout JSONWriter, at now: EventID.Revisions
  ) {
    // The text begins behind the comma that separates elements.
    let start = writer.bytes.count + (writer.bytes.last == UInt8(ascii: "[") ? 0 : 1)
    writer.value(inMenu: item) { item, writer in
      writer.members(of: item) { fault, writer in writer.value(fault) }
    }
    elements.append(
      Element(
        name: item.command.rawValue, isMenu: false, text: start..<writer.bytes.count,
        own: start..<start, next: elements.count + 1, changed: now))
  }

  /// The approximate size in bytes.
  var size: Int { bytes.count + elements.count * MemoryLayout<Element>.stride }

  /// The text of the menu, or of all items with commas.
  var text: [UInt8] { bytes }
}

// MARK: Following

extension ElementTable {
  /// Takes over the revisions of the elements that are as they were; returns false if nothing differs.
  mutating func follow(_ former: ElementTable) -> Bool {
    guard !bytes.span.hasSameBytes(as: former.bytes.span) else {
      self = former
      return false
    }
    compare(0, with: former, 0)
    return true
  }

  private mutating func compare(_ number: Int, with former: ElementTable, _ formerNumber: Int) {
    let (menu, old) = (elements[number], former.elements[formerNumber])
    let (children, oldChildren) = (children(of: number), former.children(of: formerNumber))
    guard menu.name.hasSameBytes(as: old.name),
      hasSameBytes(menu.own, as: old.own, former),
      children.count == oldChildren.count,
      zip(children, oldChildren).allSatisfy({ elements[$0].isNamed(as: former.elements[$1]) })
    else { return }
    elements[number].changed = old.changed
    for (child, oldChild) in zip(children, oldChildren) {
      let (text, oldText) = (elements[child].text, former.elements[oldChild].text)
      if elements[child].isMenu {
        compare(child, with: former, oldChild)
      } else if hasSameBytes(text, as: oldText, former) {
        elements[child].changed = former.elements[oldChild].changed
      }
    }
  }

  private func hasSameBytes(
    _ range: Range<Int>, as formerRange: Range<Int>, _ former: ElementTable
  ) -> Bool {
    let text = former.bytes.span.extracting(formerRange)
    return bytes.span.extracting(range).hasSameBytes(as: text)
  }

  /// Returns the numbers of the elements right in a menu.
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
  /// True if both are menus of one identifier, or items of one command.
  fileprivate func isNamed(as other: Self) -> Bool {
    isMenu == other.isMenu && name.hasSameBytes(as: other.name)
  }
}

// MARK: Writing

extension ElementTable {
  /// Returns true if an element changed after these revisions.
  func hasChanged(since start: EventID.Revisions) -> Bool {
    elements.contains { !$0.changed.isNotAfter(start) }
  }

  /// Writes the items of a list that changed after these revisions, or all, as elements of an array.
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
      !elements[child].isMenu && !elements[child].changed.isNotAfter(start)
    }
    guard elements[number].changed.isNotAfter(start), areOnly(items, among: children) else {
      return writeEdit(of: number, to: &writer) { writer in
        writer.member("value")
        writer.value(encoded: bytes[elements[number].text])
      }
    }
    if !items.isEmpty {
      writeEdit(of: number, to: &writer) { writer in
        writer.member("items")
        writer.beginArray()
        for item in items { writer.value(encoded: bytes[elements[item].text]) }
        writer.endArray()
      }
    }
    for child in children where elements[child].isMenu {
      writeEdits(of: child, since: start, to: &writer)
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
    for child in children where !elements[child].isMenu {
      let name = elements[child].name
      counts[name] = .bool(counts[name] == nil)
    }
    return items.allSatisfy { counts[elements[$0].name] == .bool(true) }
  }
}
