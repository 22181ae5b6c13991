import MenuStore
import MicroHTTP

/// The counters of requests, by route and status.
///
/// All numbers are there from the beginning and found by their place: a request waits for nobody and
/// takes no memory to be counted.
final class Metrics: Sendable {
  /// The counters of one route and method.
  fileprivate struct Series: Sendable {
    let route: String
    let method: Method
    let statuses = Counters()
    let durations = Histogram(bounds: Histogram.durations)
  }

  /// Two for each route, the second for HEAD, and then one for each method without a route.
  private let series: [Series]
  private let routes: Int
  /// The place of each status among the counters of a series; those without a name share the last.
  private let places: [UInt8]
  private let refusals = Counters()
  /// Rules that failed.
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

  /// The place where requests of a method are counted, on the route at that index or on none.
  func place(of method: Method, onRoute index: Int?) -> Int {
    if let index {
      if case .head = method { return 2 * index + 1 }
      return 2 * index
    }
    return 2 * routes + method.ordinal
  }

  /// Counts a request that is answered.
  func noteAnswer(_ status: Status, at place: Int, in nanoseconds: Int) {
    let known = places.indices.contains(status.rawValue)
    series[place].statuses.add(at: known ? Int(places[status.rawValue]) : Status.named.count)
    series[place].durations.note(nanoseconds)
  }

  /// Counts a message that the server answers itself.
  func noteRefusal(_ refusal: RequestRefusal) {
    if let place = RequestRefusal.allCases.firstIndex(of: refusal) { refusals.add(at: place) }
  }
}

extension Metrics {
  /// Writes what was counted.
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
