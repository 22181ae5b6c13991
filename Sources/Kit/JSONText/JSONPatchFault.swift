/// A reason why a patch, or one of its operations, cannot be applied.
public struct JSONPatchFault: Error, Equatable, Sendable {
  /// The reasons for which an operation cannot be applied.
  public enum Reason: Error, Equatable, Sendable {
    /// No value stands at this place.
    case noSuchPath(JSONPointer)
    /// This place is beyond the end of its array.
    case indexOutOfRange(JSONPointer)
    /// This place's last token is no index, though its parent is an array.
    case invalidIndex(JSONPointer)
    /// The value at this place has neither members nor elements.
    case notAContainer(JSONPointer)
    /// The whole document cannot be removed.
    case removesRoot
    /// A value cannot be moved to a place within itself.
    case movesIntoItself(JSONPointer)
    /// The value at this place is not the one tested for.
    case testFailed(JSONPointer)
    /// The value at this place would be nested deeper than this limit.
    case tooDeep(JSONPointer, limit: Int)
    /// The operations up to here exceed this limit of work.
    case tooMuchWork(limit: Int)
  }

  /// The operation's index in its patch; nil for an operation applied by itself.
  public let operation: Int?
  /// The reason.
  public let reason: Reason
}

extension JSONPatchFault: CustomStringConvertible {
  /// A sentence for people: which operation fails, and why.
  public var description: String {
    let subject = operation.map { "Operation \($0) cannot be applied" } ?? "The operation fails"
    return "\(subject): \(reason)."
  }
}

extension JSONPatchFault.Reason: CustomStringConvertible {
  /// The reason as a clause without a full stop.
  public var description: String {
    switch self {
    case .noSuchPath(let place): "there is no value at \(quoted(place))"
    case .indexOutOfRange(let place): "\(quoted(place)) is beyond the end of the array"
    case .invalidIndex(let place): "\(quoted(place)) does not end in an array index"
    case .notAContainer(let place): "the value at \(quoted(place)) is neither object nor array"
    case .removesRoot: "the whole document cannot be removed"
    case .movesIntoItself(let place): "the value at \(quoted(place)) cannot move into itself"
    case .testFailed(let place): "the value at \(quoted(place)) is not the one tested for"
    case .tooDeep(let place, let limit):
      "the value at \(quoted(place)) would be nested more than \(limit) deep"
    case .tooMuchWork(let limit): "the work exceeds \(limit) units"
    }
  }

  private func quoted(_ place: JSONPointer) -> String { JSON.string(place.description).text() }
}
