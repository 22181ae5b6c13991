package import JSONText

/// The key equivalent of a command, which may differ by platform (M2).
///
/// At least one platform has a key; on others the command has no shortcut.
package struct CommandKey: Equatable, Sendable {
  /// The key on Apple's platforms; nil for none.
  package let apple: KeySequence?
  /// The key on all other platforms; nil for none.
  package let other: KeySequence?

  /// Creates the same key for all platforms.
  package init(_ key: KeySequence) { (apple, other) = (key, key) }

  /// Creates a key for each platform; nil if neither has one.
  package init?(apple: KeySequence?, other: KeySequence?) {
    guard apple != nil || other != nil else { return nil }
    (self.apple, self.other) = (apple, other)
  }

  /// The key on a platform; nil for none.
  package subscript(platform: KeyPlatform) -> KeySequence? {
    switch platform {
    case .apple: apple
    case .other: other
    }
  }

  /// The keys with their platforms; a nil platform stands for all.
  var byPlatform: [(platform: KeyPlatform?, key: KeySequence)] {
    if let apple, apple == other { return [(nil, apple)] }
    return KeyPlatform.allCases.compactMap { platform in
      self[platform].map { (platform, $0) }
    }
  }

  /// Returns the keys with modifiers added.
  func adding(_ modifiers: KeyModifiers) -> CommandKey {
    CommandKey(map: { $0.adding(modifiers) }, self)
  }

  private init(map change: (KeySequence) -> KeySequence, _ key: CommandKey) {
    apple = key.apple.map(change)
    other = key.other.map(change)
  }
}

/// A kind of platform, which selects the key of a command (M2).
///
/// Modifiers have Apple's names: on other platforms, `command` is Control.
package enum KeyPlatform: String, CaseIterable, Sendable, Codable {
  /// Apple's platforms.
  case apple
  /// All other platforms.
  case other
}

extension CommandKey {
  /// Reads a key: `{"input": "s", "modifiers": ["command"]}`, an array of strokes (K8), or `{"apple": …, "other": …}`
  /// with at least one of them.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard case .object(let object) = json, object["input"] == nil,
      KeyPlatform.allCases.contains(where: { object[$0.rawValue] != nil })
    else {
      guard let key = KeySequence(reading: json, at: pointer, log: log) else { return nil }
      self.init(key)
      return
    }
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let apple = reader.member("apple", KeySequence.init(reading:at:log:))
    let other = reader.member("other", KeySequence.init(reading:at:log:))
    reader.finish()
    self.init(apple: apple, other: other)
  }

  package var json: JSON {
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

  /// Encodes the key: that alone if all platforms have the same.
  package func encode(to encoder: any Encoder) throws {
    if let (platform, key) = byPlatform.first, platform == nil {
      return try key.encode(to: encoder)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(apple, forKey: .apple)
    try container.encodeIfPresent(other, forKey: .other)
  }

  package init(from decoder: any Decoder) throws {
    // Several strokes are an array.
    let container = try? decoder.container(keyedBy: CodingKeys.self)
    let apple = try container?.decodeIfPresent(KeySequence.self, forKey: .apple)
    let other = try container?.decodeIfPresent(KeySequence.self, forKey: .other)
    self = try CommandKey(apple: apple, other: other) ?? CommandKey(KeySequence(from: decoder))
  }
}
