import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes an item, with its trace when that was wanted.
  mutating func value(_ item: ValidatedItem, isExplaining: Bool) {
    beginObject()
    members(of: item, isExplaining: isExplaining)
    endObject()
  }

  /// Writes an item of a menu: with its key and its alternates, so that it can be drawn. A validation
  /// leaves them out, since they are as declared while it is asked for at every change.
  private mutating func value(inMenu item: ValidatedItem, isExplaining: Bool) {
    beginObject()
    members(of: item, isExplaining: isExplaining)
    if let key = item.key { member("key", key.json) }
    if !item.alternates.isEmpty {
      member("alternates")
      beginArray()
      for alternate in item.alternates { value(inMenu: alternate, isExplaining: isExplaining) }
      endArray()
    }
    endObject()
  }

  private mutating func members(of item: ValidatedItem, isExplaining: Bool) {
    members(of: item) { fault, writer in writer.value(fault) }
    if isExplaining { member("trace", item.trace) }
  }

  /// Writes a menu with its items as a tree; with `explain` also what a context menu leaves out.
  mutating func value(_ menu: ValidatedMenu, isExplaining: Bool) {
    beginObject()
    member("identifier", menu.identifier.rawValue)
    member("title", menu.title)
    optionalMember("image", menu.image)
    member("options")
    beginArray()
    for name in menu.options.names { value(name.rawValue) }
    endArray()
    member("enabled", menu.isEnabled)
    member("children")
    beginArray()
    for child in menu.children {
      switch child {
      case .item(let item): value(inMenu: item, isExplaining: isExplaining)
      case .menu(let menu): value(menu, isExplaining: isExplaining)
      }
    }
    endArray()
    if isExplaining, !menu.leftOut.isEmpty {
      member("leftOut")
      beginArray()
      for item in menu.leftOut { value(inMenu: item, isExplaining: true) }
      endArray()
    }
    endObject()
  }

  /// Writes a rule that failed.
  mutating func value(_ fault: RuleFault) {
    beginObject()
    member("rule", fault.source)
    member("message", fault.message)
    member("offset", fault.offset)
    member("line", fault.line)
    member("column", fault.column)
    member("place", fault.place)
    endObject()
  }
}
