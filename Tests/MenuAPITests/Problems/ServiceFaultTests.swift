import Glibc
import MenuEngine
import MenuStore
import MicroHTTP
import Testing

@testable import MenuAPI

struct ServiceFaultTests {
  @Test(
    arguments: rows(
      RequestRefusal.allCases,
      """
      unsupportedVersion 505 version-not-supported: The server speaks HTTP/1.1 and HTTP/1.0 only.
      unsupportedMethod 501 not-implemented: The server knows GET, HEAD, POST, PUT, PATCH, DELETE \
      and OPTIONS, and refuses TRACE and QUERY.
      unsupportedTransferEncoding 501 not-implemented: The only transfer encoding known is \
      'chunked'.
      unsupportedExpectation 417 expectation-failed: The only expectation known is '100-continue'.
      malformedTarget 400 malformed-request: The target must begin with '/', 'http://' or \
      'https://', or be '*' with OPTIONS, and have visible ASCII characters only.
      malformedEscape 400 malformed-request: In the target, '%' must be followed by two \
      hexadecimal digits that give UTF-8, and in a path neither a zero byte nor a slash.
      malformedHead 400 malformed-request: The head must be one request line with single spaces, \
      and fields that each take one line; lines end with CR and LF, and none has a zero byte or \
      begins with a colon.
      malformedHeaderName 400 malformed-request: A header field has a name that is not allowed.
      malformedHeaderValue 400 malformed-request: A header field has a control character in its \
      value.
      missingHost 400 malformed-request: The field 'Host' is missing.
      repeatedHost 400 malformed-request: The field 'Host' is there more than once.
      repeatedOrigin 400 malformed-request: The field 'Origin' is there more than once.
      ambiguousLength 400 malformed-request: 'Content-Length' or 'Transfer-Encoding' are there \
      more than once, or both of them.
      malformedLength 400 malformed-request: 'Content-Length' must be a number of at most 18 \
      digits, with nothing behind it.
      unexpectedTransferEncoding 400 malformed-request: HTTP/1.0 has no transfer encodings.
      unexpectedContent 400 malformed-request: GET, HEAD, DELETE and OPTIONS have no body here.
      lengthRequired 411 length-required: POST, PUT and PATCH need a length: send \
      'Content-Length', which is 0 without a body, or 'Transfer-Encoding: chunked'.
      contentTooLarge 413 content-too-large: The body has more bytes than \
      'server.maximumBodySize' allows, 1 MiB unless it is set: send it in several requests, or set \
      more.
      headersTooLarge 431 headers-too-large: The header fields have more bytes than \
      'server.maximumHeaderSize' allows, 8 KiB unless it is set: send fewer or shorter ones, or \
      set more.
      requestTimeout 408 request-timeout: The rest of the request did not come in time.
      tooManyRequests 503 overloaded (again in 1 s): As many requests as \
      'server.maximumRequestsInFlight' allows are waiting; nothing was done, so that the request may \
      be repeated.
      tooManyStreams 503 overloaded (again in 1 s): As many streams as \
      'server.maximumStreams' allows are open, or as 'server.maximumStreamsPerAddress' allows of \
      this address; nothing was done, so that the request may be repeated.
      tooMuchReceived 503 overloaded (again in 1 s): The bodies of requests take as much as \
      'server.maximumReceivedBytes' allows, or those of this address as much as \
      'server.maximumReceivedBytesPerAddress' allows; nothing was done, so that the request may be \
      repeated.
      tooMuchUnsent 503 overloaded (again in 1 s): The answers that clients have not read yet take \
      as much as 'server.maximumUnsentBytes' allows, or those of this address as much as \
      'server.maximumUnsentBytesPerAddress' allows; nothing was changed. Read them, and ask again.
      stopping 503 overloaded (again in 1 s): The server is stopping; nothing was done, so that \
      the request may be repeated on a connection of its own.
      noAnswerInTime 503 no-answer-in-time: The answer was not ready in time; whether the request \
      was carried out is not known. Ask for the state of things before repeating it.
      unsendableResponse 500 internal-error: The response has a field that cannot be sent.
      """))
  func `each message that reaches no route says its status, its kind and a sentence`(
    refusal: RequestRefusal, row: String
  ) {
    #expect(told(refusal, named: "\(refusal)") == row)
    #expect(refusal.row.type.status == refusal.status)
  }

  static let ownFaults: [JournalFault] = [
    .noRoom(path: "journal"), .unflushed(path: "journal", code: ENOSPC), .outcomeUnknown,
    .unwritable(.catalog, reason: "It is too deep."), .unresolved(database: "menud"), .conflict,
  ]

