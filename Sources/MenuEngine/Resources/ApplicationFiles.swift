import CEL
import JSONText

/// The files that an application's declarations name, read together with the declarations.
///
/// Their contents become part of the catalogue, so that replicas and stored catalogues do not need the folder.
package final class ApplicationFiles {
  /// Returns the bytes of the file at a path below the folder, at most `limit` of them.
  package typealias Reader = @Sendable (_ path: String, _ limit: Int) throws(FileFault) -> [UInt8]

  private let read: Reader
  private var known: [[UInt8]: [UInt8]] = [:]
  /// The contents by path and kind, text or not.
  private var contents: [[UInt8]: ApplicationFile.Contents] = [:]
  private var room = Limits.applicationFiles

  /// - Parameter read: Reads a file. The default has no folder.
  package init(_ read: @escaping Reader = ApplicationFiles.noFolder) { self.read = read }

  package static let noFolder: Reader = { (_, _) throws(FileFault) in throw .noFolder }

  /// Returns the contents of a file and its size. The contents are stored once, however often it is named.
  func contents(
    at path: String, as type: MediaType
  ) throws(FileFault) -> (ApplicationFile.Contents, size: Int) {
    let bytes = try bytes(at: path)
    let key = Array(path.utf8) + [type.isText ? 1 : 0]
    if let known = contents[key] { return (known, bytes.count) }
    let made = try ApplicationFile.Contents(bytes, type)
    contents[key] = made
    return (made, bytes.count)
  }

  /// Returns the bytes of a file, which count once toward the limit.
  private func bytes(at path: String) throws(FileFault) -> [UInt8] {
    if let bytes = known[Array(path.utf8)] { return bytes }
    let bytes = try read(path, Limits.applicationFile)
    guard bytes.count <= Limits.applicationFile else {
      throw .tooLarge(limit: Limits.applicationFile)
    }
    guard bytes.count <= room else { throw .tooMuch(limit: Limits.applicationFiles) }
    room -= bytes.count
    known[Array(path.utf8)] = bytes
    return bytes
  }
}

/// A reason why a file of an application cannot be read.
package enum FileFault: Error, Equatable, Sendable {
  /// The declarations do not come from a folder.
  case noFolder
  case absent
  /// A symbolic link leads out of the folder.
  case outside
  /// It is a folder, or a special file.
  case notAFile
  /// The file exceeds the maximum size.
  case tooLarge(limit: Int)
  /// All files together exceed the maximum size.
  case tooMuch(limit: Int)
  /// Its media type is textual, but it is not UTF-8.
  case notText(MediaType)
  /// The system cannot read it, for this reason.
  case unreadable(String)
}

/// A file of an application in the form for agents: a text, or Base64.
package struct ApplicationFile: Sendable {
  package enum Contents: Sendable {
    case text(String)
    /// The bytes as Base64.
    case blob(String)
  }

  /// The path below the folder.
  package let path: String
  package let type: MediaType
  package let contents: Contents
  /// The number of its bytes.
  package let size: Int

  /// Reads a path and the file; the default type is that of the extension.
  init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, type declared: MediaType?
  ) {
    guard let path = Read.filePath(json, at: pointer, log: log) else { return nil }
    let type = declared ?? MediaType(ofPath: path)
    do throws(FileFault) {
      (contents, size) = try log.files.contents(at: path, as: type)
    } catch {
      log.note(.file(error), at: pointer)
      return nil
    }
    (self.path, self.type) = (path, type)
  }

  /// The bytes as Base64, as stored with a catalogue.
  var base64: String {
    switch contents {
    case .text(let text): Base64.text(Array(text.utf8))
    case .blob(let blob): blob
    }
  }
}

extension ApplicationFile.Contents {
  fileprivate init(_ bytes: [UInt8], _ type: MediaType) throws(FileFault) {
    guard type.isText else {
      self = .blob(Base64.text(bytes))
      return
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(type) }
    self = .text(text)
  }

  /// The number of bytes of the text, or of the Base64.
  var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let blob): blob.utf8.count
    }
  }
}

extension Read {
  /// Reads the path of a file below the folder: names without `.` and `..`, separated by `/`.
  static func filePath(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> String? {
    guard case .string(let path) = json, path.isFilePath else {
      return refuse(.filePath, json, at: pointer, log: log)
    }
    return path
  }
}

extension String {
  fileprivate var isFilePath: Bool {
    guard (1...Limits.filePath).contains(utf8.count), !utf8.contains(0) else { return false }
    return utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { name in
        !name.isEmpty && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
      }
  }
}
