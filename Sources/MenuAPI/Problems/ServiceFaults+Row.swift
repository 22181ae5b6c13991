import JSONText
import MenuEngine
import MenuStore
package import MicroHTTP

// The faults of the service: of messages, the journal, limits and streams of events.

extension RequestRefusal: TabulatedFault {
  /// The row of a message that does not reach a route.
  package var row: FaultRow {
    switch self {
    case .unsupportedVersion:
      FaultRow(.versionNotSupported, "The server speaks HTTP/1.1 and HTTP/1.0 only.")
    case .unsupportedMethod:
      FaultRow(
        .notImplemented,
        "The server knows GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS, and refuses TRACE and "
          + "QUERY.")
    case .unsupportedTransferEncoding:
      FaultRow(.notImplemented, "The only transfer encoding known is 'chunked'.")
    case .unsupportedExpectation:
      FaultRow(.expectationFailed, "The only expectation known is '100-continue'.")
    case .malformed(let reason): FaultRow(.malformedRequest, reason.sentence)
    case .lengthRequired:
      FaultRow(
        .lengthRequired,
        "POST, PUT and PATCH need a length: send 'Content-Length', which is 0 without a body, or "
          + "'Transfer-Encoding: chunked'.")
    case .contentTooLarge:
      FaultRow(
        .contentTooLarge,
        "The body has more bytes than 'server.maximumBodySize' allows, 1 MiB unless it is set: send it "
          + "in several requests, or set more.")
    case .headersTooLarge:
      FaultRow(
        .headersTooLarge,
        "The header fields have more bytes than 'server.maximumHeaderSize' allows, 8 KiB unless it is "
          + "set: send fewer or shorter ones, or set more.")
    case .requestTimeout: FaultRow(.requestTimeout, "The rest of the request did not come in time.")
    case .overloaded(let reason): FaultRow(.overloaded, reason.sentence, retryAfter: retryAfter)
    case .noAnswerInTime:
      FaultRow(
        .noAnswerInTime,
        "The answer was not ready in time; whether the request was carried out is not known. Ask "
          + "for the state of things before repeating it.")
    case .unsendableResponse:
      FaultRow(.internalError, "The response has a field that cannot be sent.")
    }
  }
}

extension Malformation {
  fileprivate var sentence: String {
    switch self {
    case .malformedTarget:
      "The target must begin with '/', 'http://' or 'https://', or be '*' with OPTIONS, and "
        + "have visible ASCII characters only."
    case .malformedEscape:
      "In the target, '%' must be followed by two hexadecimal digits that give UTF-8, and in a "
        + "path neither a zero byte nor a slash."
    case .malformedHead:
      "The head must be one request line with single spaces, and fields that each take one "
        + "line; lines end with CR and LF, and none has a zero byte or begins with a colon."
    case .malformedHeaderName:
      "A header field has a name that is not allowed."
    case .malformedHeaderValue:
      "A header field has a control character in its value."
    case .missingHost: "The field 'Host' is missing."
    case .repeatedHost: "The field 'Host' is there more than once."
    case .repeatedOrigin: "The field 'Origin' is there more than once."
    case .ambiguousLength:
      "'Content-Length' or 'Transfer-Encoding' are there more than once, or both of them."
    case .malformedLength:
      "'Content-Length' must be a number of at most 18 digits, with nothing behind it."
    case .unexpectedTransferEncoding:
      "HTTP/1.0 has no transfer encodings."
    case .unexpectedContent:
      "GET, HEAD, DELETE and OPTIONS have no body here."
    }
  }
}

extension Overload {
  fileprivate var sentence: String {
    switch self {
    case .tooManyRequests:
      "As many requests as 'server.maximumRequestsInFlight' allows are waiting; nothing was done, so "
        + "that the request may be repeated."
    case .tooManyStreams:
      "As many streams as 'server.maximumStreams' allows are open, or as "
        + "'server.maximumStreamsPerAddress' allows of this address; nothing was done, so that the "
        + "request may be repeated."
    case .tooMuchReceived:
      "The bodies of requests take as much as 'server.maximumReceivedBytes' allows, or those of this "
        + "address as much as 'server.maximumReceivedBytesPerAddress' allows; nothing was done, so "
        + "that the request may be repeated."
    case .tooMuchUnsent:
      "The answers that clients have not read yet take as much as 'server.maximumUnsentBytes' allows, "
        + "or those of this address as much as 'server.maximumUnsentBytesPerAddress' allows; nothing "
        + "was changed. Read them, and ask again."
    case .stopping:
      "The server is stopping; nothing was done, so that the request may be repeated on a "
        + "connection of its own."
    }
  }
}

