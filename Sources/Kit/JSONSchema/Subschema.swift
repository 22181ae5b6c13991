import JSONText
import Patterns

/// A compiled schema: a value is valid if it meets all its demands.
///
/// `true` has no demands.
struct Subschema: Sendable {
  let demands: [Demand]
}

/// The index of a schema among all of its document.
typealias SubschemaIndex = Int

/// The demand of one keyword, or of several together.
///
/// Demands on values of one type are met by values of any other.
enum Demand: Sendable {
  /// The schema `false`.
  case nothing
  case reference(SubschemaIndex)
  case types([ValueTypeName])
  case constant(SizedValue)
  case listed(ListedValues)
  /// No value is valid, because the list of choices could not be obtained for this reason.
  case unknownChoices(String)
  case number(NumberBound, JSON)
  case count(CountBound, Int, of: Counted)
  case pattern(SourcedPattern)
  case uniqueElements
  case elements(prefix: [SubschemaIndex], rest: SubschemaIndex?)
  case contained(SubschemaIndex, atLeast: Int, atMost: Int)
  case required([String])
  case dependentRequired([(name: String, names: [String])])
  case members(MemberSchemas)
  case names(SubschemaIndex)
  case dependentSchemas([(name: String, schema: SubschemaIndex)])
  case all([SubschemaIndex])
  case any([SubschemaIndex])
  case one([SubschemaIndex])
  case not(SubschemaIndex)
  case conditional(SubschemaIndex, then: SubschemaIndex?, otherwise: SubschemaIndex?)
}

/// The values of a list, found by hash, because lists of choices can be long.
struct ListedValues: Sendable {
  let values: [JSON]
  private let set: Set<JSON>

  init(_ values: [JSON]) { (self.values, set) = (values, Set(values)) }

  func contains(_ value: JSON) -> Bool { set.contains(value) }
}

struct SizedValue: Sendable {
  let value: JSON
  let work: Int

  init(_ value: JSON) {
    self.value = value
    work = value.work
  }
}

extension JSON {
  /// The steps of comparing or hashing it: measured, up to 50 ns for a value in an array or object, and 1 ns
  /// for a byte.
  var work: Int {
    switch self {
    case .null, .bool, .int, .double: return 1
    case .string(let string): return 1 + string.utf8.count / 16
    case .array, .object:
      var size = Int.max
      _ = spend(depth: .max, size: &size)
      return .max - size
    }
  }
}

/// A pattern with its source.
struct SourcedPattern: Sendable {
  let source: String
  let pattern: Pattern
}

/// The schemas of an object's members: `properties`, `patternProperties` and `additionalProperties`.
struct MemberSchemas: Sendable {
  /// The named members; their schemas are in `schemas`, in the same order.
  let properties: JSONObject
  let schemas: [SubschemaIndex]
  let patterns: [(pattern: SourcedPattern, schema: SubschemaIndex)]
  /// The schema of all other members.
  let additional: SubschemaIndex?

  /// The names in `properties`.
  var names: [String] { properties.members.map(\.name) }
}
