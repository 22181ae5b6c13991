import JSONText
import MenuEngine

/// The events of a stream that tells a call. Those that another stream can go on from have ids.
extension AgentWork {
  /// The reasons for which nobody waits any more.
  enum End: String {
    case closed = "The session was closed before the application was done."
    case stopping = "menud stops before the application is done; it may go on after a restart."
    case gone = "What was handed to the application is not kept any more, and its result neither."
  }

  /// The text that a stream begins with: an id to go on from, and the newest progress that its client does not know.
  func opening(_ state: inout State) -> [UInt8] {
    state.hasBegun = true
    guard let id = id(after: state.knownProgress, &state) else { return [] }
    let text = AgentStream.opening(id, in: task.reply.revision)
    guard let latest = state.latest, state.knownProgress < state.progress else { return text }
    return text + event(latest, &state)
  }

  /// The text that tells how deliveries changed, if anybody wants to know.
  func progress(to deliveries: Deliveries, _ state: inout State) -> [UInt8] {
    var text: [UInt8] = []
    for id in task.deliveries {
      guard let delivery = deliveries[id], delivery != state.deliveries[id] else { continue }
      state.deliveries[id] = delivery
      guard let token = task.progressToken else { continue }
      state.progress += 1
      let message: JSON = [
        "jsonrpc": "2.0", "method": "notifications/progress",
        "params": [
          "progressToken": token, "progress": .int(state.progress),
          "message": .string(delivery.progress),
        ],
      ]
      state.latest = message
      text += event(message, &state)
    }
    return text
  }

  /// The last text, which says why there is no result.
  func ending(with end: End, _ state: inout State) -> [UInt8] {
    ending(["content": [ToolResult.text(end.rawValue)], "isError": true], &state)
  }

  /// The last text, with the result.
  func ending(_ result: JSONObject, _ state: inout State) -> [UInt8] {
    state.isAtEnd = true
    return event(task.reply.message(result), &state)
  }

  private func event(_ message: JSON, _ state: inout State) -> [UInt8] {
    Array((id(after: state.progress, &state) ?? "").utf8) + AgentStream.block(message)
  }

  /// The line with the id of the next event; nil if no stream goes on from it.
  private func id(after progress: Int64, _ state: inout State) -> String? {
    guard let name = task.name else { return nil }
    state.idCount += 1
    return "id: \(AgentCallEventID(of: name, progress: progress, number: state.idCount).text)\n"
  }

  /// The result of the call, once everything is settled.
  func result(_ deliveries: [Int: Delivery]) -> JSONObject {
    let settled = task.deliveries.compactMap { deliveries[$0] }
    var answer = task.answer
    answer["deliveries"] = .array(settled.map(JSON.init(summaryOf:)))
    answer["result"] =
      settled.count == 1 ? settled[0].result : .array(settled.map { $0.result ?? .null })
    if let other = settled.first(where: { $0.state != .replied }) {
      return ToolResult.unfinished(answer, of: task.title, since: other)
    }
    return ToolResult.performance(answer, of: task.title, in: task.reply.revision)
  }
}

extension JSON {
  /// A delivery as an agent sees it.
  fileprivate init(summaryOf delivery: Delivery) {
    var members: JSONObject = [
      "id": .int(Int64(delivery.id)), "state": .string(delivery.state.rawValue),
    ]
    members["result"] = delivery.result
    members["problem"] = delivery.problem
    self = .object(members)
  }
}

extension Delivery {
  /// The state for people.
  fileprivate var progress: String {
    switch state {
    case .open:
      claimCount == 0 ? "Waiting for the application." : "Waiting for the application again."
    case .claimed: "\(claim?.by.map(quoted) ?? "The application") works on it."
    case .replied: "The application is done."
    case .failed: "The application failed."
    case .cancelled: "It was cancelled."
    }
  }
}
