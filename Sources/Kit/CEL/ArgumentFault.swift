/// A reason why a function rejects an argument of the right type.
public enum ArgumentFault: Sendable, Equatable {
  /// An offset before the beginning of a string or beyond its end, in code points.
  case offset(Int64, length: Int)
  /// A range of a string or list that ends before it begins.
  case range(Int64, Int64)
  /// A list that has to have elements.
  case noElements(function: String)
  /// A number that must not be negative.
  case negative(Int64, function: String)
  /// Elements, or keys of elements, that cannot be sorted because their types differ.
  case mixedTypes(ValueType, ValueType)
  /// The name, as a literal, of no time zone.
  case unknownTimeZone(String)
  /// A regular expression that does not compile, with RE2's message.
  case pattern(String)
  /// A format that ends within a clause.
  case formatEnd
  /// A character that is no verb of a format.
  case formatVerb(String)
  /// A precision without digits, or with too many.
  case formatPrecision(limit: Int)
  /// A clause of a format for which there is no argument at this position, from 0.
  case formatArgument(Int, count: Int)
  /// A verb of a format that does not take arguments of this type.
  case formatType(verb: String, ValueType)
}

extension ArgumentFault {
  /// The fault as people read it.
  var wording: String {
    switch self {
    case .offset(let offset, let length):
      "no offset \(offset) in a string of length \(length)"
    case .range(let start, let end):
      "the range from \(start) to \(end) ends before it begins"
    case .noElements(let function):
      "'\(function)' is not defined for an empty list"
    case .negative(let number, let function):
      "'\(function)' is not defined for the negative number \(number)"
    case .mixedTypes(let first, let second):
      "\(first.rawValue) and \(second.rawValue) cannot be sorted together"
    case .unknownTimeZone(let name):
      "there is no time zone \(name)"
    case .pattern(let message):
      "invalid pattern: \(message)"
    case .formatEnd:
      "the format ends within a clause"
    case .formatVerb(let verb):
      "'%\(verb)' is no clause of a format; those are %s %d %f %e %b %x %X %o and %%"
    case .formatPrecision(let limit):
      "the precision of a format is a number up to \(limit)"
    case .formatArgument(let index, let count):
      "no argument \(index) for the format, which has \(count)"
    case .formatType(let verb, let type):
      "'%\(verb)' does not take \(Wording.noun(type.rawValue))"
    }
  }
}
