import ArgumentParser
import CEL
import JSONText
import MenuEngine

/// Evaluates a rule with values from files, as `POST /rules/check` does with those in a request.
struct RuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rule", abstract: "Evaluate a rule.",
    discussion: """
      Prints the value as JSON, or as a literal of the rule language where JSON has no form for it. \
      Exits with 0 if there is a value, with 1 if the rule is refused or fails, and with 78 if a file \
      cannot be read or the configuration has mistakes. The bounds are those that serve would give. \
      Colours are for terminals, unless NO_COLOR is set.
      """)

  @Argument(help: "The rule.")
  var rule: String

  @Option(help: "A JSON file: the value of state.", completion: .file(extensions: ["json"]))
  var state: String?

  @Option(
    help: "A JSON file: an object with the values of other variables, by their names.",
    completion: .file(extensions: ["json"]))
  var variables: String?

  @Flag(help: "Show the value of every part of the rule, and the part that made it false.")
  var explain = false

  @OptionGroup var file: FileOption

  @OptionGroup(title: "Bounds of rules") var bounds: RuleOptions

  func run() throws {
    var sources = ConfigurationSources(file: file.file)
    bounds.add(to: &sources)
    let limits = try sources.loaded(orExit: .configuration).rules
    let variables = try values()
    do {
      let program = try Program(rule, variables: variables.map(\.name), limits: limits)
      let value = { (position: Int) in Value(variables[position].value) }
      try explain ? show(program.explanation(binding: value)) : show(program.value(binding: value))
    } catch let exit as ExitCode {
      throw exit
    } catch {
      Posix.write("menud: \(error)\n", to: Posix.errors)
      throw ExitCode.failure
    }
  }

  private func show(_ value: Value) {
    let json = try? value.json
    Posix.print(json?.text() ?? value.text(upTo: .max))
  }

  private func show(_ explanation: Explanation) throws {
    let isColored = Posix.isInteractive && (Posix.environmentValue("NO_COLOR") ?? "").isEmpty
    Posix.print(explanation.text(isColored: isColored))
    if case .failure = explanation.outcome { throw ExitCode.failure }
  }

  /// Returns the variables with their values in the files: the roots of rules, then all others.
  private func values() throws -> [(name: String, value: JSON)] {
    try reporting(exit: .configuration) { () throws(ConfigurationFault) in
      var given = try JSONObject(readingFile: variables)
      if let state { given["state"] = try JSON(readingFile: state) }
      let roots = Rule.rootNames.map { (name: $0, value: given[$0] ?? .null) }
      let others = given.members.filter { !Rule.rootNames.contains($0.name) }
      return roots + others.map { (name: $0.name, value: $0.value) }
    }
  }
}

extension JSONObject {
  /// Reads the object in a file; an empty one without a file.
  fileprivate init(readingFile path: String?) throws(ConfigurationFault) {
    self.init()
    guard let path else { return }
    let json = try JSON(readingFile: path).withoutSchemaReference
    guard case .object(let object) = json else {
      throw .notAnObject(FilePlace(path: path), found: json)
    }
    self = object
  }
}

/// The options for the limits of rules.
///
/// They are texts here, like those of `ConfigurationOptions`.
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

  /// Adds the given options to `sources`.
  func add(to sources: inout ConfigurationSources) {
    sources.give(
      "rules.maximumSourceLength", option: "--maximum-source-length", maximumSourceLength)
    sources.give("rules.maximumNesting", option: "--maximum-nesting", maximumNesting)
    sources.give("rules.maximumNodes", option: "--maximum-nodes", maximumNodes)
    sources.give("rules.maximumSteps", option: "--maximum-steps", maximumSteps)
    sources.give(
      "rules.maximumStringLength", option: "--maximum-string-length", maximumStringLength)
    sources.give("rules.maximumElements", option: "--maximum-elements", maximumElements)
  }
}

extension ConfigurationSources {
  /// Adds an option for the setting at a path, unless its text is nil.
  mutating func give(_ path: String, option name: String, _ text: String?) {
    if let text { options.append((.at(path), name, text)) }
  }
}
