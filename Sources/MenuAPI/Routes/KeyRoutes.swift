import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The routes about pressed keys (K1 to K5).
enum KeyRoutes {
  static let all = [
    Route(
      .post, "/keys/resolve",
      describedAs: RouteDescription(
        "resolveKey",
        "The command that a key would perform, and those that it passes over; nothing is done.",
        body: .json(
          "KeyRequest", #"{"session":"demo","key":{"input":"5","modifiers":["command"]}}"#),
        answers: [
          .ok("KeyAnswer", "The matches in order, and the action and target of the chosen one.")
        ],
        problems: [.unknownSession, .unresolvedReference, .tooMuchEffort],
        isQuestion: true, requiredAccess: .anyToken),
      answeredBy: resolve),
    Route(
      .post, "/keys/press",
      describedAs: RouteDescription(
        "pressKey", "Does what a key means; what fails changes nothing.",
        body: .json(
          "KeyPressRequest", #"{"session":"demo","key":{"input":"5","modifiers":["command"]}}"#),
        answers: [
          .ok("KeyPressed", "The outcome.", headers: ["ETag"]), .accepted("KeyPressed"),
        ],
        problems: [
          .unknownSession, .unresolvedReference, .notPerformed, .effectFailed,
          .firstResponderRefused, .doesNotRecognizeSelector, .senderCarriesNoAction,
          .tooMuchEffort, .undoRefused, .deliveryConflict,
        ], requiredAccess: .anyToken, completesDeliveries: true),
      answeredBy: press),
  ]

  private static func resolve(_ call: Call) throws(Problem) -> Response {
    let body = try call.object { KeyBody(&$0) }
    let place = JSONPointer.root.appending("session")
    let snapshot = try call.snapshot(body.session, at: place)
    let session = snapshot.session
    let resolution: KeyResolution
    do throws(MutationFault) {
      resolution = try session.resolve(
        body.press, in: snapshot.catalog, isExplaining: body.isExplaining)
    } catch {
      throw Problem(error, at: body.press.place(of: error))
    }
    call.note(ruleErrors: resolution.ruleErrors)
    return call.answer { writer in
      writer.members(session)
      writer.member("action")
      if let action = resolution.chosen?.claim.action {
        writer.value(action.rawValue)
      } else {
        writer.null()
      }
      writer.member("target", resolution.chosen?.target)
      writer.optionalMember("proxied", resolution.chosen?.proxied?.rawValue)
      writer.members(resolution)
      if body.isExplaining { writer.member("trace", resolution.trace) }
    }
  }

  private static func press(_ call: Call) throws(Problem) -> Response {
    let (body, options) = try call.objectAndOptions({ KeyBody(&$0) })
    let press = body.press.dated(call.service.dependencies.now())
    let place = JSONPointer.root.appending("session")
    return try call.change(body.session, at: place) { (change) throws(Problem) in
      change.isDry = options.isDry
      let outcome = try change.apply(
        .pressKey(press), call, isExplaining: options.isExplaining,
        at: { press.place(of: $0) })
      return call.answer(tag: call.tag(change)) { writer in
        writer.members(change)
        writer.members(outcome, of: press)
        if options.isExplaining { writer.trace(of: outcome) }
      }
    }
  }

  /// The key, and the session that it is pressed in.
  private struct KeyBody {
    let session: SessionID
    let press: KeyPress
    let isExplaining: Bool

    init?(_ reader: inout ObjectReader) {
      let session: SessionID? = reader.required("session", Read.identifier)
      let press = KeyPress(&reader, isDated: false)
      isExplaining = reader.member("explain", Read.bool) ?? false
      guard let session, let press else { return nil }
      self.session = session
      self.press = press
    }
  }
}

extension KeyPress {
  /// The member of the request that a fault is about.
  fileprivate func place(of fault: MutationFault) -> JSONPointer? {
    switch fault {
    case .unknownResponder, .notAWindow:
      fault.placeOfResponder(from: from, sender, to: nil, window: window)
    default: JSONPointer.root.appending("key")
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(
    _ outcome: Outcome, of press: KeyPress
  ) {
    if let request = outcome.resolution?.chosen?.claim.request(for: press),
      let performance = outcome.performance
    {
      members(performance, of: request.subject.command)
    }
    if let resolution = outcome.resolution { members(resolution) }
    members(deliveriesOf: outcome)
    members(changesOf: outcome)
    members(outcome.events)
  }

  /// Writes what was asked to find out what the key means, and then to perform it.
  fileprivate mutating func trace(of outcome: Outcome) {
    member("trace")
    beginArray()
    if let resolution = outcome.resolution { steps(of: resolution.trace) }
    if let performance = outcome.performance { steps(of: performance.trace) }
    endArray()
  }
}
