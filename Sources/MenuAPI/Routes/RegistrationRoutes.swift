import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The registrations with the coordinator of a host (F1).
enum RegistrationRoutes {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/responders/{responder}/coordinator/handlers", needing: .read,
      id: "listRegistrations", "All registrations, in the order of their tokens.",
      parameters: ["responder": "photoHost"],
      answers: .tagged("Registrations", "The registrations."),
      problems: [.unknownResponder, .noCoordinator], answeredBy: list),
    Route(
      .post, at: "/sessions/{session}/responders/{responder}/coordinator/handlers",
      needing: .declare, id: "registerHandler",
      "Registers a handler in place of the present one for its selector.",
      parameters: ["responder": "photoHost"],
      body: .json("RegistrationRequest", #"{"selector":"share:","handler":{"perform":[]}}"#),
      answers: [
        .created(
          "Registered", "The registration's token.", headers: ["Location", "ETag"],
          newName: "token"),
        .ok("Registered", "It was only tried: the token that it would have.", headers: ["ETag"]),
      ],
      problems: [.unknownResponder, .noCoordinator], answeredBy: post),
    Route(
      .get, at: "/sessions/{session}/responders/{responder}/coordinator/handlers/{token}",
      needing: .read, id: "getRegistration", "A registration.",
      parameters: ["responder": "photoHost"],
      answers: .tagged("RegistrationAnswer", "The registration."),
      problems: [.unknownResponder, .noCoordinator, .unknownRegistration], answeredBy: get),
    Route(
      .put, at: "/sessions/{session}/responders/{responder}/coordinator/handlers/{token}",
      needing: .declare, id: "changeRegistration",
      "Registers anew what a token owns, under another token, and then removes the old one. What changes nothing keeps its token.",
      parameters: ["responder": "photoHost"],
      body: .json("RegistrationChange", #"{"selector":"export:"}"#),
      answers: [.ok("Registered", "The new token.", headers: ["Location", "ETag"])],
      problems: [.unknownResponder, .noCoordinator, .unknownRegistration], answeredBy: put),
    Route(
      .delete, at: "/sessions/{session}/responders/{responder}/coordinator/handlers/{token}",
      needing: .declare, id: "removeRegistration",
      "Removes what a token still owns; an unknown token is no mistake.",
      parameters: ["responder": "photoHost"],
      answers: [.ok("Changed", "The token owns nothing.", headers: ["ETag"])],
      problems: [.unknownResponder, .noCoordinator], answeredBy: delete),
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let responder = try call.responder(in: snapshot)
    let coordinator = try coordinator(of: responder)
    return call.answer(about: snapshot) { writer in
      writer.member("responder", responder.id.rawValue)
      writer.member("forwarding", coordinator.forwarding.rawValue)
      writer.member("registrations")
      writer.beginArray()
      for registration in coordinator.registrations {
        writer.beginObject()
        writer.members(registration)
        writer.endObject()
      }
      writer.endArray()
    }
  }

  private static func get(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let responder = try call.responder(in: snapshot)
    let coordinator = try coordinator(of: responder)
    guard let registration = token(call).flatMap(coordinator.registration) else {
      throw unknownRegistration(call)
    }
    return call.answer(about: snapshot) { writer in
      writer.member("responder", responder.id.rawValue)
      writer.members(registration)
    }
  }

  private static func post(_ call: Call) throws(Problem) -> Response {
    let host = try call.responderID
    let (selector, handler) = try call.object { reader in
      let selector = reader.required("selector", Read.selector)
      let handler = reader.required("handler", Handler.init(coordinated:at:log:))
      return selector.flatMap { selector in handler.map { (selector, $0) } }
    }
    return try register(.register(handler, for: selector, with: host), answering: .created, call)
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let host = try call.responderID
    let (selector, handler) = try call.object { reader in
      reader.requireRegistrationTerm()
      return (
        reader.member("selector", Read.selector),
        reader.member("handler", Handler.init(coordinated:at:log:))
      )
    }
    guard let token = token(call) else { throw unknownRegistration(call) }
    return try register(
      .changeRegistration(token, with: host, selector: selector, handler: handler), answering: .ok,
      call)
  }

  private static func register(
    _ mutation: Mutation, answering status: Status, _ call: Call
  ) throws(Problem) -> Response {
    let handlers = "/sessions/\(try call.session)/responders/\(try call.responderID)/coordinator"
    let options = try ChangeOptions(call)
    return try call.change(try call.session, isDry: options.isDry) { (change) throws(Problem) in
      try call.checkReplacement(of: change.base, isNew: false)
      let outcome = try change.apply(
        mutation, call, isExplaining: options.isExplaining, at: { _ in nil })
      let token = outcome.token ?? 0
      return call.answer(
        options.isDry ? .ok : status, tag: call.tag(change),
        location: options.isDry ? nil : "\(handlers)/handlers/\(token)"
      ) { writer in
        writer.members(change)
        writer.member("token", token)
        writer.members(changesOf: outcome)
        if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
      }
    }
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let host = try call.responderID
    let token = token(call) ?? 0
    return try call.apply(.removeRegistration(token, with: host), at: { _ in nil })
  }

  /// Returns the token in the path; no registration has the token 0.
  private static func token(_ call: Call) -> Int? {
    let text = call.parameters[2]
    return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  private static func coordinator(of responder: Responder) throws(Problem) -> MenuCoordinator {
    if let coordinator = responder.coordinator { return coordinator }
    throw Problem(MutationFault.handler(.noCoordinator(responder.id)), at: nil)
  }

  private static func unknownRegistration(_ call: Call) -> Problem {
    Problem(
      .unknownRegistration,
      "The coordinator of \(quoted(call.parameters[1])) has no registration "
        + "\(quoted(call.parameters[2])); it was removed or replaced.")
  }
}

extension JSONWriter {
  fileprivate mutating func members(_ registration: MenuCoordinator.Registration) {
    member("token", registration.token)
    member("selector", registration.selector.rawValue)
    member("handler", registration.handler.json)
  }
}
