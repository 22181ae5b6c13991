import JSONText
import MenuAPI
import MenuEngine

/// A setting: its names, its values, and its place in the configuration.
struct Setting: Sendable {
  /// Its path in a configuration file: a member, or a member of a section.
  private(set) var path: [String] = []
  /// The description, in sentences.
  let about: String
  /// The suitable values, in words.
  let expectation: String
  /// The schema of its values, without the description and the default.
  let values: JSONObject
  private let syntax: Syntax
  private let assign: @Sendable (JSON, inout Configuration) -> Bool
  private let value: @Sendable (Configuration) -> JSON

  /// The syntax of its values in variables and options.
  enum Syntax: Sendable {
    case text
    /// A text that must not appear in messages.
    case secret
    case json
    /// Texts separated by commas, with the condition for each.
    case list(accepts: @Sendable (JSON) -> Bool)
  }

  /// A part of the configuration.
  typealias Target<Value> = any WritableKeyPath<Configuration, Value> & Sendable

  /// Creates a setting without a path.
  ///
  /// - Parameters:
  ///   - read: Returns the value of JSON; nil if it is unsuitable.
  ///   - show: Returns a value as JSON.
  init<Value>(
    _ target: Target<Value>, _ about: String, expecting expectation: String, values: JSONObject,
    syntax: Syntax = .json, read: @escaping @Sendable (JSON) -> Value?,
    show: @escaping @Sendable (Value) -> JSON
  ) {
    self.about = about
    self.expectation = expectation
    self.values = values
    self.syntax = syntax
    assign = { json, configuration in
      guard let value = read(json) else { return false }
      configuration[keyPath: target] = value
      return true
    }
    value = { configuration in show(configuration[keyPath: target]) }
  }

  /// Returns settings at their names, in a section or outside of sections.
  static func named(
    _ settings: KeyValuePairs<String, Setting>, in section: String? = nil
  ) -> [Setting] {
    settings.map { name, setting in
      var setting = setting
      setting.path = [section, name].compactMap(\.self)
      return setting
    }
  }

  /// Returns the setting at a path, which must exist: `server.port`.
  static func at(_ path: String) -> Setting {
    guard let setting = all.first(where: { $0.path.joined(separator: ".") == path }) else {
      preconditionFailure("There is no setting \(path).")
    }
    return setting
  }

  /// A section of a configuration file.
  struct Section: Sendable {
    let name: String
    /// The description, in sentences.
    let about: String
    let settings: [Setting]

    init(_ name: String, _ about: String, settings: KeyValuePairs<String, Setting>) {
      self.name = name
      self.about = about
      self.settings = Setting.named(settings, in: name)
    }
  }
}

extension Setting {
  /// The environment variable, derived from the path: `MENUD`, then every word of the path in capitals,
  /// joined by underscores.
  ///
  /// `server.maximumBodySize` becomes `MENUD_SERVER_MAXIMUM_BODY_SIZE`.
  var variable: String {
    var name = Array("MENUD".utf8)
    for part in path {
      name.append(UInt8(ascii: "_"))
      for byte in part.utf8 {
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        if isCapital { name.append(UInt8(ascii: "_")) }
        let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        name.append(isSmall ? byte - 32 : byte)
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The words that its value can be; empty if it is not an enumeration.
  var words: [String] { JSON.object(values).texts("enum") }

  /// Assigns a value from a file; returns false if it is unsuitable.
  func assign(_ json: JSON, to configuration: inout Configuration) -> Bool {
    assign(json, &configuration)
  }

  /// Returns the text of an environment variable or an option as the value in a file.
  func value(of text: String) -> JSON {
    switch syntax {
    case .text, .secret: .string(text)
    case .json: (try? JSON(parsing: text)) ?? .string(text)
    case .list: .array(text.split(separator: ",").map { .string(String($0)) })
    }
  }

  /// Returns the index of the first unsuitable element of a list.
  func unsuitableElement(of json: JSON) -> Int? {
    guard case .list(let accepts) = syntax, case .array(let elements) = json else { return nil }
    return elements.firstIndex { !accepts($0) }
  }

  /// Returns the part of an unsuitable value to show: the unsuitable elements of a list, and nothing of a secret.
  func faultyPart(of json: JSON) -> JSON? {
    switch (syntax, json) {
    case (.secret, _): nil
    case (.list(let accepts), .array(let elements)): .array(elements.filter { !accepts($0) })
    default: json
    }
  }
}

extension Setting {
  /// The JSON Schema of a configuration file, derived from the table of settings.
  static var schema: JSON {
    var properties: JSONObject = [JSON.schemaReference: FileSchemas.reference]
    for setting in general { properties[setting.path[0]] = setting.schema }
    for section in sections {
      var members = JSONObject()
      for setting in section.settings { members[setting.path[1]] = setting.schema }
      properties[section.name] = [
        "type": "object", "description": .string(section.about),
        "additionalProperties": false, "properties": .object(members),
      ]
    }
    return [
      "$schema": FileSchemas.dialect, "title": "menud.json",
      "description": "The configuration of menud.", "type": "object",
      "additionalProperties": false, "properties": .object(properties),
    ]
  }

  /// The schema of its values, with the description and the default.
  private var schema: JSON {
    var schema = values
    schema["description"] = .string(about)
    schema["default"] = value(Configuration())
    return .object(schema)
  }
}
