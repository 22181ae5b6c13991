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
    let (configuration, faults) = reading()
    guard faults.isEmpty else { throw ConfigurationFaults(faults: faults) }
    return configuration
  }

  /// The configuration as far as it is sound, with defaults in the place of mistakes, and the mistakes.
  func reading() -> (configuration: Configuration, faults: [ConfigurationFault]) {
    var reading = ConfigurationReading()
    if let path = filePath { reading.read(file: path) }
    for setting in Setting.all {
      guard let text = environment(setting.variable) else { continue }
      reading.assign(setting.value(of: text), setting, .environment(variable: setting.variable))
    }
    for option in options {
      let value = option.setting.value(of: option.text)
      reading.assign(value, option.setting, .option(name: option.name, option.setting))
    }
    return (reading.configuration, reading.faults)
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
    guard !setting.assign(json, to: &configuration) else { return }
    faults.append(.unsuitable(source, setting.form, found: json))
    // No rule is to be blamed for a bound that was not meant.
    if setting.path.first == "rules" { configuration.rules = Configuration().rules }
  }

  /// Reads a file; relative paths in it begin at the file's own folder.
  mutating func read(file path: String) {
    do throws(ConfigurationFault) {
      let file = try SourceFile(reading: path)
      read(file.json, file, at: [])
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
      assign(json, setting, .file(file.place(of: bad.map(pointer.appending) ?? pointer)))
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
