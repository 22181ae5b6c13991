import CPostgreSQL
import Glibc

/// An address of a PostgreSQL database in libpq's syntax: a `postgresql://` URI or `keyword=value` pairs.
///
/// Absent keywords are taken from libpq's environment variables, such as `PGHOST` and `PGPASSFILE`. No message
/// shows the address, since it can contain a password.
package struct PostgreSQLAddress: Sendable, CustomStringConvertible, CustomReflectable {
  /// The address as keywords, each with its value in quotes.
  let keywords: String

  /// The address in libpq's environment variables.
  package static let ofVariables = PostgreSQLAddress(keywords: "")

  private init(keywords: String) { self.keywords = keywords }

  /// Creates an address; nil if the text is malformed. An empty one uses the environment variables alone.
  package init?(_ text: String) {
    // Without the library the address cannot be parsed; a connection reports its absence.
    guard PostgreSQLConnection.absence == nil else {
      keywords = text
      return
    }
    // An address with another scheme would be taken for the name of a database.
    guard text.isEmpty || text.contains("=") || text.isPostgreSQLAddress,
      let options = unsafe PQconninfoParse(text, nil)
    else { return nil }
    defer { unsafe PQconninfoFree(options) }
    var words: [String] = []
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      let name = unsafe String(cString: keyword)
      let given = unsafe Self.text(option.pointee.val)
      let variable = unsafe Self.text(option.pointee.envvar)
      if let value = given ?? Self.usual(name, orIn: variable) {
        words.append("\(name)='\(value.escaped)'")
      }
      unsafe option += 1
    }
    keywords = words.joined(separator: " ")
  }

  package var description: String { "(secret)" }
  package var customMirror: Mirror { Mirror(self, children: []) }

  private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }

  /// The default of an absent keyword; nil if libpq or a variable has one.
  private static func usual(_ name: String, orIn variable: String?) -> String? {
    if let variable, unsafe getenv(variable) != nil { return nil }
    return usual[name]
  }

  /// These detect a lost server within seconds, and exclude read-only servers.
  private static let usual = [
    "application_name": "menud", "connect_timeout": "5", "keepalives_idle": "5",
    "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "10000",
    "target_session_attrs": "read-write",
  ]
}

extension String {
  /// True if the text has the prefix of a PostgreSQL URI.
  package var isPostgreSQLAddress: Bool {
    hasPrefix("postgresql://") || hasPrefix("postgres://")
  }

  fileprivate var escaped: String {
    var text = ""
    for character in unicodeScalars {
      if character == "'" || character == "\\" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(character)
    }
    return text
  }
}
