import Foundation
import Measuring

/// The curves as SVG: a column for each axis, latency above and memory below, both logarithmic.
func plot(_ curves: [Curves]) -> String {
  let panels = curves.enumerated().flatMap { column, curves in
    let x = Double(column) * Panel.width
    let sizes = curves.points.map { Double($0.size) }
    let latency = Panel(
      title: "microseconds, by \(curves.axis.unit)", x: x, y: 0, sizes: sizes,
      lines: curves.series.map { ($0, curves.latencies(of: $0)) })
    let memory = Panel(
      title: "MiB of memory, by \(curves.axis.unit)", x: x, y: Panel.height, sizes: sizes,
      lines: [("resident", curves.points.map { Double($0.memory) / 1_048_576 })])
    return [latency, memory]
  }
  let (width, height) = (Panel.width * Double(curves.count), Panel.height * 2)
  return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(fixed(width, 0)) \(fixed(height, 0))" \
    font-family="sans-serif" font-size="11">
    <rect width="100%" height="100%" fill="white"/>
    \(panels.map(\.svg).joined(separator: "\n"))
    </svg>

    """
}

/// Lines over sizes, both axes logarithmic, with a name beside each line.
struct Panel {
  static let width = 360.0
  static let height = 300.0

  let title: String
  let x: Double
  let y: Double
  let sizes: [Double]
  let lines: [(name: String, values: [Double])]

  var svg: String {
    """
    <g transform="translate(\(fixed(x, 0)) \(fixed(y, 0)))">
    <text x="50" y="20" font-weight="bold">\(title)</text>
    \((ticks + lines.indices.map(line)).joined(separator: "\n"))
    </g>
    """
  }

  private static let colors = ["#1b6ac9", "#c2410c", "#15803d", "#7e22ce", "#0f766e"]

  /// The area of the lines: right of the figures, below the names.
  private var frame: (left: Double, right: Double, top: Double, bottom: Double) {
    (50, Self.width - 20, 40 + 15 * Double(lines.count), Self.height - 30)
  }

  private var horizontal: Scale {
    Scale(sizes, from: frame.left, to: frame.right, isWhole: false)
  }

  private var vertical: Scale {
    Scale(lines.flatMap(\.values), from: frame.bottom, to: frame.top)
  }

  private var ticks: [String] {
    let rows = vertical.decades.map { value in
      let y = fixed(vertical.place(of: value), 1)
      return """
        <path d="M\(fixed(frame.left, 0)) \(y)H\(fixed(frame.right, 0))" stroke="#ddd"/>\
        <text x="\(fixed(frame.left - 5, 0))" y="\(y)" dy="4" text-anchor="end">\(short(value))</text>
        """
    }
    let columns = sizes.map { size in
      let x = fixed(horizontal.place(of: size), 1)
      return """
        <text x="\(x)" y="\(fixed(frame.bottom + 18, 0))" text-anchor="middle">\(short(size))</text>
        """
    }
    return rows + columns
  }

  private func line(_ index: Int) -> String {
    let color = Self.colors[index % Self.colors.count]
    let points = zip(sizes, lines[index].values).map { size, value in
      "\(fixed(horizontal.place(of: size), 1)),\(fixed(vertical.place(of: value), 1))"
    }
    let name = 38 + 15 * index
    return """
      <polyline points="\(points.joined(separator: " "))" fill="none" stroke="\(color)" \
      stroke-width="2"/>
      <text x="50" y="\(name)" fill="\(color)">\(lines[index].name)</text>
      """
  }

  /// A figure of at most four characters.
  private func short(_ value: Double) -> String {
    switch value {
    case 1_000_000...: "\(fixed(value / 1_000_000, 0))M"
    case 1000...: "\(fixed(value / 1000, 0))k"
    case 1...: fixed(value, 0)
    default: "\(value)"
    }
  }
}

/// A logarithmic scale of values, widened to whole decades if wanted.
struct Scale {
  private let low: Double
  private let high: Double
  private let start: Double
  private let end: Double

  init(_ values: [Double], from start: Double, to end: Double, isWhole: Bool = true) {
    let positive = values.filter { $0 > 0 }
    let (least, most) = (log10(positive.min() ?? 1), log10(positive.max() ?? 1))
    low = isWhole ? least.rounded(.down) : least
    high = isWhole ? max(most.rounded(.up), low + 1) : max(most, least + 0.1)
    (self.start, self.end) = (start, end)
  }

  /// The powers of ten on it.
  var decades: [Double] { stride(from: low, through: high, by: 1).map { pow(10, $0) } }

  func place(of value: Double) -> Double {
    start + (end - start) * (log10(max(value, pow(10, low))) - low) / (high - low)
  }
}
