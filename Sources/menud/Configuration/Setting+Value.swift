import JSONText
import Logging
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

extension Setting {
  /// Assigns a value from a file; returns false if it is unsuitable.
  func assign(_ json: JSON, to configuration: inout Configuration) -> Bool {
    switch form {
    case .text(let target): set(json.text, at: target, in: &configuration)
    case .integer(let range, let target):
      set(json.integer.flatMap { range.contains($0) ? $0 : nil }, at: target, in: &configuration)
    case .port(let target):
      set(
        json == .null ? .some(nil) : json.integer.flatMap(UInt16.init(exactly:)).map(\.self),
        at: target, in: &configuration)
    case .seconds(let target): set(json.seconds, at: target, in: &configuration)
    case .flag(let target): set(json.flag, at: target, in: &configuration)
    case .level(let target): set(json.word(), at: target, in: &configuration)
    case .format(let target): set(json.word(), at: target, in: &configuration)
    case .journalStore(let target): set(json.word(), at: target, in: &configuration)
    case .durability(let target): set(json.word(), at: target, in: &configuration)
    case .reads(let target): set(json.word(), at: target, in: &configuration)
    case .sessions(let target): set(json.sessionIDs, at: target, in: &configuration)
    case .consent(let target): set(json.word(), at: target, in: &configuration)
    case .tools(let target): set(json.word(), at: target, in: &configuration)
    case .requirement(let target): set(json.word(), at: target, in: &configuration)
    case .token(let target):
      set(
        json == .null ? .some(nil) : json.text.flatMap(Secret.init(token:)).map(\.self), at: target,
        in: &configuration)
    case .address(let target):
      set(
        json == .null ? .some(nil) : json.text.flatMap(PostgreSQLAddress.init(_:)).map(\.self),
        at: target, in: &configuration)
    case .hosts(let target): set(json.texts(where: \.isHostName), at: target, in: &configuration)
    case .origins(let target): set(json.texts(where: \.isOrigin), at: target, in: &configuration)
    case .decision(let target):
      set(
        json == .null ? .some(nil) : json.flag.map(\.self), at: target, in: &configuration)
    case .consolePath(let target):
      set(
        json.text.flatMap { ConsolePages.canBeServed(at: $0) ? $0 : nil }, at: target,
        in: &configuration)
    }
  }

  /// Returns the text of an environment variable or an option as the value in a file.
  ///
  /// A list is separated by commas.
  func value(of text: String) -> JSON {
    switch form {
    case .text, .level, .format, .journalStore, .durability, .reads, .requirement, .consent, .tools,
      .token,
      .address,
      .consolePath:
      .string(text)
    case .integer, .port, .seconds, .flag, .decision: (try? JSON(parsing: text)) ?? .string(text)
    case .sessions, .hosts, .origins: .array(text.split(separator: ",").map { .string(String($0)) })
    }
  }

  private func set<Value>(
    _ value: Value?, at target: Form.Target<Value>, in configuration: inout Configuration
  ) -> Bool {
    guard let value else { return false }
    configuration[keyPath: target] = value
    return true
  }
}

extension Setting.Form {
  /// True if its values are lists of names.
  var isList: Bool {
    switch self {
    case .sessions, .hosts, .origins: true
    case .text, .integer, .port, .seconds, .flag, .level, .format, .journalStore, .durability,
      .reads, .requirement, .consent, .tools, .token, .address, .decision, .consolePath:
      false
    }
  }

  /// True if an element is suitable for a list of names.
  func accepts(element: JSON) -> Bool {
    switch self {
    case .sessions: element.sessionID != nil
    case .hosts: element.text?.isHostName == true
    case .origins: element.text?.isOrigin == true
    case .text, .integer, .port, .seconds, .flag, .level, .format, .journalStore, .durability,
      .reads, .requirement, .consent, .tools, .token, .address, .decision, .consolePath:
      true
    }
  }

  /// Returns the index of the first unsuitable element of a list of names.
  func unsuitableElement(of json: JSON) -> Int? {
    guard case .array(let elements) = json else { return nil }
    return elements.firstIndex { !accepts(element: $0) }
  }
}

extension JSON {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate func word<Word: RawRepresentable<String>>() -> Word? {
    text.flatMap(Word.init(rawValue:))
  }

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

  fileprivate var sessionIDs: [SessionID]? {
    guard case .array(let elements) = self else { return nil }
    let ids = elements.compactMap(\.sessionID)
    return ids.count == elements.count ? ids : nil
  }

  /// The id of a session that can be opened.
  fileprivate var sessionID: SessionID? {
    guard let id = text.flatMap(SessionID.init(_:)), id.isAddressable else { return nil }
    return id
  }
}

extension JSON {
  /// Returns the strings of a list, if all of them are suitable.
  fileprivate func texts(where isSuitable: (String) -> Bool) -> [String]? {
    guard case .array(let elements) = self else { return nil }
    let texts = elements.compactMap(\.text).filter(isSuitable)
    return texts.count == elements.count ? texts : nil
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

extension ServerConfiguration {
  /// The port as an integer, from 0 to 65,535.
  var portNumber: Int {
    get { Int(port) }
    set { port = UInt16(newValue) }
  }
}
