import JSONText
package import MenuEngine

// The faults of responders: of their links, of focus, and of registries of late responders.

extension LinkFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .unknownClass(let id, let name):
      FaultRow(
        .unresolvedReference,
        "The class \(quoted(name)) of the responder \(quoted(id)) is not declared.")
    case .danglingLink(let id, let link, let other):
      FaultRow(
        .unresolvedReference,
        "The link '\(link)' of \(quoted(id)) leads to \(quoted(other)), which the session does "
          + "not have; put that responder first.")
    case .linkToOtherKind(let id, let link, let other, let kind):
      FaultRow(
        .invalidBody,
        "The link '\(link)' of \(quoted(id)) leads to \(quoted(other)) of kind '\(kind)'; it can "
          + "lead only to a responder of kind \(names(of: link.destinations)).")
    case .linkTaken(let id, let link, let other, let owner):
      FaultRow(
        .linkConflict,
        "\(quoted(id)) and \(quoted(owner)) both have \(quoted(other)) as their '\(link)'; only "
          + "one of them can.")
    case .secondApplication(let id, let existing):
      FaultRow(
        .linkConflict, "\(quoted(id)) would be a second application beside \(quoted(existing)).")
    case .cycle(let path, let link):
      FaultRow(.linkConflict, "The link '\(link)' would close a cycle: \(chain(path)).")
    case .coordinatingCycle(let path):
      FaultRow(.linkConflict, "The coordinating chain would lead back into itself: \(chain(path)).")
    case .notCoordinating(let id, let holder):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) cannot be the parent coordinator of \(quoted(holder)), since it "
          + "coordinates nothing; put it with a member 'coordinating' first.")
    case .noSuchLink(let id, let link, let kind):
      FaultRow(
        .invalidBody,
        "The responder \(quoted(id)) is of kind '\(kind)' and has no '\(link)'; only those of "
          + "kind \(names(of: link.holders)) have one.")
    }
  }
}

extension LinkFault {
  private func chain(_ path: [ResponderID]) -> String {
    path.map { quoted($0) }.joined(separator: " → ")
  }

  private func names(of kinds: [ResponderKind]) -> String { list(kinds.map { "'\($0)'" }, "or") }
}

extension FocusFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .notAWindow(let id, let kind, let role):
      FaultRow(
        .invalidBody,
        "The responder \(quoted(id)) is of kind '\(kind)'; only a window can be the "
          + "\(role.rawValue) window.")
    case .notInWindow(let id, let window):
      FaultRow(
        .linkConflict,
        "The responder \(quoted(id)) is not in the window \(quoted(window)), whose focus it is to "
          + "take; leave 'window' out, or name the window that it is in.")
    case .firstResponderRefused(let candidate, let id, let question, because: _):
      FaultRow(
        .firstResponderRefused,
        "The first responder cannot "
          + (candidate.map { "become \(quoted($0))" } ?? "be given up")
          + ": \(quoted(id)) answers '\(question.rawValue)' with no.")
    case .firstResponderRule(let id, let fault):
      FaultRow(
        .firstResponderRefused,
        "The first responder does not change, since a rule of \(quoted(id)) failed. "
          + fault.sentence)
    }
  }
}

extension LateResponderFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .noRegistry(let id):
      FaultRow(
        .unresolvedReference, inPath: .noRegistry,
        "Neither \(quoted(id)) nor anybody on its chain or among its parents has a registry of "
          + "late responders; PUT one of them with a member 'lateResponders'.")
    case .unknownLateResponder(let id, let host):
      FaultRow(
        .unresolvedReference,
        "The registry of \(quoted(host)) lists \(quoted(id)), which the session does not have; "
          + "put that responder first.")
    case .lateResponderTaken(let id, let host, let other) where host == other:
      FaultRow(.linkConflict, "The registry of \(quoted(host)) lists \(quoted(id)) twice.")
    case .lateResponderTaken(let id, let host, let other):
      FaultRow(
        .linkConflict,
        "\(quoted(id)) is in the registries of \(quoted(other)) and \(quoted(host)); register it "
          + "with one of them to move it there.")
    case .weightFixed(let id, let weight, let host):
      FaultRow(
        .linkConflict,
        "The weight of \(quoted(id)) is \(weight) and cannot change while it is registered with "
          + "\(quoted(host)); deregister it first.")
    case .nextOfLateResponder(let id, let host):
      FaultRow(
        .linkConflict,
        "\(quoted(id)) is registered with \(quoted(host)), whose registry says what follows it; "
          + "leave out 'next', or deregister it first.")
    }
  }
}
