import JSONText
import MenuStore

/// The metrics as Prometheus reads them: its text format 0.0.4.
struct MetricsPage {
  /// The media type of the text.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var bytes: [UInt8] = []

  /// Writes a family with one sample.
  mutating func add(_ family: MetricFamily, _ value: Int) {
    begin(family)
    sample(family.name, labels: family.labels, values: [], number: "\(value)")
  }

  /// Writes a family with one sample in seconds.
  mutating func add(_ family: MetricFamily, nanoseconds value: Int) {
    begin(family)
    sample(family.name, labels: family.labels, values: [], number: Self.seconds(value))
  }

  /// Writes a family with a sample for each of these values of its labels.
  mutating func add(_ family: MetricFamily, _ samples: [(labels: [String], value: Int)]) {
    begin(family)
    for (labels, value) in samples {
      sample(family.name, labels: family.labels, values: labels, number: "\(value)")
    }
  }

  /// Writes a histogram for each of these values of its labels.
  ///
  /// - Parameter isTime: True if its values are nanoseconds, which are written as seconds.
  mutating func add(
    _ family: MetricFamily, _ histograms: [(labels: [String], reading: Histogram.Reading)],
    isTime: Bool
  ) {
    begin(family)
    let text = isTime ? Self.seconds : { "\($0)" }
    for (labels, reading) in histograms {
      var count = 0
      let bounds = reading.bounds.map(text) + ["+Inf"]
      for (bound, number) in zip(bounds, reading.counts) {
        count += number
        sample(
          family.name + "_bucket", labels: family.labels + ["le"], values: labels + [bound],
          number: "\(count)")
      }
      sample(family.name + "_sum", labels: family.labels, values: labels, number: text(reading.sum))
      sample(family.name + "_count", labels: family.labels, values: labels, number: "\(count)")
    }
  }

  private mutating func begin(_ family: MetricFamily) {
    add("# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind.rawValue)\n")
  }

  private mutating func sample(
    _ name: String, labels: [String], values: [String], number: String
  ) {
    let pairs = zip(labels, values).map { "\($0)=\"\(Self.escaped($1))\"" }
    add(name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(number)\n")
  }

  private mutating func add(_ text: String) { bytes += Array(text.utf8) }

  /// Nanoseconds as seconds, exactly and without zeros at the end.
  static func seconds(_ nanoseconds: Int) -> String {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sign = nanoseconds < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    var digits = Array("\(1_000_000_000 + rest)".utf8.dropFirst())
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return "\(sign)\(whole)." + String(decoding: digits, as: UTF8.self)
  }

  /// The value of a label between its quotes.
  private static func escaped(_ value: String) -> String {
    var result = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\\(scalar)"
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
