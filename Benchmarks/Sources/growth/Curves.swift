import JSONText
import Measuring

/// All points of an axis.
struct Curves {
  let axis: Axis
  let points: [Point]

  /// The names of what was asked, in order.
  var series: [String] { points.first?.latencies.map(\.series) ?? [] }

  /// The microseconds of a series, point by point.
  func latencies(of series: String) -> [Double] {
    points.compactMap { point in
      point.latencies.first { $0.series == series }?.latency.median
    }
  }

  /// The figures in Markdown.
  var table: String {
    let rows = points.map { point in
      ["\(point.size)"] + point.latencies.map { fixed($0.latency.median, 0) }
        + [fixed(Double(point.memory) / 1_048_576, 1)]
    }
    return Measuring.table(
      [axis.unit] + series.map { $0 + ", µs" } + ["memory, MiB"], rows)
  }
}

extension Curves {
  var json: JSON {
    let points = points.map { point in
      [
        "size": .int(Int64(point.size)), "memory": .int(Int64(point.memory)),
        "latencies": .array(
          point.latencies.map { series, latency in
            [
              "series": .string(series), "median": .double(latency.median),
              "p99": .double(latency.p99),
            ]
          }),
      ] as JSON
    }
    return ["axis": .string(axis.rawValue), "points": .array(points)]
  }

  /// The curves of a document that `json` made, those it cannot make sense of left out.
  static func read(_ document: JSON) -> [Curves] {
    document["curves"].elements.compactMap { curves in
      guard let axis = Axis(rawValue: curves["axis"].text) else { return nil }
      let points = curves["points"].elements.map { point in
        Point(
          size: Int(point["size"].number), memory: Int(point["memory"].number),
          latencies: point["latencies"].elements.map {
            (
              $0["series"].text,
              Point.Latency(median: $0["median"].number, p99: $0["p99"].number)
            )
          })
      }
      return Curves(axis: axis, points: points)
    }
  }
}

extension JSON {
  fileprivate subscript(name: String) -> JSON {
    if case .object(let object) = self { object[name] ?? .null } else { .null }
  }

  fileprivate var elements: [JSON] {
    if case .array(let elements) = self { elements } else { [] }
  }

  fileprivate var text: String {
    if case .string(let text) = self { text } else { "" }
  }

  fileprivate var number: Double {
    switch self {
    case .int(let int): Double(int)
    case .double(let double): double
    case .null, .bool, .string, .array, .object: 0
    }
  }
}
