import JSONText

/// The name of one `Subject`: 1 to 128 of the characters `A–Z a–z 0–9 _ . : -`.
///
/// Only ASCII is allowed, so that comparing and hashing never normalise what a client sent.
public struct Identifier<Subject>: Hashable, Sendable {
  /// The name as text.
  public let rawValue: String

  /// The identifier written as `text`, or nil when it is empty, too long or has another character.
  public init?(_ text: String) {
    guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    rawValue = text
  }

  /// The identifier written as `text`, which the caller knows to be one.
  init(unchecked text: String) { rawValue = text }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: ":"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension Identifier {
  /// False for `.` and `..`: clients take those for steps in a path, so that no address names them.
  public var isAddressable: Bool {
    !rawValue.hasSameBytes(as: ".") && !rawValue.hasSameBytes(as: "..")
  }
}

extension Identifier: CustomStringConvertible {
  /// The name as text.
  public var description: String { rawValue }
}

/// The name of a command, by default its selector (M1).
public typealias CommandID = Identifier<Command>
/// The name of a menu (M3).
public typealias MenuID = Identifier<Menu>
/// The name of a responder in its session.
public typealias ResponderID = Identifier<Responder>
/// The name of a responder class in the catalogue.
public typealias ClassName = Identifier<ResponderClass>
/// The name of a session.
public typealias SessionID = Identifier<Session>
