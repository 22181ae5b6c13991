import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes an item, with its trace if `isExplaining`.
  mutating func value(_ item: ValidatedItem, isExplaining: Bool) {
    beginObject()
    members(of: item, isExplaining: isExplaining)
    endObject()
  }

  private mutating func members(of item: ValidatedItem, isExplaining: Bool) {
    members(of: item) { fault, writer in writer.value(fault) }
    if isExplaining { member("trace", item.trace) }
  }

  /// Writes a menu with its items as a tree; with `explain`, includes the items omitted from a context menu.
  mutating func value(_ menu: ValidatedMenu, isExplaining: Bool) {
    value(
      menu, isExplaining: isExplaining,
      writingFaults: { fault, writer in writer.value(fault) },
      writingItems: { item, writer in writer.members(of: item, isExplaining: isExplaining) })
  }

  mutating func value(_ fault: RuleFault) {
    beginObject()
    member("rule", fault.source)
    member("message", fault.message)
    member("offset", fault.offset)
    member("line", fault.line)
    member("column", fault.column)
    member("place", fault.place)
    if let index = fault.index { member("index", index) }
    optionalMember("hint", fault.hint)
    endObject()
  }
}
