import ArgumentParser

/// The options for the bounds of rules.
///
/// They are texts here, as those of `ConfigurationOptions` are.
struct RuleOptions: ParsableArguments {
  @Option(help: "The longest rule, in bytes.")
  var maximumSourceLength: String?

  @Option(help: "The most parts of a rule inside each other.")
  var maximumNesting: String?

  @Option(help: "The most parts of a rule.")
  var maximumNodes: String?

  @Option(help: "The most steps of the evaluation of a rule.")
  var maximumSteps: String?

  @Option(help: "The longest string that a rule makes, in bytes.")
  var maximumStringLength: String?

  @Option(help: "The most elements of a list or map that a rule makes.")
  var maximumElements: String?

  /// Adds what is given to the options of `sources`.
  func add(to sources: inout ConfigurationSources) {
    sources.give(.maximumSourceLength, option: "--maximum-source-length", maximumSourceLength)
    sources.give(.maximumNesting, option: "--maximum-nesting", maximumNesting)
    sources.give(.maximumNodes, option: "--maximum-nodes", maximumNodes)
    sources.give(.maximumSteps, option: "--maximum-steps", maximumSteps)
    sources.give(.maximumStringLength, option: "--maximum-string-length", maximumStringLength)
    sources.give(.maximumElements, option: "--maximum-elements", maximumElements)
  }
}

extension ConfigurationSources {
  /// Sets an option, unless its text is nil.
  mutating func give(_ setting: Setting, option name: String, _ text: String?) {
    if let text { options.append((setting, name, text)) }
  }
}
