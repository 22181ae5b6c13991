/// One change at one place of a JSON value that remembers what was there, so that it can be taken
/// back byte for byte: members return to where they stood in their object, elements to their index.
///
/// Unlike a JSON Patch, which appends the members it adds, an edit and its ``inverse`` undo each other
/// exactly. An edit fits a value only as it was: with the same thing at the place, and the same number
/// of elements in each array on the way, since otherwise the indexes of the place mean something else.
public struct JSONEdit: Sendable, Equatable, Codable {
  /// The place of the edit.
  public let place: JSONPointer
  /// The value before; nil when there was none.
  public let before: JSON?
  /// The value afterwards; nil when there is none.
  public let after: JSON?
  /// The position of the value among the members or elements of its container.
  let position: Int
  /// The lengths of the arrays on the way, from the outermost on, before the edit.
  let lengths: [Int]
  /// True if the value is an element of the last of these arrays.
  let isElement: Bool

  /// The edit that takes this one back.
  public var inverse: JSONEdit {
    var lengths = lengths
    if isElement, let last = lengths.popLast() {
      lengths.append(last + (after == nil ? 0 : 1) - (before == nil ? 0 : 1))
    }
    return JSONEdit(
      place: place, before: after, after: before, position: position, lengths: lengths,
      isElement: isElement)
  }

  /// The change as an operation of a JSON Patch, which comes to an equal value; the order of members
  /// may differ.
  public var operation: JSONPatch.Operation {
    switch (before, after) {
    case (nil, let after): .add(path: place, value: after ?? .null)
    case (_?, let after?): .replace(path: place, value: after)
    case (_?, nil): .remove(path: place)
    }
  }

  /// The position of the member that it adds among the others of its object, so that `operation` and this together come
  /// to the same bytes; nil for anything else.
  public var memberPosition: Int? { before == nil && !isElement ? position : nil }

  /// Returns the size of the edit: that of both values, as `JSON.fits(depth:size:)` counts it, and
  /// of the place. Counting a value stops a little beyond `limit`.
  public func size(upTo limit: Int) -> Int {
    let place = place.tokens.reduce(16) { $0 + $1.utf8.count + 1 }
    return place + (before?.size(upTo: limit) ?? 0) + (after?.size(upTo: limit) ?? 0)
  }
}

extension JSON {
  /// The number of values in it and of the bytes of its strings and names, as far as it takes to see
  /// that it is more than `limit`.
  public func size(upTo limit: Int) -> Int {
    var left = limit
    _ = spend(depth: .max, size: &left)
    return limit - left
  }
}

/// A reason why an edit does not fit a value any more.
public enum JSONEditFault: Error, Equatable, Sendable {
  /// There is nothing at the place where there was something.
  case missing(JSONPointer)
  /// There is something else at the place.
  case different(JSONPointer)
  /// There is something at the place where there was nothing.
  case taken(JSONPointer)
  /// The array at the place has another number of elements.
  case resized(JSONPointer, count: Int, expected: Int)
}

extension JSONEditFault: CustomStringConvertible {
  /// The obstacle, as a clause without a full stop.
  public var description: String {
    switch self {
    case .missing(let place): "there is no value at \(quoted(place)) any more"
    case .different(let place): "the value at \(quoted(place)) is another one now"
    case .taken(let place): "there is a value at \(quoted(place)) now"
    case .resized(let place, let count, let expected):
      "the array at \(quoted(place)) has \(count) elements now instead of \(expected)"
    }
  }

  private func quoted(_ place: JSONPointer) -> String { JSON.string(place.description).text() }
}
