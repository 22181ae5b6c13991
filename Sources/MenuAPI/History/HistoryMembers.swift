import JSONText
package import MenuEngine
import MenuStore

/// Encodes the result of a request as the members of its entry in the history (T5).
package struct HistoryMembers: HistoryWriter {
  package init() {}

  package func members(of outcomes: [Outcome]) -> [UInt8] {
    object { writer in
      if outcomes.count == 1 {
        writer.members(performedBy: outcomes[0])
      } else if outcomes.contains(where: { $0.performance != nil }) {
        writer.member("performed")
        writer.beginArray()
        for outcome in outcomes {
          writer.beginObject()
          writer.members(performedBy: outcome)
          writer.endObject()
        }
        writer.endArray()
      }
      writer.member("changes")
      writer.beginArray()
      for outcome in outcomes { writer.elements(changesOf: outcome, tellsUndo: false) }
      writer.endArray()
      let deliveries = outcomes.flatMap(\.delivered)
      if !deliveries.isEmpty { writer.member("deliveries", deliveries) }
      writer.optionalMember("undoName", outcomes.lazy.compactMap(\.undoName).last)
    }
  }

  package func members(of fault: MutationFault) -> [UInt8]? {
    switch fault {
    case .inList(index: _, let fault): return members(of: fault)
    case .command(.notPerformed(let refusal)):
      return members(of: refusal.item, action: refusal.action, refused: refusal.reason)
    case .command(.keyNotPerformed(let resolution)):
      return members(of: resolution.tried.first?.item, action: nil, refused: resolution.reason)
    default: return nil
    }
  }

  private func members(
    of item: ValidatedItem?, action: Selector?, refused reason: ValidationReason
  ) -> [UInt8] {
    object { writer in
      writer.optionalMember("command", item?.command.rawValue)
      writer.optionalMember("title", item?.title)
      writer.optionalMember("action", action?.rawValue)
      writer.optionalMember("target", item?.target?.description)
      writer.member("reason", reason.rawValue)
      writer.optionalMember("explanation", item?.explanation)
    }
  }

  private func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    writer.endObject()
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func members(performedBy outcome: Outcome) {
    if let performance = outcome.performance {
      optionalMember("command", performance.invocation.sender?.command?.id.rawValue)
      optionalMember("title", performance.title)
      member("action", performance.invocation.originalSelector.rawValue)
      member("target", performance.target.description)
      if !performance.isPerformed { member("reason", performance.reason.rawValue) }
    }
    if let token = outcome.token { member("token", token) }
  }
}
