import JSONSchema
package import JSONText
package import MenuEngine

extension Problem {
  /// The problem with a body that has these faults; its kind is that of the first one.
  ///
  /// The first 100 of them are listed; a short body can have a hundred thousand.
  package init(_ faults: DocumentFaults) {
    guard let first = faults.faults.first else {
      self.init(.invalidBody, "The body cannot be read.", at: .root)
      return
    }
    let listed = faults.faults.prefix(100)
    let more = Self.sentence(onMore: faults.faults.count - 1, listing: listed.count)
    self.init(first.reason.type, first.reason.sentence + more)
    parts = listed.map(BlamedPart.init)
  }

  /// The end of a sentence on the first of several faults; empty if there is one only.
  static func sentence(onMore more: Int, listing listed: Int) -> String {
    guard more > 0 else { return "" }
    let place = more < listed ? ", see 'errors'." : "; 'errors' has the first \(listed)."
    return " And \(more) more" + place
  }

  /// The problem with a part of the body that contradicts other declarations.
  package init(_ fault: DeclarationFault, at pointer: JSONPointer? = nil) {
    self.init(fault.type, fault.sentence, at: pointer)
  }

  /// The problem with a mutation.
  ///
  /// - Parameter pointer: The part of the body to blame; nil when it is the path.
  package init(_ fault: MutationFault, at pointer: JSONPointer?) {
    // No part of a body is to blame for what a handler answers.
    let isOfBody = fault.handlerToBlame == nil
    self.init(
      pointer == nil ? fault.typeInPath : fault.type, fault.sentence, at: isOfBody ? pointer : nil)
    if let pointer, let faults = fault.faultsOfParameters {
      parts = faults.map { BlamedPart($0, in: pointer) }
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

extension Problem.BlamedPart {
  /// The part of a value that is to blame, when the value stands at a place in the body.
  fileprivate init(_ fault: ValueFault, in pointer: JSONPointer) {
    self.init(
      pointer: JSONPointer(pointer.tokens + fault.pointer.tokens), detail: fault.reason.sentence)
  }
}

extension MutationFault {
  /// The faults of parameters that do not meet their schema (P2); nil when something else is refused.
  fileprivate var faultsOfParameters: [ValueFault]? {
    switch self {
    case .invalidParameters(_, let faults): faults.faults
    case .inList(index: _, let fault): fault.faultsOfParameters
    default: nil
    }
  }

  /// The handler whose answer is to blame; nil when something else is.
  var handlerToBlame: (responder: ResponderID, selector: Selector)? {
    switch self {
    case .inList(index: _, let fault), .launching(let fault): fault.handlerToBlame
    case .wrongAnswer(_, of: let id, let selector, expected: _): (id, selector)
    case .storyboard(.notChildren(let id, _)): (id, .allowedChildrenForUnwinding)
    default: nil
    }
  }

  /// Adds the members that a program reads beside the sentence.
  fileprivate func addMembers(to problem: inout Problem) {
    if let handler = handlerToBlame {
      problem = problem.with("handler") { $0.handler(handler.responder, handler.selector) }
      return
    }
    switch self {
    case .inList(index: _, let fault): fault.addMembers(to: &problem)
    case .launching(let fault): fault.addMembers(to: &problem)
    case .limitReached(let holding, let limit):
      problem = problem.with(limit: holding.rawValue, limit)
    case .delivery(let fault): fault.addMembers(to: &problem)
    case .notPerformed(let refusal): refusal.addMembers(to: &problem)
    case .keyNotPerformed(let resolution):
      problem = problem.with("reason") { $0.value(resolution.reason.rawValue) }
        .with("matches") { $0.matches(of: resolution) }
    case .firstResponderRefused(candidate: _, by: let id, _, because: let reasons):
      problem = problem.with("refusedBy") { $0.value(id.rawValue) }
        .with("explanation") { $0.value(JSON.array(reasons.map { .string($0) })) }
    case .effectRule(let receiver, let selector, let fault):
      problem = problem.with("effect") { $0.effect(of: receiver, selector, at: fault.place) }
        .with("error") { $0.value(fault) }
    case .effectPatch(let receiver, let selector, let index, _),
      .effect(let receiver, let selector, let index, _):
      problem = problem.with("effect") { $0.effect(of: receiver, selector, at: "perform/\(index)") }
    case .sendsTooDeep(let receiver, let selector, limit: _, trace: _):
      problem = problem.with("effect") { $0.effect(of: receiver, selector, at: "perform") }
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
    problem = problem.with("reason") { $0.value(reason.rawValue) }
    if let item { problem = problem.with("item") { $0.value(item, isExplaining: false) } }
    if item == nil, let fault { problem = problem.with("error") { $0.value(fault) } }
  }
}
