package import JSONText

extension Mutation {
  /// The mutation and its nested mutations, which a reply has (D2).
  private var all: [Mutation] {
    guard let reply = values(of: Operations.replyToDelivery) else { return [self] }
    let (_, _, _, list, _, _) = reply.values
    return [self] + list.mutations.flatMap(\.all)
  }

  /// The rights that it requires, including those of nested mutations (T3).
  package var rights: [Right] {
    all.reduce(into: []) { rights, mutation in
      for right in mutation.ownRights where !rights.contains(right) { rights.append(right) }
    }
  }

  /// The rights that it requires without nested mutations. A segue triggered by code, or to an id given by the
  /// request, does not count as the user's (T1).
  private var ownRights: [Right] {
    if isAgreement { return [.work] }
    guard let request = values(of: Operations.performSegue)?.values,
      request.trigger == .code || request.id != nil
    else { return [operation.right] }
    return [operation.right, .declare]
  }

  /// True if a worker confirms the cancellation of its claim (D6).
  private var isAgreement: Bool { values(of: Operations.cancelDelivery)?.values.2 != nil }

  /// The commands that it and its nested mutations perform.
  package var commands: [CommandID] { all.compactMap(\.command) }

  /// True if it, or a nested mutation, performs a command that the user confirmed (W4).
  package var isConfirmed: Bool {
    all.contains { $0.values(of: Operations.perform)?.values.confirmed == true }
  }

  /// True if it, or a nested mutation, performs something without naming a command: an action, a message, a segue, or
  /// a key. Cancelling a delivery does not count, because the delivery has a command.
  package var performsUnnamed: Bool {
    all.contains {
      $0.operation.right == .perform && $0.command == nil
        && $0.operation !== Operations.cancelDelivery
    }
  }

  /// True if it only undoes or redoes.
  package var isOfUndoing: Bool {
    operation === Operations.undo || operation === Operations.redo
  }

  /// The deliveries that it and its nested mutations affect.
  package var deliveries: [Int] {
    all.compactMap { mutation in
      guard mutation.operation.right == .work || mutation.operation === Operations.cancelDelivery
      else { return nil }
      guard case .object(let members) = mutation.json, case .int(let id)? = members["delivery"]
      else { return nil }
      return Int(exactly: id)
    }
  }

  /// Returns the places of the state that it and its nested mutations read or change.
  ///
  /// - Parameter state: The state before it. A merge patch replaces a value that is not an object as a whole.
  package func placesOfState(in state: JSON) -> [JSONPointer] {
    all.flatMap { mutation -> [JSONPointer] in
      if let merge = mutation.values(of: Operations.mergeState) {
        let (patch, _, _) = merge.values
        return patch.placesMerged(into: state, at: .root)
      }
      guard let patched = mutation.values(of: Operations.patchState) else { return [] }
      let (patch, _, _) = patched.values
      return patch.operations.flatMap { $0.places(in: state) }
    }
  }
}

extension JSON {
  /// Returns the places that a merge patch changes (RFC 7396).
  fileprivate func placesMerged(into target: JSON?, at place: JSONPointer) -> [JSONPointer] {
    guard case .object(let patch) = self, case .object(let object)? = target, !patch.members.isEmpty
    else { return [place] }
    return patch.members.flatMap { member in
      member.value.placesMerged(into: object[member.name], at: place.appending(member.name))
    }
  }
}

extension JSONPatch.Operation {
  /// Returns the places that it reads or changes.
  fileprivate func places(in state: JSON) -> [JSONPointer] {
    switch self {
    case .replace(let path, _), .test(let path, _): [path]
    case .add(let path, _), .remove(let path): [path.shifted(in: state)]
    case .move(let from, let path): [from.shifted(in: state), path.shifted(in: state)]
    case .copy(let from, let path): [from, path.shifted(in: state)]
    }
  }
}

extension JSONPointer {
  /// Returns the place that changes when an element is inserted or removed: the whole array, because other elements
  /// move; otherwise the place itself. A missing value may become an array.
  fileprivate func shifted(in state: JSON) -> JSONPointer {
    guard let last = tokens.last,
      last == "-" || last.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return self }
    let parent = JSONPointer(tokens.dropLast())
    if case .object? = state[parent] { return self }
    return parent
  }
}
