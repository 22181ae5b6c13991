import JSONText
import Locks
package import MenuEngine

/// The reason why a catalogue is as it was.
package enum CatalogChangeFault: Error, Sendable {
  /// The catalogue refuses the mutation.
  case refused(CatalogMutationFault)
  /// The journal takes nothing at the moment.
  case unkept(JournalFault)
}

extension SessionStore {
  /// Changes the catalogue by a mutation.
  ///
  /// - Throws: `CatalogChangeFault`; then it is as it was.
  @discardableResult
  package func changeCatalog(
    by mutation: CatalogMutation
  ) throws(CatalogChangeFault) -> (outcome: CatalogOutcome, catalog: Catalog) {
    let result = Lock<Result<(outcome: CatalogOutcome, catalog: Catalog), CatalogMutationFault>?>(
      nil)
    let make = { @Sendable (base: CatalogEdition) -> Proposal? in
      var changed = base.catalog
      do throws(CatalogMutationFault) {
        let outcome = try changed.apply(mutation)
        result.withLock { [changed] in $0 = .success((outcome, changed)) }
        return outcome.isChanged ? .changeCatalog(base, by: mutation, to: changed) : nil
      } catch {
        result.withLock { $0 = .failure(error) }
        return nil
      }
    }
    if let proposal = make(catalogEdition) {
      do throws(JournalFault) {
        try commit(proposal) { make($0.catalogEdition) }
      } catch {
        throw .unkept(error)
      }
    }
    switch result.withLock(\.self) {
    case .success(let made)?: return made
    case .failure(let fault)?: throw .refused(fault)
    case nil: throw .unkept(.closed)
    }
  }

  /// Returns true if another catalogue, with the changes of clients made to it again, would differ from the
  /// present one in more than the revision, and what could not be made again when it was loaded.
  package func wouldChange(by catalog: Catalog) -> Bool {
    let present = catalogEdition.catalog
    let successor = catalog.succeeding(present)
    guard let old = try? JSON(encoding: present), let new = try? JSON(encoding: successor) else {
      return true
    }
    return !old.isSame(as: new, besides: ["revision", "leftOut"])
  }
}

extension JSON {
  /// Returns true if it is an object with the same members but for some of them.
  fileprivate func isSame(as other: JSON, besides names: [String]) -> Bool {
    guard case .object(var mine) = self, case .object(var others) = other else { return false }
    for name in names { (mine[name], others[name]) = (nil, nil) }
    return mine == others
  }
}
