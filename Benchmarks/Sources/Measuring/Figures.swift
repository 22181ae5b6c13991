import Foundation

/// The middle of the values, or of the two in the middle; not a number when there are none.
package func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// The value with this number of digits after the point.
package func fixed(_ value: Double, _ digits: Int) -> String {
  String(format: "%.\(digits)f", value)
}

/// A table in Markdown, whose first column is text and whose others are figures.
package func table(_ head: [String], _ rows: [[String]]) -> String {
  let rule = ["---"] + Array(repeating: "--:", count: max(head.count - 1, 0))
  let lines = [head] + [rule] + rows
  return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
}
