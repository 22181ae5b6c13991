import JSONText
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

extension Setting {
  static func text(_ target: Target<String>, _ about: String) -> Setting {
    Setting(
      target, about, expecting: "a string", values: ["type": "string"], syntax: .text,
      read: \.text, show: JSON.string)
  }

  /// The numeric address of an interface.
  static func host(_ target: Target<String>, _ about: String) -> Setting {
    Setting(
      target, about, expecting: "a numeric address such as 127.0.0.1 or ::1",
      values: ["type": "string", "pattern": "^[0-9A-Fa-fx.:]+(%.+)?$"], syntax: .text,
      read: { $0.text.flatMap { $0.isNumericAddress ? $0 : nil } }, show: JSON.string)
  }

  /// A path that the console can be served at.
  static func consolePath(_ target: Target<String>, _ about: String) -> Setting {
    Setting(
      target, about,
      expecting:
        "a path such as /console, of letters, digits, - and _, that no route begins with",
      values: ["type": "string", "pattern": "^(/[A-Za-z0-9_-]+)+$"], syntax: .text,
      read: { $0.text.flatMap { ConsolePages.canBeServed(at: $0) ? $0 : nil } }, show: JSON.string)
  }

  static func integer<Number: FixedWidthInteger & Sendable>(
    _ target: Target<Number>, in range: ClosedRange<Int>, _ about: String
  ) -> Setting {
    Setting(
      target, about, expecting: "an integer from \(range.lowerBound) to \(range.upperBound)",
      values: [
        "type": "integer", "minimum": .int(Int64(range.lowerBound)),
        "maximum": .int(Int64(range.upperBound)),
      ],
      read: { $0.integer.flatMap { range.contains($0) ? Number(exactly: $0) : nil } },
      show: { .int(Int64($0)) })
  }

  /// A duration in seconds, possibly fractional.
  static func seconds(_ target: Target<Duration>, _ about: String) -> Setting {
    Setting(
      target, about, expecting: "a number of seconds from 0 to 86400",
      values: ["type": "number", "minimum": 0, "maximum": 86_400], read: \.seconds, show: \.json)
  }

  static func flag(_ target: Target<Bool>, _ about: String) -> Setting {
    Setting(
      target, about, expecting: "true or false", values: ["type": "boolean"], read: \.flag,
      show: JSON.bool)
  }

  static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
    _ target: Target<Word>, _ about: String
  ) -> Setting {
    let words = Word.allCases.map(\.rawValue)
    return Setting(
      target, about, expecting: MenuAPI.list(words, "or"),
      values: ["type": "string", "enum": .array(words.map(JSON.string))], syntax: .text,
      read: { $0.text.flatMap(Word.init(rawValue:)) }, show: { .string($0.rawValue) })
  }
}

// Settings that may be null.

extension Setting {
  /// True or false, or null to let the program decide.
  static func decision(_ target: Target<Bool?>, _ about: String) -> Setting {
    Setting(
      target, about, expecting: "true, false or null", values: ["type": ["boolean", "null"]],
      read: { $0.orNull(\.flag) }, show: { $0.map(JSON.bool) ?? .null })
  }

  /// A port, or null for none.
  static func port(_ target: Target<UInt16?>, _ about: String) -> Setting {
    Setting(
      target, about, expecting: "an integer from 0 to 65535, or null",
      values: ["type": ["integer", "null"], "minimum": 0, "maximum": 65_535],
      read: { $0.orNull { $0.integer.flatMap(UInt16.init(exactly:)) } },
      show: { $0.map { .int(Int64($0)) } ?? .null })
  }

  /// A token, or null for none.
  static func token(_ target: Target<Secret?>, _ about: String) -> Setting {
    Setting(
      target, about, expecting: ConfigurationFault.tokenForm,
      values: [
        "type": ["string", "null"], "minLength": 16, "maxLength": 1024,
        "pattern": "^[A-Za-z0-9._~+/-]+=*$",
      ],
      syntax: .secret, read: { $0.orNull { $0.text.flatMap(Secret.init(token:)) } },
      show: { _ in .null })
  }

