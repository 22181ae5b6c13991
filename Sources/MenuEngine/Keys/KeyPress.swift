import JSONText

/// A key that was pressed.
public struct KeyPress: Equatable, Sendable, Codable {
  /// The key, and all modifiers held.
  public let key: KeyCombination
  /// The platform that it is pressed on (M2); nil for Apple's, whose names keys have.
  public let platform: KeyPlatform?
  /// The responder at which the chain begins instead of the first responder.
  public let from: ResponderID?
  /// The window that is as if it were key (R11); nil for the one that is.
  public let window: ResponderID?
  /// The sender.
  public let sender: SenderDescription?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  public let when: Int64?

  /// A pressed key.
  public init(
    _ key: KeyCombination, on platform: KeyPlatform? = nil, from: ResponderID? = nil,
    window: ResponderID? = nil, sender: SenderDescription? = nil, when: Int64? = nil
  ) {
    self.key = key
    self.platform = platform
    self.from = from
    self.window = window
    self.sender = sender
    self.when = when
  }

  /// The press in an object that has other members too, or nil and the faults.
  ///
  /// `when` is read only with `isDated`, which is the default.
  public init?(_ reader: inout ObjectReader, isDated: Bool = true) {
    let key = reader.required("key", KeyCombination.init(reading:at:log:))
    platform = reader.member("platform", Read.word)
    from = reader.member("from", Read.identifier)
    window = reader.member("window", Read.identifier)
    sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    when = isDated ? reader.member("when", Read.int).map(Int64.init) : nil
    guard let key else { return nil }
    self.key = key
  }

  /// The press as members of a document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("key", key.json),
      ("platform", platform.map { .string($0.rawValue) }),
      ("from", from.map { .string($0.rawValue) }),
      ("window", window.map { .string($0.rawValue) }), ("sender", sender?.json),
      ("when", when.map(JSON.int)),
    ]
  }

  /// The press, made at a time unless it says its own.
  public func dated(_ time: Int64) -> KeyPress {
    KeyPress(key, on: platform, from: from, window: window, sender: sender, when: when ?? time)
  }
}
