import Measuring

/// A line of the report.
struct Line {
  let measure: String
  /// With whom menud is compared.
  var peer = ""
  let menud: String
  var other = ""
  /// The ratio to the peer's figure, with the lowest and the highest of the rounds.
  var ratio = ""
  var range = ""
  var menudRate = ""
  var otherRate = ""
  var rateRatio = ""
  var target = ""
  /// True if the target was met; nil if there is none, or nothing to compare with.
  var isMet: Bool?

  static let head = [
    "measure", "beside", "menud", "the other", "ratio", "of rounds", "menud, per second",
    "the other, per second", "ratio", "target", "",
  ]

  var cells: [String] {
    let verdict = isMet.map { $0 ? "met" : "**missed**" } ?? ""
    return [
      measure, peer, menud, other, ratio, range, menudRate, otherRate, rateRatio, target, verdict,
    ]
  }
}

extension Line {
  /// The processor time of a request beside a peer's, and the requests per second.
  init(_ measurement: Measurement) {
    let (name, peer) = (measurement.comparison.name, measurement.peer)
    if case .missing(let why) = peer.entrance {
      self.init(measure: name, peer: peer.name, menud: "", other: "not available here: \(why)")
      return
    }
    func middle(_ value: (Cost) -> Double, _ own: Bool) -> Double {
      median(measurement.rounds.map { value(own ? $0.menud : $0.peer) })
    }
    let ratios = measurement.ratios
    self.init(
      measure: name, peer: peer.name, menud: "\(fixed(middle(\.microseconds, true), 1)) µs",
      other: "\(fixed(middle(\.microseconds, false), 1)) µs",
      ratio: factor(median(ratios)),
      range: "\(factor(ratios.first ?? .nan))–\(factor(ratios.last ?? .nan))",
      menudRate: fixed(middle(\.rate, true), 0), otherRate: fixed(middle(\.rate, false), 0),
      rateRatio: factor(measurement.rate))
    if peer.name == Peer.constant {
      guard let limit = measurement.comparison.limit else { return }
      target = "CPU ≤ \(fixed(limit, 2)) ×"
      isMet = median(ratios) <= limit
    } else if let least = measurement.comparison.leastRates[peer.name] {
      target = "rate ≥ \(fixed(least, 0)) ×"
      isMet = measurement.rate >= least
    }
  }

  /// A figure of menud's own.
  init(_ measure: String, _ figure: Double, _ unit: String, atMost limit: Double) {
    self.init(
      measure: measure, menud: "\(fixed(figure, figure < 10 ? 2 : 1)) \(unit)",
      target: "≤ \(limit.formatted) \(unit)", isMet: figure <= limit)
  }
}

/// A factor: two digits after the point where they matter.
func factor(_ value: Double) -> String {
  value < 0.01 ? fixed(value, 4) : value < 10 ? fixed(value, 2) : fixed(value, 0)
}

extension Double {
  fileprivate var formatted: String { fixed(self, self == rounded() ? 0 : 1) }
}
