import JSONText
import MenuAPI
import MenuEngine

/// Something to say about a configuration or an application.
struct CheckFinding {
  /// The severity.
  enum Severity: String {
    /// A mistake: nothing is served with it.
    case error
    /// Something odd that stops nobody.
    case warning
  }

  let severity: Severity
  /// The kind of a warning: the name of a rule of V10, or of the diagnostics' member that has it.
  var kind: String?
  let place: FaultPlace
  /// The place of the declaration that this one contradicts, if there is one.
  var other: FilePlace?
  let message: String

  /// The finding as a member of the report in JSON; what is not known is left out.
  var json: JSON {
    var object = JSONObject()
    object["severity"] = .string(severity.rawValue)
    object["kind"] = kind.map(JSON.string)
    switch place {
    case .file(let place): place.write(to: &object)
    case .setting(let name): object["setting"] = .string(name)
    }
    object["message"] = .string(message)
    object["other"] = other.map { place in
      var object = JSONObject()
      place.write(to: &object)
      return .object(object)
    }
    return .object(object)
  }
}

extension FilePlace {
  /// Writes the members `file`, `line`, `column` and `pointer`; those that are not known are left out.
  fileprivate func write(to object: inout JSONObject) {
    object["file"] = .string(path)
    guard let position else { return }
    object["line"] = .int(Int64(position.line))
    object["column"] = .int(Int64(position.column))
    object["pointer"] = .string(pointer.description)
  }
}

extension CheckFinding: CustomStringConvertible {
  /// The finding as one line: the place, `warning` if it is one, and a sentence.
  var description: String {
    "\(place): " + (severity == .warning ? "warning: " : "") + message
  }
}

extension CheckFinding {
  /// A mistake in the configuration.
  init(_ fault: ConfigurationFault) {
    self.init(severity: .error, place: fault.place, message: fault.sentence)
  }

  /// A warning about the configuration.
  init(_ warning: ConfigurationWarning) {
    self.init(
      severity: .warning, kind: warning.kind, place: .setting(warning.variable),
      message: warning.sentence)
  }

  /// A mistake in the application's folder.
  init(_ fault: CatalogFault) {
    self.init(
      severity: .error, place: fault.place, other: fault.other, message: fault.sentence)
  }
}
