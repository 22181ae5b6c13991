import CEL
package import JSONText

/// A user's keymap, which sessions can use (K9).
package struct Keymap: Equatable, Sendable {
  package let name: KeymapName
  /// The entries; the last one that matches wins.
  package let entries: [KeymapEntry]

  /// The maximum number of entries.
  package static let maximumCount = 1000

  package init(_ name: KeymapName, entries: [KeymapEntry]) {
    (self.name, self.entries) = (name, entries)
  }
}

/// The name of a keymap in the catalogue.
package typealias KeymapName = Identifier<Keymap>

extension KeymapName {
  /// The name for reading the keys of the catalogue itself; no keymap can have it.
  package static let ofDefaults: KeymapName = "default"
}

/// An entry of a keymap: assigns a key to a command, or removes one from it.
package struct KeymapEntry: Equatable, Sendable {
  /// The text of the key, as written; nil for removing all keys of the command.
  package let text: String?
  /// The key by platform; nil if menud has no input for one of its strokes.
  package let key: CommandKey?
  package let command: CommandID
  /// True if the entry removes the key from the command's declarations.
  package let isRemoval: Bool
  /// The parameters with which the command is performed (P2). The default is none.
  package let parameters: JSONObject?
  /// The rule that decides if the entry is active, evaluated at each press. The default is true.
  package let when: Rule?

  package static func == (entry: KeymapEntry, other: KeymapEntry) -> Bool {
    entry.json.isWritten(as: other.json)
  }
}

// MARK: Documents

extension Keymap {
  /// Reads a keymap by name: `{"entries": [{"key": "ctrl+k ctrl+s", "command": "save:"}]}`.
  package init?(
    _ name: KeymapName, reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let entries = reader.required("entries") { json, place, log -> [KeymapEntry]? in
      Read.list(
        json, at: place, log: log, upTo: Self.maximumCount, of: KeymapEntry.init(reading:at:log:))
    }
    reader.finish()
    guard let entries else { return nil }
    self.init(name, entries: entries)
  }

  /// The document, without the name.
  package var json: JSON { ["entries": .array(entries.map(\.json))] }
}

