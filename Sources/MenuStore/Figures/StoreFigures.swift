import MenuEngine

/// The counters of sessions and of the catalogue since the start.
///
/// A change that was accepted and then rolled back, because the disk failed, counts as accepted.
package final class StoreFigures: Sendable {
  /// Sessions that were opened; those recovered from the journal are not among them.
  package let opened = Counter()
  /// Sessions that were closed because somebody asked for that.
  package let closed = Counter()
  /// Sessions that were closed because nobody asked for them any more.
  package let expired = Counter()
  /// Changes of the catalogue.
  package let catalogChanges = Counter()
  private let acceptedMutations = Counters()
  private let refusedMutations = Counters()

  package init() {
    precondition(Mutation.labels.count <= Counters.capacity, "There are too many kinds.")
  }

  /// Mutations of a kind, by its position among ``Mutation/labels``, that were accepted.
  package func accepted(_ label: Int) -> Int { acceptedMutations[label] }

  /// Mutations of a kind that a session refused, in trials that would not have been kept as well.
  package func refused(_ label: Int) -> Int { refusedMutations[label] }

  /// Notes what was committed.
  func note(_ action: Proposal.Action) {
    switch action {
    case .open: opened.add()
    case .change(_, to: _, by: let mutations, _): noteAccepted(mutations)
    case .close(_, unlessReadSince: let moment): (moment == nil ? closed : expired).add()
    case .changeCatalog: catalogChanges.add()
    case .keepAnswer: break
    }
  }

  private func noteAccepted(_ mutations: [Mutation]) {
    for mutation in mutations { acceptedMutations.add(at: mutation.labelIndex) }
  }

  /// Notes what was refused of a list: the one that is at fault.
  func noteRefused(_ mutations: [Mutation], _ fault: MutationFault) {
    var index = 0
    if case .inList(let place, _) = fault { index = place }
    guard mutations.indices.contains(index) else { return }
    refusedMutations.add(at: mutations[index].labelIndex)
  }
}
