package import JSONText

/// The messages that a class sends to its delegate (V7).
///
/// A delegate must answer to those that are required when it is linked; those that are optional reach
/// it when it answers to them.
package struct DelegateProtocol: Equatable, Sendable, Codable {
  /// Its name.
  package let name: ProtocolName
  /// The messages that a delegate must answer to.
  package let required: [Selector]
  /// The messages that a delegate may answer to.
  package let optional: [Selector]

  /// True if it has a message.
  package func contains(_ message: Selector) -> Bool {
    required.contains(message) || optional.contains(message)
  }
}

/// The name of a protocol in the catalogue.
package typealias ProtocolName = Identifier<DelegateProtocol>

extension DelegateProtocol {
  /// The protocol that a document describes under a name, or nil and the faults:
  /// `{"required": ["pickerDidCancel:"], "optional": ["picker:didPick:"]}`.
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

  /// The protocol as a document, without its name.
  package var json: JSON {
    var object = JSONObject()
    object["required"] = .array(required.map { .string($0.rawValue) })
    object["optional"] = .array(optional.map { .string($0.rawValue) })
    return .object(object)
  }

  /// Notes messages that it has twice, be it once as required and once as optional.
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
  /// The protocol of a name.
  package func delegateProtocol(_ name: ProtocolName) -> DelegateProtocol? {
    protocols.first { $0.name == name }
  }

  /// The protocol of the delegates of a class: its own, else that of the nearest superclass that has
  /// one (V7). Nil is any delegate, for any message.
  package func delegateProtocol(of name: ClassName) -> DelegateProtocol? {
    classes.delegateProtocol(of: name).flatMap(delegateProtocol)
  }

  /// Declares a protocol.
  ///
  /// - Throws: `DeclarationFault.duplicateProtocol` when it is declared already, and differently.
  package mutating func declare(
    _ declared: DelegateProtocol
  ) throws(DeclarationFault) -> Declaration {
    if let present = delegateProtocol(declared.name) {
      guard present == declared else { throw .protocol(.duplicateProtocol(declared.name)) }
      return .unchanged
    }
    protocols.append(declared)
    note(.declareProtocol(declared))
    return .added
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
  /// The protocol of the delegates of a class: its own, else the nearest superclass's (V7).
  func delegateProtocol(of name: ClassName) -> ProtocolName? {
    lineage(of: name).lazy.compactMap(\.delegateProtocol).first
  }

  /// True if a class is `UIViewController` or inherits from it.
  func isViewController(_ name: ClassName) -> Bool {
    inherits(name, from: ResponderKind.viewController.defaultClass)
  }

  /// True if a class is another one, or inherits from it.
  func inherits(_ name: ClassName, from other: ClassName) -> Bool {
    var current: ClassName? = name
    while let here = current, contains(here) {
      if here == other { return true }
      current = superclass(of: here)
    }
    return false
  }

  /// True if classes are those of view controllers, those built in and these; nil for a class that is
  /// not declared, or does not inherit from `UIResponder` since one on the way is at fault.
  static func isViewController(
    among declared: [ResponderClass]
  ) -> (ClassName) -> Bool? {
    let superclasses = Dictionary(
      (ResponderClass.builtIn + declared).map { ($0.name, $0.superclass) },
      uniquingKeysWith: { first, _ in first })
    return { name in
      var current: ClassName? = name
      for _ in 0...superclasses.count {
        guard let here = current, let superclass = superclasses[here] else { return nil }
        if here == ResponderKind.viewController.defaultClass { return true }
        if superclass == nil { return false }
        current = superclass
      }
      return nil
    }
  }
}

extension [ResponderClass] {
  /// The classes whose delegates are of a protocol that is not among `names`.
  func protocolFaults(among names: Set<ProtocolName>) -> [(ClassName, DeclarationFault)] {
    compactMap { declared in
      guard let name = declared.delegateProtocol, !names.contains(name) else { return nil }
      return (declared.name, .class(.undeclaredProtocol(declared.name, name)))
    }
  }
}

/// A delegate that lacks messages which the protocol of the link requires (V7).
///
/// Links are checked when they are made, and whenever one side is put anew. Only another catalogue in
/// the place of the one under which a link was made can break it. **Decision:** the link stays, what is
/// put later is not refused for what the catalogue took away, and the diagnostics list it.
package struct BrokenDelegate: Equatable, Sendable {
  /// The responder whose delegate it is.
  package let holder: ResponderID
  /// The delegate.
  package let delegate: ResponderID
  /// The protocol.
  package let declared: ProtocolName
  /// The required messages that the delegate has no method for, in the order of the protocol.
  package let missing: [Selector]
}

extension Session {
  /// The links to delegates that a change of the catalogue has broken, in the order in which their
  /// holders joined.
  func brokenDelegates(in catalog: Catalog) -> [BrokenDelegate] {
    graph.responders.compactMap { brokenDelegate(of: $0, in: catalog) }
  }

  /// The broken links of a responder: the one to its delegate, then those of which it is the delegate.
  func brokenDelegates(around id: ResponderID, in catalog: Catalog) -> [BrokenDelegate] {
    let holders = graph.positionsOfHolders(of: id).map { graph.responders[$0] }
      .filter { $0.id != id && $0.links[.delegate] == id }
    return ([graph[id]].compactMap { $0 } + holders).compactMap {
      brokenDelegate(of: $0, in: catalog)
    }
  }

  /// The link to the delegate of a responder, if it is broken.
  func brokenDelegate(of holder: Responder, in catalog: Catalog) -> BrokenDelegate? {
    guard let delegate = holder.links[.delegate],
      let declared = catalog.delegateProtocol(of: holder.className)
    else { return nil }
    let inquiry = inquiry(in: SessionContext(catalog))
    let missing = declared.required.filter { inquiry.implementation(of: $0, in: delegate) == nil }
    guard !missing.isEmpty else { return nil }
    return BrokenDelegate(
      holder: holder.id, delegate: delegate, declared: declared.name, missing: missing)
  }

  /// Refuses what a responder in its place takes from a delegate (V7); what a link lacked before is
  /// not refused.
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