  /// The address of a database, or null for none.
  static func address(_ target: Target<PostgreSQLAddress?>, _ about: String) -> Setting {
    Setting(
      target, about, expecting: ConfigurationFault.addressForm,
      values: ["type": ["string", "null"]], syntax: .secret,
      read: { $0.orNull { $0.text.flatMap(PostgreSQLAddress.init(_:)) } }, show: { _ in .null })
  }
}

// Settings with lists.

extension Setting {
  /// The ids of sessions that can be opened.
  static func sessions(_ target: Target<[SessionID]>, _ about: String) -> Setting {
    list(
      target, about,
      expecting:
        "names of sessions, each of 1 to 128 of the characters A-Z, a-z, 0-9, _, ., : and -, "
        + "other than . and ..",
      pattern: "^([A-Za-z0-9_:-]|[.][A-Za-z0-9_:-]|[.][.][A-Za-z0-9_.:-])[A-Za-z0-9_.:-]{0,127}$",
      read: { SessionID($0).flatMap { $0.isAddressable ? $0 : nil } }, show: \.rawValue)
  }

  static func hosts(_ target: Target<[String]>, _ about: String) -> Setting {
    list(
      target, about, expecting: "names of hosts in small letters, without ports, or *",
      pattern: #"^(\*|[a-z0-9_.-]+)$"#, read: { $0.isHostName ? $0 : nil }, show: \.self)
  }

  static func origins(_ target: Target<[String]>, _ about: String) -> Setting {
    list(
      target, about, expecting: "origins in small letters, such as https://menus.example.org:8443",
      pattern: #"^[a-z0-9+.-]+://[a-z0-9_.:\[\]-]+$"#, read: { $0.isOrigin ? $0 : nil },
      show: \.self)
  }

  private static func list<Element>(
    _ target: Target<[Element]>, _ about: String, expecting expectation: String, pattern: JSON,
    read: @escaping @Sendable (String) -> Element?, show: @escaping @Sendable (Element) -> String
  ) -> Setting {
    let element: @Sendable (JSON) -> Element? = { $0.text.flatMap(read) }
    return Setting(
      target, about, expecting: expectation,
      values: ["type": "array", "items": ["type": "string", "pattern": pattern]],
      syntax: .list(accepts: { element($0) != nil }),
      read: { json in
        guard case .array(let elements) = json else { return nil }
        let read = elements.compactMap(element)
        return read.count == elements.count ? read : nil
      },
      show: { .array($0.map { .string(show($0)) }) })
  }
}

extension JSON {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  fileprivate var integer: Int? {
    if case .int(let integer) = self { Int(exactly: integer) } else { nil }
  }

  /// A duration of at most a day, so that adding it to a time does not overflow.
  fileprivate var seconds: Duration? {
    let seconds: Double? =
      switch self {
      case .int(let int): Double(int)
      case .double(let double): double
      case .null, .bool, .string, .array, .object: nil
      }
    return seconds.flatMap { (0...86_400).contains($0) ? .seconds($0) : nil }
  }

  /// Returns the value of null, or what `read` returns; nil for an unsuitable one.
  fileprivate func orNull<Value>(_ read: (JSON) -> Value?) -> Value?? {
    self == .null ? .some(nil) : read(self).map(Optional.some)
  }
}

extension Duration {
  /// The seconds, as an integer if possible.
  fileprivate var json: JSON {
    components.attoseconds == 0 ? .int(components.seconds) : .double(self / .seconds(1))
  }
}

extension String {
  /// True if the text is a host name in lowercase, or `*` for all of them.
  fileprivate var isHostName: Bool {
    self == "*"
      || !utf8.isEmpty
        && utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_.".utf8.contains($0) }
  }

  /// True if the text is an origin as browsers send it: a scheme, a host, and a port unless it is the scheme's
  /// default.
  fileprivate var isOrigin: Bool {
    let parts = split(separator: "://", omittingEmptySubsequences: false)
    guard parts.count == 2, let scheme = parts.first, let host = parts.last else { return false }
    return !scheme.isEmpty && !host.isEmpty
      && scheme.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789+-.".utf8.contains($0) }
      && host.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_.:[]".utf8.contains($0) }
  }
}
