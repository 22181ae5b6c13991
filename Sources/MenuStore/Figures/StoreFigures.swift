package import MenuEngine

/// The counters of sessions and of the catalogue since the start.
package final class StoreFigures: Sendable {
  /// The sessions opened, without those recovered from the journal.
  package let opened = Counter()
  /// The sessions closed by a request.
  package let closed = Counter()
  /// The sessions closed because they were idle.
  package let expired = Counter()
  /// The number of changes made again because another change was committed first.
  package let remade = Counter()
  /// Changes of the catalogue.
  package let catalogChanges = Counter()
  /// The deliveries of handlers.
  package let delivered = Counter()
  /// The claims of deliveries that expired.
  package let expiredClaims = Counter()
  /// The times from performing a command to settling its deliveries.
  package let deliveryTimes = Histogram(bounds: Histogram.longDurations)
  private let settledDeliveries = Counters()
  private let acceptedMutations = Counters()
  private let refusedMutations = Counters()

  package init() {
    precondition(Mutation.labels.count <= Counters.capacity, "There are too many kinds.")
  }

  /// Returns the number of accepted mutations of a kind, by its position among ``Mutation/labels``.
  package func accepted(_ label: Int) -> Int { acceptedMutations[label] }

  /// Returns the number of refused mutations of a kind, including those of dry runs.
  package func refused(_ label: Int) -> Int { refusedMutations[label] }

  /// Returns the number of deliveries settled in a state.
  package func settled(_ state: Delivery.State) -> Int { settledDeliveries[state.position] }

  /// Counts a commit.
  func note(_ action: Proposal.Action) {
    switch action {
    case .open: opened.add()
    case .change(_, to: let session, by: let record, let outcomes):
      noteAccepted(record.mutations)
      if !session.deliveries.isEmpty { noteDeliveries(in: outcomes) }
    case .close(_, unlessReadSince: let moment): (moment == nil ? closed : expired).add()
    case .changeCatalog: catalogChanges.add()
    case .begin, .keepAnswer, .keepRefusal: break
    }
  }

  private func noteDeliveries(in outcomes: [Outcome]) {
    for change in outcomes.lazy.flatMap(\.changes) {
      switch change {
      case .delivery: delivered.add()
      case .deliveryState(let delivery): noteState(of: delivery)
      default: break
      }
    }
  }

  private func noteState(of delivery: Delivery) {
    switch delivery.state {
    case .open: expiredClaims.add()
    case .claimed, .cancelling: break
    case .replied, .failed, .cancelled:
      settledDeliveries.add(at: delivery.state.position)
      guard let begin = delivery.invocation.when, let end = delivery.settledAt else { return }
      let milliseconds = Int(clamping: max(0, end.subtractingReportingOverflow(begin).partialValue))
      deliveryTimes.note(min(milliseconds, 1 << 40) * 1_000_000)
    }
  }

  private func noteAccepted(_ mutations: [Mutation]) {
    for mutation in mutations { acceptedMutations.add(at: mutation.labelIndex) }
  }

  /// Counts a refused list under the label of its faulty mutation.
  func noteRefused(_ mutations: [Mutation], _ fault: MutationFault) {
    var index = 0
    if case .inList(let place, _) = fault { index = place }
    guard mutations.indices.contains(index) else { return }
    refusedMutations.add(at: mutations[index].labelIndex)
  }
}

extension Delivery.State {
  fileprivate var position: Int {
    switch self {
    case .open: 0
    case .claimed: 1
    case .cancelling: 2
    case .replied: 3
    case .failed: 4
    case .cancelled: 5
    }
  }
}
