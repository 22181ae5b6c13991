package import MicroHTTP

extension Route {
  /// The problems of the route by status, in the order of the statuses: those that its description
  /// names, and those that follow from the parts of a request that it reads.
  package var problems: [(status: Status, types: [ProblemType])] {
    let named = description.problems + implied
    let types = ProblemType.allCases.filter { named.contains($0) }
    let statuses = Set(types.map(\.status.rawValue)).sorted().map(Status.init(rawValue:))
    return statuses.map { status in (status, types.filter { $0.status == status }) }
  }

  private var implied: [ProblemType] {
    var types: [ProblemType] = [.invalidQuery, .malformedRequest, .misdirectedRequest]
    switch requiredAccess {
    case .open: break
    case .anyToken: types.append(.unauthorized)
    case .administrator, .monitoring: types += [.unauthorized, .forbidden]
    }
    if !description.isAboutService { types.append(.recovering) }
    if method != .get { types.append(.originRefused) }
    if requiredAccess == .administrator, method != .get, path.parameters.first != "session" {
      types.append(.limitReached)
    }
    if !isQuestion { types += [.limitReached, .idempotencyKeyReused] }
    if path.parameters.contains("session") { types.append(.unknownSession) }
    if types.contains(.unknownSession) || description.problems.contains(.unknownSession) {
      types.append(.overBudget)
    }
    if !isQuestion { types.append(.preconditionFailed) }
    if method != .get { types += [.noRoom, .notKept, .outcomeUnknown] }
    if description.body != nil {
      types += [
        .malformedJSON, .invalidBody, .unsupportedMediaType, .contentTooLarge, .lengthRequired,
        .overBudget, .overloaded,
      ]
    }
    return types
  }
}
