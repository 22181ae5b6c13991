import JSONText
import MenuEngine
import MenuStore
package import MicroHTTP

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
  /// The samples of answered requests.
  var requests: MetricSamples { .numbers(used.flatMap(\.requests)) }

  var durations: MetricSamples {
    .histograms(
      used.map { (labels: [$0.route, $0.method.rawValue], reading: $0.durations.reading) },
      isTime: true)
  }

  /// The samples of messages that the server refuses itself.
  var refused: MetricSamples {
    .numbers(RequestRefusal.allCases.enumerated().map { (labels: ["\($1)"], value: refusals[$0]) })
  }

  private var used: [Series] { series.filter { $0.durations.reading.count > 0 } }
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

/// The samples of a family.
enum MetricSamples {
  /// One sample, or one for each list of label values.
  case numbers([(labels: [String], value: Int)])
  /// One sample in seconds.
  case seconds(ofNanoseconds: Int)
  /// A histogram for each list of label values; if `isTime`, its values are nanoseconds, which are written as
  /// seconds.
  case histograms([(labels: [String], reading: Histogram.Reading)], isTime: Bool)

  static func number(_ value: (some BinaryInteger)?) -> Self? {
    value.map { .numbers([(labels: [], value: Int($0))]) }
  }

  static func nanoseconds(_ value: Int?) -> Self? { value.map(Self.seconds(ofNanoseconds:)) }

  static func durations(_ reading: Histogram.Reading?) -> Self? {
    reading.map { .histograms([(labels: [], reading: $0)], isTime: true) }
  }

  static func histogram(_ reading: Histogram.Reading?) -> Self? {
    reading.map { .histograms([(labels: [], reading: $0)], isTime: false) }
  }

  /// Returns a sample for each word.
  static func numbers<Word: RawRepresentable<String>>(
    _ words: [Word], _ value: (Word) -> Int
  ) -> Self {
    .numbers(words.map { (labels: [$0.rawValue], value: value($0)) })
  }

  /// Returns a sample for each kind of mutation.
  static func mutations(_ value: (Int) -> Int) -> Self {
    .numbers(Mutation.labels.enumerated().map { (labels: [$1], value: value($0)) })
  }
}

/// The metrics in the text format 0.0.4 of Prometheus.
struct MetricsPage {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var bytes: [UInt8] = []

  mutating func add(_ family: MetricFamily, _ samples: MetricSamples) {
    add("# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind.rawValue)\n")
    switch samples {
    case .numbers(let samples):
      for (labels, value) in samples {
        sample(family.name, labels: family.labels, values: labels, number: "\(value)")
      }
    case .seconds(let value):
      sample(family.name, labels: [], values: [], number: Self.seconds(value))
    case .histograms(let histograms, let isTime):
      let text = isTime ? Self.seconds : { "\($0)" }
      for (labels, reading) in histograms { add(reading, of: family, labels: labels, by: text) }
    }
  }

  private mutating func add(
    _ reading: Histogram.Reading, of family: MetricFamily, labels: [String],
    by text: (Int) -> String
  ) {
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
  var requestsInFlight = 0
  var connections = 0
  /// The number of connections closed in favour of new ones.
  var evictedConnections = 0
  /// The bytes of large answers that clients have not read yet.
  var unsentBytes = 0
  /// The number of connections closed because their clients did not read answers.
  var unreadEvictions = 0
  /// The bytes of large request bodies whose requests are not answered yet.
  var receivedBytes = 0
  /// The number of open streams.
  var streams = 0
}

extension ServerFigures {
  package init(_ server: Server) {
    self.init(
      requestsInFlight: server.requestsInFlight, connections: server.openConnections,
      evictedConnections: server.evictedConnections, unsentBytes: server.unsentBytes,
      unreadEvictions: server.unreadEvictions, receivedBytes: server.receivedBytes,
      streams: server.openStreams)
  }
}

// Counts failed rules in answers. Rules that are evaluated on purpose, by diagnostics and `POST /rules/check`, do not
// count.

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

extension Outcome {
  /// The number of failed rules in messages that undoing did not send (U4).
  var ruleErrors: Int { failedMessages.reduce(0) { $0 + $1.fault.ruleErrors } }
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
