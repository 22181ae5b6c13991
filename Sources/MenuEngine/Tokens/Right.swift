/// A right of a token (T1).
package enum Right: String, CaseIterable, Codable, Sendable {
  /// Reads items: validation, menus, search, keys, and their events.
  case items
  /// Reads documents, traces, diagnostics and deliveries; includes `items`.
  case read
  /// Performs commands and user's segues, presses keys, undoes and redoes.
  case perform
  /// Moves focus.
  case focus
  /// Patches the state.
  case patch
  /// Claims deliveries, and renews, replies to or fails them.
  case work
  /// Makes every other change: of responders, handlers, registrations and so on.
  case declare

  fileprivate var bit: UInt8 {
    switch self {
    case .items: 1
    case .read: 2
    case .perform: 4
    case .focus: 8
    case .patch: 16
    case .work: 32
    case .declare: 64
    }
  }
}

/// The rights of a token, stored as an array of their names.
package struct Rights: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates the rights of a list; `read` includes `items`.
  package init(_ rights: [Right]) {
    let bits = rights.reduce(0) { $0 | $1.bit }
    rawValue = bits & Right.read.bit == 0 ? bits : bits | Right.items.bit
  }

  package static let all = Rights(Right.allCases)

  /// Returns true if the right is included.
  package func contains(_ right: Right) -> Bool { rawValue & right.bit != 0 }

  /// The rights in order.
  package var list: [Right] { Right.allCases.filter(contains) }
}

extension Rights: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(try [Right](from: decoder))
  }

  package func encode(to encoder: any Encoder) throws { try list.encode(to: encoder) }
}
