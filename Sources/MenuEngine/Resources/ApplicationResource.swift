import CEL
import JSONText

package typealias ResourceName = Identifier<ApplicationResource>

/// A resource that an application declares for agents: a text, a file, or the result of a rule.
package struct ApplicationResource: Sendable {
  package let name: ResourceName
  /// Its URI, or a template for many URIs.
  package let uri: URITemplate
  package let title: String?
  package let description: String?
  /// The declared media type.
  let declaredType: MediaType?
  /// The commands that it is about; it is visible only to clients that see all of them.
  package let commands: [CommandID]
  /// The variables of the template, in order.
  package let variables: [Variable]
  package let content: Content
  /// The declaration as a document.
  let document: JSON

  /// The content, or its source.
  package enum Content: Sendable {
    case text(String)
    case file(ApplicationFile)
    /// The result of a rule: a text, or a value written as JSON.
    case rule(Rule)
  }

  package struct Variable: Sendable {
    package let name: String
    package let values: ParameterValues
  }

  /// True if the URI is a template.
  package var isTemplate: Bool { !variables.isEmpty }

  /// True if its content or its variables depend on more of the session than its language.
  package var readsSession: Bool {
    let isRead = if case .rule(let rule) = content { rule.readsSession } else { false }
    return isRead || variables.contains(where: \.values.readsSession)
  }

  /// The media type, if it is known before reading the content.
  package var type: MediaType? {
    switch content {
    case .text: declaredType ?? .plainText
    case .file(let file): file.type
    case .rule: declaredType
    }
  }
}

extension ApplicationResource {
  /// Reads a resource: `{"uri": "recipes://shown", "content": "state.recipe"}`.
  init?(_ name: ResourceName, reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let uri = reader.member("uri", Read.uri)
    let template = reader.member("uriTemplate", Read.uriTemplate)
    reader.requireOne(of: ["uri", "uriTemplate"])
    title = reader.member("title", Read.text(upTo: Limits.title))
    description = reader.member("description", Read.text(upTo: Limits.description))
    declaredType = reader.member("mimeType", Read.mediaType)
    commands = reader.list("commands", Read.identifier) ?? []
    variables = Self.variables(of: template, &reader)
    let content = Content(&reader, declaredType)
    reader.finish()
    guard let uri = uri ?? template, let content else { return nil }
    (self.name, self.uri, self.content, document) = (name, uri, content, json)
  }

  private static func variables(
    of template: URITemplate?, _ reader: inout ObjectReader
  ) -> [Variable] {
    let declared = reader.member("variables") { json, pointer, log in
      Read.members(upTo: Limits.arguments, json, at: pointer, log: log) { name, json, place in
        if let template, !template.variables.contains(where: name.hasSameBytes(as:)) {
          log.note(.unknownMember(name, known: template.variables), at: place)
        }
        return Variable(name, reading: json, at: place, log: log)
      }
    }
    if reader.has("variables"), reader.has("uri") {
      reader.log.note(.conflictingMembers("uri", "variables"), at: reader.place(of: "variables"))
    }
    return (template?.variables ?? []).map { name in
      declared?.first { $0.name.hasSameBytes(as: name) } ?? Variable(name: name, values: .any)
    }
  }
}

extension ApplicationResource.Variable {
  fileprivate init?(_ name: String, reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    values = ParameterValues(&reader)
    reader.finish()
    self.name = name
  }
}

extension ApplicationResource.Content {
  fileprivate init?(_ reader: inout ObjectReader, _ type: MediaType?) {
    let text = reader.member("text", Read.text(upTo: Limits.work))
    let file = reader.member("file") {
      ApplicationFile(reading: $0, at: $1, log: $2, type: type)
    }
    let rule = reader.member("content") {
      Read.rule(answering: .json, reading: $0, at: $1, log: $2)
    }
    reader.requireOne(of: ["text", "file", "content"])
    guard let content = text.map(Self.text) ?? file.map(Self.file) ?? rule.map(Self.rule) else {
      return nil
    }
    self = content
  }
}
