import JSONText
import Logging
import MenuAPI

/// One event as a line of text.
struct EventLine {
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  let milliseconds: Int64
  let level: Logger.Level
  let message: String
  let details: Logger.Metadata

  /// The line, without its end; whatever an event carries, there is no other line end in it.
  func text(in format: LogFormat) -> String {
    switch format {
    case .text: text
    case .json: json.text().withoutInvisibles
    }
  }

  private var text: String {
    var line = "\(timestamp) \(level) \(message.escaped)"
    for (name, value) in sortedDetails {
      line += " \(name.quotedWhereNeeded)=\(value.description.quotedWhereNeeded)"
    }
    return line
  }

  private var json: JSON {
    var object = JSONObject()
    object["time"] = .string(timestamp)
    object["level"] = .string(level.rawValue)
    object["event"] = .string(message)
    for (name, value) in sortedDetails { object[name] = value.json }
    return .object(object)
  }

  private var timestamp: String { InternetTimestamp(milliseconds: milliseconds).text }

  private var sortedDetails: [(name: String, value: Logger.MetadataValue)] {
    details.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Logger.MetadataValue {
  /// The value as JSON: a number or a truth value if it was given as one, else its text.
  fileprivate var json: JSON {
    guard case .stringConvertible(let value) = self else { return .string(description) }
    switch value {
    case let bool as Bool: return .bool(bool)
    case let double as Double where double.isFinite: return .double(double)
    case let integer as any BinaryInteger:
      return Int64(exactly: integer).map(JSON.int) ?? .string(description)
    default: return .string(description)
    }
  }
}

extension String {
  /// The string; in quotes when it is empty or has a blank, a quote, `=` or `\`.
  fileprivate var quotedWhereNeeded: String {
    let isPlain = !isEmpty && utf8.allSatisfy { !#" "=\"#.utf8.contains($0) }
    let escaped = escaped
    return isPlain && escaped == self ? self : "\"\(escaped)\""
  }

  /// The string on one line: quotes, backslashes, control characters and those that change the
  /// direction of writing are escaped as in JSON.
  fileprivate var escaped: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        scalar.append(to: &result)
      }
    }
    return result
  }

  /// JSON text in which what cannot be seen is escaped; it occurs only in strings.
  fileprivate var withoutInvisibles: String {
    guard unicodeScalars.contains(where: \.isInvisible) else { return self }
    var result = ""
    for scalar in unicodeScalars { scalar.append(to: &result) }
    return result
  }
}

extension Unicode.Scalar {
  /// Adds the scalar to a text; when it cannot be seen, as JSON escapes it.
  fileprivate func append(to text: inout String) {
    guard isInvisible else { return text.unicodeScalars.append(self) }
    for unit in UTF16.encode(self) ?? .init() {
      let digits = String(unit, radix: 16)
      text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }

  fileprivate var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
