import JSONText

/// A place in a file that somebody wrote: `app/commands.json:12:5: /4/title`.
struct FilePlace: Sendable, CustomStringConvertible {
  /// The file.
  let path: String
  /// The line and the column, from 1; nil for a file as a whole.
  var position: (line: Int, column: Int)?
  /// The place in the file's value. The default is the whole of it.
  var pointer = JSONPointer.root

  var description: String {
    let start = position.map { "\(path):\($0.line):\($0.column)" } ?? path
    return pointer.tokens.isEmpty ? start : "\(start): \(pointer)"
  }
}

/// A file of JSON as it was read, which knows where its values stand.
final class SourceFile {
  let path: String
  /// Its value.
  let json: JSON
  private let bytes: [UInt8]
  /// Only a file with something to say about has them made.
  private lazy var places = try? JSONPlaces(of: bytes)

  /// Reads a file.
  ///
  /// - Throws: `ConfigurationFault.unreadable` or `.notJSON`.
  init(reading path: String) throws(ConfigurationFault) {
    self.path = path
    bytes = try Posix.contents(of: path)
    do throws(JSONFault) {
      json = try JSON(parsing: bytes, integers: .exact)
    } catch {
      throw .notJSON(path: path, error)
    }
  }

  /// The place of a value, or of what is around it when it is not there.
  func place(of pointer: JSONPointer) -> FilePlace {
    place(at: places?.value(at: pointer), pointer)
  }

  /// The place of a member's name.
  func placeOfName(_ pointer: JSONPointer) -> FilePlace {
    place(at: places?.name(at: pointer), pointer)
  }

  /// True if there is a value at that pointer.
  func contains(_ pointer: JSONPointer) -> Bool { places?.contains(pointer) == true }

  private func place(at place: JSONPlaces.Place?, _ pointer: JSONPointer) -> FilePlace {
    FilePlace(path: path, position: place.map { ($0.line, $0.column) }, pointer: pointer)
  }
}
