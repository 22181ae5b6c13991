import CEL
package import JSONText

/// The resources and prompts that an application declares for agents, in the order of declaration.
package final class ApplicationContents: Sendable {
  package let resources: [ApplicationResource]
  package let prompts: [ApplicationPrompt]
  /// The limits of their rules.
  let ruleLimits: ProgramLimits

  init(
    resources: [ApplicationResource], prompts: [ApplicationPrompt], ruleLimits: ProgramLimits
  ) {
    (self.resources, self.prompts, self.ruleLimits) = (resources, prompts, ruleLimits)
  }

  /// The titles and descriptions, which are their own keys in other languages (M14).
  var labels: [String] {
    let labels =
      resources.flatMap { [$0.title, $0.description] }
      + prompts.flatMap { prompt in
        [prompt.title, prompt.description]
          + prompt.arguments.flatMap { [$0.title, $0.description] }
      }
    return labels.compactMap(\.self)
  }

  /// Returns the resources and prompts for a client that sees some commands; nil if there are none (T1).
  ///
  /// Resources and prompts without commands are omitted.
  func limited(to isShown: (CommandID) -> Bool) -> ApplicationContents? {
    func exists(for commands: [CommandID]) -> Bool {
      !commands.isEmpty && commands.allSatisfy(isShown)
    }
    let resources = resources.filter { exists(for: $0.commands) }
    let names = Set(resources.map(\.name))
    let prompts = prompts.filter { prompt in
      exists(for: prompt.commands) && prompt.embedded.allSatisfy(names.contains)
    }
    guard !resources.isEmpty || !prompts.isEmpty else { return nil }
    return ApplicationContents(resources: resources, prompts: prompts, ruleLimits: ruleLimits)
  }
}

extension Catalog {
  /// The resources of the application, in the order of declaration.
  package var resources: [ApplicationResource] { contents?.resources ?? [] }

  /// The prompts of the application, in the order of declaration.
  package var prompts: [ApplicationPrompt] { contents?.prompts ?? [] }

  /// Returns a resource by its name.
  package func resource(_ name: ResourceName) -> ApplicationResource? {
    resources.first { $0.name == name }
  }

  /// Returns the resource of a URI, with the values of its variables: the resource with this URI, else the first whose
  /// template matches.
  ///
  /// - Parameter isShown: Returns true for a visible resource.
  package func resource(
    at uri: String, where isShown: (ApplicationResource) -> Bool
  ) -> (resource: ApplicationResource, values: JSONObject)? {
    func found(_ resource: ApplicationResource) -> (ApplicationResource, JSONObject)? {
      resource.uri.values(of: uri).map { (resource, $0) }
    }
    let resources = resources.filter(isShown)
    return resources.lazy.filter { !$0.isTemplate }.compactMap(found).first
      ?? resources.lazy.filter(\.isTemplate).compactMap(found).first
  }

  /// True if the prompt, or a resource that it embeds by name, depends on more of the session than its language.
  package func readsSession(_ prompt: ApplicationPrompt) -> Bool {
    prompt.readsSession || prompt.embedded.contains { resource($0)?.readsSession != false }
  }

  /// Returns a title or a description of a resource or a prompt in the language of the catalogue (M14).
  package func label(_ text: String?) -> String? { text.map(translated) }
}

/// The coded form has the declarations, and the contents of files as Base64 by path.
extension ApplicationContents: Codable {
  private enum CodingKeys: CodingKey {
    case resources
    case prompts
    case files
    case limits
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let resources = resources.map { ($0.name.rawValue, $0.document) }
    let prompts = prompts.map { ($0.name.rawValue, $0.document) }
    if !resources.isEmpty { try container.encode(Self.object(resources), forKey: .resources) }
    if !prompts.isEmpty { try container.encode(Self.object(prompts), forKey: .prompts) }
    var files = JSONObject()
    for file in self.files where files[file.path] == nil {
      files[file.path] = .string(file.base64)
    }
    if !files.isEmpty { try container.encode(JSON.object(files), forKey: .files) }
    if ruleLimits != ProgramLimits() { try container.encode(ruleLimits, forKey: .limits) }
  }

  package convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let limits = try container.decodeIfPresent(ProgramLimits.self, forKey: .limits)
    let files = try container.decodeIfPresent(JSON.self, forKey: .files) ?? [:]
    let log = FaultLog(
      ruleLimits: limits ?? ProgramLimits(), files: ApplicationFiles(Self.reader(of: files)))
    var resources: [ApplicationResource] = []
    if container.contains(.resources) {
      resources = try container.decodeDocument(forKey: .resources, log, Self.resources)
    }
    var prompts: [ApplicationPrompt] = []
    if container.contains(.prompts) {
      prompts = try container.decodeDocument(forKey: .prompts, log, Self.prompts)
    }
    self.init(resources: resources, prompts: prompts, ruleLimits: log.ruleLimits)
  }

  private static func object(_ members: [(String, JSON)]) -> JSON {
    var object = JSONObject()
    for (name, value) in members { object[name] = value }
    return .object(object)
  }

  private static func reader(of files: JSON) -> ApplicationFiles.Reader {
    { (path, _) throws(FileFault) in
      guard case .string(let text)? = files[JSONPointer([path])], let bytes = Base64.bytes(text)
      else { throw .absent }
      return bytes
    }
  }

  private var files: [ApplicationFile] {
    let ofResources = resources.compactMap { resource in
      if case .file(let file) = resource.content { file } else { nil as ApplicationFile? }
    }
    let ofPrompts = prompts.flatMap(\.messages).compactMap { message in
      if case .image(let file) = message.content { file } else { nil as ApplicationFile? }
    }
    return ofResources + ofPrompts
  }
}

extension ApplicationContents {
  /// Reads an object of resources by name.
  static func resources(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [ApplicationResource]? {
    declared(json, at: pointer, log: log, upTo: Limits.resources) { name, json, place, log in
      ApplicationResource(name, reading: json, at: place, log: log)
    }
  }

  /// Reads an object of prompts by name.
  static func prompts(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [ApplicationPrompt]? {
    declared(json, at: pointer, log: log, upTo: Limits.prompts) { name, json, place, log in
      ApplicationPrompt(name, reading: json, at: place, log: log)
    }
  }

  private static func declared<Declaration>(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog, upTo limit: Int,
    _ read: (Identifier<Declaration>, JSON, JSONPointer, FaultLog) -> Declaration?
  ) -> [Declaration]? {
    Read.members(upTo: limit, json, at: pointer, log: log) { name, json, place in
      let name: Identifier<Declaration>? = Read.identifier(.string(name), at: place, log: log)
      return name.flatMap { read($0, json, place, log) }
    }
  }
}
