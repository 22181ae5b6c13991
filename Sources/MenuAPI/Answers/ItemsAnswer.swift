import JSONText
import MenuEngine

/// The body of a validation, and what each of its items depends on, so that after a change of the
/// state only the items that it may concern are asked about again.
struct ItemsAnswer: Sendable {
  /// The body.
  let body: [UInt8]
  /// The items in the body; nil when they depend on each other.
  private let parts: [Part]?
  /// How many of the items that were asked about for it have a rule that failed.
  let ruleErrors: Int

  private struct Part: Sendable {
    let command: CommandID
    let range: Range<Int>
    let readings: Readings
  }

  /// Items that are asked about one by one.
  init(
    _ items: [(item: ValidatedItem, readings: Readings)], isExplaining: Bool, _ session: Session,
    _ catalog: Catalog
  ) {
    var parts: [Part] = []
    body = Self.body(session, catalog, capacity: 192 * items.count) { writer in
      for (item, readings) in items {
        let start = writer.bytes.count + (parts.isEmpty ? 0 : 1)
        writer.value(item, isExplaining: isExplaining)
        parts.append(
          Part(command: item.command, range: start..<writer.bytes.count, readings: readings))
      }
    }
    self.parts = parts
    ruleErrors = items.indices.reduce(0) { $0 + (items[$1].item.fault == nil ? 0 : 1) }
  }

  /// The items of a menu, which say of each other who keeps its check mark (M9).
  init(
    ofMenu items: [ValidatedItem], isExplaining: Bool, _ session: Session, _ catalog: Catalog
  ) {
    body = Self.body(session, catalog, capacity: 192 * items.count) { writer in
      for item in items { writer.value(item, isExplaining: isExplaining) }
    }
    parts = nil
    ruleErrors = items.ruleErrors
  }

  private init(body: [UInt8], parts: [Part], ruleErrors: Int) {
    self.body = body
    self.parts = parts
    self.ruleErrors = ruleErrors
  }

  /// The answer after changes of these, or nil when it is to be made anew.
  ///
  /// - Parameter ask: Answers the items of these commands as they are now.
  func updated<Fault: Error>(
    for places: [ChangedPlace], _ session: Session, _ catalog: Catalog, isExplaining: Bool,
    _ ask: ([CommandID]) throws(Fault) -> [(item: ValidatedItem, readings: Readings)]
  ) throws(Fault) -> ItemsAnswer? {
    guard let parts else { return nil }
    let stale = parts.indices.filter { parts[$0].readings.mayChange(with: places) }
    let fresh = try ask(stale.map { parts[$0].command })
    var updated: [Part] = []
    updated.reserveCapacity(parts.count)
    let body = Self.body(session, catalog, capacity: self.body.count) { writer in
      var next = 0
      for (index, (item, readings)) in zip(stale, fresh) {
        copy(parts[next..<index], to: &writer, &updated)
        let start = writer.bytes.count + (updated.isEmpty ? 0 : 1)
        writer.value(item, isExplaining: isExplaining)
        updated.append(
          Part(command: item.command, range: start..<writer.bytes.count, readings: readings))
        next = index + 1
      }
      copy(parts[next...], to: &writer, &updated)
    }
    let ruleErrors = fresh.reduce(0) { $0 + ($1.item.fault == nil ? 0 : 1) }
    return ItemsAnswer(body: body, parts: updated, ruleErrors: ruleErrors)
  }

  /// Copies neighbours as they are, with the commas between them.
  private func copy(
    _ run: ArraySlice<Part>, to writer: inout JSONWriter, _ updated: inout [Part]
  ) {
    guard let first = run.first, let last = run.last else { return }
    let start = writer.bytes.count + (updated.isEmpty ? 0 : 1)
    writer.value(encoded: body[first.range.lowerBound..<last.range.upperBound])
    let shift = start - first.range.lowerBound
    for part in run {
      let range = part.range.lowerBound + shift..<part.range.upperBound + shift
      updated.append(Part(command: part.command, range: range, readings: part.readings))
    }
  }

  private static func body(
    _ session: Session, _ catalog: Catalog, capacity: Int, _ items: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserveCapacity(128 + capacity)
    writer.beginObject()
    writer.members(session)
    writer.member("catalogRevision", catalog.revision)
    writer.member("items")
    writer.beginArray()
    items(&writer)
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
