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
