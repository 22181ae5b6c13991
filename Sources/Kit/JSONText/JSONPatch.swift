/// A list of changes to a JSON value, as RFC 6902 defines it.
public struct JSONPatch: Sendable, Equatable, Codable {
  /// One change.
  public enum Operation: Sendable, Equatable, Codable {
    /// Sets a member, or inserts an element before the index, or with `-` behind the last.
    case add(path: JSONPointer, value: JSON)
    /// Removes the value at a place.
    case remove(path: JSONPointer)
    /// Puts a value in the place of one that is there.
    case replace(path: JSONPointer, value: JSON)
    /// Removes the value at a place and adds it at another.
    case move(from: JSONPointer, path: JSONPointer)
    /// Adds the value at a place at another, too.
    case copy(from: JSONPointer, path: JSONPointer)
    /// Fails unless the value at a place equals this one.
    case test(path: JSONPointer, value: JSON)
  }

  /// The changes in the order in which they are made.
  public var operations: [Operation]

  /// A patch that makes these changes.
  public init(_ operations: [Operation]) { self.operations = operations }
}
