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
      guard let former = setting.formerVariable else { continue }
      known.insert(former)
      if let text = environment[former] { read(text, of: setting, under: former, in: environment) }
    }
    let unknown = environment.keys.filter { !known.contains($0) }
    warnings += unknown.sorted().map(ConfigurationWarning.unknownVariable)
  }

  /// Reads a variable under its former name, which must say the same as the one that it has now.
  private mutating func read(
    _ text: String, of setting: Setting, under former: String, in environment: [String: String]
  ) {
    let value = setting.value(of: text)
    if let current = environment[setting.variable] {
      guard setting.value(of: current) == value else {
        faults.append(.contradictory(former: former, setting))
        return
      }
    } else {
      assign(value, to: setting, from: .environment(variable: former, setting))
    }
    warnings.append(.formerVariable(former, setting))
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
