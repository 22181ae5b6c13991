package import JSONText

/// The format of sessions, catalogues and mutations in a journal and its snapshots.
///
/// This is the engine's own format and no other: every stored property of a value, as the compiler
/// synthesises it, so that what is read back goes on exactly as the value would have. The documents
/// that clients read and write (``Mutation/json``) are something else; they omit internal data,
/// such as the next token and the contents of undo stacks.
///
/// Equal values have equal bytes. What is stored is a JSON array of the version and the value.
package enum StoredFormat {
  /// The version that is written. A change of the stored properties of any of the values, other than
  /// one more that is optional or empty by default, needs another one.
  package static let version = 1

  /// A value as it is stored.
  ///
  /// - Throws: `JSONCodingFault` with the place of what cannot be stored: a handler made of closures, a
  ///   number that is not finite.
  package static func bytes(of value: some Encodable) throws(JSONCodingFault) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    writer.value(version)
    writer.value(try JSON(encoding: value))
    writer.endArray()
    return writer.bytes
  }

  /// The value of a type that was stored.
  ///
  /// - Throws: `StoredFault`.
  package static func value<Value: Decodable>(
    _ type: Value.Type = Value.self, from bytes: [UInt8]
  ) throws(StoredFault) -> Value {
    let json: JSON
    do throws(JSONFault) {
      // One level more than the value itself may have.
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

/// A reason why bytes are not a stored value of this version.
package enum StoredFault: Error, Equatable, Sendable {
  /// They are no JSON.
  case text(JSONFault)
  /// They are JSON, but not a version and a value.
  case notStored
  /// They were written in another version of the format.
  case otherVersion(Int64)
  /// The value is not what was asked for.
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

/// A part of a value that is not stored with it, since it tells of a moment that is over; after decoding
/// it is nil.
struct Uncoded<Value> {
  /// One value or none: an array, so that whatever holds it is small.
  private var cell: [Value] = []

  /// None.
  init() {}

  /// The value, if there is one.
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
