import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The counters of requests, by route and status.
///
/// All counters exist from the start and are indexed: counting a request takes no lock and allocates nothing.
final class Metrics: Sendable {
  /// The counters of one route and method.
  fileprivate struct Series: Sendable {
    let route: String
    let method: Method
    let statuses = Counters()
    let durations = Histogram(bounds: Histogram.durations)
  }

  /// Two for each route, the second for HEAD, then one for each method without a route.
  private let series: [Series]
  private let routes: Int
  /// The index of each status among the counters of a series; unnamed statuses share the last.
  private let places: [UInt8]
  private let refusals = Counters()
  let ruleErrors = Counter()

  init(_ routes: [Route]) {
    precondition(Status.named.count < Counters.capacity, "There are too many statuses.")
    precondition(
      RequestRefusal.allCases.count <= Counters.capacity, "There are too many refusals.")
    self.routes = routes.count
    series =
      routes.flatMap { route in
        [route.method, .head].map { Series(route: route.path.text, method: $0) }
      } + Method.allCases.map { Series(route: "none", method: $0) }
    var places = [UInt8](repeating: UInt8(Status.named.count), count: 600)
    for (place, status) in Status.named.enumerated() { places[status.rawValue] = UInt8(place) }
    self.places = places
  }

  /// Returns the index of the series for a method, on the route at an index or on none.
  func place(of method: Method, onRoute index: Int?) -> Int {
    if let index {
      if case .head = method { return 2 * index + 1 }
      return 2 * index
    }
    return 2 * routes + method.ordinal
  }

  func noteAnswer(_ status: Status, at place: Int, in nanoseconds: Int) {
    let known = places.indices.contains(status.rawValue)
    series[place].statuses.add(at: known ? Int(places[status.rawValue]) : Status.named.count)
    series[place].durations.note(nanoseconds)
  }

  /// Counts a message that the server refuses itself.
  func noteRefusal(_ refusal: RequestRefusal) {
    if let place = RequestRefusal.allCases.firstIndex(of: refusal) { refusals.add(at: place) }
  }
}

extension Metrics {
  /// Writes the metrics of requests.
  func write(to page: inout MetricsPage) {
    let used = series.filter { $0.durations.reading.count > 0 }
    page.add(.requests, used.flatMap(\.requests))
    page.add(
      .durations,
      used.map { (labels: [$0.route, $0.method.rawValue], reading: $0.durations.reading) },
      isTime: true)
    page.add(
      .refusals,
      RequestRefusal.allCases.enumerated().map { (labels: ["\($1)"], value: refusals[$0]) })
  }
}

extension Metrics.Series {
  fileprivate var requests: [(labels: [String], value: Int)] {
    let names = Status.named.map { "\($0.rawValue)" } + ["other"]
    return names.enumerated().compactMap { place, name in
      let count = statuses[place]
      return count > 0 ? (labels: [route, method.rawValue, name], value: count) : nil
    }
  }
}

/// The metrics in the text format 0.0.4 of Prometheus.
struct MetricsPage {
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

  /// Writes a family with a sample for each list of label values.
  mutating func add(_ family: MetricFamily, _ samples: [(labels: [String], value: Int)]) {
    begin(family)
    for (labels, value) in samples {
      sample(family.name, labels: family.labels, values: labels, number: "\(value)")
    }
  }

  /// Writes a family with a histogram for each list of label values.
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

  /// Returns nanoseconds as seconds, exactly and without trailing zeros.
  static func seconds(_ nanoseconds: Int) -> String {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sign = nanoseconds < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    var digits = Array("\(1_000_000_000 + rest)".utf8.dropFirst())
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return "\(sign)\(whole)." + String(decoding: digits, as: UTF8.self)
  }

  /// Returns the value of a label, escaped for quotes.
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

/// The resources of the process at a moment.
package struct ProcessFigures: Sendable {
  /// Processor time in nanoseconds.
  package var processorTime: Int
  /// Resident memory in bytes.
  package var residentMemory: Int
  /// Virtual memory in bytes.
  package var virtualMemory: Int
  /// The time of its start, in milliseconds since 1970-01-01T00:00:00Z.
  package var startTime: Int64
  package var openDescriptors: Int
  package var maximumDescriptors: Int

  package init(
    processorTime: Int, residentMemory: Int, virtualMemory: Int, startTime: Int64,
    openDescriptors: Int, maximumDescriptors: Int
  ) {
    self.processorTime = processorTime
    self.residentMemory = residentMemory
    self.virtualMemory = virtualMemory
    self.startTime = startTime
    self.openDescriptors = openDescriptors
    self.maximumDescriptors = maximumDescriptors
  }
}

/// The load of the HTTP server at a moment.
package struct ServerFigures: Sendable {
  package var requestsInFlight: Int
  package var connections: Int
  /// The number of connections closed in favour of new ones.
  package var evictedConnections: Int
  /// The bytes of large answers that clients have not read yet.
  package var unsentBytes: Int
  /// The number of connections closed because their clients did not read answers.
  package var unreadEvictions: Int
  /// The bytes of large request bodies whose requests are not answered yet.
  package var receivedBytes: Int
  /// The number of open streams.
  package var streams: Int

  package init(
    requestsInFlight: Int, connections: Int, evictedConnections: Int = 0, unsentBytes: Int = 0,
    unreadEvictions: Int = 0, receivedBytes: Int = 0, streams: Int = 0
  ) {
    self.requestsInFlight = requestsInFlight
    self.connections = connections
    self.evictedConnections = evictedConnections
    self.unsentBytes = unsentBytes
    self.unreadEvictions = unreadEvictions
    self.receivedBytes = receivedBytes
    self.streams = streams
  }
}

// Counts failed rules that answers report. Rules checked on purpose, by diagnostics and `POST /rules/check`, do
// not count.

extension Call {
  func note(ruleErrors count: Int) {
    if count > 0 { service.metrics.ruleErrors.add(count) }
  }
}

extension [ValidatedItem] {
  /// The number of items with a failed rule.
  var ruleErrors: Int { reduce(0) { $0 + ($1.fault == nil ? 0 : 1) } }
}

extension ValidatedMenu {
  /// The number of items with a failed rule, included or left out, and of rules of items from data that failed.
  var ruleErrors: Int {
    children.reduce(leftOut.ruleErrors + faults.count) { count, child in
      switch child {
      case .item(let item): count + (item.fault == nil ? 0 : 1)
      case .menu(let menu): count + menu.ruleErrors
      }
    }
  }
}

extension [KeyMatch] {
  /// The number of matches with a failed rule.
  var ruleErrors: Int { count { $0.fault != nil } }
}

extension KeyResolution {
  /// The number of tried matches with a failed rule.
  var ruleErrors: Int { tried.ruleErrors }
}

extension MutationFault {
  /// The number of failed rules that made the mutation fail.
  var ruleErrors: Int {
    switch self {
    case .inList(index: _, let fault), .launching(let fault): fault.ruleErrors
    case .effect(.rule): 1
    case .command(.notPerformed(let refusal)):
      refusal.fault == nil && refusal.item?.fault == nil ? 0 : 1
    case .command(.keyNotPerformed(let resolution)): resolution.ruleErrors
    case .command(.invalidParameters(_, let faults)),
      .command(.keyLacksParameters(_, let faults)):
      faults.rules.count
    default: 0
    }
  }
}
