import JSONText

/// Reads `resources.json` and `prompts.json`, and checks the names in them.
extension CatalogReading {
  /// Returns the resources and prompts; nil if there are none.
  ///
  /// - Parameter commands: The names of all commands; nil if they cannot be determined.
  func contents(declaring commands: Set<CommandID>?) -> ApplicationContents? {
    let resources = contents(of: .resources, ApplicationContents.resources)
    let prompts = contents(of: .prompts, ApplicationContents.prompts)
    checkURIs(of: resources)
    for resource in resources {
      check(resource.commands, of: resource.name.rawValue, in: .resources, among: commands)
    }
    let names = names(in: .resources)
    for prompt in prompts {
      check(prompt.commands, of: prompt.name.rawValue, in: .prompts, among: commands)
      check(prompt, among: resources, names)
    }
    guard !resources.isEmpty || !prompts.isEmpty else { return nil }
    return ApplicationContents(
      resources: resources, prompts: prompts, ruleLimits: document.ruleLimits)
  }

  private func contents<Content>(
    of part: CatalogDocument.Part,
    _ read: (JSON, JSONPointer, FaultLog) -> [Content]?
  ) -> [Content] {
    self.read(part) { read($0, .root, $1) } ?? []
  }

  /// Records URIs and templates shared by two resources.
  private func checkURIs(of resources: [ApplicationResource]) {
    var first: [[UInt8]: ResourceName] = [:]
    for resource in resources {
      let member = resource.isTemplate ? "uriTemplate" : "uri"
      let text = Array(resource.uri.text.utf8)
      guard let other = first[text] else {
        first[text] = resource.name
        continue
      }
      logs[.resources]?.note(
        .repeatedURI(resource.uri.text, other: JSONPointer([other.rawValue, member])),
        at: JSONPointer([resource.name.rawValue, member]))
    }
  }

  private func check(
    _ commands: [CommandID], of name: String, in part: CatalogDocument.Part,
    among known: Set<CommandID>?
  ) {
    guard let known else { return }
    for (index, id) in commands.enumerated() where !known.contains(id) {
      logs[part]?.noteUndeclared(
        id, among: known, at: JSONPointer([name, "commands", "\(index)"]))
    }
  }

  /// Records undeclared resources that a prompt embeds, and variables without an argument.
  private func check(
    _ prompt: ApplicationPrompt, among resources: [ApplicationResource], _ names: [String]?
  ) {
    for (index, message) in prompt.messages.enumerated() {
      guard case .resource(let name) = message.content, let names else { continue }
      let place = JSONPointer([prompt.name.rawValue, "messages", "\(index)", "resource"])
      guard names.contains(where: name.rawValue.hasSameBytes(as:)) else {
        logs[.prompts]?.note(.unknownResource(name.rawValue, known: names), at: place)
        continue
      }
      let variables = resources.first { $0.name == name }?.variables ?? []
      for variable in variables {
        let argument = prompt.arguments.first { $0.name.hasSameBytes(as: variable.name) }
        guard argument?.isRequired != true else { continue }
        logs[.prompts]?.note(.unfilledVariable(variable.name, of: name.rawValue), at: place)
      }
    }
  }
}
