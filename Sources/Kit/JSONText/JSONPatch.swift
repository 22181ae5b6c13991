/// A JSON Patch (RFC 6902): a list of changes to a JSON value.
public struct JSONPatch: Sendable, Equatable, Codable {
  /// One change.
  public enum Operation: Sendable, Equatable, Codable {
    /// Sets a member, or inserts an element before the index, or with `-` at the end.
    case add(path: JSONPointer, value: JSON)
    /// Removes the value at a place.
    case remove(path: JSONPointer)
    /// Replaces the value at a place.
    case replace(path: JSONPointer, value: JSON)
    /// Removes the value at a place and adds it at another.
    case move(from: JSONPointer, path: JSONPointer)
    /// Adds a copy of the value at a place at another.
    case copy(from: JSONPointer, path: JSONPointer)
    /// Fails unless the value at a place equals this one.
    case test(path: JSONPointer, value: JSON)
  }

  /// The operations, in order.
  public var operations: [Operation]

  /// Creates a patch.
  public init(_ operations: [Operation]) { self.operations = operations }
}

/// A reason why a patch or one of its operations cannot be applied.
public struct JSONPatchFault: Error, Equatable, Sendable {
  /// The kinds of faults.
  public enum Reason: Error, Equatable, Sendable {
    /// The place has no value.
    case noSuchPath(JSONPointer)
    /// The place is beyond the end of its array.
    case indexOutOfRange(JSONPointer)
    /// The last token of the place is not an index, but its parent is an array.
    case invalidIndex(JSONPointer)
    /// The value at this place has neither members nor elements.
    case notAContainer(JSONPointer)
    /// The whole document cannot be removed.
    case removesRoot
    /// A value cannot be moved to a place within itself.
    case movesIntoItself(JSONPointer)
    /// The value at the place differs from the tested one.
    case testFailed(JSONPointer)
    /// The value at the place would be nested deeper than the limit.
    case tooDeep(JSONPointer, limit: Int)
    /// The operations so far exceed the limit of work.
    case tooMuchWork(limit: Int)
  }

  /// The operation's index in its patch; nil for an operation applied by itself.
  public let operation: Int?
  /// The reason.
  public let reason: Reason
}

extension JSONPatchFault: CustomStringConvertible {
  /// A sentence for people: the operation and the reason.
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

/// Limits of a patch: a short one must not build a value too deep for the stack, double the document with each
/// `copy`, or move a long array repeatedly.
public struct JSONPatchLimits: Sendable, Equatable {
  /// The maximum nesting of the result.
  public var depth: Int
  /// The limit of work: the sum, over all operations, of the size of each value added or copied (see
  /// `JSON.fits(depth:size:)`) and of the number of elements moved.
  public var work: Int

  /// Creates limits. The default is 128 levels and 16 million units of work.
  public init(depth: Int = 128, work: Int = 1 << 24) {
    self.depth = depth
    self.work = work
  }
}

/// The remaining work of a patch.
struct JSONPatchBudget {
  private let limits: JSONPatchLimits
  private var work: Int

  init(_ limits: JSONPatchLimits) {
    self.limits = limits
    work = limits.work
  }

  /// Charges for moving `count` elements.
  mutating func spend(_ count: Int) throws(JSONPatchFault.Reason) {
    work -= count
    guard work >= 0 else { throw .tooMuchWork(limit: limits.work) }
  }

  /// Charges for adding `value` at `path`.
  mutating func spend(on value: JSON, at path: JSONPointer) throws(JSONPatchFault.Reason) {
    switch value.spend(depth: limits.depth - path.tokens.count, size: &work) {
    case .fits: break
    case .tooDeep: throw .tooDeep(path, limit: limits.depth)
    case .tooLarge: throw .tooMuchWork(limit: limits.work)
    }
  }
}

/// A reason why a JSON value is not a patch, with its place.
public struct JSONPatchDecodingFault: Error, Equatable, Sendable {
  /// The kinds of faults.
  public enum Reason: Equatable, Sendable {
    /// The patch is not an array.
    case notAnArray
    /// The operation is not an object.
    case notAnObject
    /// The operation lacks this member.
    case missingMember(String)
    /// The member is not a string.
    case notAString
    /// The operation is none of the six.
    case unknownOperation(String)
    /// The member is not a valid JSON Pointer.
    case invalidPointer(JSONPointerFault)
  }

  /// The reason.
  public let reason: Reason
  /// The place of the fault in the patch document.
  public let pointer: JSONPointer
}

extension JSONPatch {
  /// Reads a patch document (RFC 6902, 3); unknown members are ignored.
  public init(_ json: JSON) throws(JSONPatchDecodingFault) {
    guard case .array(let elements) = json else {
      throw JSONPatchDecodingFault(reason: .notAnArray, pointer: .root)
    }
    var operations: [Operation] = []
    operations.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      operations.append(try Operation(element, at: JSONPointer.root.appending(index)))
    }
    self.init(operations)
  }
}

