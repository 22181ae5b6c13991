import Glibc

/// The files of a journal at their paths when it was opened.
struct OpenFiles: Sendable {
  private let files: [(path: String, identity: Identity)]

  /// The device and inode numbers of a file.
  private struct Identity: Equatable {
    let device: dev_t
    let number: ino_t

    /// Reads the identity of the file at a path; nil if there is none.
    init?(of path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      (device, number) = (status.st_dev, status.st_ino)
    }
  }

  /// Notes the files of an open journal.
  init(of journal: String) {
    files = ["", "-wal", ".lock"].compactMap { end in
      Identity(of: journal + end).map { (journal + end, $0) }
    }
  }

  /// The path of a file that was removed or replaced; nil if none was.
  var missing: String? { files.first { Identity(of: $0.path) != $0.identity }?.path }
}
