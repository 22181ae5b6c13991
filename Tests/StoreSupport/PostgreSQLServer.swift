import Foundation
import Glibc
package import Testing

/// A PostgreSQL server in a folder of its own, which ends with this process, however that ends.
///
/// It listens on a socket in that folder alone, and flushes nothing.
package final class PostgreSQLServer: Sendable {
  /// The server of all tests of this process.
  package static let shared = PostgreSQLServer()

  /// True if PostgreSQL 15 or newer is there.
  package static let isInstalled = programs != nil

  /// Runs tests only where PostgreSQL is; says so elsewhere.
  package static let isNeeded = ConditionTrait.enabled(
    if: isInstalled, "\(isMissing)")

  /// Says that it is not installed, and how it is.
  package static let isMissing =
    "PostgreSQL 15 or newer is not installed: apt-get install postgresql."

  /// The folder, which its user and this one can read.
  package let folder: String
  /// True if it answers.
  package let isRunning: Bool
  private let input: FileHandle?

  package init() {
    let shared = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    folder = "\(shared)/menud-postgresql-\(UUID().uuidString)"
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.script, "sh", folder, Self.programs ?? ""]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // The script waits for the end of this pipe, which no other child of this process may have.
    for descriptor in [input.fileHandleForWriting, output.fileHandleForReading] {
      _ = fcntl(descriptor.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    guard Self.isInstalled, (try? process.run()) != nil else {
      self.input = nil
      isRunning = false
      return
    }
    self.input = input.fileHandleForWriting
    let answer = output.fileHandleForReading.availableData
    isRunning = String(decoding: answer, as: UTF8.self) == "ready\n"
  }

  deinit { try? input?.close() }

  /// Stops it at once, as a crash would (`crash`), or starts it again (`start`); or lets it hang (`freeze`), or go on
  /// (`thaw`).
  package func send(_ command: String) {
    try? input?.write(contentsOf: Data("\(command)\n".utf8))
  }

  /// The keywords of libpq that lead to it.
  package var address: String { "host=\(folder) user=menud dbname=postgres" }

  /// The folder of the server's programs.
  private static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.compactMap(Int.init).filter { $0 >= 15 }.max().map { "\(root)/\($0)/bin" }
  }()

  /// PostgreSQL refuses to run as root.
  private static let script = """
    folder=$1
    programs=$2
    mkdir "$folder" && chmod 755 "$folder" && cd "$folder" || exit 1
    as=
    if [ "$(id -u)" = 0 ]; then
      chown postgres "$folder"
      as="setpriv --reuid=postgres --regid=postgres --clear-groups"
    fi
    start() {
      $as "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off \\
        -c full_page_writes=off -c max_connections=500 \\
        -c dynamic_shared_memory_type=mmap >>log 2>&1 </dev/null &
      until $as "$programs/pg_isready" -q -h "$folder"; do
        kill -0 $! || return 1
        sleep 0.02
      done
    }
    $as "$programs/initdb" -D "$folder/data" -A trust -U menud --no-sync --locale=C -E UTF8 \
      >log 2>&1
    start && echo ready
    exec >/dev/null
    while read -r command; do
      case $command in
        crash) kill -QUIT $!; wait $! ;;
        freeze) kill -STOP $! $(pgrep -P $!) ;;
        thaw) kill -CONT $! $(pgrep -P $!) ;;
        start) start ;;
      esac
    done
    kill -QUIT $!
    wait $!
    cd / && rm -rf "$folder"
    """
}
