import CEL

/// A rule that is made to be expensive.
struct HostileRule {
  /// The rule, abbreviated where it is long.
  let name: String
  let source: String
  var limits = ProgramLimits()
  var isExplained = false

  init(
    _ source: String, name: String? = nil, limits: ProgramLimits = ProgramLimits(),
    isExplained: Bool = false
  ) {
    let isLong = limits.maximumSourceLength > ProgramLimits().maximumSourceLength
    self.name =
      (isExplained ? "explain: " : "") + (isLong ? "longer: " : "") + (name ?? source)
    self.source = source
    self.limits = limits
    self.isExplained = isExplained
  }

  /// `part` so often that the source is as long as it may be, between `first` and `last`.
  init(
    _ first: String, filledWith part: String, _ last: String = "",
    limits: ProgramLimits = ProgramLimits(),
    isExplained: Bool = false
  ) {
    let room = limits.maximumSourceLength - first.utf8.count - last.utf8.count
    let parts = String(repeating: part, count: max(room / part.utf8.count, 0))
    self.init(
      first + parts + last, name: "\(first)\(part)\(part)…\(last)", limits: limits,
      isExplained: isExplained)
  }

  /// Returns a rule with `expression` for each of many numbers `x`.
  static func repeated(_ expression: String) -> HostileRule {
    HostileRule(
      "range.exists(x, dyn(\(expression)) == null || x < 0)", name: "for all x: \(expression)")
  }

  static let all =
    ofSources + ofTypes + ofLists + ofMaps + ofStrings + ofFormats + ofConversions + ofPatterns
    + ofTimes + ofExplanations

  /// As generous as a configuration can be with what is compiled.
  static let roomy = ProgramLimits(
    maximumSourceLength: .max, maximumNesting: .max, maximumNodes: 1 << 16)
}
