package import JSONText

/// The messages that a class sends to its delegate (V7).
///
/// A delegate must implement the required messages when it is linked; it receives an optional one only if it
/// implements it.
package struct DelegateProtocol: Equatable, Sendable, Codable {
  package let name: ProtocolName
  /// The messages that a delegate must implement.
  package let required: [Selector]
  /// The messages that a delegate can implement.
  package let optional: [Selector]

  package func contains(_ message: Selector) -> Bool {
    required.contains(message) || optional.contains(message)
  }
}

/// The name of a protocol in the catalogue.
package typealias ProtocolName = Identifier<DelegateProtocol>

extension DelegateProtocol {
  /// Reads a protocol by name: `{"required": ["pickerDidCancel:"], "optional": ["picker:didPick:"]}`.
  package init?(
    _ name: ProtocolName, reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    self.name = name
    required = reader.list("required", Read.selector) ?? []
    optional = reader.list("optional", Read.selector) ?? []
    reader.finish()
    noteRepeated(at: pointer, log)
  }

  /// The document, without the name.
  package var json: JSON {
    var object = JSONObject()
    object["required"] = .array(required.map { .string($0.rawValue) })
    object["optional"] = .array(optional.map { .string($0.rawValue) })
    return .object(object)
  }

  /// Records messages that are declared twice.
  private func noteRepeated(at pointer: JSONPointer, _ log: FaultLog) {
    var met: [Selector: JSONPointer] = [:]
    for (member, messages) in [("required", required), ("optional", optional)] {
      for (index, message) in messages.enumerated() {
        let place = pointer.appending(member).appending(index)
        guard let other = met.updateValue(place, forKey: message) else { continue }
        log.note(.declaration(.protocol(.repeatedMessage(name, message)), other: other), at: place)
      }
    }
  }
}

extension Catalog {
  /// Returns a protocol by name.
  package func delegateProtocol(_ name: ProtocolName) -> DelegateProtocol? {
    protocols.first { $0.name == name }
  }

  /// Returns the delegate protocol of a class: its own, else that of the nearest superclass with one (V7). Nil
  /// allows any delegate and any message.
  package func delegateProtocol(of name: ClassName) -> DelegateProtocol? {
    classes.delegateProtocol(of: name).flatMap(delegateProtocol)
  }

  /// Declares a protocol; returns false if the same one was declared before.
  ///
  /// - Throws: `DeclarationFault.duplicateProtocol` if a different one of the name exists.
  package mutating func declare(
    _ declared: DelegateProtocol
  ) throws(DeclarationFault) -> Bool {
    if let present = delegateProtocol(declared.name) {
      guard present == declared else { throw .protocol(.duplicateProtocol(declared.name)) }
      return false
    }
    protocols.append(declared)
    note(.declareProtocol(declared))
    return true
  }

  /// Removes a protocol.
  ///
  /// - Throws: `DeclarationFault.unknownProtocol`, or `.protocolInUse` while a class names it.
  package mutating func removeProtocol(_ name: ProtocolName) throws(DeclarationFault) {
    guard let position = protocols.firstIndex(where: { $0.name == name }) else {
      throw .protocol(.unknownProtocol(name))
    }
    let users = classes.declared.filter { $0.delegateProtocol == name }.map(\.name)
    guard users.isEmpty else { throw .protocol(.protocolInUse(name, users)) }
    protocols.remove(at: position)
    noteRemoval(.removeProtocol(name)) { change in
      if case .declareProtocol(let declared) = change { declared.name == name } else { false }
    }
  }
}

extension ResponderClasses {
  /// Returns the delegate protocol of a class: its own, else the nearest superclass's (V7).
  func delegateProtocol(of name: ClassName) -> ProtocolName? {
    lineage(of: name).first { $0.delegateProtocol != nil }?.delegateProtocol
  }

  /// True if a class is or inherits from another one.
  func inherits(_ name: ClassName, from other: ClassName) -> Bool {
    lineage(of: name).contains { $0.name == other }
  }

  /// Returns a test if one of the built-in and declared classes is or inherits from another one; nil for an undeclared
  /// class, or one whose superclasses are faulty.
  static func inheritance(
    among declared: [ResponderClass]
  ) -> (ClassName, _ other: ClassName) -> Bool? {
    let superclasses = Dictionary(
      (ResponderClass.builtIn + declared).map { ($0.name, $0.superclass) },
      uniquingKeysWith: { first, _ in first })
    return { name, other in
      var current: ClassName? = name
      for _ in 0...superclasses.count {
        guard let here = current, let superclass = superclasses[here] else { return nil }
        if here == other { return true }
        if superclass == nil { return false }
        current = superclass
      }
      return nil
    }
  }
}

extension [ResponderClass] {
  /// Returns the classes whose delegate protocol is not in `names`.
  func protocolFaults(among names: Set<ProtocolName>) -> [(ClassName, DeclarationFault)] {
    compactMap { declared in
      guard let name = declared.delegateProtocol, !names.contains(name) else { return nil }
      return (declared.name, .class(.undeclaredProtocol(declared.name, name)))
    }
  }
}

/// A delegate without messages that the protocol of the link requires (V7).
///
/// Links are checked when they are made and whenever a side is replaced. Only a change of the catalogue can break one.
/// **Decision:** the link stays, later mutations are not refused because of it, and diagnostics list it.
package struct BrokenDelegate: Equatable, Sendable {
  /// The responder with the link.
  package let holder: ResponderID
  package let delegate: ResponderID
  package let declared: ProtocolName
  /// The missing required messages, in the order of the protocol.
  package let missing: [Selector]
}

extension Session {
  /// Returns the delegate links broken by a change of the catalogue, in the joining order of their holders.
  func brokenDelegates(in catalog: Catalog) -> [BrokenDelegate] {
    graph.responders.compactMap { brokenDelegate(of: $0, in: catalog) }
  }

  /// Returns the broken links of a responder: to its delegate, then those to it as delegate.
  func brokenDelegates(around id: ResponderID, in catalog: Catalog) -> [BrokenDelegate] {
    let holders = graph.positionsOfHolders(of: id).map { graph.responders[$0] }
      .filter { $0.id != id && $0.links[.delegate] == id }
    return ([graph[id]].compactMap { $0 } + holders).compactMap {
      brokenDelegate(of: $0, in: catalog)
    }
  }

  /// Returns the delegate link of a responder, if it is broken.
  func brokenDelegate(of holder: Responder, in catalog: Catalog) -> BrokenDelegate? {
    guard let delegate = holder.links[.delegate],
      let declared = catalog.delegateProtocol(of: holder.className)
    else { return nil }
    let inquiry = inquiry(in: SessionContext(catalog))
    let missing = declared.required.filter { inquiry.delivery(of: $0, to: delegate) == nil }
    guard !missing.isEmpty else { return nil }
    return BrokenDelegate(
      holder: holder.id, delegate: delegate, declared: declared.name, missing: missing)
  }

  /// Throws if a replacing responder removes required messages of a delegate (V7). Messages missing before do
  /// not count.
  func checkDelegates(
    around id: ResponderID, since before: [BrokenDelegate], in catalog: Catalog
  ) throws(MutationFault) {
    for broken in brokenDelegates(around: id, in: catalog) {
      let lacked = before.first {
        $0.holder == broken.holder && $0.delegate == broken.delegate
          && $0.declared == broken.declared
      }
      let missing = broken.missing.filter { lacked?.missing.contains($0) != true }
      guard missing.isEmpty else {
        throw .delegate(
          .delegateLacks(
            missing, delegate: broken.delegate, of: broken.holder, broken.declared))
      }
    }
  }
}
