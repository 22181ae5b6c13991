import JSONSchema
package import JSONText
package import MenuEngine
import MenuStore
package import MicroHTTP

/// A problem document (RFC 9457): the reason why a request is refused.
package struct Problem: Error, Sendable {
  /// The kind, which determines the status.
  package let type: ProblemType
  /// A full sentence: the fault and the remedy.
  package let detail: String
  /// The parts of the body at fault. A single part is described by the problem itself; several parts are listed.
  package var parts: [BlamedPart] = []
  /// Further members as JSON text, in order.
  package var members: [(name: String, text: [UInt8])] = []
  /// Response fields beside the content type.
  package var headers: [(name: String, value: String)] = []

  /// A part of a body that is at fault.
  package struct BlamedPart: Sendable {
    /// The place in the body.
    package let pointer: JSONPointer
    /// The mistake in that part.
    package let detail: String
    /// The place in a rule, if the part is a rule.
    package var rule: JSON?
  }

  /// Creates a problem without a part of the body.
  package init(_ type: ProblemType, _ detail: String) {
    self.type = type
    self.detail = detail
  }

  /// Creates a problem with one part of the body; without a pointer, with the request as a whole.
  package init(_ type: ProblemType, _ detail: String, at pointer: JSONPointer?) {
    self.init(type, detail)
    if let pointer { parts = [BlamedPart(pointer: pointer, detail: detail)] }
  }

  /// Returns the problem with another member.
  package func with(_ name: String, _ write: (inout JSONWriter) -> Void) -> Problem {
    var writer = JSONWriter()
    write(&writer)
    var copy = self
    copy.members.append((name, writer.bytes))
    return copy
  }

  /// Returns the problem with another response field.
  package func with(header name: String, _ value: String) -> Problem {
    var copy = self
    copy.headers.append((name, value))
    return copy
  }
}

extension Problem {
  /// The response with the problem document.
  package var response: Response {
    var fields: Headers = ["Content-Type": "application/problem+json"]
    for header in headers { fields.append(header.name, header.value) }
    return Response(status: type.status, headers: fields, body: body)
  }

  /// The problem document.
  var body: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", type.uri)
    writer.member("title", type.title)
    writer.member("status", type.status.rawValue)
    writer.member("detail", detail)
    if let first = parts.first { writer.member("pointer", first.pointer) }
    if parts.count == 1, let rule = parts[0].rule { writer.member("rule", rule) }
    for member in members {
      writer.member(member.name)
      writer.value(encoded: member.text)
    }
    if parts.count > 1 { write(parts, to: &writer) }
    writer.endObject()
    return writer.bytes
  }

  private func write(_ parts: [BlamedPart], to writer: inout JSONWriter) {
    writer.member("errors")
    writer.beginArray()
    for part in parts {
      writer.beginObject()
      writer.member("pointer", part.pointer)
      writer.member("detail", part.detail)
      if let rule = part.rule { writer.member("rule", rule) }
      writer.endObject()
    }
    writer.endArray()
  }
}

extension Problem {
  /// Creates the problem of a body with these faults; its kind is that of the first one.
  ///
  /// The first 100 of them are listed; a short body can have a hundred thousand.
  package init(_ faults: DocumentFaults) {
    guard let first = faults.faults.first else {
      self.init(.invalidBody, "The body cannot be read.", at: .root)
      return
    }
    let listed = faults.faults.prefix(100)
    let more = Self.sentence(onMore: faults.faults.count - 1, listing: listed.count)
    let row = first.reason.row
    self.init(row.type, row.sentence + more)
    parts = listed.map(BlamedPart.init)
  }

  /// Returns the end of a sentence about the first of several faults; empty if there is only one.
  static func sentence(onMore more: Int, listing listed: Int) -> String {
    guard more > 0 else { return "" }
    let place = more < listed ? ", see 'errors'." : "; 'errors' has the first \(listed)."
    return " And \(more) more" + place
  }

  private init(_ row: FaultRow, at pointer: JSONPointer? = nil) {
    self.init(row.type, row.sentence, at: pointer)
    if let seconds = row.retryAfter { headers.append(("Retry-After", "\(seconds)")) }
  }

  /// Creates the problem of a declaration that contradicts others.
  package init(_ fault: DeclarationFault, at pointer: JSONPointer? = nil) {
    self.init(fault.row, at: pointer)
  }

  /// Creates the problem of a message that does not reach a route.
  package init(_ refusal: RequestRefusal) { self.init(refusal.row) }

  /// Creates the problem of a change that the journal refuses.
  init(_ fault: JournalFault) { self.init(fault.row) }

  /// Creates the problem of a mutation.
  ///
  /// - Parameter pointer: The part of the body at fault; nil if the path is at fault.
  package init(_ fault: MutationFault, at pointer: JSONPointer?) {
    // If a handler's result is at fault, no part of the body is.
    let (row, isOfBody) = (fault.row, fault.handlerToBlame == nil)
    self.init(
      pointer == nil ? row.typeInPath : row.type, row.sentence, at: isOfBody ? pointer : nil)
    if let pointer, pointer.tokens.last?.hasSameBytes(as: "parameters") == true,
      let faults = fault.faultsOfParameters
    {
      parts = zip(faults.values.faults, faults.sentences).map { fault, sentence in
        BlamedPart(
          pointer: JSONPointer(pointer.tokens + fault.pointer.tokens), detail: sentence)
      }
    }
    fault.addMembers(to: &self)
    if !isOfBody, case .inList(let index, _) = fault {
      self = with("mutation") { $0.value(JSON.int(Int64(index))) }
    }
    if let trace = fault.trace { self = with("trace") { $0.value(trace) } }
  }
}

