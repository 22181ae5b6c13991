import JSONText

/// The menu tree, put together from its declared text and the texts of the items.
extension PlanTable {
  /// Returns a menu whose items are not in doubt, in an object that begins with the members of
  /// `opening`.
  ///
  /// - Parameter alternates: The alternates of the items that have some, by their commands (M11).
  mutating func body(
    _ part: MenuLayout.Part, of layout: MenuLayout, alternates: [Int: [ValidatedItem]],
    _ inquiry: PlanInquiry, opening: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    let (texts, particular) = joinedTexts(part, of: layout, alternates: alternates, inquiry)
    let declared = layout.bytes
    var writer = JSONWriter()
    writer.reserveCapacity(256 + texts.reduce(0) { $0 + $1.count })
    writer.beginObject()
    opening(&writer)
    writer.member("menu")
    self.texts.copy(texts, between: declared.span, and: particular.span, to: &writer)
    writer.endObject()
    condenseTexts()
    return writer.bytes
  }

  /// Returns where the parts of a menu's text stand: in the declared text, in the texts of items that stand in
  /// a whole answer and in those that do not, and in the text that is returned besides.
  private func joinedTexts(
    _ part: MenuLayout.Part, of layout: MenuLayout, alternates: [Int: [ValidatedItem]],
    _ inquiry: PlanInquiry
  ) -> ([JoinedText], particular: [UInt8]) {
    var texts: [JoinedText] = []
    texts.reserveCapacity(part.slots.count + 1)
    var particular: [UInt8] = []
    var isTaken = Array(repeating: false, count: layout.selectionCount)
    var start = part.text.lowerBound
    for slot in layout.slots[part.slots] {
      let declared = start..<slot.place
      start = slot.place
      if slot.isOfAlternates {
        let text = members(inquiry) { writer, writeItem in
          writer.member(alternates: alternates[slot.command] ?? [], writingItems: writeItem)
        }
        texts.append(Self.joined(declared, adding: text, to: &particular))
      } else if slot.selection >= 0, entries[slot.command].isMarked, isTaken[slot.selection] {
        let text = members(inquiry) { writer, writeItem in
          var item = item(at: slot.command, inquiry.moment.catalog)
          item.loseSingleSelection()
          writeItem(item, &writer)
        }
        texts.append(Self.joined(declared, adding: text.dropFirst(), to: &particular))
      } else {
        if slot.selection >= 0, entries[slot.command].isMarked { isTaken[slot.selection] = true }
        let place = self.texts.members(of: slot.command)
        texts.append(JoinedText(declared, then: place.whole, then: place.fresh, then: 0..<0))
      }
    }
    texts.append(JoinedText(start..<part.text.upperBound, then: 0..<0, then: 0..<0, then: 0..<0))
    return (texts, particular)
  }

  private static func joined(
    _ declared: Range<Int>, adding text: ArraySlice<UInt8>, to particular: inout [UInt8]
  ) -> JoinedText {
    let start = particular.count
    particular += text
    return JoinedText(declared, then: 0..<0, then: 0..<0, then: start..<particular.count)
  }

  /// Returns members as they stand behind others, with a comma before them; none if nothing is written.
  private func members(
    _ inquiry: PlanInquiry, _ write: (inout JSONWriter, JSONWriter.ItemMembers) -> Void
  ) -> ArraySlice<UInt8> {
    var writer = JSONWriter()
    writer.value(encoded: ArraySlice())
    write(&writer) { item, writer in
      writer.members(of: item, writingFaults: inquiry.writeFault)
    }
    return writer.bytes[...]
  }
}
