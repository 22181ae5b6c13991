import JSONText
import MenuEngine

/// The events of a stream that tells a call. Those that another stream can go on from have ids.
extension AgentWork {
  /// The reasons for which nobody waits any more.
  enum End {
    case closed
    case stopping
    case gone
  }

  /// The reason as a sentence, with where the result can be read if it may still come.
  private func sentence(_ end: End) -> String {
    switch end {
    case .closed: "The session was closed before the application was done."
    case .stopping:
      "menud stops before the application is done, which may go on after a restart; read \(list(uris))."
    case .gone: "What was handed to the application is not kept any more, and its result neither."
    }
  }

  /// The URIs of the deliveries, in quotes.
  private var uris: [String] {
    task.deliveries.map { quoted(SessionPlace.delivery($0).uri(in: task.tool.session)) }
  }

  /// The text that a stream begins with: an id to go on from, and the newest progress that its client does not know.
  func opening(_ state: inout State) -> [UInt8] {
    state.hasBegun = true
    guard let id = id(after: state.knownProgress, &state) else { return [] }
    let text = AgentStream.opening(id, in: task.reply.revision)
    guard let latest = state.latest, state.knownProgress < state.progress else { return text }
    return text + notification(of: latest, &state)
  }

  /// The text that tells how deliveries changed, if anybody wants to know.
  func progress(to deliveries: Deliveries, _ state: inout State) -> [UInt8] {
    var text: [UInt8] = []
    for id in task.deliveries {
      guard let delivery = deliveries[id], delivery != state.deliveries[id] else { continue }
      state.deliveries[id] = delivery
      guard task.progressToken != nil else { continue }
      state.progress += 1
      state.latest = delivery
      text += notification(of: delivery, &state)
    }
    return text
  }

  /// The event that tells the newest progress of a delivery, if anybody wants to know.
  private func notification(of delivery: Delivery, _ state: inout State) -> [UInt8] {
    guard let token = task.progressToken else { return [] }
    let message: JSON = [
      "jsonrpc": "2.0", "method": "notifications/progress",
      "params": [
        "progressToken": token, "progress": .int(state.progress),
        "message": .string(message(of: delivery, &state)),
      ],
    ]
    return event(message, &state)
  }

  /// The state of a delivery for people; the first one that a client gets says where it can be read, whatever becomes
  /// of the stream.
  private func message(of delivery: Delivery, _ state: inout State) -> String {
    guard state.naming[delivery.id] == nil else { return "\(delivery.progress)." }
    state.naming[delivery.id] = state.progress
    let uri = SessionPlace.delivery(delivery.id).uri(in: task.tool.session)
    return "\(delivery.progress): \(quoted(uri))."
  }

  /// The last text, which says why there is no result.
  func ending(with end: End, _ state: inout State) -> [UInt8] {
    ending(["content": [ToolResult.text(sentence(end))], "isError": true], &state)
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
    // The item has changed since, by what the application did.
    if case .object(var item)? = answer["item"] {
      item["after"] = nil
      answer["item"] = .object(item)
    }
    if let other = settled.first(where: { $0.state != .replied }) {
      return ToolResult.unfinished(answer, of: task.tool, since: other)
    }
    return ToolResult.performance(answer, of: task.tool)
  }
}

extension JSON {
  /// A delivery as an agent sees it; its result is that of the call.
  fileprivate init(summaryOf delivery: Delivery) {
    var members: JSONObject = [
      "id": .int(Int64(delivery.id)), "state": .string(delivery.state.rawValue),
    ]
    members["problem"] = delivery.problem
    self = .object(members)
  }
}

extension Delivery {
  /// The state for people, without its full stop.
  fileprivate var progress: String {
    switch state {
    case .open:
      claimCount == 0 ? "Waiting for the application" : "Waiting for the application again"
    case .claimed: "\(claim?.by.map(quoted) ?? "The application") works on it"
    case .replied: "The application is done"
    case .failed: "The application failed"
    case .cancelled: "It was cancelled"
    }
  }
}
