/// A failure to encode or decode a value as JSON, with its place.
public struct JSONCodingFault: Error, Equatable, Sendable {
  /// The kinds of faults.
  public enum Reason: Equatable, Sendable {
    /// A required member is missing.
    case missing
    /// The value is of another kind than requested.
    case expected(Kind, found: Kind)
    /// A number that the requested type, or JSON, cannot hold exactly.
    case inexact(String)
    /// An array has fewer elements than requested.
    case endOfArray(count: Int)
    /// Values are nested deeper than this limit.
    case tooDeep(Int)
    /// A type's own reason, as a clause.
    case refused(String)
  }

  /// The kinds of JSON values.
  public enum Kind: String, Sendable {
    case null
    case bool = "true or false"
    case number = "a number"
    case integer = "an integer"
    case string = "a string"
    case array = "an array"
    case object = "an object"
  }

  /// The place.
  public let pointer: JSONPointer
  /// The reason.
  public let reason: Reason

  /// Creates a fault at a place.
  public init(_ reason: Reason, at pointer: JSONPointer) {
    self.reason = reason
    self.pointer = pointer
  }

  init(_ reason: Reason, at place: CodingPlace) { self.init(reason, at: place.pointer) }

  /// Converts an error thrown during coding.
  init(_ error: any Error) {
    switch error {
    case let fault as JSONCodingFault: self = fault
    case let error as EncodingError: self.init(error)
    case let error as DecodingError: self.init(error)
    default: self.init(.refused("\(error)"), at: JSONPointer.root)
    }
  }

  private init(_ error: EncodingError) {
    switch error {
    case .invalidValue(_, let context): self.init(context.codingPath, context.debugDescription)
    @unknown default: self.init(.refused("\(error)"), at: JSONPointer.root)
    }
  }

  private init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      self.init(context.codingPath, context.debugDescription)
    case .keyNotFound(let key, let context): self.init(context.codingPath + [key], nil)
    @unknown default: self.init(.refused("\(error)"), at: JSONPointer.root)
    }
  }

  private init(_ codingPath: [any CodingKey], _ description: String?) {
    var clause = description ?? ""
    if clause.utf8.last == UInt8(ascii: ".") { clause.removeLast() }
    self.init(
      description == nil ? .missing : .refused(clause), at: JSONPointer(codingPath: codingPath))
  }
}

extension JSONCodingFault: CustomStringConvertible {
  /// A sentence for people: the place and the reason.
  public var description: String {
    let place = pointer.tokens.isEmpty ? "The whole value" : JSON.string(pointer.description).text()
    return "\(place): \(reason)."
  }
}

extension JSONCodingFault.Reason: CustomStringConvertible {
  /// The reason as a clause without a full stop.
  public var description: String {
    switch self {
    case .missing: "it is missing"
    case .expected(let kind, let found):
      "\(kind.rawValue) is expected here instead of \(found.rawValue)"
    case .inexact(let number): "the number \(number) cannot be kept exactly"
    case .endOfArray(let count): "the array ends after \(count) elements"
    case .tooDeep(let limit): "values are nested more than \(limit) deep"
    case .refused(let clause): clause
    }
  }
}

extension JSON {
  var kind: JSONCodingFault.Kind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .integer
    case .double: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// True if it is empty: `false`, `[]` or `{}`.
  var isEmpty: Bool {
    switch self {
    case .bool(let bool): !bool
    case .array(let elements): elements.isEmpty
    case .object(let object): object.isEmpty
    case .null, .int, .double, .string: false
    }
  }
}
