import JSONText
import Patterns

/// The demands on values as a whole, on numbers and on strings.
extension Validation {
  mutating func isEqual(
    to constant: SizedValue, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    try spend(constant.work)
    return value == constant.value || note(.notEqual(constant.value, found: value))
  }

  mutating func isListed(
    in values: [SizedValue], _ value: JSON
  ) throws(Exhaustion) -> Bool {
    for listed in values {
      try spend(listed.work)
      if value == listed.value { return true }
    }
    return note(.notListed(values.map(\.value), found: value))
  }

  mutating func isWithin(
    _ bound: NumberBound, limit: JSON, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    guard let number = Number(value), let other = Number(limit) else { return true }
    if bound == .multipleOf { try spend(Number.costOfDivision) }
    let isWithin =
      switch bound {
      case .minimum: !(number < other)
      case .maximum: !(other < number)
      case .exclusiveMinimum: other < number
      case .exclusiveMaximum: number < other
      case .multipleOf: number.isMultiple(of: other)
      }
    return isWithin || note(.number(bound, limit, found: value))
  }

  mutating func isWithin(
    _ bound: CountBound, limit: Int, of counted: Counted, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    let count: Int
    switch (counted, value) {
    case (.characters, .string(let string)):
      try spend(string.utf8.count / 16)
      count = string.unicodeScalars.count
    case (.elements, .array(let elements)): count = elements.count
    case (.members, .object(let object)): count = object.count
    case (.characters, _), (.elements, _), (.members, _): return true
    }
    return bound.includes(count, limit) || note(.count(bound, limit, of: counted, found: count))
  }

  mutating func matches(_ pattern: SourcedPattern, _ value: JSON) throws(Exhaustion) -> Bool {
    guard case .string(let string) = value else { return true }
    return try isFound(pattern, in: string) || note(.noMatch(pattern.source, found: string))
  }

  /// Returns true if a part of a string matches.
  mutating func isFound(_ pattern: SourcedPattern, in string: String) throws(Exhaustion) -> Bool {
    try spend(pattern.pattern.work(on: string))
    return pattern.pattern.matches(string)
  }
}

extension CountBound {
  func includes(_ count: Int, _ limit: Int) -> Bool {
    switch self {
    case .atLeast: count >= limit
    case .atMost: count <= limit
    }
  }
}
