import CPostgreSQL
import Glibc

/// An address of a PostgreSQL database as libpq reads it: a `postgresql://` address or `keyword=value`
/// pairs.
///
/// Keywords that it does not have are taken from libpq's own environment variables, such as `PGHOST` and
/// `PGPASSFILE`. No message shows it, since it can have a password.
package struct PostgreSQLAddress: Sendable, CustomStringConvertible, CustomReflectable {
  /// The address as keywords, each with its value in quotation marks.
  let keywords: String

  /// The address that libpq's own variables have.
  package static let ofVariables = PostgreSQLAddress(keywords: "")

  private init(keywords: String) { self.keywords = keywords }

  /// Nil if it is no address; an empty one is of the variables alone.
  package init?(_ text: String) {
    // A connection tells why there is no library; until then nothing can read the address.
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

  /// The value of a keyword that is not given; nil if it is libpq's, or in a variable.
  private static func usual(_ name: String, orIn variable: String?) -> String? {
    if let variable, unsafe getenv(variable) != nil { return nil }
    return usual[name]
  }

  /// A server that is gone is noticed within seconds, and one that only reads is none of ours.
  private static let usual = [
    "application_name": "menud", "connect_timeout": "5", "keepalives_idle": "5",
    "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "10000",
    "target_session_attrs": "read-write",
  ]
}

extension String {
  /// True if it begins as an address of PostgreSQL does.
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
