import Foundation
import Locks

@testable package import MenuStore

/// A schema of its own of a PostgreSQL server, made when it is asked for, with a connection to do to it what
/// operators do.
package final class PostgreSQLSchemaForTests: Sendable {
  package let name = "menud_" + UUID().uuidString.replacing("-", with: "").lowercased()
  private let server: PostgreSQLServer?
  private let connection = Monitor<PostgreSQLConnection?>(nil)

  /// A schema of a server; the default is the one of all tests.
  package init(of server: PostgreSQLServer? = nil) { self.server = server }

  /// The address of the schema as libpq's keywords.
  package var keywords: String {
    "\((server ?? .shared).address) options='-c search_path=\(name)'"
  }

  /// The address of the schema, which is there then.
  package var address: PostgreSQLAddress {
    get throws(JournalFault) {
      try connect()
      guard let address = PostgreSQLAddress(keywords) else { throw .closed }
      return address
    }
  }

  /// Runs statements, if the schema was made.
  package func run(_ script: String) {
    connection.withLock { connection in
      do throws(JournalFault) {
        try connection?.execute(script)
      } catch {
        print("PostgreSQL: \(error)")
      }
    }
  }

  /// The integer that a statement returns.
  package func number(_ text: String) -> Int64? {
    connection.withLock { (try? $0?.row(of: text))?.int(0) }
  }

  /// The text that a statement returns.
  package func text(_ text: String) -> String? {
    connection.withLock { (try? $0?.row(of: text))?.text(0) }
  }

  /// Waits until a statement returns an integer; false if it does not for two minutes.
  package func settles(_ text: String, at number: Int64) -> Bool {
    eventually { self.number(text) == number }
  }

  /// Ends the connections of journals in the schema, as an operator does.
  package func terminateOthers() {
    run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory'
        AND objid::bigint = hashtext(current_schema())::bit(32)::bigint
      """)
  }

  /// Removes it once no journal is in it.
  package func remove() {
    run("DROP SCHEMA \(name) CASCADE")
    connection.withLock { $0 = nil }
  }

  private func connect() throws(JournalFault) {
    try connection.withLock { (connection) throws(JournalFault) in
      guard connection == nil, let address = PostgreSQLAddress(keywords) else { return }
      guard (server ?? .shared).isRunning else {
        throw .unreachable(database: "the tests' PostgreSQL", message: "It does not run.")
      }
      let new = try PostgreSQLConnection(address, patience: .seconds(60))
      try new.execute("CREATE SCHEMA IF NOT EXISTS \(name)")
      connection = new
    }
  }
}