extension JSONPatch.Operation {
  /// Reads one operation; `place` is its place, for faults.
  public init(_ json: JSON, at place: JSONPointer = .root) throws(JSONPatchDecodingFault) {
    guard case .object(let object) = json else {
      throw JSONPatchDecodingFault(reason: .notAnObject, pointer: place)
    }
    let source = Source(object: object, place: place)
    switch try source.operationName() {
    case .add: self = .add(path: try source.pointer("path"), value: try source.value("value"))
    case .remove: self = .remove(path: try source.pointer("path"))
    case .replace:
      self = .replace(path: try source.pointer("path"), value: try source.value("value"))
    case .move: self = .move(from: try source.pointer("from"), path: try source.pointer("path"))
    case .copy: self = .copy(from: try source.pointer("from"), path: try source.pointer("path"))
    case .test: self = .test(path: try source.pointer("path"), value: try source.value("value"))
    }
  }

  private enum Name: String, CaseIterable {
    case add
    case remove
    case replace
    case move
    case copy
    case test
  }

  /// An operation's object and its place in the patch.
  private struct Source {
    let object: JSONObject
    let place: JSONPointer

    func operationName() throws(JSONPatchDecodingFault) -> Name {
      let text = try string("op")
      guard let name = Name.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
        throw fault(.unknownOperation(text), "op")
      }
      return name
    }

    func value(_ name: String) throws(JSONPatchDecodingFault) -> JSON {
      guard let value = object[name] else {
        throw JSONPatchDecodingFault(reason: .missingMember(name), pointer: place)
      }
      return value
    }

    func string(_ name: String) throws(JSONPatchDecodingFault) -> String {
      guard case .string(let string) = try value(name) else { throw fault(.notAString, name) }
      return string
    }

    func pointer(_ name: String) throws(JSONPatchDecodingFault) -> JSONPointer {
      let text = try string(name)
      do throws(JSONPointerFault) {
        return try JSONPointer(parsing: text)
      } catch {
        throw fault(.invalidPointer(error), name)
      }
    }

    func fault(_ reason: JSONPatchDecodingFault.Reason, _ name: String) -> JSONPatchDecodingFault {
      JSONPatchDecodingFault(reason: reason, pointer: place.appending(name))
    }
  }
}

extension JSONPatchDecodingFault: CustomStringConvertible {
  /// A sentence for people: the reason and the place.
  public var description: String {
    let place = JSON.string(pointer.description)
    return switch reason {
    case .notAnArray: "The patch must be an array of operations."
    case .notAnObject: "The operation at \(place) must be an object."
    case .missingMember(let name): "The operation at \(place) lacks the member \"\(name)\"."
    case .notAString: "The value at \(place) must be a string."
    case .unknownOperation(let name):
      "The operation \(JSON.string(name)) at \(place) is none of add, remove, replace, move, copy"
        + " and test."
    case .invalidPointer(let fault): "The value at \(place) is no JSON Pointer. \(fault)"
    }
  }
}

extension JSON {
  mutating func perform(
    _ operation: JSONPatch.Operation, at index: Int?, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault) {
    do throws(JSONPatchFault.Reason) {
      try perform(operation, &budget)
    } catch {
      throw JSONPatchFault(operation: index, reason: error)
    }
  }

  private mutating func perform(
    _ operation: JSONPatch.Operation, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault.Reason) {
    switch operation {
    case .add(let path, let value):
      try budget.spend(on: value, at: path)
      try add(value, at: path, &budget)
    case .remove(let path): _ = try remove(at: path, &budget)
    case .replace(let path, let value):
      try budget.spend(on: value, at: path)
      try replace(at: path, with: value)
    case .move(let from, let path): try move(from, to: path, &budget)
    case .copy(let from, let path):
      let value = try present(at: from)
      try budget.spend(on: value, at: path)
      try add(value, at: path, &budget)
    case .test(let path, let value):
      guard try present(at: path) == value else { throw .testFailed(path) }
    }
  }

  private func present(at path: JSONPointer) throws(JSONPatchFault.Reason) -> JSON {
    guard let value = value(at: path) else { throw .noSuchPath(path) }
    return value
  }

  private mutating func move(
    _ from: JSONPointer, to path: JSONPointer, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault.Reason) {
    if path.tokens.count > from.tokens.count || from == path {
      let value = try present(at: from)
      if from == path { return }
      try budget.spend(on: value, at: path)
    }
    guard !from.contains(path) else { throw .movesIntoItself(from) }
    let removed = try remove(at: from, &budget)
    do throws(JSONPatchFault.Reason) {
      try add(removed.value, at: path, &budget)
    } catch {
      try restore(removed, at: from)
      throw error
    }
  }
}
