import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The late responders of the registry found from a responder (L6).
enum LateResponderRoutes {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/responders/{responder}/late-responders", needing: .read,
      id: "listLateResponders", "The late responders, in the order in which they are asked.",
      parameters: ["responder": "hostedView"], query: [.explain],
      answers: .tagged("LateResponders", "The late responders."),
      problems: [.unknownResponder, .noRegistry], answeredBy: list),
    Route(
      .put, at: "/sessions/{session}/responders/{responder}/late-responders/{lateResponder}",
      needing: .declare, id: "registerLateResponder",
      "Registers a responder; the same again changes nothing, in another registry it moves it.",
      parameters: ["responder": "hostedView"], query: [.explain],
      body: .json("LateRegistration", "{}", isRequired: false),
      answers: [
        .created("LateChanged", "It is registered.", headers: ["Location", "ETag"]),
        .ok("LateChanged", "It was registered here already.", headers: ["ETag"]),
      ],
      problems: [.unknownResponder, .noRegistry, .linkConflict], answeredBy: put),
    Route(
      .get, at: "/sessions/{session}/responders/{responder}/late-responders/{lateResponder}",
      needing: .read, id: "getLateResponder", "A late responder.",
      parameters: ["responder": "hostedView"],
      answers: .tagged("LateResponderAnswer", "The late responder."),
      problems: [.unknownResponder, .noRegistry, .unknownLateResponder], answeredBy: get),
    Route(
      .patch, at: "/sessions/{session}/responders/{responder}/late-responders/{lateResponder}",
      needing: .declare, id: "changeProxiedSelectors",
      "Changes what a proxy can be found for; null is everything.",
      parameters: ["responder": "hostedView"],
      body: .init(contents: [
        (mergePatch, "ProxiedSelectorsPatch", #"{"proxiedSelectors":["copy:","delete:"]}"#)
      ]),
      answers: [.ok("LateChanged", "It is changed.", headers: ["ETag"])],
      problems: [.unknownResponder, .noRegistry, .unknownLateResponder], answeredBy: patch),
    Route(
      .delete, at: "/sessions/{session}/responders/{responder}/late-responders/{lateResponder}",
      needing: .declare, id: "deregisterLateResponder",
      "Deregisters a late responder; an absent one is no mistake.",
      parameters: ["responder": "hostedView"], query: [.explain],
      answers: [.ok("LateChanged", "It is not registered here.", headers: ["ETag"])],
      problems: [.unknownResponder], answeredBy: delete),
  ]

  private static let mergePatch = "application/merge-patch+json"

  private static func list(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let trace = try registryTrace(call, snapshot.session)
    let found = try explaining(by: trace) { () throws(Problem) in
      try registry(call, snapshot.session)
    }
    return call.answer(about: snapshot, explainedBy: trace) { writer in
      writer.member("host", found.host.rawValue)
      writer.member("hooksLast", found.registry.hooksLast)
      writer.member("lateResponders")
      writer.beginArray()
      for member in found.registry.members.compactMap({ snapshot.session.graph[$0] }) {
        writer.beginObject()
        writer.members(late: member)
        writer.endObject()
      }
      writer.endArray()
    }
  }

  private static func get(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let (host, late) = try member(call, snapshot.session)
    return call.answer(about: snapshot) { writer in
      writer.member("host", host.rawValue)
      writer.members(late: late)
    }
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let start = try call.responderID
    let id = try lateID(call)
    if !call.request.body.isEmpty { try call.object { _ in () } }
    let path = "/sessions/\(try call.session)/responders/\(start)/late-responders/\(id)"
    return try apply(.registerLate(id, from: start), createdAt: path, call)
  }

  private static func patch(_ call: Call) throws(Problem) -> Response {
    try call.require([mergePatch])
    let json = try call.parsedBody()
    let selectors: [Selector]? = try call.object(json) { reader in
      reader.required("proxiedSelectors", Read.proxiedSelectors)
    }
    let place = JSONPointer.root.appending("proxiedSelectors")
    return try apply(
      .changeProxiedSelectors(selectors, of: try lateID(call)), at: place,
      requiringMember: true, call)
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let start = try call.responderID
    return try apply(.deregisterLate(try lateID(call), from: start), call)
  }

  private static func apply(
    _ mutation: Mutation, createdAt path: String? = nil, at place: JSONPointer? = nil,
    requiringMember: Bool = false, _ call: Call
  ) throws(Problem) -> Response {
    let start = try call.responderID
    let options = try ChangeOptions(call)
    return try call.change(try call.session, isDry: options.isDry) { (change) throws(Problem) in
      if requiringMember { _ = try member(call, change.session) }
      let trace = try registryTrace(call, change.session)
      let host = change.session.graph.registryHost(from: start)
      let outcome = try explaining(by: trace) { () throws(Problem) in
        try change.apply(
          mutation, call, isExplaining: options.isExplaining, at: { _ in place })
      }
      try call.checkReplacement(of: change.base, isNew: !outcome.changes.isEmpty)
      let location = outcome.changes.isEmpty || options.isDry ? nil : path
      return call.answer(
        location == nil ? .ok : .created, tag: call.tag(change), location: location
      ) { writer in
        writer.members(change)
        writer.member("host", host)
        writer.members(changesOf: outcome)
        if let trace { writer.member("trace", trace.followed(by: outcome.wholeTrace)) }
      }
    }
  }
}