extension KeymapEntry {
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let command = reader.required("command", Self.command)
    let isRemoval = command?.isRemoval ?? true
    let key = isRemoval ? reader.member("key", Self.key) : reader.required("key", Self.key)
    let isNamed = reader.has("key")
    // A removal performs nothing.
    let parameters = isRemoval ? nil : reader.member("parameters", Read.object)
    when = reader.member("when", Read.boolRule)
    reader.finish()
    guard let command, !isNamed || key != nil else { return nil }
    (self.command, self.isRemoval) = (command.id, isRemoval)
    (text, self.key, self.parameters) = (key?.text, key?.key, parameters)
  }

  /// Reads the id of a command, prefixed by `-` for a removal.
  private static func command(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> (id: CommandID, isRemoval: Bool)? {
    guard case .string(let text) = json else {
      return Read.refuse(.string, json, at: pointer, log: log)
    }
    let isRemoval = text.utf8.first == UInt8(ascii: "-")
    let name = isRemoval ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
    let id: CommandID? = Read.identifier(.string(name), at: pointer, log: log)
    return id.map { ($0, isRemoval) }
  }

  private static func key(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> (text: String, key: CommandKey?)? {
    guard case .string(let text) = json, text.utf8.count <= 4 * KeyInput.maximumLength else {
      return Read.refuse(.keyText, json, at: pointer, log: log)
    }
    do throws(KeyText.Fault) {
      let counts = 1...KeySequence.maximumCount
      let apple = try KeyText.strokes(of: text, on: .apple)
      let other = try KeyText.strokes(of: text, on: .other)
      guard counts.contains(apple.count) else {
        return Read.refuse(.keyText, json, at: pointer, log: log)
      }
      return (text, CommandKey(apple: KeySequence(apple), other: KeySequence(other)))
    } catch {
      return Read.refuse(.keyText, json, at: pointer, log: log)
    }
  }

  /// The document; absent members are omitted.
  package var json: JSON {
    var object = JSONObject()
    object["key"] = text.map(JSON.string)
    object["command"] = .string((isRemoval ? "-" : "") + command.rawValue)
    object["parameters"] = parameters.map(JSON.object)
    object["when"] = when?.json
    return .object(object)
  }
}

/// The stored form is the name and the document, with the limits of rules where they are not the defaults.
extension Keymap: Codable {
  private enum CodingKeys: CodingKey {
    case name
    case document
    case rules
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(json, forKey: .document)
    let limits = entries.lazy.compactMap(\.when).first?.program.limits ?? ProgramLimits()
    if limits != ProgramLimits() { try container.encode(limits, forKey: .rules) }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(KeymapName.self, forKey: .name)
    let limits = try container.decodeIfPresent(ProgramLimits.self, forKey: .rules)
    self = try container.decodeDocument(
      forKey: .document, FaultLog(ruleLimits: limits ?? ProgramLimits())
    ) { Keymap(name, reading: $0, at: $1, log: $2) }
  }
}

// MARK: Diagnostics

extension Keymap {
  /// An accepted entry that performs nothing at present.
  package struct Remark: Equatable, Sendable {
    /// A reason why an entry performs nothing.
    package enum Reason: Equatable, Sendable {
      /// The catalogue has no such command; the nearest one is named.
      case unknownCommand(CommandID, nearest: CommandID?)
      /// A stroke is a key for which menud has no input.
      case keyWithoutInput
      /// The command does not take the parameters.
      case unfitParameters
    }

    /// The index of the entry.
    package let entry: Int
    package let reason: Reason
  }

  /// Returns the entries that perform nothing in a catalogue, in order.
  package func remarks(in catalog: Catalog) -> [Remark] {
    let names = catalog.commands.map(\.id.rawValue)
    var searches = 0
    return entries.enumerated().flatMap { index, entry -> [Remark] in
      var remarks: [Remark] = []
      if catalog.command(entry.command) == nil {
        searches += 1
        let isSearched = searches <= Self.maximumSearches
        let nearest = isSearched ? CEL.nearest(to: entry.command.rawValue, among: names) : nil
        remarks.append(
          Remark(
            entry: index,
            reason: .unknownCommand(entry.command, nearest: nearest.flatMap { CommandID($0) })))
      }
      if entry.text != nil, entry.key == nil {
        remarks.append(Remark(entry: index, reason: .keyWithoutInput))
      }
      if let parameters = entry.parameters, let command = catalog.command(entry.command),
        !command.takes(parameters, Effort())
      {
        remarks.append(Remark(entry: index, reason: .unfitParameters))
      }
      return remarks
    }
  }

  /// The number of unknown commands for which the nearest one is searched, among perhaps 10,000.
  private static let maximumSearches = 10
}

// MARK: In the catalogue

extension Catalog {
  /// Returns a keymap by name; nil if there is none.
  package func keymap(_ name: KeymapName) -> Keymap? { keymaps.first { $0.name == name } }

  /// The keys of the commands on a platform, as a keymap; keys that it cannot write are left out (K9).
  package func defaultKeymap(on platform: KeyPlatform) -> Keymap {
    let entries = keyClaims.reversed().compactMap { claim -> KeymapEntry? in
      guard (claim.platform ?? platform) == platform, claim.alternate == nil,
        case .command(let command) = claim.holder, let key = claim.key,
        let text = KeyText.text(of: key, on: platform)
      else { return nil }
      return KeymapEntry(
        text: text, key: CommandKey(key), command: command, isRemoval: false, parameters: nil,
        when: nil)
    }
    return Keymap(.ofDefaults, entries: entries)
  }

  /// Adds a keymap, or replaces the one of its name; returns false if it is equal.
  mutating func put(_ keymap: Keymap) -> Bool {
    guard let position = keymaps.firstIndex(where: { $0.name == keymap.name }) else {
      keymaps.append(keymap)
      revision += 1
      return true
    }
    guard !keymaps[position].json.isWritten(as: keymap.json) else { return false }
    keymaps[position] = keymap
    revision += 1
    return true
  }

  /// Removes a keymap; sessions that name it continue without one.
  ///
  /// - Throws: `DeclarationFault.unknownKeymap`.
  mutating func removeKeymap(_ name: KeymapName) throws(DeclarationFault) {
    guard let position = keymaps.firstIndex(where: { $0.name == name }) else {
      throw .keymap(.unknownKeymap(name))
    }
    keymaps.remove(at: position)
    revision += 1
  }
}
