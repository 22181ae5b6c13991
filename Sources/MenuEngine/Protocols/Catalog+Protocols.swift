extension Catalog {
  /// The protocol of a name.
  public func delegateProtocol(_ name: ProtocolName) -> DelegateProtocol? {
    protocols.first { $0.name == name }
  }

  /// The protocol of the delegates of a class: its own, else that of the nearest superclass that has
  /// one (V7). Nil is any delegate, for any message.
  public func delegateProtocol(of name: ClassName) -> DelegateProtocol? {
    classes.delegateProtocol(of: name).flatMap(delegateProtocol)
  }

  /// Declares a protocol.
  ///
  /// - Throws: `DeclarationFault.duplicateProtocol` when it is declared already, and differently.
  public mutating func declare(
    _ declared: DelegateProtocol
  ) throws(DeclarationFault) -> Declaration {
    if let present = delegateProtocol(declared.name) {
      guard present == declared else { throw .duplicateProtocol(declared.name) }
      return .unchanged
    }
    protocols.append(declared)
    note(.declareProtocol(declared))
    return .added
  }

  /// Removes a protocol.
  ///
  /// - Throws: `DeclarationFault.unknownProtocol`, or `.protocolInUse` while a class names it.
  public mutating func removeProtocol(_ name: ProtocolName) throws(DeclarationFault) {
    guard let position = protocols.firstIndex(where: { $0.name == name }) else {
      throw .unknownProtocol(name)
    }
    let users = classes.declared.filter { $0.delegateProtocol == name }.map(\.name)
    guard users.isEmpty else { throw .protocolInUse(name, users) }
    protocols.remove(at: position)
    noteRemoval(.removeProtocol(name)) { change in
      if case .declareProtocol(let declared) = change { declared.name == name } else { false }
    }
  }
}
