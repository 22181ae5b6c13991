// For the global variable `environ`, which is never written.
@unsafe @preconcurrency import Glibc
import JSONText
import MenuEngine

/// The program's system calls; besides `ChildProcess.swift` no other file of it uses pointers.
enum Posix {
  /// Returns the value of an environment variable.
  static func environmentValue(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  static var environment: [String: String] {
    var variables: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let variable = unsafe String(cString: text)
      if let sign = variable.firstIndex(of: "=") {
        variables[String(variable[..<sign])] = String(variable[sign...].dropFirst())
      }
      unsafe entry += 1
    }
    return variables
  }

  /// True if there is a file or folder at that path.
  static func isPresent(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// True if a folder has that entry, even if it is a dangling link.
  static func isEntry(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Returns the names of a folder's entries, with `.` and `..`, in alphabetical order; empty if there is no folder.
  ///
  /// - Throws: `ConfigurationFault.unreadable`.
  static func entries(of path: String) throws(ConfigurationFault) -> [String] {
    guard let folder = unsafe opendir(path) else {
      if [ENOENT, ENOTDIR].contains(errno) { return [] }
      throw .unreadable(path: path, .unreadable(description(of: errno)))
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    // At the end of the folder, `readdir` leaves `errno` unchanged.
    errno = 0
    while let entry = unsafe readdir(folder) {
      // Read in place: an entry can be shorter than its type, and a copy would read beyond it.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
      }
      names.append(name)
      errno = 0
    }
    guard errno == 0 else { throw .unreadable(path: path, .unreadable(description(of: errno))) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// True if there is a folder at that path.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static let output = STDOUT_FILENO
  /// The descriptor of standard error.
  static let errors = STDERR_FILENO

  /// True if standard output is a terminal.
  static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes all of a text; errors are ignored.
  static func write(_ text: String, to descriptor: Int32) {
    write(Array(text.utf8), to: descriptor)
  }

  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  static var milliseconds: Int64 { Int64(nanoseconds(of: CLOCK_REALTIME) / 1_000_000) }

  /// A monotonic time in milliseconds.
  static var monotonicMilliseconds: Int64 { Int64(monotonicNanoseconds / 1_000_000) }

  /// A monotonic time in nanoseconds.
  static var monotonicNanoseconds: Int { nanoseconds(of: CLOCK_MONOTONIC) }

  /// The processor time of the process, in nanoseconds.
  static var processorNanoseconds: Int { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// The processor time of the present thread, in nanoseconds.
  static var threadNanoseconds: Int { nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) }

  private static func nanoseconds(of clock: clockid_t) -> Int {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// The number of file descriptors that the process may have open.
  static var maximumDescriptors: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return 0
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit of open file descriptors to the system's maximum; returns the limit.
  static func raiseMaximumDescriptors() -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return .max }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(resource, &limit)
    return maximumDescriptors
  }

  /// The bytes of a page of memory.
  static var pageSize: Int { sysconf(Int32(_SC_PAGESIZE)) }

  static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    unsafe nanosleep(&time, nil)
  }

  /// Returns the system's description of an error.
  static func description(of code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  /// Returns the bytes of a regular file, or of a pipe or device that the path names below `/dev`, as a shell does.
  ///
  /// - Throws: `ConfigurationFault.unreadable`.
  static func contents(of path: String) throws(ConfigurationFault) -> [UInt8] {
    do throws(FileFault) {
      return try contents(
        of: path, opening: path.hasPrefix("/dev/") ? 0 : O_NONBLOCK, upTo: maximumFileSize)
    } catch {
      throw .unreadable(path: path, error)
    }
  }

  /// The maximum size, in bytes, of a file that the program reads.
  private static let maximumFileSize = 16 << 20
}

extension Posix {
  /// Sends a text as one datagram to a local socket; `@` begins the name of an abstract one. Errors are ignored.
  static func send(_ text: String, toSocket name: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(name.utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    if path.first == UInt8(ascii: "@") { path[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let length = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + path.count } ?? 0
    let bytes = Array(text.utf8)
    _ = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe sendto(
          descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
  }

  /// Returns the absolute path of a file without symbolic links; nil if there is none.
  static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Returns the bytes of a regular file that is not a symbolic link.
  static func contents(
    ofRegularFile path: String, upTo limit: Int
  ) throws(FileFault) -> [UInt8] {
    try contents(of: path, opening: O_NOFOLLOW | O_NONBLOCK, upTo: limit)
  }

  /// Returns the bytes of a file opened with flags. With `O_NONBLOCK`, only a regular file is read, because a pipe
  /// would be empty at first.
  private static func contents(
    of path: String, opening flags: Int32, upTo limit: Int
  ) throws(FileFault) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | flags)
    guard descriptor >= 0 else { throw .unreadable(description(of: errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .unreadable(description(of: errno))
    }
    guard flags & O_NONBLOCK == 0 || status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw .unreadable(description(of: errno)) }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
    throw .tooLarge(limit: limit)
  }
}

extension JSON {
  /// Reads the value in a file.
  ///
  /// - Throws: `ConfigurationFault.unreadable` or `.notJSON`.
  init(readingFile path: String) throws(ConfigurationFault) {
    self = try SourceFile(reading: path).json
  }
}

extension String {
  /// Returns this path, relative to the folder of the file at `path`; an absolute path is unchanged.
  func resolved(beside path: String) -> String {
    guard !hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return self }
    return path[...slash] + self
  }

  var withoutTrailingSlashes: String {
    var path = self
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
