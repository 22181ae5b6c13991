import JSONText
import MenuEngine
import MenuStore

/// A configuration while it is read, with the faults so far.
struct ConfigurationReading {
  /// The configuration, with defaults in place of faulty values.
  private(set) var configuration = Configuration()
  private(set) var faults: [ConfigurationFault] = []
  /// The environment variables with the prefix of menud's that are not settings.
  private(set) var unknownVariables: [String] = []

  /// Assigns a value to a setting, or records that it is unsuitable.
  mutating func assign(_ json: JSON, to setting: Setting, from place: FaultPlace) {
    guard !setting.assign(json, to: &configuration) else { return }
    faults.append(.unsuitable(place, setting, found: json))
    // A faulty limit must not make rules fail.
    if setting.path.first == "rules" { configuration.rules = Configuration().rules }
  }

  /// Reads a file; relative paths in it are relative to the file's folder.
  mutating func read(file path: String) {
    do throws(ConfigurationFault) {
      let file = try SourceFile(reading: path)
      read(file.json.withoutSchemaReference, file, at: [])
      for target in [
        \Configuration.application, \.tls.certificate, \.tls.key, \.auth.administratorTokenFile,
        \.journal.path, \.journalAddressFile,
      ]
      where !configuration[keyPath: target].isEmpty {
        configuration[keyPath: target] = configuration[keyPath: target].resolved(beside: path)
      }
    } catch {
      faults.append(error)
    }
  }

  /// Reads the environment variables of settings, without those that Kubernetes sets for services.
  mutating func read(environment: [String: String]) {
    let environment = environment.filter {
      $0.key.hasPrefix("MENUD_") && !ServiceLink.isVariable($0.key, $0.value)
    }
    var known: Set = ["MENUD_CONFIG", "MENUD_TOKEN", "MENUD_SERVER", "MENUD_SESSION"]
    for setting in Setting.all {
      known.insert(setting.variable)
      if let text = environment[setting.variable] {
        assign(setting.value(of: text), to: setting, from: .setting(setting.variable))
      }
    }
    unknownVariables = environment.keys.filter { !known.contains($0) }.sorted()
  }

  private mutating func read(_ json: JSON, _ file: SourceFile, at place: [String]) {
    let pointer = JSONPointer(place)
    guard case .object(let object) = json else {
      faults.append(.notAnObject(file.place(of: pointer), found: json))
      return
    }
    for member in object.members {
      read(member.value, file, memberAt: place + [member.name])
    }
  }

  private mutating func read(_ json: JSON, _ file: SourceFile, memberAt place: [String]) {
    let pointer = JSONPointer(place)
    if let setting = Setting.all.first(where: { JSONPointer($0.path) == pointer }) {
      let bad = setting.unsuitableElement(of: json)
      assign(json, to: setting, from: .file(file.place(of: bad.map(pointer.appending) ?? pointer)))
    } else if Setting.all.contains(where: { JSONPointer($0.path.dropLast()) == pointer }) {
      read(json, file, at: place)
    } else {
      faults.append(
        .unknownMember(file.placeOfName(pointer), known: Setting.members(besides: place)))
    }
  }
}

extension Setting {
  /// Returns the possible members of the section of `place`.
  fileprivate static func members(besides place: [String]) -> [String] {
    let section = place.dropLast()
    var names: [String] = []
    for path in all.map(\.path) where path.count > section.count && path.starts(with: section) {
      let name = path[section.count]
      if !names.contains(name) { names.append(name) }
    }
    return names
  }
}

extension JSONPointer {
  fileprivate init(_ tokens: ArraySlice<String>) { self.init(Array(tokens)) }
}

/// The sources of a configuration, by precedence: options, environment variables, the file, the defaults.
struct ConfigurationSources {
  /// The file that is read if none is named and it exists.
  static let usualFile = "Config/menud.json"

  var file: String?
  /// The settings given by options, each with the option's name and its text.
  var options: [(setting: Setting, name: String, text: String)] = []
  var environment = Posix.environment

  /// Returns the configuration from all sources, with defaults in place of faulty values, and the mistakes.
  func reading() -> ConfigurationReading {
    var reading = ConfigurationReading()
    if let path = filePath { reading.read(file: path) }
    reading.read(environment: environment)
    for option in options {
      let value = option.setting.value(of: option.text)
      reading.assign(value, to: option.setting, from: .setting(option.name))
    }
    return reading
  }

  private var filePath: String? {
    file ?? environment["MENUD_CONFIG"]
      ?? (Posix.isPresent(Self.usualFile) ? Self.usualFile : nil)
  }
}

/// A place in a file: `app/commands.json:12:5: /4/title`.
struct FilePlace: Sendable, CustomStringConvertible {
  let path: String
  /// The line and the column, from 1; nil for the whole file.
  var position: (line: Int, column: Int)?
  /// The place in the file's value. The default is the whole value.
  var pointer = JSONPointer.root

  var description: String {
    let start = position.map { "\(path):\($0.line):\($0.column)" } ?? path
    return pointer.tokens.isEmpty ? start : "\(start): \(pointer)"
  }
}

/// A JSON file, with the positions of its values.
final class SourceFile {
  let path: String
  let json: JSON
  private let bytes: [UInt8]
  /// Lazy, since only a file with findings needs them.
  private lazy var places = try? JSONPlaces(of: bytes)

  /// Reads a file.
  ///
  /// - Throws: `ConfigurationFault.unreadable` or `.notJSON`.
  init(reading path: String) throws(ConfigurationFault) {
    self.path = path
    bytes = try Posix.contents(of: path)
    do throws(JSONFault) {
      json = try JSON(parsing: bytes, integers: .exact)
    } catch {
      throw .notJSON(path: path, error)
    }
  }

  /// Returns the place of a value, or of the nearest enclosing one if it is absent.
  func place(of pointer: JSONPointer) -> FilePlace {
    place(at: places?.value(at: pointer), pointer)
  }

  /// Returns the place of a member's name.
  func placeOfName(_ pointer: JSONPointer) -> FilePlace {
    place(at: places?.name(at: pointer), pointer)
  }

  /// Returns the place of a mistake: the name of an unknown member, otherwise the value.
  func place(of reason: DocumentFault.Reason, at pointer: JSONPointer) -> FilePlace {
    if case .unknownMember = reason { placeOfName(pointer) } else { place(of: pointer) }
  }

  /// True if there is a value at that pointer.
  func contains(_ pointer: JSONPointer) -> Bool { places?.contains(pointer) == true }

  private func place(at place: JSONPlaces.Place?, _ pointer: JSONPointer) -> FilePlace {
    FilePlace(path: path, position: place.map { ($0.line, $0.column) }, pointer: pointer)
  }
}
