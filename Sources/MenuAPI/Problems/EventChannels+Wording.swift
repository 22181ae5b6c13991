import JSONText
import MenuEngine

extension Problem {
  /// The problem of a request to be told of events that meets a limit.
  init(_ refusal: EventChannels.Refusal, _ limits: EventLimits) {
    let (sentence, name, limit) =
      switch refusal {
      case .subscriptions(let session):
        (
          "As many different parts of the session \(quoted(session.rawValue)) are followed as may be at once; follow "
            + "the same parts as another subscriber, or end one.",
          "subscriptions", limits.subscriptions
        )
      case .streamsOfSession(let session):
        (
          "As many streams follow the session \(quoted(session.rawValue)) as may at once; end one.",
          "streamsOfSession", limits.streamsOfSession
        )
      case .streamsOfToken:
        (
          "As many streams were begun with this token as may be open at once; end one.",
          "streamsOfToken", limits.streamsOfToken
        )
      }
    self = Problem(.tooManySubscriptions, sentence)
      .with("limit") { $0.value("events.\(name)") }.with("maximum") { $0.value(limit) }
      .with(header: "Retry-After", "10")
  }
}