extension LateResponderRoutes {
  /// Returns the search for the registry (L6), if `explain` is set.
  private static func registryTrace(_ call: Call, _ session: Session) throws(Problem) -> Trace? {
    guard try call.query.flag("explain") else { return nil }
    let start = try call.responderID
    do throws(MutationFault) {
      return try session.registry(from: start, isExplaining: true).trace
    } catch {
      throw Problem(error, at: nil)
    }
  }

  /// Runs an operation. If there is no registry, the problem includes the trace of the search.
  private static func explaining<Answer>(
    by trace: Trace?, _ act: () throws(Problem) -> Answer
  ) throws(Problem) -> Answer {
    do throws(Problem) {
      return try act()
    } catch {
      guard let trace, error.type == .noRegistry else { throw error }
      throw error.with("trace") { $0.value(trace) }
    }
  }

  private static func registry(
    _ call: Call, _ session: Session
  ) throws(Problem) -> (host: ResponderID, registry: LateRegistry) {
    let start = try call.responderID
    guard session.graph.contains(start) else {
      throw .unknownResponder(call.parameters[1], in: call.parameters[0])
    }
    guard let host = session.graph.registryHost(from: start),
      let registry = session.graph[host]?.lateResponders
    else { throw Problem(MutationFault.lateResponder(.noRegistry(start)), at: nil) }
    return (host, registry)
  }

  private static func member(
    _ call: Call, _ session: Session
  ) throws(Problem) -> (ResponderID, Responder) {
    let (host, registry) = try registry(call, session)
    let late = registry.members.first { $0.rawValue.hasSameBytes(as: call.parameters[2]) }
    guard let late = late.flatMap({ session.graph[$0] }) else {
      throw Problem(
        .unknownLateResponder,
        "\(quoted(call.parameters[2])) is not among the late responders of \(quoted(host)).")
    }
    return (host, late)
  }

  /// Returns the id in the path of the late responder.
  private static func lateID(_ call: Call) throws(Problem) -> ResponderID {
    if let id = ResponderID(call.parameters[2]) { return id }
    throw .unknownResponder(call.parameters[2], in: call.parameters[0])
  }
}

extension Call {
  /// Answers about a session, with the trace if there is one. An answer with a trace has no tag, because the tag is
  /// that of the plain answer.
  fileprivate func answer(
    about snapshot: Snapshot, explainedBy trace: Trace?,
    _ write: (inout JSONWriter) -> Void
  ) -> Response {
    guard let trace else { return answer(about: snapshot, write) }
    return answer { writer in
      writer.members(snapshot.session)
      write(&writer)
      writer.member("trace", trace)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(late responder: Responder) {
    member("responder", responder.id.rawValue)
    member("weight", responder.weight)
    guard let proxy = responder.proxy else { return }
    member("proxied", responder.links[.proxied])
    guard let selectors = proxy.proxiedSelectors else { return }
    member("proxiedSelectors", .array(selectors.map { .string($0.rawValue) }))
  }
}
