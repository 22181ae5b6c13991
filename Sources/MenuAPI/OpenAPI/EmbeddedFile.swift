import CEmbeddedFiles
import JSONText

/// A text file that the program contains; their sources are in `Sources/CEmbeddedFiles`.
struct EmbeddedFile {
  /// The path in that folder.
  let path: String
  /// The contents.
  let text: String

  /// All files in the order of the table in `CEmbeddedFiles.c`.
  static var all: [EmbeddedFile] {
    var files: [EmbeddedFile] = []
    while let path = unsafe embeddedPath(files.count), let text = unsafe embeddedText(files.count) {
      files.append(unsafe EmbeddedFile(path: String(cString: path), text: String(cString: text)))
    }
    return files
  }

  /// The file as JSON.
  var json: JSON {
    do throws(JSONFault) {
      return try JSON(parsing: text)
    } catch {
      preconditionFailure("\(path) is not JSON: \(error)")
    }
  }

  /// The file as a JSON object.
  var object: JSONObject {
    guard case .object(let object) = json else { preconditionFailure("\(path) has no members.") }
    return object
  }
}
