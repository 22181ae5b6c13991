import JSONText

extension PlanTable {
  /// Settles what is in doubt about the commands at these positions, or about all.
  ///
  /// - Throws: `MutationFault.tooMuchEffort` when answering would take too much if nothing were known,
  ///   so that an answer does not depend on what is.
  mutating func settle(
    _ positions: [Int?]?, _ session: Session, _ catalog: Catalog,
    _ write: @escaping ValidationPlan.ItemWriter
  ) throws(MutationFault) {
    guard let positions else { return try settleAll(session, catalog, write) }
    var inquiry = PlanInquiry(variant, write)
    var effort = 0
    for case let position? in positions {
      guard effort <= Limits.effort else { throw .tooMuchEffort }
      settle(position, &inquiry, session, catalog)
      effort += efforts[position]
    }
  }

  /// The last one can take as much effort as it will.
  private mutating func settleAll(
    _ session: Session, _ catalog: Catalog, _ write: @escaping ValidationPlan.ItemWriter
  ) throws(MutationFault) {
    let last = commands.count - 1
    if !doubtful.isEmpty {
      var inquiry = PlanInquiry(variant, write)
      var effort = 0
      for position in doubtful {
        guard effort <= Limits.effort else { throw .tooMuchEffort }
        let isInDoubt = !doubts[position].isEmpty
        settle(position, &inquiry, session, catalog)
        if isInDoubt, position < last { effort += efforts[position] }
      }
      forgetDoubtful()
    }
    // They do not overflow: each is counted down from what one question may take at the most.
    guard efforts.dropLast().reduce(0, &+) <= Limits.effort else { throw .tooMuchEffort }
  }

  /// The texts of items about which nothing is in doubt, in an object behind what `opening` writes.
  mutating func body(
    _ positions: [Int?]?, _ ids: [CommandID]?, _ opening: (inout JSONWriter) -> Void,
    _ write: ValidationPlan.ItemWriter
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserveCapacity(256 + texts.length(of: positions))
    writer.beginObject()
    opening(&writer)
    writer.member("items")
    writer.beginArray()
    let start = writer.bytes.count
    if let positions, let ids {
      self.write(positions, ids, to: &writer, write)
    } else {
      texts.copyAll(to: &writer)
    }
    writer.endArray()
    writer.endObject()
    let body = writer.bytes
    if positions == nil { texts.adopt(body, from: start) }
    if texts.isWasteful { texts.condense() }
    return body
  }

  private func write(
    _ positions: [Int?], _ ids: [CommandID], to writer: inout JSONWriter,
    _ write: ValidationPlan.ItemWriter
  ) {
    for (position, id) in zip(positions, ids) {
      if let position {
        texts.copy(position, to: &writer)
      } else {
        write(ValidatedItem(unknown: id), &writer)
      }
    }
  }

  /// About how many bytes it takes.
  var size: Int {
    texts.size + commands.count * (MemoryLayout<PlannedCommand>.stride + 24)
      + rules.count * (MemoryLayout<PlannedRule>.stride + 32) + (answer?.body.count ?? 0)
  }
}
