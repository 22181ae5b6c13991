import MenuEngine

extension Posix {
  /// Returns a reader of the files below a folder. Symbolic links may not lead out of it.
  static func reader(ofFilesBelow folder: String) -> ApplicationFiles.Reader {
    { (path, limit) throws(FileFault) in
      guard let root = resolved(folder), let file = resolved("\(folder)/\(path)") else {
        throw .absent
      }
      guard file.utf8.starts(with: root.utf8),
        root == "/" || file.utf8.dropFirst(root.utf8.count).first == UInt8(ascii: "/")
      else { throw .outside }
      return try contents(ofRegularFile: file, upTo: limit)
    }
  }
}
