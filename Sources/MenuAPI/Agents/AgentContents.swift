import JSONText
import MenuEngine

/// The resources and prompts of an application that are visible to an agent.
///
/// One is visible if all commands that it is about exist for the token, and none is hidden from agents (T7). Reading
/// the session requires the right `read` (T3).
struct AgentContents {
  /// The catalogue as the token sees it, in the language of the session.
  let catalog: Catalog
  /// The consent for commands that do not declare one.
  let consent: AgentConsent
  /// True if the token may read documents.
  let showsDocuments: Bool

  var resources: [ApplicationResource] { catalog.resources.filter(shows) }

  var prompts: [ApplicationPrompt] { catalog.prompts.filter(shows) }

  func shows(_ resource: ApplicationResource) -> Bool {
    (showsDocuments || !resource.readsSession) && resource.commands.allSatisfy(shows)
  }

  private func shows(_ prompt: ApplicationPrompt) -> Bool {
    (showsDocuments || !catalog.readsSession(prompt)) && prompt.commands.allSatisfy(shows)
      && prompt.embedded.allSatisfy { name in catalog.resource(name).map(shows) ?? false }
  }

  private func shows(_ id: CommandID) -> Bool {
    catalog.command(id).map { ($0.agents ?? consent) != .hidden } ?? false
  }

  /// Returns the resource of a URI, with the values of its variables.
  func resource(
    at uri: String
  ) -> (resource: ApplicationResource, values: JSONObject)? {
    catalog.resource(at: uri, where: shows)
  }

  /// Returns the resource whose template has this text.
  func template(_ text: String) -> ApplicationResource? {
    resources.first { $0.isTemplate && $0.uri.text.hasSameBytes(as: text) }
  }

  func prompt(named name: String) -> ApplicationPrompt? {
    prompts.first { $0.name.rawValue.hasSameBytes(as: name) }
  }
}

// MARK: Lists

extension AgentContents {
  /// The descriptions of resources, without templates.
  var resourceList: [JSON] { resources.filter { !$0.isTemplate }.map(json) }

  var templateList: [JSON] { resources.filter(\.isTemplate).map(json) }

  var promptList: [JSON] { prompts.map(json) }

  private func json(_ resource: ApplicationResource) -> JSON {
    var object = JSONObject()
    object[resource.isTemplate ? "uriTemplate" : "uri"] = .string(resource.uri.text)
    add(resource.name.rawValue, title: resource.title, resource.description, to: &object)
    object["mimeType"] = resource.type.map { .string($0.text) }
    if case .file(let file) = resource.content { object["size"] = .int(Int64(file.size)) }
    return .object(object)
  }

  private func json(_ prompt: ApplicationPrompt) -> JSON {
    var object = JSONObject()
    add(prompt.name.rawValue, title: prompt.title, prompt.description, to: &object)
    if !prompt.arguments.isEmpty {
      object["arguments"] = .array(
        prompt.arguments.map { argument in
          var object = JSONObject()
          add(argument.name, title: argument.title, argument.description, to: &object)
          if argument.isRequired { object["required"] = true }
          return .object(object)
        })
    }
    return .object(object)
  }

  private func add(
    _ name: String, title: String?, _ description: String?, to object: inout JSONObject
  ) {
    object["name"] = .string(name)
    object["title"] = catalog.label(title).map(JSON.string)
    object["description"] = catalog.label(description).map(JSON.string)
  }
}

// MARK: Contents

extension ResourceContents {
  /// The contents in the protocol's form.
  var json: JSON {
    var object: JSONObject = ["uri": .string(uri), "mimeType": .string(type.text)]
    switch contents {
    case .text(let text): object["text"] = .string(text)
    case .blob(let blob): object["blob"] = .string(blob)
    }
    return .object(object)
  }
}

extension PromptMessage {
  /// The message in the protocol's form.
  var json: JSON { ["role": .string(role.rawValue), "content": content.json] }
}

extension PromptMessage.Content {
  fileprivate var json: JSON {
    switch self {
    case .text(let text): ["type": "text", "text": .string(text)]
    case .image(let data, let type):
      ["type": "image", "data": .string(data), "mimeType": .string(type.text)]
    case .resource(let resource): ["type": "resource", "resource": resource.json]
    }
  }
}
