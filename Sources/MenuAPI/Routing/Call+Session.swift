import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

extension Call {
  /// Returns a response with a JSON body.
  func answer<Fault: Error>(
    _ status: Status = .ok, tag: EntityTag? = nil, location: String? = nil,
    _ write: (inout JSONWriter) throws(Fault) -> Void
  ) throws(Fault) -> Response {
    let body = try JSONWriter.object(write)
    return Self.response(status, tag: tag, location: location, body: body)
  }

  static func response(
    _ status: Status, tag: EntityTag? = nil, location: String? = nil, body: [UInt8]
  ) -> Response {
    var headers = Headers()
    headers.append("Content-Type", "application/json")
    if let tag { headers.append("ETag", tag.text) }
    if let location { headers.append("Location", location) }
    return Response(status: status, headers: headers, body: body)
  }

  /// Returns the tag of a session's own representation.
  func tag(_ snapshot: Snapshot) -> EntityTag { tag(snapshot.sessionEdition) }

  /// Returns the tag of a session's own representation.
  func tag(_ edition: SessionEdition) -> EntityTag {
    EntityTag(edition.session, edition.opening, nonce: service.nonce)
  }

  /// Returns the tag of a session's own representation, during a change.
  func tag(_ change: SessionChange) -> EntityTag {
    EntityTag(change.session, change.base.opening, nonce: service.nonce)
  }

  /// Returns the tag of an answer that also depends on the catalogue and on the request.
  func tag(_ snapshot: Snapshot, _ parameters: String) -> EntityTag {
    EntityTag(snapshot, nonce: service.nonce, parameters: parameters + viewer.mark)
  }

  /// Answers about a session, or 304 if the client has the answer.
  func answer(about snapshot: Snapshot, _ write: (inout JSONWriter) -> Void) -> Response {
    let tag = tag(snapshot)
    if let unmodified = unmodified(tag) { return unmodified }
    return answer(tag: tag) { writer in
      writer.members(snapshot.session)
      write(&writer)
    }
  }

  /// Answers about a session and the catalogue, or 304 if the client has the answer.
  ///
  /// - Parameter parameters: Distinguishes the answer from other ones about them.
  func answer<Fault: Error>(
    about snapshot: Snapshot, _ parameters: String,
    _ write: (inout JSONWriter) throws(Fault) -> Void
  ) throws(Fault) -> Response {
    let tag = tag(snapshot, parameters)
    if let unmodified = unmodified(tag) { return unmodified }
    return try answer(tag: tag) { (writer) throws(Fault) in
      writer.members(snapshot)
      try write(&writer)
    }
  }
}

extension Call {
  /// Applies a mutation to the session in the path, and answers with the changes and the effects on view controllers
  /// (V9).
  ///
  /// With `dryRun` in the query the session is unchanged, and with `explain` the answer has a trace.
  ///
  /// - Parameter place: Returns the part of the body at fault; nil if it is the path.
  func apply(
    _ mutation: Mutation, created: (Session) -> (isNew: Bool, location: String)? = { _ in nil },
    at place: (MutationFault) -> JSONPointer?,
    also write: (inout JSONWriter) -> Void = { _ in }
  ) throws(Problem) -> Response {
    try apply(
      by: { (_) throws(Problem) in mutation }, created: created, at: place, also: write)
  }

  /// Applies the mutation that a closure makes for the present session, and answers in the same way.
  func apply(
    by mutation: (Session) throws(Problem) -> Mutation,
    created: (Session) -> (isNew: Bool, location: String)? = { _ in nil },
    at place: (MutationFault) -> JSONPointer?,
    also write: (inout JSONWriter) -> Void = { _ in }
  ) throws(Problem) -> Response {
    let options = try ChangeOptions(self)
    return try change(try session, isDry: options.isDry) { (change) throws(Problem) -> Response in
      let creation = created(change.session)
      let mutation = try mutation(change.session)
      try checkReplacement(of: change.base, isNew: creation?.isNew == true)
      let outcome = try change.apply(
        mutation, self, isExplaining: options.isExplaining, at: place)
      let isNew = creation?.isNew == true && !options.isDry
      return answer(
        isNew ? .created : .ok, tag: tag(change), location: isNew ? creation?.location : nil
      ) { writer in
        writer.members(change)
        write(&writer)
        writer.members(changesOf: outcome)
        if !outcome.events.isEmpty { writer.members(outcome.events) }
        if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
      }
    }
  }
}

