import CEL
import Foundation
import Testing

/// One case of the conformance data, in the shape that its README describes.
struct ConformanceCase: Decodable {
  let file: String
  let section: String
  let name: String
  let expr: String
  let container: String?
  let isUnchecked: Bool?
  let isCheckedOnly: Bool?
  let bindings: [String: WireValue]
  let declarations: [Declaration]?
  let expect: Expectation?
  let typed: String?

  private enum CodingKeys: String, CodingKey {
    case file, section, name, expr, container, bindings, expect, typed
    case isUnchecked = "disable_check"
    case isCheckedOnly = "check_only"
    case declarations = "type_env"
  }

  /// A variable has a type, a function has overloads.
  struct Declaration: Decodable {
    let name: String
    let type: WireType?
    let overloads: [Overload]?

    struct Overload: Decodable {
      let params: [WireType]
      let result: WireType
      let member: Bool?
    }
  }

  struct Expectation: Decodable {
    let value: WireValue?
    let error: Bool?
  }
}

extension ConformanceCase {
  var environment: Environment {
    let declarations = declarations ?? []
    let names = Set(bindings.keys).union(declarations.filter { $0.type != nil }.map(\.name))
    let types = declarations.compactMap { declaration in
      declaration.type.map { (declaration.name, $0.type) }
    }
    let functions = declarations.flatMap { declaration in
      (declaration.overloads ?? []).map {
        Signature(
          declaration.name, taking: $0.params.map(\.type), returning: $0.result.type,
          isMember: $0.member ?? false)
      }
    }
    return Environment(
      variables: names.sorted(), types: Dictionary(uniqueKeysWithValues: types),
      functions: functions, container: container ?? "", isChecked: isUnchecked != true)
  }
}

/// A type as the data writes it.
struct WireType: Decodable {
  let type: StaticType

  init(from decoder: any Decoder) throws {
    type = try #require(StaticType(decoder.singleValueContainer().decode(String.self)))
  }
}

/// A value as the data writes it; nil for a type of an unknown name.
struct WireValue: Decodable {
  let value: Value?

  private enum Tag: String, CodingKey {
    case null, bool, int, uint, double, string, bytes, list, map, type, timestamp, duration
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Tag.self)
    func decode<T: Decodable>(_ tag: Tag, _: T.Type = T.self) throws -> T {
      try container.decode(T.self, forKey: tag)
    }
    switch try #require(container.allKeys.first) {
    case .null: value = .null
    case .bool: value = .bool(try decode(.bool))
    case .int: value = .int(try #require(Int64(try decode(.int, String.self))))
    case .uint: value = .uint(try #require(UInt64(try decode(.uint, String.self))))
    case .double: value = .double(try #require(Double(try decode(.double, String.self))))
    case .string: value = .string(try decode(.string))
    case .bytes: value = .bytes(Array(try decode(.bytes, Data.self)))
    case .list:
      let elements: [WireValue] = try decode(.list)
      value = .list(.values(elements.compactMap(\.value)))
    case .map:
      var map = MapEntries()
      for entry in try decode(.map, [[WireValue]].self) {
        if let key = entry[0].value, let value = entry[1].value {
          map.append(key: key, value: value)
        }
      }
      value = .map(.entries(map))
    case .type: value = ValueType(rawValue: try decode(.type)).map { .type($0) }
    case .timestamp:
      value = .timestamp(try #require(Timestamp(try decode(.timestamp, String.self))))
    case .duration: value = .duration(try #require(TimeSpan(try decode(.duration, String.self))))
    }
  }
}

extension Value {
  /// Returns true if both are the same value of the same type; any NaN is the same as any other.
  func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.int(let left), .int(let right)): return left == right
    case (.uint(let left), .uint(let right)): return left == right
    case (.double(let left), .double(let right)):
      return left.isNaN && right.isNaN || left == right && left.sign == right.sign
    case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
    case (.bytes(let left), .bytes(let right)): return left == right
    case (.optional(nil), .optional(nil)): return true
    case (.optional(let left?), .optional(let right?)): return left.isIdentical(to: right)
    case (.type(let left), .type(let right)): return left == right
    case (.timestamp(let left), .timestamp(let right)): return left == right
    case (.duration(let left), .duration(let right)): return left == right
    case (.list(let left), .list(let right)):
      guard left.count == right.count else { return false }
      return (0..<left.count).allSatisfy { position in
        guard let left = left[position], let right = right[position] else { return false }
        return left.isIdentical(to: right)
      }
    case (.map(let left), .map(let right)):
      return left.count == right.count
        && (0..<left.count).map { left.entry(at: $0) }.allSatisfy { entry in
          (0..<right.count).map { right.entry(at: $0) }.contains {
            $0.key.isIdentical(to: entry.key) && $0.value.isIdentical(to: entry.value)
          }
        }
    default: return false
    }
  }
}
