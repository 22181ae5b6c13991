package import JSONText

/// The format of sessions, catalogues and mutations in a journal and its snapshots.
///
/// It is internal: every stored property of a value, as synthesized by the compiler, so that a decoded value
/// behaves exactly like the original. The documents of clients (``Mutation/json``) differ; they omit internal
/// data, such as the next token and the contents of undo stacks.
///
/// Equal values have equal bytes. The stored form is a JSON array of the version and the value.
package enum StoredFormat {
  /// The version written. A change of stored properties requires another one, unless it adds a property that is
  /// optional or empty by default.
  package static let version = 1

  /// Encodes a value.
  ///
  /// - Throws: `JSONCodingFault` with the place of a value that cannot be stored: a handler with closures, a
  ///   number that is not finite.
  package static func bytes(of value: some Encodable) throws(JSONCodingFault) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    writer.value(version)
    writer.value(try JSON(encoding: value))
    writer.endArray()
    return writer.bytes
  }

  /// Decodes a value.
  ///
  /// - Throws: `StoredFault`.
  package static func value<Value: Decodable>(
    _ type: Value.Type = Value.self, from bytes: [UInt8]
  ) throws(StoredFault) -> Value {
    let json: JSON
    do throws(JSONFault) {
      // One level more than the value itself.
      json = try JSON(parsing: bytes, maximumDepth: JSON.codingDepth + 1)
    } catch {
      throw .text(error)
    }
    guard case .array(let parts) = json, parts.count == 2, case .int(let found) = parts[0] else {
      throw .notStored
    }
    guard found == version else { throw .otherVersion(found) }
    do throws(JSONCodingFault) {
      return try parts[1].decoded(as: type)
    } catch {
      throw .value(error)
    }
  }
}

/// A reason why bytes cannot be decoded.
package enum StoredFault: Error, Equatable, Sendable {
  /// The bytes are not JSON.
  case text(JSONFault)
  /// The JSON is not a version and a value.
  case notStored
  /// The bytes have another version of the format.
  case otherVersion(Int64)
  /// The value does not have the expected type.
  case value(JSONCodingFault)
}

extension StoredFault: CustomStringConvertible {
  /// A sentence for people.
  package var description: String {
    switch self {
    case .text(let fault): "What is stored is no JSON. \(fault)"
    case .notStored: "What is stored is not an array of the format's version and a value."
    case .otherVersion(let version):
      "What is stored is in version \(version) of the format; this program reads version "
        + "\(StoredFormat.version)."
    case .value(let fault): "What is stored cannot be read. \(fault)"
    }
  }
}

/// A value that is not coded because it is only valid temporarily; nil after decoding.
struct Uncoded<Value> {
  /// One value or none: an array, which is one word.
  private var cell: [Value] = []

  init() {}

  var value: Value? {
    get { cell.first }
    set { cell = newValue.map { [$0] } ?? [] }
  }
}

extension Uncoded: Sendable where Value: Sendable {}

extension Uncoded: Codable {
  func encode(to encoder: any Encoder) {}

  init(from decoder: any Decoder) {}
}
