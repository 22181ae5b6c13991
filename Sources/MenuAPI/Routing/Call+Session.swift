import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

extension Call {
  /// The response with a JSON body.
  func answer(
    _ status: Status = .ok, tag: EntityTag? = nil, location: String? = nil,
    _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    writer.endObject()
    return Self.response(status, tag, location, writer.bytes)
  }

  static func response(
    _ status: Status, _ tag: EntityTag?, _ location: String?, _ body: [UInt8]
  ) -> Response {
    var headers = Headers()
    headers.append("Content-Type", "application/json")
    if let tag { headers.append("ETag", tag.text) }
    if let location { headers.append("Location", location) }
    return Response(status: status, headers: headers, body: body)
  }

  /// The tag of a session's own representation.
  func tag(_ snapshot: SessionSnapshot) -> EntityTag {
    EntityTag(snapshot.session, snapshot.incarnation, nonce: service.nonce)
  }

  /// The tag of a session's own representation, while it is changed.
  func tag(_ change: SessionChange) -> EntityTag {
    EntityTag(change.session, change.incarnation, nonce: service.nonce)
  }

  /// Answers what `write` writes of a session as it is now, unless the client has that already.
  func answer(
    about snapshot: SessionSnapshot, _ write: (inout JSONWriter) -> Void
  ) -> Response {
    let tag = tag(snapshot)
    if let unmodified = unmodified(tag) { return unmodified }
    return answer(tag: tag) { writer in
      writer.members(snapshot.session)
      write(&writer)
    }
  }

  /// Changes a session that the request may touch, when it is as `If-Match` supposes, and answers what
  /// `change` does; that is kept when the request has an idempotency key and changes anything.
  func change(
    _ id: SessionID, at pointer: JSONPointer? = nil,
    _ change: (inout SessionChange, Catalog) throws(Problem) -> Response
  ) throws(Problem) -> Response {
    try postpone(for: id)
    let response = try store.change(id) { (snapshot, catalog) throws(Problem) -> Response in
      guard access.opens(snapshot.incarnation) else {
        throw .unknownSession(id.rawValue, at: pointer)
      }
      try charge(id)
      try checkPrecondition(snapshot)
      let response = try change(&snapshot, catalog)
      if snapshot.isChanged { snapshot.entry = entry(for: response) }
      return response
    }
    guard let response else { throw .unknownSession(id.rawValue, at: pointer) }
    return response
  }
}

extension Call {
  /// Applies a mutation to the session of the path, and answers what changed, and what became of view
  /// controllers by that (V9).
  ///
  /// With `dryRun` in the query the session stays as it is, and with `explain` the answer has a trace.
  ///
  /// - Parameter place: The part of the body that a fault is about; nil when it is the path.
  func apply(
    _ mutation: Mutation, created: (Session) -> (isNew: Bool, location: String)? = { _ in nil },
    at place: (MutationFault) -> JSONPointer?,
    also write: (inout JSONWriter) -> Void = { _ in }
  ) throws(Problem) -> Response {
    try apply(
      by: { (_) throws(Problem) in mutation }, created: created, at: place, also: write)
  }

  /// The same with the mutation that `mutation` makes for the session as it is now.
  func apply(
    by mutation: (Session) throws(Problem) -> Mutation,
    created: (Session) -> (isNew: Bool, location: String)? = { _ in nil },
    at place: (MutationFault) -> JSONPointer?,
    also write: (inout JSONWriter) -> Void = { _ in }
  ) throws(Problem) -> Response {
    let options = try ChangeOptions(self)
    return try change(try session) { (snapshot, catalog) throws(Problem) -> Response in
      snapshot.isDry = options.isDry
      let creation = created(snapshot.session)
      let mutation = try mutation(snapshot.session)
      try checkReplacement(of: snapshot, isNew: creation?.isNew == true)
      let outcome = try snapshot.apply(
        mutation, in: catalog, self, isExplaining: options.isExplaining, at: place)
      let isNew = creation?.isNew == true && !options.isDry
      return answer(
        isNew ? .created : .ok, tag: tag(snapshot), location: isNew ? creation?.location : nil
      ) { writer in
        writer.members(snapshot)
        write(&writer)
        writer.members(changesOf: outcome)
        if !outcome.events.isEmpty { writer.members(outcome.events) }
        if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
      }
    }
  }
}

extension SessionChange {
  /// Applies a mutation within the limits, or says which part of the body is to blame.
  mutating func apply(
    _ mutation: Mutation, in catalog: Catalog, _ call: Call, isExplaining: Bool = false,
    at place: (MutationFault) -> JSONPointer?
  ) throws(Problem) -> Outcome {
    do throws(MutationFault) {
      return try apply(
        mutation, in: catalog, isExplaining: isExplaining, limits: call.service.limits.session)
    } catch {
      call.note(ruleErrors: error.ruleErrors)
      throw Problem(error, at: place(error))
    }
  }
}

extension JSONWriter {
  /// Writes which session an answer is about, and at which revision.
  mutating func members(_ session: Session) {
    member("session", session.id.rawValue)
    member("revision", session.revision)
  }
}
