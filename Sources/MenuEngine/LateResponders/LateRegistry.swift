/// The late responders of a host: they are asked after it, and before what follows it (L1).
public struct LateRegistry: Equatable, Sendable, Codable {
  /// True if what follows the host follows its late responders too. The default is true; else
  /// everything after the host is unreachable from it (L2).
  public let hooksLast: Bool
  /// The late responders in the order in which they are asked: the lightest first, of equal ones
  /// the one first that was registered first (L3).
  public internal(set) var members: [ResponderID]

  /// A registry with these late responders.
  public init(hooksLast: Bool = true, members: [ResponderID] = []) {
    self.hooksLast = hooksLast
    self.members = members
  }
}

/// The two ends of a registry, which are responders that answer nothing. Their names have a slash,
/// which no client can give a name.
extension ResponderID {
  /// Returns the beginning of a registry, to which the host leads.
  static func lateInitial(of host: ResponderID) -> ResponderID {
    ResponderID(unchecked: host.rawValue + lateInitialSuffix)
  }

  /// Returns the end of a registry, which leads to what follows the host.
  static func lateLast(of host: ResponderID) -> ResponderID {
    ResponderID(unchecked: host.rawValue + lateLastSuffix)
  }

  /// True if it is an end of a registry.
  public var isRegistryEnd: Bool { rawValue.utf8.contains(UInt8(ascii: "/")) }

  /// The name written as `text`, which may also be that of an end: `detail/late-last`.
  init?(chained text: String) {
    let suffix = [lateInitialSuffix, lateLastSuffix].first(where: text.hasSuffix) ?? ""
    guard ResponderID(String(text.dropLast(suffix.count))) != nil else { return nil }
    self.init(unchecked: text)
  }
}

private let lateInitialSuffix = "/late-initial"
private let lateLastSuffix = "/late-last"
