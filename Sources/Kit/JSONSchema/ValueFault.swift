public import JSONText

/// A fault of a value that is invalid under a schema.
public struct ValueFault: Error, Equatable, Sendable {
  /// The place in the value.
  public let pointer: JSONPointer
  /// The reason.
  public let reason: Reason

  init(_ reason: Reason, at pointer: JSONPointer) {
    self.pointer = pointer
    self.reason = reason
  }

  /// The faults of a value; only the first 100 are kept.
  public struct List: Equatable, Sendable {
    /// The first faults.
    public private(set) var faults: [ValueFault] = []
    /// The number of all faults.
    public private(set) var count = 0

    /// The maximum number of faults that are kept.
    static let maximum = 100

    init() {}

    init(_ fault: ValueFault) { note(fault) }

    /// True if the value is valid.
    public var isEmpty: Bool { count == 0 }

    mutating func note(_ fault: ValueFault) {
      count += 1
      if faults.count < Self.maximum { faults.append(fault) }
    }

    /// Removes the faults after those of `earlier`, and returns them.
    mutating func take(from earlier: List) -> ArraySlice<ValueFault> {
      defer { self = earlier }
      return faults[earlier.faults.count...]
    }
  }

  /// The kinds of faults.
  public indirect enum Reason: Equatable, Sendable {
    /// The value is of none of these types.
    case type([ValueTypeName], found: JSON)
    /// The value differs from the required one.
    case notEqual(JSON, found: JSON)
    /// The value is none of these.
    case notListed([JSON], found: JSON)
    /// The list of choices could not be obtained; the text is the reason given by its provider.
    case unknownChoices(String)
    /// The number is out of bounds, or not a multiple.
    case number(NumberBound, JSON, found: JSON)
    /// The number of characters, elements or members is out of bounds.
    case count(CountBound, Int, of: Counted, found: Int)
    /// The string does not match this pattern.
    case noMatch(String, found: String)
    /// The element equals an earlier one, at this index.
    case repeatedElement(Int)
    /// A required member is missing; `because` is the member that requires it.
    case missingMember(String, because: String? = nil)
    /// A member is not allowed; `known` are the allowed ones.
    case unknownMember(String, known: [String])
    /// No value is allowed.
    case nothingAllowed
    /// The name of the member has a fault.
    case name(String, Reason)
    /// The number of elements matching `contains` is out of bounds.
    case contained(CountBound, Int, found: Int)
    /// The value is valid under none of the schemas of `anyOf`.
    case noneOf(Int)
    /// The value is valid under this number of the schemas of `oneOf`, not exactly one.
    case notOneOf(Int, found: Int)
    /// The value is valid under the schema of `not`.
    case excluded
    /// Validating the value takes too much.
    case tooMuchWork(Exhaustion)
  }

  /// The limits that end a validation.
  public enum Exhaustion: Error, Hashable, Sendable {
    /// It takes more steps than the limit.
    case steps(limit: Int)
    /// Schemas are applied in deeper nesting than the limit.
    case depth(limit: Int)
  }
}

/// The types of JSON values as `type` names them.
public enum ValueTypeName: String, CaseIterable, Hashable, Sendable {
  case null
  case boolean
  case object
  case array
  case number
  case integer
  case string

  /// True if a value is of this type; `1.0` is an integer.
  func includes(_ value: JSON) -> Bool {
    switch (self, value) {
    case (.null, .null), (.boolean, .bool), (.object, .object), (.array, .array),
      (.string, .string), (.number, .int), (.number, .double), (.integer, .int):
      true
    case (.integer, .double(let double)): double == double.rounded()
    case (.null, _), (.boolean, _), (.object, _), (.array, _), (.number, _), (.integer, _),
      (.string, _):
      false
    }
  }
}

/// The bounds of numbers, named after their keywords.
public enum NumberBound: String, CaseIterable, Hashable, Sendable {
  case minimum
  case maximum
  case exclusiveMinimum
  case exclusiveMaximum
  case multipleOf
}

/// The bounds of counts.
public enum CountBound: Hashable, Sendable {
  case atLeast
  case atMost
}

/// The elements being counted.
public enum Counted: Hashable, Sendable {
  /// The code points of a string.
  case characters
  /// The elements of an array.
  case elements
  /// The members of an object.
  case members
}
