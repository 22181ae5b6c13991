public import JSONText

/// The key of a command, which may differ by platform (M2).
///
/// At least one platform has one. A command without a key on a platform has no shortcut there.
public struct CommandKey: Equatable, Sendable {
  /// The key on Apple's platforms; nil for none.
  public let apple: KeyCombination?
  /// The key on all other platforms; nil for none.
  public let other: KeyCombination?

  /// The same key on all platforms.
  public init(_ key: KeyCombination) { (apple, other) = (key, key) }

  /// A key for each platform; nil if none has one.
  public init?(apple: KeyCombination?, other: KeyCombination?) {
    guard apple != nil || other != nil else { return nil }
    (self.apple, self.other) = (apple, other)
  }

  /// The key on a platform; nil for none.
  public subscript(platform: KeyPlatform) -> KeyCombination? {
    switch platform {
    case .apple: apple
    case .other: other
    }
  }

  /// The keys with the platforms that they are for; nil stands for all platforms.
  var byPlatform: [(platform: KeyPlatform?, key: KeyCombination)] {
    if let apple, apple == other { return [(nil, apple)] }
    return KeyPlatform.allCases.compactMap { platform in
      self[platform].map { (platform, $0) }
    }
  }

  /// The same keys with these modifiers held too.
  func adding(_ modifiers: KeyModifiers) -> CommandKey {
    CommandKey(map: { $0.adding(modifiers) }, self)
  }

  private init(map change: (KeyCombination) -> KeyCombination, _ key: CommandKey) {
    apple = key.apple.map(change)
    other = key.other.map(change)
  }
}

/// A kind of platform, which decides which key of a command holds (M2).
///
/// Keys are named as Apple names them: on other platforms, `command` is their Control key.
public enum KeyPlatform: String, CaseIterable, Sendable, Codable {
  /// Apple's platforms.
  case apple
  /// All other platforms.
  case other
}

extension CommandKey {
  /// The key that a document describes: `{"input": "s", "modifiers": ["command"]}`, or
  /// `{"apple": …, "other": …}`, of which one may be left out.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard case .object(let object) = json, object["input"] == nil,
      KeyPlatform.allCases.contains(where: { object[$0.rawValue] != nil })
    else {
      guard let key = KeyCombination(reading: json, at: pointer, log: log) else { return nil }
      self.init(key)
      return
    }
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let apple = reader.member("apple", KeyCombination.init(reading:at:log:))
    let other = reader.member("other", KeyCombination.init(reading:at:log:))
    reader.finish()
    self.init(apple: apple, other: other)
  }

  /// The key as a document.
  public var json: JSON {
    let keys = byPlatform
    if let (platform, key) = keys.first, platform == nil { return key.json }
    var object = JSONObject()
    for (platform, key) in keys { object[platform?.rawValue ?? ""] = key.json }
    return .object(object)
  }
}

extension CommandKey: Codable {
  private enum CodingKeys: CodingKey {
    case apple
    case other
  }

  /// Encodes the key: a combination if it is the same on all platforms.
  public func encode(to encoder: any Encoder) throws {
    if let (platform, key) = byPlatform.first, platform == nil {
      return try key.encode(to: encoder)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(apple, forKey: .apple)
    try container.encodeIfPresent(other, forKey: .other)
  }

  /// Decodes a key.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let apple = try container.decodeIfPresent(KeyCombination.self, forKey: .apple)
    let other = try container.decodeIfPresent(KeyCombination.self, forKey: .other)
    self = try CommandKey(apple: apple, other: other) ?? CommandKey(KeyCombination(from: decoder))
  }
}
