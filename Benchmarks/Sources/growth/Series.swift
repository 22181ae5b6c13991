import Measuring

/// A question that is asked again and again, and what is done before each time.
struct Series {
  let name: String
  /// Done before each time, and not measured; the number is that of the time.
  let preparation: (Int) -> [Request]
  let question: (Int) -> Request

  init(
    _ name: String, after preparation: @escaping (Int) -> [Request] = { _ in [] },
    asking question: @escaping (Int) -> Request
  ) {
    self.name = name
    self.preparation = preparation
    self.question = question
  }
}

extension Axis {
  /// Returns the requests along it, for a server with so many sessions.
  func series(of size: Int, sessions: Int) -> [Series] {
    let unchanged = Series("nothing changed", asking: { _ in Self.validate() })
    let changed = Series(
      "after a change of the state", after: { [Self.change($0)] }, asking: { _ in Self.validate() })
    switch self {
    case .sessions:
      let asked = min(sessions, 1000)
      return [
        unchanged, changed,
        Series(
          "another session each time",
          asking: { Self.validate(in: "s\($0 % asked * (sessions / asked))") }),
      ]
    case .commands:
      return [
        unchanged, changed,
        Series(
          "ten of them, after a change of the state", after: { [Self.change($0)] },
          asking: { _ in Self.validate(commands: Array(0..<10)) }),
      ] + beginnings(of: size)
    case .depth:
      return [
        unchanged, changed,
        Series(
          "after focus moved to and fro", after: { [Self.focus("view\(size - 1 - $0 % 2)")] },
          asking: { _ in Self.validate() }),
      ] + beginnings(of: size)
    case .responders: return [unchanged, changed] + beginnings(of: size)
    case .state:
      return [
        unchanged, changed, Series("the change itself", asking: Self.change),
        Series("a change in the midst of it", asking: Self.rate),
      ]
    }
  }

  /// The questions before which little is known: where focus was not lately, and what a session is like that
  /// was just opened with a state and responders of its own.
  private func beginnings(of size: Int) -> [Series] {
    let application = application(of: size)
    return [
      Series(
        "after focus moved to a new place",
        after: { [Self.focus("place\($0 % application.places)")] },
        asking: { _ in Self.validate() }),
      Series(
        "the first time in a session of its own",
        after: {
          // By the last answer nothing is left to be done of the others, as releasing a large body is.
          [.delete("/sessions/own"), application.opening(of: "own", $0), .get("/health")]
        },
        asking: { _ in Self.validate(in: "own") }),
    ]
  }

  private static func validate(commands: [Int]? = nil, in session: String = "s0") -> Request {
    let named = commands.map { ",\"commands\":\($0.map { "command\($0):" })" } ?? ""
    return .post("/commands/validate", #"{"session":"\#(session)"\#(named)}"#)
  }

  /// Moves the check mark of the first menu.
  private static func change(_ time: Int) -> Request {
    .merge(#"{"group0":{"choice":\#(time % 10)}}"#, into: "s0")
  }

  /// Returns a request that changes a photo that no rule reads.
  private static func rate(_ time: Int) -> Request {
    Request(
      "PATCH", "/sessions/s0/state",
      #"[{"op":"replace","path":"/photos/0/rating","value":\#(time % 5)}]"#,
      as: "application/json-patch+json")
  }

  private static func focus(_ responder: String) -> Request {
    Request("PUT", "/sessions/s0/first-responder", #"{"responder":"\#(responder)"}"#)
  }
}
