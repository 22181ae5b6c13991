import JSONText
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
    while true {
      let base = catalogEdition
      var changed = base.catalog
      let outcome: CatalogOutcome
      do throws(CatalogMutationFault) {
        outcome = try changed.apply(mutation)
      } catch {
        throw .refused(error)
      }
      guard outcome.isChanged else { return (outcome, changed) }
      do throws(JournalFault) {
        let commitment = try commit(.changeCatalog(base, by: mutation, to: changed))
        if case .committed = commitment { return (outcome, changed) }
      } catch {
        throw .unkept(error)
      }
    }
  }

  /// Returns true if another catalogue, with the changes of clients made to it again, would differ from the
  /// present one in more than the revision.
  package func wouldChange(by catalog: Catalog) -> Bool {
    let present = catalogEdition.catalog
    let successor = catalog.succeeding(present).catalog
    guard let old = try? JSON(encoding: present), let new = try? JSON(encoding: successor) else {
      return true
    }
    return !old.isSame(as: new, besides: "revision")
  }
}

extension JSON {
  /// Returns true if it is an object with the same members but for one of them.
  fileprivate func isSame(as other: JSON, besides name: String) -> Bool {
    guard case .object(var mine) = self, case .object(var others) = other else { return false }
    mine[name] = nil
    others[name] = nil
    return mine == others
  }
}