  @Test(
    arguments: rows(
      ownFaults,
      """
      noRoom 507 no-room: The disk of the journal is full, so that nothing can be changed; nothing \
      was. What there is can still be asked for.
      unflushed 507 no-room: The disk of the journal is full, so that nothing can be changed; \
      nothing was. What there is can still be asked for.
      outcomeUnknown 503 outcome-unknown: The disk failed while the change was written. It is not \
      applied, but the next start may find it written and apply it. After menud was started again, \
      repeat the request with its 'Idempotency-Key', or ask for the state of things.
      unwritable 503 not-kept: This cannot be kept, and so was not done. It is too deep.
      unresolved 503 outcome-unknown: The connection to the database was lost while the change was \
      committed, and it is not known whether it was. The next start finds out. Then repeat the \
      request with its 'Idempotency-Key', or ask for the state of things.
      conflict 503 not-kept (again in 1 s): Others change the same at the same time, again and \
      again; nothing was changed. Repeat the request.
      """))
  func `each fault of the journal with a sentence of its own says it`(
    fault: JournalFault, row: String
  ) {
    #expect(told(fault, named: name(of: fault)) == row)
  }

  static let otherFaults: [JournalFault] = [
    .system(path: "journal", code: 5), .unflushed(path: "journal", code: EIO),
    .removed(path: "journal"), .refused(path: "journal", message: "no"),
    .locked(path: "journal", holder: nil),
    .busy(path: "journal"), .danglingLink(path: "journal"), .foreign(path: "journal"),
    .unreleased(place: "journal"),
    .newer(path: "journal", version: 9, known: 1), .damaged(path: "journal", .empty),
    .unreadable(.catalog, sequence: nil, reason: "No."), .closed,
    .unreachable(database: "menud", message: "no"),
    .refusedByDatabase("menud", state: "42000", message: "no"), .lockedDatabase("menud"),
    .noSchema(database: "menud", searchPath: "shop"), .takenOver(database: "menud"),
    .fellBehind(database: "menud"),
    .damagedDatabase("menud", .tables),
  ]

  @Test(arguments: otherFaults)
  func `the other faults of the journal tell nobody of files and devices`(fault: JournalFault) {
    #expect(
      told(fault, named: name(of: fault)) == """
        \(name(of: fault)) 503 not-kept (again in 1 s): The journal takes nothing at the moment, \
        so that nothing can be changed; nothing was. What there is can still be asked for.
        """)
  }

  @Test func `every case of JournalFault stands in a table`() throws {
    let declared = try declaredCases(
      of: "JournalFault", in: "../MenuStore/Journal/JournalFault.swift")
    #expect(declared == Set((Self.ownFaults + Self.otherFaults).map(name)))
  }

  @Test(
    arguments: rows(
      Holding.allCases,
      """
      The session would have more than 9 responders (limits.responders); remove some first.
      The session would have more than 9 handlers (limits.handlers); remove some first, or declare \
      them in a class.
      The session would have more than 9 rules (limits.rules); remove handlers first, or declare \
      them in a class.
      The session would have more than 9 key commands (limits.keyCommands); remove some first, or \
      declare them in a class.
      More than 9 responders of the session would have an undo manager of their own \
      (limits.undoManagers); let some share the session's.
      The state would take more than 9 bytes of JSON (limits.stateSize); remove something from it \
      first.
      The responders would take more than 9 bytes of JSON in all (limits.responderSize); remove \
      some first, or give them less.
      More than 9 deliveries of the session would be open (limits.deliveries); reply to some \
      first, or cancel them.
      The open deliveries would take more than 9 bytes of JSON (limits.deliverySize); reply to \
      some first, or deliver less.
      """))
  func `each limit of a session says what to do`(holding: Holding, sentence: String) {
    #expect(holding.sentence(9) == sentence)
  }

  @Test(
    arguments: rows(
      CatalogHolding.allCases,
      """
      There would be more than 9 commands (limits.commands); remove some first.
      The menus would have more than 9 elements (limits.menuElements); remove some first.
      There would be more than 9 storyboards (limits.storyboards); remove some first.
      There would be more than 9 protocols (limits.protocols); remove some first.
      There would be more than 9 keymaps (limits.keymaps); remove some first.
      More than 9 changes were made that the application's folder does not have \
      (limits.catalogChanges); write them into it and reload.
      """))
  func `each limit of the catalogue says what to do`(holding: CatalogHolding, sentence: String) {
    #expect(holding.sentence(9) == sentence)
  }

  static let streamLimits: [EventChannels.Refusal] = [
    .subscriptions("demo"), .streamsOfSession("demo"), .streamsOfToken,
  ]

  @Test(
    arguments: rows(
      streamLimits,
      """
      As many different parts of the session 'demo' are followed as may be at once; follow the \
      same parts as another subscriber, or end one.
      As many streams follow the session 'demo' as may at once; end one.
      As many streams were begun with this token as may be open at once; end one.
      """))
  func `each limit of events says what to do`(refusal: EventChannels.Refusal, sentence: String) {
    #expect(Problem(refusal, EventLimits()).detail == sentence)
  }

  @Test func `a session that is read, and a database out of reach, ask for the request again`() {
    #expect(Problem.notLoaded.detail == "The session is being read. Repeat the request.")
    #expect(
      Problem(unconfirmed: .closed).detail == """
        The database cannot be reached, so that nobody can tell whether the answer would be \
        current. Repeat the request.
        """)
  }

  /// The name of the case; the description of a fault is for operators.
  private func name(of fault: JournalFault) -> String {
    switch fault {
    case .outcomeUnknown: "outcomeUnknown"
    case .conflict: "conflict"
    case .closed: "closed"
    default: caseName(fault)
    }
  }
}
