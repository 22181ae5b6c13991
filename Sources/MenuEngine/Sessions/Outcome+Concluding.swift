import JSONText

extension Outcome {
  /// Completes what is told of a mutation that is over (E2).
  mutating func conclude(
    _ before: Session, _ after: Session, undoManagersOf owners: [ResponderID?]
  ) {
    for index in changes.indices {
      guard case .responder(let responder) = changes[index] else { continue }
      changes[index] = .responder(after.responder(responder.id) ?? responder)
    }
    documentEdits = DocumentDifference.edits(
      from: before, to: after, telling: changes, undoManagersOf: owners)
    // Managers that were asked, and are as they were.
    let isAskedInVain = documentEdits.isEmpty && changes.allSatisfy(\.isOfUndo)
    if isAskedInVain, !after.undo.differs(from: before.undo, in: owners) { changes = [] }
  }

  /// Adds the focus that was lost when all mutations of its list were applied (R8), windows that do not
  /// remember it any more included (R11).
  mutating func tell(_ resigned: [Change]) {
    changes += resigned
    for case .link(let window, let link, nil) in resigned {
      let place = JSONPointer(["responders", window.rawValue] + link.path)
      documentEdits.append(DocumentEdit(.remove(path: place)))
    }
  }

  /// True if the mutation changed and sent nothing; a session keeps its revision then, and no journal
  /// has a record of it.
  ///
  /// **Decision:** what is performed, sent, triggered or processed counts, whatever came of it.
  var isNothing: Bool {
    guard changes.isEmpty, documentEdits.isEmpty, events.isEmpty else { return false }
    return isPlain
      || performance == nil && launch.isEmpty && instance == nil && segue == nil
        && message == nil && processed.isEmpty
  }

  /// The effort of keeping and writing what one mutation of a list did.
  var writingEffort: Int {
    let members = changes.reduce(0) { $0 + $1.memberCount }
    return Effort.member * (members + documentEdits.count)
      + documentEdits.reduce(0) { $0 + $1.size(upTo: Limits.work) }
  }
}

extension Outcome {
  /// Everything that was asked, in order, when that was wanted.
  public var wholeTrace: Trace {
    let own =
      performance?.trace ?? segue?.trace ?? message?.trace
      ?? processed.dropFirst().reduce(processed.first?.outcome.trace) { whole, message in
        whole?.followed(by: message.outcome.trace)
      }
    guard let own else { return trace }
    return (resolution?.trace.followed(by: own) ?? own).followed(by: trace)
  }
}

extension Outcome.Change {
  fileprivate var isOfUndo: Bool { if case .undoManager = self { true } else { false } }
}

extension DocumentEdit {
  fileprivate func size(upTo limit: Int) -> Int {
    switch operation {
    case .add(path: _, let value), .replace(path: _, let value), .test(path: _, let value):
      value.size(upTo: limit)
    case .remove, .move, .copy: 0
    }
  }
}
