import JSONText
import MenuEngine
import MicroHTTP

/// The name of a command as a tool: the command's id, in which each colon is a `-`.
///
/// Names of tools have no colons. A `-` of the id is `--`; a colon before another one, or before a `-` or `.`,
/// is `-.`. So no two ids have one name, and any id without colons and `-` is its own name. A name that
/// would be longer than 128 characters is cut, and ends in `-._` and a digest of the id.
enum ToolName {
  /// The greatest length of a name.
  static let maximumLength = 128

  /// Returns the name of a command.
  static func text(of id: CommandID) -> String {
    let name = encoded(id)
    guard name.utf8.count > maximumLength else { return name }
    let end = "-._" + digest(of: id)
    return String(Substring(name.utf8.prefix(maximumLength - end.utf8.count))) + end
  }

  /// Returns the command that a tool stands for; nil if there is none.
  static func command(named name: String, in catalog: Catalog) -> Command? {
    if let id = decoded(name), let command = catalog.command(id),
      text(of: id).hasSameBytes(as: name)
    {
      return command
    }
    guard name.utf8.count == maximumLength else { return nil }
    return catalog.commands.first { text(of: $0.id).hasSameBytes(as: name) }
  }

  private static let colon = UInt8(ascii: ":")
  private static let hyphen = UInt8(ascii: "-")
  private static let dot = UInt8(ascii: ".")

  private static func encoded(_ id: CommandID) -> String {
    let bytes = Array(id.rawValue.utf8)
    var name: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      guard byte == colon else {
        name += byte == hyphen ? [hyphen, hyphen] : [byte]
        continue
      }
      name.append(hyphen)
      guard index + 1 < bytes.count else { continue }
      if [colon, hyphen, dot].contains(bytes[index + 1]) { name.append(dot) }
    }
    return String(decoding: name, as: UTF8.self)
  }

  private static func decoded(_ name: String) -> CommandID? {
    let bytes = Array(name.utf8)
    var id: [UInt8] = []
    var index = 0
    while index < bytes.count {
      defer { index += 1 }
      guard bytes[index] == hyphen else {
        id.append(bytes[index])
        continue
      }
      let next = index + 1 < bytes.count ? bytes[index + 1] : nil
      id.append(next == hyphen ? hyphen : colon)
      if next == hyphen || next == dot { index += 1 }
    }
    return CommandID(String(decoding: id, as: UTF8.self))
  }

  private static func digest(of id: CommandID) -> String {
    SHA256.digest(of: Array(id.rawValue.utf8)).prefix(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