extension Call {
  /// Applies a mutation to the session in the path, and answers with the output of `write`, the changes and the
  /// events.
  ///
  /// - Parameters:
  ///   - place: Returns the part of the body at fault; nil if it is the path.
  ///   - tracesAtEnd: False if `write` writes the trace.
  func apply(
    _ mutation: Mutation, _ options: ChangeOptions, at place: (MutationFault) -> JSONPointer?,
    tracesAtEnd: Bool = true, also write: (inout JSONWriter, Outcome) -> Void
  ) throws(Problem) -> Response {
    try change(try session, isDry: options.isDry) { (change) throws(Problem) -> Response in
      let outcome = try change.apply(
        mutation, self, isExplaining: options.isExplaining, at: place)
      return answer(tag: tag(change)) { writer in
        writer.members(change)
        write(&writer, outcome)
        writer.members(changesOf: outcome)
        writer.members(outcome.events)
        if options.isExplaining, tracesAtEnd { writer.member("trace", outcome.wholeTrace) }
      }
    }
  }
}

extension SessionChange {
  /// Applies a mutation within the limits; throws the problem with the part of the body at fault.
  mutating func apply(
    _ mutation: Mutation, _ call: Call, isExplaining: Bool = false,
    at place: (MutationFault) -> JSONPointer?
  ) throws(Problem) -> Outcome {
    try call.authorize([mutation], on: self)
    do throws(MutationFault) {
      let outcome = try apply(
        mutation, isExplaining: isExplaining, limits: call.service.limits.session)
      call.note(ruleErrors: outcome.ruleErrors)
      return outcome
    } catch {
      call.note(ruleErrors: error.ruleErrors)
      throw Problem(error, at: place(error))
    }
  }

  /// Applies authorized mutations within the limits.
  mutating func apply(
    _ mutations: [Mutation], _ call: Call, isExplaining: Bool
  ) throws(MutationFault) -> [Outcome] {
    do throws(MutationFault) {
      let outcomes = try apply(
        mutations, isExplaining: isExplaining, limits: call.service.limits.session)
      for outcome in outcomes { call.note(ruleErrors: outcome.ruleErrors) }
      return outcomes
    } catch {
      call.note(ruleErrors: error.ruleErrors)
      throw error
    }
  }
}

extension Problem {
  /// Creates the problem of a request whose parameters are in the query.
  init(ofQuery fault: MutationFault) {
    self.init(fault == .tooMuchEffort ? .tooMuchEffort : .invalidQuery, fault.sentence)
  }
}

extension JSONWriter {
  /// Returns the text of an object with the members that a closure writes.
  static func object<Fault: Error>(
    _ write: (inout JSONWriter) throws(Fault) -> Void
  ) throws(Fault) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserveCapacity(512)
    writer.beginObject()
    try write(&writer)
    writer.endObject()
    return writer.bytes
  }

  /// Writes the session and the revisions of session and catalogue that an answer is about.
  mutating func members(_ snapshot: Snapshot) {
    members(snapshot.session)
    member("catalogRevision", snapshot.catalog.revision)
  }

  /// Writes the session and the revision that an answer is about.
  mutating func members(_ session: Session) {
    member("session", session.id.rawValue)
    member("revision", session.revision)
  }
}

/// A session and the catalogue at one moment.
struct Snapshot: Sendable {
  let sessionEdition: SessionEdition
  let catalogEdition: CatalogEdition
  /// The commands to which the catalogue is limited; nil for the whole catalogue.
  let commands: [CommandPattern]?
  /// The catalogue in the language of the session (M14).
  private let localized: CatalogEdition

  /// Creates a snapshot. The default is the whole catalogue.
  init(
    sessionEdition: SessionEdition, catalogEdition: CatalogEdition,
    commands: [CommandPattern]? = nil
  ) {
    self.sessionEdition = sessionEdition
    self.catalogEdition = catalogEdition
    self.commands = commands
    localized = catalogEdition.localized(for: sessionEdition)
  }

  var session: Session { sessionEdition.session }

  /// The catalogue, with the texts of the session's language (M14).
  var catalog: Catalog { localized.catalog }

  /// The numbers of both versions: results about one snapshot hold for all snapshots of the same version.
  var version: Version {
    Version(session: sessionEdition.number, catalog: catalogEdition.number)
  }

  /// The numbers of a snapshot's versions.
  struct Version: Hashable, Sendable {
    let session: Int
    let catalog: Int
  }

  /// The snapshot as input of a plan.
  var moment: PlanMoment {
    PlanMoment(
      session, in: catalog, sessionEdition: sessionEdition.number,
      catalogEdition: catalogEdition.number)
  }
}
