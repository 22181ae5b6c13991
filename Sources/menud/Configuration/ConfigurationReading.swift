import JSONText
import MenuEngine
import MenuStore

/// A configuration while it is put together, and what is found meanwhile.
struct ConfigurationReading {
  /// The configuration, with defaults in the place of mistakes.
  private(set) var configuration = Configuration()
  /// The mistakes.
  private(set) var faults: [ConfigurationFault] = []
  private(set) var warnings: [ConfigurationWarning] = []

  /// Gives a setting its value, or notes that it cannot have it.
  mutating func assign(
    _ json: JSON, to setting: Setting, from source: ConfigurationFault.Source
  ) {
    guard !setting.assign(json, to: &configuration) else { return }
    faults.append(.unsuitable(source, setting.form, found: json))
    // No rule is to be blamed for a bound that was not meant.
    if setting.path.first == "rules" { configuration.rules = Configuration().rules }
  }

  /// Reads a file; relative paths in it begin at the file's own folder.
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

  /// Reads the environment variables of settings; what Kubernetes sets for services is left out.
  mutating func read(environment: [String: String]) {
    let environment = environment.filter {
      $0.key.hasPrefix("MENUD_") && !ServiceLink.isVariable($0.key, $0.value)
    }
    var known: Set = ["MENUD_CONFIG"]
    for setting in Setting.all {
      known.insert(setting.variable)
      if let text = environment[setting.variable] {
        assign(
          setting.value(of: text), to: setting,
          from: .environment(variable: setting.variable, setting))
      }
    }
    let unknown = environment.keys.filter { !known.contains($0) }
    warnings += unknown.sorted().map(ConfigurationWarning.unknownVariable)
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
      let bad = setting.form.unsuitableElement(of: json)
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
  /// The names of the members that the section of `place` can have.
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

/// The sources of a configuration: options before environment variables, these before the file,
/// that before the defaults.
struct ConfigurationSources {
  /// The file that is read when nobody names one and it is there.
  static let usualFile = "Config/menud.json"

  /// The file that an option names.
  var file: String?
  /// The settings that options give, each with the option's name and its text.
  var options: [(setting: Setting, name: String, text: String)] = []
  /// The environment variables, by their names.
  var environment = Posix.environment

  /// The configuration that these sources give together.
  ///
  /// - Throws: `ConfigurationFaults` with all the mistakes in all of them.
  func configuration() throws(ConfigurationFaults) -> Configuration {
    let reading = reading()
    guard reading.faults.isEmpty else { throw ConfigurationFaults(faults: reading.faults) }
    return reading.configuration
  }

  /// The configuration as far as it is sound, with defaults in the place of mistakes, and the mistakes.
  func reading() -> ConfigurationReading {
    var reading = ConfigurationReading()
    if let path = filePath { reading.read(file: path) }
    reading.read(environment: environment)
    for option in options {
      let value = option.setting.value(of: option.text)
      reading.assign(value, to: option.setting, from: .option(name: option.name, option.setting))
    }
    return reading
  }

  private var filePath: String? {
    file ?? environment["MENUD_CONFIG"]
      ?? (Posix.isPresent(Self.usualFile) ? Self.usualFile : nil)
  }
}

/// A place in a file that somebody wrote: `app/commands.json:12:5: /4/title`.
struct FilePlace: Sendable, CustomStringConvertible {
  /// The file.
  let path: String
  /// The line and the column, from 1; nil for a file as a whole.
  var position: (line: Int, column: Int)?
  /// The place in the file's value. The default is the whole of it.
  var pointer = JSONPointer.root

  var description: String {
    let start = position.map { "\(path):\($0.line):\($0.column)" } ?? path
    return pointer.tokens.isEmpty ? start : "\(start): \(pointer)"
  }
}

/// A file of JSON as it was read, which knows where its values stand.
final class SourceFile {
  let path: String
  /// Its value.
  let json: JSON
  private let bytes: [UInt8]
  /// Only a file with something to say about has them made.
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

  /// The place of a value, or of what is around it when it is not there.
  func place(of pointer: JSONPointer) -> FilePlace {
    place(at: places?.value(at: pointer), pointer)
  }

  /// The place of a member's name.
  func placeOfName(_ pointer: JSONPointer) -> FilePlace {
    place(at: places?.name(at: pointer), pointer)
  }

  /// True if there is a value at that pointer.
  func contains(_ pointer: JSONPointer) -> Bool { places?.contains(pointer) == true }

  private func place(at place: JSONPlaces.Place?, _ pointer: JSONPointer) -> FilePlace {
    FilePlace(path: path, position: place.map { ($0.line, $0.column) }, pointer: pointer)
  }
}
