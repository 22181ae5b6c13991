import JSONText
import Locks
package import MenuEngine

/// The reason why the catalogue is unchanged.
package enum CatalogChangeFault: Error, Sendable {
  /// The catalogue refuses the mutation.
  case refused(CatalogMutationFault)
  /// The journal accepts no changes at the moment.
  case unkept(JournalFault)
}

extension SessionStore {
  /// Changes the catalogue by a mutation.
  ///
  /// - Throws: `CatalogChangeFault`; the catalogue is then unchanged.
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

  /// Returns true if replacing the catalogue by another one, with clients' changes reapplied, would change it. The
  /// revision and the changes that could not be reapplied are not compared.
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
  /// Returns true if both are objects with the same members, ignoring some names.
  fileprivate func isSame(as other: JSON, besides names: [String]) -> Bool {
    guard case .object(var mine) = self, case .object(var others) = other else { return false }
    for name in names { (mine[name], others[name]) = (nil, nil) }
    return mine == others
  }
}
