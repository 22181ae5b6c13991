import JSONText
import MenuStore

/// Where a configuration comes from: options before environment variables, these before the file,
/// that before the defaults.
struct ConfigurationSources {
  /// The file that is read when nobody names one and it is there.
  static let usualFile = "Config/menud.json"

  /// The file that an option names.
  var file: String?
  /// The settings that options give, each with the option's name and its text.
  var options: [(setting: Setting, name: String, text: String)] = []
  /// The value of an environment variable.
  var environment: (String) -> String? = Posix.environmentValue

  /// The configuration that these sources give together.
  ///
  /// - Throws: `ConfigurationFaults` with all the mistakes in all of them.
  func configuration() throws(ConfigurationFaults) -> Configuration {
    var reading = ConfigurationReading()
    if let path = filePath { reading.read(file: path) }
    for setting in Setting.all {
      guard let text = environment(setting.variable) else { continue }
      reading.assign(setting.value(of: text), setting, .environment(variable: setting.variable))
    }
    for option in options {
      let value = option.setting.value(of: option.text)
      reading.assign(value, option.setting, .option(name: option.name))
    }
    guard reading.faults.isEmpty else { throw ConfigurationFaults(faults: reading.faults) }
    return reading.configuration
  }

  private var filePath: String? {
    file ?? environment("MENUD_CONFIG")
      ?? (Posix.isPresent(Self.usualFile) ? Self.usualFile : nil)
  }
}

/// A configuration while it is put together, and the mistakes found meanwhile.
private struct ConfigurationReading {
  var configuration = Configuration()
  var faults: [ConfigurationFault] = []

  mutating func assign(_ json: JSON, _ setting: Setting, _ source: ConfigurationFault.Source) {
    if !setting.assign(json, to: &configuration) {
      faults.append(.unsuitable(source, setting.form, found: json))
    }
  }

  /// Reads a file; relative paths in it begin at the file's own folder.
  mutating func read(file path: String) {
    do throws(ConfigurationFault) {
      read(try JSON(readingFile: path), path, at: [])
      for target in [
        \Configuration.application, \.tls.certificate, \.tls.key, \.auth.administratorTokenFile,
        \.journal.path,
      ]
      where !configuration[keyPath: target].isEmpty {
        configuration[keyPath: target] = configuration[keyPath: target].resolved(beside: path)
      }
    } catch {
      faults.append(error)
    }
  }

  private mutating func read(_ json: JSON, _ path: String, at place: [String]) {
    let pointer = JSONPointer(place)
    guard case .object(let object) = json else {
      faults.append(.notAnObject(path: path, pointer, found: json))
      return
    }
    for member in object.members {
      read(member.value, path, memberAt: place + [member.name])
    }
  }

  private mutating func read(_ json: JSON, _ path: String, memberAt place: [String]) {
    let pointer = JSONPointer(place)
    if let setting = Setting.all.first(where: { JSONPointer($0.path) == pointer }) {
      assign(json, setting, .file(path: path, pointer))
    } else if Setting.all.contains(where: { JSONPointer($0.path.dropLast()) == pointer }) {
      read(json, path, at: place)
    } else {
      faults.append(
        .unknownMember(path: path, pointer, known: Setting.members(besides: place)))
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