extension JournalFault: TabulatedFault {
  /// The row of a change that the journal refuses.
  ///
  /// **Decision:** Answers do not mention files and devices; the log does.
  package var row: FaultRow {
    switch self {
    case _ where isOfRoom:
      FaultRow(
        .noRoom,
        "The disk of the journal is full, so that nothing can be changed; nothing was. What there "
          + "is can still be asked for.")
    case .unwritable(_, let reason):
      FaultRow(.notKept, "This cannot be kept, and so was not done. \(reason)")
    case .unresolved:
      FaultRow(
        .outcomeUnknown,
        "The connection to the database was lost while the change was committed, and it is not "
          + "known whether it was. The next start finds out. Then repeat the request with its "
          + "'Idempotency-Key', or ask for the state of things.")
    case .outcomeUnknown:
      FaultRow(
        .outcomeUnknown,
        "The disk failed while the change was written. It is not applied, but the next start may "
          + "find it written and apply it. After menud was started again, repeat the request with "
          + "its 'Idempotency-Key', or ask for the state of things.")
    case .conflict:
      FaultRow(
        .notKept,
        "Others change the same at the same time, again and again; nothing was changed. Repeat the "
          + "request.", retryAfter: 1)
    default:
      FaultRow(
        .notKept,
        "The journal takes nothing at the moment, so that nothing can be changed; nothing was. "
          + "What there is can still be asked for.", retryAfter: 1)
    }
  }
}

extension Problem {
  /// The problem of a request for a session that is not in memory, until the session is loaded.
  static var notLoaded: Problem {
    Problem(.recovering, "The session is being read. Repeat the request.")
      .with(header: "Retry-After", "1")
  }

  /// Returns the problem of a session that cannot be read.
  static func damagedSession(_ id: SessionID) -> Problem {
    Problem(
      .sessionDamaged,
      "The session \(quoted(id)) is not in the database as it was written, so that it cannot be read. "
        + "The log of menud says what is wrong.")
  }

  /// Creates the problem of a query whose answer may be older than that of another replica.
  init(unconfirmed fault: JournalFault) {
    self.init(
      .recovering,
      "The database cannot be reached, so that nobody can tell whether the answer would be current. "
        + "Repeat the request.")
    headers.append(("Retry-After", "1"))
  }
}

extension Problem {
  /// Creates the problem of a history that cannot be read.
  init(unread fault: JournalFault) {
    switch fault {
    case .damaged, .damagedDatabase, .unreadable:
      self.init(.internalError, "The history is not as it was written, so that it cannot be shown.")
    default: self = .journalBusy
    }
  }

  /// The problem of a query that the journal cannot serve at present.
  static var journalBusy: Problem {
    Problem(.recovering, "The journal cannot be read at the moment. Repeat the request.")
      .with(header: "Retry-After", "1")
  }

  /// Returns the problem of a query for changes that the history no longer has.
  static func historyGone(after revision: Int, since beginning: Int) -> Problem {
    Problem(
      .historyGone,
      "The history knows the changes after revision \(beginning), not all of those after revision "
        + "\(revision)."
    ).with("since") { $0.value(beginning) }
  }
}

extension Problem {
  /// Returns the problem of an exceeded limit, with its name in the configuration and its value.
  static func limitReached(_ name: String, at limit: Int, sentence: String) -> Problem {
    Problem(.limitReached, sentence).with(limit: name, limit)
  }

  /// Returns the problem with a limit's name in the configuration and its value.
  func with(limit name: String, _ limit: Int) -> Problem {
    with("limit") { $0.value("limits.\(name)") }.with("maximum") { $0.value(limit) }
  }

  /// Returns the problem of too many sessions. It may be retried: idle sessions are closed.
  static func tooManySessions(_ limit: Int) -> Problem {
    Problem(
      .tooManySessions,
      "\(limit) sessions are open, and no more may be (limits.sessions); close some, or try again "
        + "later."
    ).with(limit: "sessions", limit).with(header: "Retry-After", "60")
  }
}

extension Holding {
  /// Returns the sentence about a session that would exceed the limit, with the remedy.
  func sentence(_ limit: Int) -> String {
    let name = "(limits.\(rawValue))"
    switch self {
    case .responders:
      return "The session would have more than \(limit) responders \(name); remove some first."
    case .handlers:
      return "The session would have more than \(limit) handlers \(name); remove some first, or "
        + "declare them in a class."
    case .rules:
      return "The session would have more than \(limit) rules \(name); remove handlers first, or "
        + "declare them in a class."
    case .keyCommands:
      return
        "The session would have more than \(limit) key commands \(name); remove some first, or "
        + "declare them in a class."
    case .undoManagers:
      return "More than \(limit) responders of the session would have an undo manager of their own "
        + "\(name); let some share the session's."
    case .stateSize:
      return "The state would take more than \(limit) bytes of JSON \(name); remove something from "
        + "it first."
    case .responderSize:
      return "The responders would take more than \(limit) bytes of JSON in all \(name); remove "
        + "some first, or give them less."
    case .deliveries:
      return "More than \(limit) deliveries of the session would be open \(name); reply to some "
        + "first, or cancel them."
    case .deliverySize:
      return "The open deliveries would take more than \(limit) bytes of JSON \(name); reply to "
        + "some first, or deliver less."
    }
  }
}

extension CatalogHolding {
  /// Returns the sentence about a catalogue that would exceed the limit, with the remedy.
  func sentence(_ limit: Int) -> String {
    let name = "(limits.\(rawValue))"
    switch self {
    case .commands, .storyboards, .protocols, .keymaps:
      return "There would be more than \(limit) \(rawValue) \(name); remove some first."
    case .menuElements:
      return "The menus would have more than \(limit) elements \(name); remove some first."
    case .catalogChanges:
      return "More than \(limit) changes were made that the application's folder does not have "
        + "\(name); write them into it and reload."
    }
  }
}

extension Problem {
  /// Creates the problem of a subscription that exceeds a limit.
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
