import JSONText

/// The frame of the answers to one request of an agent.
struct AgentReply: Sendable {
  let id: JSON
  let revision: AgentRevision
  /// The name of the application, and the version of menud.
  let serverInfo: JSON

  /// The message with a result.
  ///
  /// - Parameter age: The milliseconds for which clients may keep it, for themselves; nil if it is none to keep.
  func message(_ result: JSONObject, keptFor age: Int64? = nil) -> JSON {
    var members = result
    if revision.isStateless {
      members["resultType"] = "complete"
      if let age {
        members["ttlMs"] = .int(age)
        members["cacheScope"] = "private"
      }
      var meta = JSONObject()
      if case .object(let own)? = result["_meta"] { meta = own }
      meta["io.modelcontextprotocol/serverInfo"] = serverInfo
      members["_meta"] = .object(meta)
    }
    return ["jsonrpc": "2.0", "id": id, "result": .object(members)]
  }
}

extension Service {
  /// The name of the application and the version of menud, as agents are told them.
  var agentInfo: JSON {
    let version = dependencies.version
    let name = dependencies.application.isEmpty ? "menud" : dependencies.application
    return [
      "name": .string(name), "title": .string(name),
      "version": .string(version.isEmpty ? "0" : version),
    ]
  }
}
