import JSONText
package import MenuEngine
import Synchronization

/// The catalogue and its ticket.
struct CatalogState: Sendable {
  var catalog: Catalog
  /// Settled when the catalogue as it is cannot be lost any more.
  var ticket: Ticket
}

/// Why a catalogue is as it was.
package enum CatalogChangeFault: Error, Sendable {
  /// The catalogue refuses the mutation.
  case refused(CatalogMutationFault)
  /// The change cannot be kept.
  case unkept(JournalFault)
}

extension SessionStore {
  /// The catalogue as it is now.
  package var catalog: Catalog { catalogState.reading { $0.catalog } }

  /// The revision of the catalogue as it is now.
  package var catalogRevision: Int { catalogState.reading { $0.catalog.revision } }

  /// The catalogue as it is now, its ticket, and how often something was taken back before.
  package var catalogSnapshot: (catalog: Catalog, ticket: Ticket, generation: Int) {
    catalogState.reading { ($0.catalog, $0.ticket, presentGeneration) }
  }

  /// The same with the revision alone.
  package var catalogVersion: (revision: Int, ticket: Ticket, generation: Int) {
    catalogState.reading { ($0.catalog.revision, $0.ticket, presentGeneration) }
  }

  /// Changes the catalogue by the mutation that `mutation` makes for it as it is now, and answers what
  /// that did, and the catalogue afterwards; nobody else changes it meanwhile.
  ///
  /// - Parameters:
  ///   - note: Is given the catalogue's ticket, before `mutation` is called.
  ///   - check: Looks at the catalogue before and after.
  ///   - entry: Makes the answer to keep of what that did; it is kept when nothing changed, too.
  /// - Throws: What `mutation` and `check` throw, or what `refusal` makes of why the catalogue refuses
  ///   it or it cannot be kept; then it is as it was.
  @discardableResult
  package func changeCatalog<Fault: Error>(
    noting note: (Ticket) -> Void = { _ in },
    by mutation: (Catalog) throws(Fault) -> CatalogMutation,
    refusal: (CatalogChangeFault, Catalog) -> Fault,
    check: (_ before: Catalog, _ after: Catalog) throws(Fault) -> Void = { (_, _) throws(Fault) in
    },
    entry: (CatalogOutcome, Catalog) -> IdempotencyEntry? = { _, _ in nil }
  ) throws(Fault) -> (outcome: CatalogOutcome, catalog: Catalog, ticket: Ticket) {
    try order.writing {
      () throws(Fault) -> (outcome: CatalogOutcome, catalog: Catalog, ticket: Ticket) in
      let before = catalogState.reading { $0 }
      let old = before.catalog
      note(before.ticket)
      let mutation = try mutation(old)
      var changed = old
      let outcome: CatalogOutcome
      do throws(CatalogMutationFault) {
        outcome = try changed.apply(mutation)
      } catch {
        throw refusal(.refused(error), old)
      }
      try check(old, changed)
      let entry = entry(outcome, changed)
      do throws(JournalFault) {
        if outcome.isChanged {
          return (outcome, changed, try keep(mutation, before, changed, entry))
        }
        return (outcome, changed, try entry.map(keep) ?? before.ticket)
      } catch {
        throw refusal(.unkept(error), old)
      }
    }
  }

  /// Changes the catalogue by a mutation.
  ///
  /// - Throws: `CatalogChangeFault`; then it is as it was.
  @discardableResult
  package func changeCatalog(
    by mutation: CatalogMutation
  ) throws(CatalogChangeFault) -> (outcome: CatalogOutcome, catalog: Catalog, ticket: Ticket) {
    try changeCatalog(
      by: { (_) throws(CatalogChangeFault) in mutation }, refusal: { fault, _ in fault })
  }

  /// Returns true if another catalogue, with the changes of clients made to it again, would differ from the
  /// present one in more than the revision.
  package func wouldChange(by catalog: Catalog) -> Bool {
    let present = self.catalog
    let successor = catalog.succeeding(present).catalog
    guard let old = try? JSON(encoding: present), let new = try? JSON(encoding: successor) else {
      return true
    }
    return !old.isSame(as: new, besides: "revision")
  }

  private func keep(
    _ mutation: CatalogMutation, _ old: CatalogState, _ changed: Catalog,
    _ entry: IdempotencyEntry?
  ) throws(JournalFault) -> Ticket {
    let record = journal == nil ? nil : try mutation.record(revision: changed.revision)
    let ticket = try keep(record, changed.journalState, entry) { self.takeBack(to: old) }
    catalogState.change { $0 = CatalogState(catalog: changed, ticket: ticket) }
    figures.catalogChanges.add()
    return ticket
  }

  private func keep(_ entry: IdempotencyEntry) throws(JournalFault) -> Ticket {
    try keep(nil, nil, entry) {}
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