extension Problem.BlamedPart {
  fileprivate init(_ fault: DocumentFault) {
    self.init(pointer: fault.pointer, detail: fault.reason.sentence)
    if case .rule(let compilation) = fault.reason { rule = compilation.json }
  }
}

extension MutationFault {
  /// The faults of parameters that violate their schema (P2); nil for another fault.
  fileprivate var faultsOfParameters: ParameterFaults? {
    switch self {
    case .command(.invalidParameters(_, let faults)): faults
    case .inList(index: _, let fault): fault.faultsOfParameters
    default: nil
    }
  }

  /// The handler whose result is at fault; nil if there is none.
  var handlerToBlame: (responder: ResponderID, selector: Selector)? {
    switch self {
    case .inList(index: _, let fault), .launching(let fault): fault.handlerToBlame
    case .effect(.wrongAnswer(_, of: let id, let selector, expected: _)): (id, selector)
    case .storyboard(.notChildren(let id, _)): (id, .allowedChildrenForUnwinding)
    default: nil
    }
  }

  fileprivate func addMembers(to problem: inout Problem) {
    if let handler = handlerToBlame {
      problem = problem.with("handler") { $0.handler(handler.responder, handler.selector) }
      return
    }
    switch self {
    case .inList(index: _, let fault), .launching(let fault): fault.addMembers(to: &problem)
    case .limitReached(let holding, let limit):
      problem = problem.with(limit: holding.rawValue, limit)
    case .delivery(let fault): fault.addMembers(to: &problem)
    case .command(.notPerformed(let refusal)): refusal.addMembers(to: &problem)
    case .command(.invalidParameters(_, let faults)),
      .command(.keyLacksParameters(_, let faults)):
      if let rule = faults.failedRule { problem = problem.with("error") { $0.value(rule) } }
    case .command(.needsConfirmation(let item, let confirmation)):
      problem = problem.with("confirmation") { $0.value(confirmation.json) }
        .with("item") { $0.value(item, isExplaining: false) }
    case .command(.keyNotPerformed(let resolution)):
      problem = problem.with("reason") { $0.value(resolution.reason.rawValue) }
        .withExplanation(of: resolution.tried.first?.item)
        .with("matches") { $0.matches(of: resolution) }
      if resolution.isPending {
        problem = problem.with("continuations") { $0.continuations(of: resolution) }
      }
    case .focus(.firstResponderRefused(candidate: _, by: let id, _, because: let reasons)):
      problem = problem.with("refusedBy") { $0.value(id.rawValue) }
        .with("because") { $0.value(JSON.array(reasons.map { .string($0) })) }
    case .effect(.rule(let receiver, let selector, let fault)):
      problem = problem.with("effect") { $0.effect(of: receiver, selector, at: fault.place) }
        .with("error") { $0.value(fault) }
    case .effect(.patch(let receiver, let selector, let index, _)),
      .effect(.mutation(let receiver, let selector, let index, _)):
      problem = problem.with("effect") { $0.effect(of: receiver, selector, at: "perform/\(index)") }
    case .effect(.sendsTooDeep(let receiver, let selector, let limit, trace: _)):
      problem = problem.with("effect") { $0.effect(of: receiver, selector, at: "perform") }
        .with(limit: "sends", limit)
    case .effect(.tooManyEffects(let limit)): problem = problem.with(limit: "effects", limit)
    default: break
    }
  }
}

extension JSONWriter {
  fileprivate mutating func handler(_ id: ResponderID, _ selector: Selector) {
    beginObject()
    member("responder", id.rawValue)
    member("selector", selector.rawValue)
    endObject()
  }

  fileprivate mutating func effect(
    of receiver: Receiver, _ selector: Selector, at place: String
  ) {
    beginObject()
    member("receiver", receiver.description)
    member("selector", selector.rawValue)
    member("place", place)
    endObject()
  }
}

extension Refusal {
  fileprivate func addMembers(to problem: inout Problem) {
    problem = problem.with("reason") { $0.value(reason.rawValue) }.withExplanation(of: item)
    if let item { problem = problem.with("item") { $0.value(item, isExplaining: false) } }
    if item == nil, let fault { problem = problem.with("error") { $0.value(fault) } }
  }
}

extension Problem {
  /// Returns the problem with the explanation of a disabled item, if it has one (W3).
  fileprivate func withExplanation(of item: ValidatedItem?) -> Problem {
    guard let explanation = item?.explanation else { return self }
    return with("explanation") { $0.value(explanation) }
  }
}

extension DeliveryFault {
  fileprivate func addMembers(to problem: inout Problem) {
    problem = problem.with("reason") { $0.value(reason) }
      .with("delivery") { $0.value(delivery) }
    if case .alreadySettled(_, let state) = self {
      problem = problem.with("state") { $0.value(state.rawValue) }
    }
  }
}
