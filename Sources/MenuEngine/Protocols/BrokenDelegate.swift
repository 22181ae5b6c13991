/// A delegate that lacks messages which the protocol of the link requires (V7).
///
/// Links are checked when they are made, and whenever one side is put anew. Only another catalogue in
/// the place of the one under which a link was made can break it. **Decision:** the link stays, what is
/// put later is not refused for what the catalogue took away, and the diagnostics list it.
public struct BrokenDelegate: Equatable, Sendable {
  /// The responder whose delegate it is.
  public let holder: ResponderID
  /// The delegate.
  public let delegate: ResponderID
  /// The protocol.
  public let declared: ProtocolName
  /// The required messages that the delegate has no method for, in the order of the protocol.
  public let missing: [Selector]
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
        throw .storyboard(
          .delegateLacks(
            missing, delegate: broken.delegate, of: broken.holder, broken.declared))
      }
    }
  }
}
