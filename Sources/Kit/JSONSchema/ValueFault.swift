public import JSONText

/// One fault of a value that does not meet a schema.
public struct ValueFault: Error, Equatable, Sendable {
  /// The place in the value.
  public let pointer: JSONPointer
  /// The fault.
  public let reason: Reason

  init(_ reason: Reason, at pointer: JSONPointer) {
    self.pointer = pointer
    self.reason = reason
  }

  /// The faults of a value, of which the first 100 are kept.
  public struct List: Equatable, Sendable {
    /// The first ones.
    public private(set) var faults: [ValueFault] = []
    /// The number of all.
    public private(set) var count = 0

    /// The number of faults that are kept.
    static let maximum = 100

    /// No faults.
    init() {}

    /// One fault.
    init(_ fault: ValueFault) { note(fault) }

    /// True if the value meets the schema.
    public var isEmpty: Bool { count == 0 }

    /// Adds a fault.
    mutating func note(_ fault: ValueFault) {
      count += 1
      if faults.count < Self.maximum { faults.append(fault) }
    }

    /// Removes the faults behind the first `earlier` ones, and returns them.
    mutating func take(from earlier: List) -> ArraySlice<ValueFault> {
      defer { self = earlier }
      return faults[earlier.faults.count...]
    }
  }

  /// The faults that a value can have.
  public indirect enum Reason: Equatable, Sendable {
    /// The value is of none of these types.
    case type([ValueTypeName], found: JSON)
    /// The value is not this one.
    case notEqual(JSON, found: JSON)
    /// The value is none of these.
    case notListed([JSON], found: JSON)
    /// The number is beyond a bound, or no multiple.
    case number(NumberBound, JSON, found: JSON)
    /// There are more or fewer characters, elements or members than the bound.
    case count(CountBound, Int, of: Counted, found: Int)
    /// The string does not match this pattern.
    case noMatch(String, found: String)
    /// The element is equal to an earlier one, at this index.
    case repeatedElement(Int)
    /// A member that must be there is not; with the member that requires it.
    case missingMember(String, because: String? = nil)
    /// A member that may not be there, beside those that may.
    case unknownMember(String, known: [String])
    /// Nothing may be there.
    case nothingAllowed
    /// The name of the member has a fault.
    case name(String, Reason)
    /// More or fewer elements than the bound are what `contains` describes.
    case contained(CountBound, Int, found: Int)
    /// The value meets none of so many schemas of `anyOf`.
    case noneOf(Int)
    /// The value meets so many of the schemas of `oneOf`, not exactly one.
    case notOneOf(Int, found: Int)
    /// The value meets a schema that it may not meet.
    case excluded
    /// Checking the value takes too much.
    case tooMuchWork(Exhaustion)
  }

  /// The limits that checking a value can meet.
  public enum Exhaustion: Error, Hashable, Sendable {
    /// It takes more steps than this.
    case steps(limit: Int)
    /// Schemas are applied deeper inside each other than this.
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

/// The bounds of numbers, named as their keywords are.
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

/// The things that are counted.
public enum Counted: Hashable, Sendable {
  /// The code points of a string.
  case characters
  /// The elements of an array.
  case elements
  /// The members of an object.
  case members
}
