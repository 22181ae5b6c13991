import Logging

/// Something odd about the way settings are given, which stops nobody.
enum ConfigurationWarning: Sendable {
  /// An environment variable with the former name of a setting.
  case formerVariable(String, Setting)
  /// An environment variable that begins as menud's do and is no setting.
  case unknownVariable(String)

  /// The kind of the warning, as `menud check` names it.
  var kind: String {
    switch self {
    case .formerVariable: "formerVariable"
    case .unknownVariable: "unknownVariable"
    }
  }

  var variable: String {
    switch self {
    case .formerVariable(let name, _), .unknownVariable(let name): name
    }
  }

  /// The warning as a sentence.
  var sentence: String {
    switch self {
    case .formerVariable(_, let setting):
      "Its name is \(setting.variable) now; the former one is accepted in this version only."
    case .unknownVariable: "There is no setting of that name."
    }
  }
}

extension Logger {
  /// Logs a warning about the configuration.
  func note(_ warning: ConfigurationWarning) {
    switch warning {
    case .formerVariable(let name, let setting):
      self.warning(
        "former variable", metadata: ["variable": "\(name)", "use": "\(setting.variable)"])
    case .unknownVariable(let name):
      self.warning("unknown variable", metadata: ["variable": "\(name)"])
    }
  }
}
