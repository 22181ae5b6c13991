import ArgumentParser
import CEL
import JSONText
import MenuEngine

/// The results of an application's tests, and the conditions that were not both true and false.
struct TestReport {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// A line for each failure and each unseen condition, and a summary.
    case text
    /// TAP 14, with the failures of a case in a YAML block.
    case tap
    /// JUnit's XML, for continuous integration.
    case junit
  }

  private let results: [TestResult]
  private let isStrict: Bool
  private let conditions: Int
  /// The places of conditions, each with the missing result.
  private let unseen: [(place: FilePlace, message: String)]

  /// - Parameter isStrict: True if a condition that was not both true and false is a failure.
  init(_ results: [TestResult], of reading: CatalogFolderReading, strictly isStrict: Bool) {
    (self.results, self.isStrict) = (results, isStrict)
    let conditions = reading.findings.conditions
    self.conditions = conditions.count
    let unseen = conditions.compactMap { part, place, rule -> (FilePlace, String)? in
      let missing = [true, false].filter { rule.program.seen?.contains($0) != true }
      guard !missing.isEmpty else { return nil }
      let words = missing.count > 1 ? "never evaluated" : "never \(missing[0])"
      return (reading.place(of: place, in: part), "\(words): \(rule.program.source)")
    }
    self.unseen = reading.inOrder(unseen) { .file($0.0) }
  }

  private var failed: Int { results.count { !$0.failures.isEmpty } }

  /// True if nothing failed.
  var isPassed: Bool { failed == 0 && unseenFailures.isEmpty }

  /// The places of conditions that are failures.
  private var unseenFailures: [(place: FilePlace, message: String)] { isStrict ? unseen : [] }

  func text(in format: Format) -> String {
    switch format {
    case .text: plainText
    case .tap: tap
    case .junit: junit
    }
  }

  private var summary: String {
    let cases = results.count == 1 ? "1 case" : "\(results.count) cases"
    return "\(cases), \(failed) failed; \(conditions - unseen.count) of \(conditions) conditions "
      + "were true and false"
  }

  private var plainText: String {
    var lines = unseen.map { "\($0.place): \($0.message)" }
    for result in results {
      lines += result.failures.map { "\($0.place): \(result.title): \($0.message)" }
    }
    return (lines + [summary]).map { "\($0.plainText())\n" }.joined()
  }
}

// MARK: Forms for machines

extension TestReport {
  private var tap: String {
    var lines = ["TAP version 14", "1..\(results.count + (isStrict ? 1 : 0))"]
    for (index, result) in results.enumerated() {
      lines += Self.tap(index + 1, titled: result.title, result.failures)
    }
    if isStrict {
      lines += Self.tap(results.count + 1, titled: Self.strictTitle, unseen)
    } else {
      lines += unseen.map { "# \($0.place): \($0.message)".singleLine }
    }
    return (lines + ["# \(summary)"]).map { "\($0)\n" }.joined()
  }

  private static let strictTitle = "Every condition was true and false"

  private static func tap(
    _ number: Int, titled title: String, _ failures: [(place: FilePlace, message: String)]
  ) -> [String] {
    let point = "\(failures.isEmpty ? "ok" : "not ok") \(number) - \(tapDescription(title))"
    guard !failures.isEmpty else { return [point] }
    // A JSON string is a YAML string.
    let details = failures.flatMap { failure in
      [
        "    - at: \(JSON.string("\(failure.place)").text())",
        "      message: \(JSON.string(failure.message).text())",
      ]
    }
    return [point, "  ---", "  failures:"] + details + ["  ..."]
  }

  /// Returns a title without TAP directives.
  private static func tapDescription(_ title: String) -> String {
    title.singleLine.replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  private var junit: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    let (extra, unseen) = (isStrict ? 1 : 0, unseenFailures)
    let failures = failed + min(1, unseen.count)
    lines.append(#"<testsuites tests="\#(results.count + extra)" failures="\#(failures)">"#)
    var rest = results[...]
    while let first = rest.first {
      let suite = rest.prefix { $0.file === first.file }
      rest = rest.dropFirst(suite.count)
      let failed = suite.count { !$0.failures.isEmpty }
      let name = first.file.path.inXML
      lines.append(
        #"  <testsuite name="\#(name)" tests="\#(suite.count)" failures="\#(failed)">"#)
      for result in suite { lines += Self.junit(result.title, result.failures, in: name) }
      lines.append("  </testsuite>")
    }
    if isStrict {
      lines.append(
        #"  <testsuite name="conditions" tests="1" failures="\#(min(1, unseen.count))">"#)
      lines += Self.junit(Self.strictTitle, unseen, in: "conditions")
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>"]).map { "\($0)\n" }.joined()
  }

  private static func junit(
    _ title: String, _ failures: [(place: FilePlace, message: String)], in suite: String
  ) -> [String] {
    let start = #"    <testcase classname="\#(suite)" name="\#(title.inXML)""#
    guard let first = failures.first else { return [start + "/>"] }
    let all = failures.map { "\($0.place): \($0.message)" }.joined(separator: "\n")
    return [
      start + ">",
      #"      <failure message="\#(first.message.inXML)">\#(all.inXML)</failure>"#,
      "    </testcase>",
    ]
  }
}

extension String {
  /// The text with control characters replaced by spaces.
  fileprivate var singleLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }

  /// The text for an attribute or an element of XML, without invalid characters.
  fileprivate var inXML: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\n": text += "&#10;"
      case "\u{9}": text += "&#9;"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value & 0xFFFE == 0xFFFE:
        text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
