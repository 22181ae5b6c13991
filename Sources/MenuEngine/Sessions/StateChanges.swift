public import JSONText

/// Which places of a session's state changed lately, for those who keep answers and want to know
/// which of them still hold.
///
/// It is a short memory: of older changes, and of a change of anything besides the state, it says
/// that everything may be different.
struct StateChanges: Sendable {
  private var recent: [(revision: Int, place: ChangedPlace)] = []
  /// The changes after this revision are all in `recent`; nil when nothing is known of any revision.
  private var start: Int? = 0

  /// What changed after a revision, or nil for everything.
  func places(since revision: Int) -> [ChangedPlace]? {
    guard let start, revision >= start else { return nil }
    return recent.filter { $0.revision > revision }.map(\.place)
  }

  /// Notes what a mutation did that brought the session to a revision.
  mutating func note(
    _ mutation: Mutation, _ changes: [Outcome.Change], changesUndo: Bool, at revision: Int
  ) {
    guard let places = mutation.places(of: changes) else {
      recent = []
      start = revision
      return
    }
    start = start ?? revision - 1
    recent += places.map { (revision, .state($0)) }
    if changesUndo { recent.append((revision, .undoManagers)) }
    guard recent.count > Self.memory else { return }
    let forgotten = recent.count - Self.memory
    let last = recent[forgotten - 1].revision
    recent.removeAll { $0.revision <= last }
    start = last
  }

  /// How many places are remembered.
  private static let memory = 64
}

/// It is not stored with the session: one that is read back knows of no change before.
extension StateChanges: Codable {
  func encode(to encoder: any Encoder) {}

  init(from decoder: any Decoder) { start = nil }
}

/// A part of a session that answers depend on.
public enum ChangedPlace: Equatable, Sendable {
  /// A place of the state.
  case state(JSONPointer)
  /// What can be undone and done again.
  case undoManagers
}

extension Mutation {
  /// The places of the state that its changes touched, or nil when something else changed too.
  fileprivate func places(of changes: [Outcome.Change]) -> [JSONPointer]? {
    switch self {
    case .patchState, .mergeState, .perform, .pressKey, .invoke, .undo: break
    case .putResponder, .removeResponder, .putHandler, .removeHandler, .register,
      .changeRegistration, .removeRegistration, .registerLate, .deregisterLate,
      .changeProxiedSelectors, .putKeyCommands, .becomeFirstResponder, .resignFirstResponder,
      .makeWindow, .viewController, .storyboard:
      return nil
    }
    var places: [JSONPointer] = []
    for change in changes {
      switch change {
      case .state(let operation): places += operation.places
      case .undoManager: break
      case .mergedState(let patch): patch.collectLeaves(at: .root, into: &places)
      case .firstResponder, .keyWindow, .mainWindow, .modalWindow, .responder, .responderRemoved,
        .linkCleared, .properties, .handler, .handlerRemoved, .keyCommands, .registration,
        .registrationRemoved, .lateResponders, .registryRemoved, .viewControllers,
        .selectedViewController, .superview, .presented, .dismissed, .isCollapsed, .link:
        return nil
      }
    }
    return places
  }
}

extension JSONPatch.Operation {
  /// The places that are different afterwards.
  fileprivate var places: [JSONPointer] {
    switch self {
    case .add(let path, value: _), .copy(from: _, let path), .remove(let path):
      [path.placeOfShift]
    case .replace(let path, value: _): [path]
    case .move(let from, let path): [from.placeOfShift, path.placeOfShift]
    case .test: []
    }
  }
}

extension JSONPointer {
  /// What changes when something is added or removed here: in an array, all that follows it too.
  fileprivate var placeOfShift: JSONPointer {
    guard let last = tokens.last else { return self }
    let isIndex = last.hasSameBytes(as: "-") || last.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    return isIndex ? JSONPointer(Array(tokens.dropLast())) : self
  }
}

extension JSON {
  /// The places that a merge patch names with a value.
  fileprivate func collectLeaves(at place: JSONPointer, into places: inout [JSONPointer]) {
    guard case .object(let object) = self, !object.isEmpty else { return places.append(place) }
    for member in object.members {
      member.value.collectLeaves(at: place.appending(member.name), into: &places)
    }
  }
}
