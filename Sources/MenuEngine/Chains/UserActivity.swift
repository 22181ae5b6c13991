public import JSONText

/// An activity of a user, for other devices to go on with.
public struct UserActivity: Equatable, Sendable, Codable {
  /// The kind of activity, in reverse domain notation: `com.example.photos.viewing`.
  public let activityType: String
  /// The title.
  public let title: String?
  /// The data that another device needs to go on with it.
  public let userInfo: JSONObject
  /// The address at which a browser continues it.
  public let webpageURL: String?
}

extension UserActivity {
  /// The activity that a document describes, or nil and the faults.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let activityType = reader.required("activityType", Read.string)
    title = reader.member("title", Read.string)
    userInfo = reader.member("userInfo", Read.object) ?? JSONObject()
    webpageURL = reader.member("webpageURL", Read.string)
    reader.finish()
    guard let activityType else { return nil }
    self.activityType = activityType
  }

  /// The activity as a document.
  public var json: JSON {
    var object = JSONObject()
    object["activityType"] = .string(activityType)
    object["title"] = title.map(JSON.string)
    object["userInfo"] = .object(userInfo)
    object["webpageURL"] = webpageURL.map(JSON.string)
    return .object(object)
  }
}

extension Session {
  /// The user activity that counts (L13): the first responder's up the chain that has one.
  public struct UserActivityAnswer: Sendable {
    /// The responder, or nil when nobody on the chain has one.
    public let responder: ResponderID?
    /// Its activity.
    public let activity: UserActivity?
    /// The responders that were asked.
    public let trace: Trace
  }

  /// The user activity of the chain that begins at `from`, else where searches begin (R7).
  ///
  /// - Throws: `MutationFault.unknownResponder`.
  public func userActivity(
    from: ResponderID? = nil, isExplaining: Bool = false
  ) throws(MutationFault) -> UserActivityAnswer {
    var trace = Trace(isRecording: isExplaining)
    for responder in try chain(from: from) {
      let activity = responder.userActivity
      trace.note(.userActivity, .responder(responder.id), answer: activity?.json ?? .null)
      guard let activity else { continue }
      return UserActivityAnswer(responder: responder.id, activity: activity, trace: trace)
    }
    return UserActivityAnswer(responder: nil, activity: nil, trace: trace)
  }

  /// The responders of a chain, from where a search without a sender begins (R7).
  func chain(from: ResponderID?) throws(MutationFault) -> [Responder] {
    try check(from)
    let start = from ?? firstResponder ?? focusOfKeyWindow ?? graph.application
    return (start.map { graph.chain(from: $0) } ?? []).compactMap { graph[$0] }
  }
}
