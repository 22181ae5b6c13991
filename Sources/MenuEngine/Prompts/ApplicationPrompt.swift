import CEL
import JSONText
package import Languages

package typealias PromptName = Identifier<ApplicationPrompt>

/// A prompt that an application declares for agents: its arguments, and the messages composed from them.
package struct ApplicationPrompt: Sendable {
  package let name: PromptName
  package let title: String?
  package let description: String?
  /// The commands that it is about; it is visible only to clients that see all of them.
  package let commands: [CommandID]
  package let arguments: [Argument]
  package let messages: [Message]
  /// The declaration as a document.
  let document: JSON

  package struct Argument: Sendable {
    package let name: String
    package let title: String?
    package let description: String?
    package let isRequired: Bool
    package let values: ParameterValues
  }

  package struct Message: Sendable {
    package let role: Role
    package let content: Content
  }

  package enum Role: String, CaseIterable, Sendable {
    case user
    case assistant
  }

  /// The content of a message, or its source.
  package enum Content: Sendable {
    /// A text with the names of arguments in braces.
    case text(MessageText)
    /// The text returned by a rule.
    case rule(Rule)
    case image(ApplicationFile)
    /// A resource by name; the arguments are the variables of its template.
    case resource(ResourceName)
    /// A resource by the URI that a rule returns.
    case resourceAt(Rule)
  }

  /// The names of the resources that its messages embed.
  package var embedded: [ResourceName] {
    messages.compactMap { if case .resource(let name) = $0.content { name } else { nil } }
  }

  /// True if its rules read more of the session than its language; embedded resources do not count.
  var readsSession: Bool {
    arguments.contains(where: \.values.readsSession)
      || messages.contains { message in
        switch message.content {
        case .rule(let rule), .resourceAt(let rule): rule.readsSession
        case .text, .image, .resource: false
        }
      }
  }
}

extension ApplicationPrompt {
  /// Reads a prompt: `{"messages": [{"role": "user", "text": "Plan a dinner."}]}`.
  init?(_ name: PromptName, reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    title = reader.member("title", Read.text(upTo: Limits.title))
    description = reader.member("description", Read.text(upTo: Limits.description))
    commands = reader.list("commands", Read.identifier) ?? []
    arguments = reader.member("arguments", Argument.list) ?? []
    let names = arguments.map(\.name)
    let messages = reader.required("messages") {
      Message.list(reading: $0, at: $1, log: $2, naming: names)
    }
    reader.finish()
    guard let messages else { return nil }
    (self.name, self.messages, document) = (name, messages, json)
  }
}

extension ApplicationPrompt.Argument {
  fileprivate static func list(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [ApplicationPrompt.Argument]? {
    guard case .array(let elements) = json, elements.count <= Limits.arguments else {
      return Read.refuse(.arrayUpTo(Limits.arguments), json, at: pointer, log: log)
    }
    var arguments: [ApplicationPrompt.Argument] = []
    for (index, element) in elements.enumerated() {
      let place = pointer.appending(index)
      guard let argument = Self(reading: element, at: place, log: log) else { continue }
      if arguments.contains(where: { $0.name.hasSameBytes(as: argument.name) }) {
        log.note(.repeatedName(argument.name), at: place.appending("name"))
      }
      arguments.append(argument)
    }
    return arguments
  }

  private init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let name = reader.required("name", Read.parameterName)
    title = reader.member("title", Read.text(upTo: Limits.title))
    description = reader.member("description", Read.text(upTo: Limits.description))
    isRequired = reader.member("required", Read.bool) ?? false
    values = ParameterValues(&reader)
    reader.finish()
    guard let name else { return nil }
    self.name = name
  }
}

extension ApplicationPrompt.Message {
  /// - Parameter names: The names of the arguments, which texts contain in braces.
  fileprivate static func list(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, naming names: [String]
  ) -> [ApplicationPrompt.Message]? {
    guard case .array(let elements) = json, (1...Limits.messages).contains(elements.count) else {
      return Read.refuse(.arrayFrom(1...Limits.messages), json, at: pointer, log: log)
    }
    return elements.enumerated().compactMap { index, element in
      Self(reading: element, at: pointer.appending(index), log: log, naming: names)
    }
  }

  private init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, naming names: [String]
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let role: ApplicationPrompt.Role? = reader.required("role", Read.word)
    let content = ApplicationPrompt.Content(&reader, naming: names)
    reader.finish()
    guard let role, let content else { return nil }
    (self.role, self.content) = (role, content)
  }
}

extension ApplicationPrompt.Content {
  /// The members for a message's content, of which exactly one is required.
  private static let members = ["text", "content", "image", "resource", "resourceAt"]

  fileprivate init?(_ reader: inout ObjectReader, naming names: [String]) {
    let text = reader.member("text") { json, pointer, log in
      Read.text(upTo: Limits.work)(json, pointer, log).map { text in
        let text = MessageText(text)
        for name in text.names where !names.contains(where: name.hasSameBytes(as:)) {
          log.note(.unknownArgument(name, known: names), at: pointer)
        }
        return text
      }
    }
    let rule = reader.member("content", Read.stringRule)
    let type = reader.member("mimeType", Read.imageType)
    let image = reader.member("image") {
      ApplicationFile(readingImage: $0, at: $1, log: $2, type: type)
    }
    let resource: ResourceName? = reader.member("resource", Read.identifier)
    let resourceAt = reader.member("resourceAt", Read.stringRule)
    reader.requireOne(of: Self.members)
    if reader.has("mimeType"), !reader.has("image") {
      reader.log.note(.missingMember("image"), at: reader.pointer)
    }
    guard
      let content = text.map(Self.text) ?? rule.map(Self.rule) ?? image.map(Self.image)
        ?? resource.map(Self.resource) ?? resourceAt.map(Self.resourceAt)
    else { return nil }
    self = content
  }
}

extension ApplicationFile {
  /// Reads the path of an image and the file; the default type is that of the extension.
  fileprivate init?(
    readingImage json: JSON, at pointer: JSONPointer, log: FaultLog, type declared: MediaType?
  ) {
    if declared == nil, case .string(let path) = json, !MediaType(ofPath: path).isImage {
      log.note(.expected(.imagePath, found: json), at: pointer)
      return nil
    }
    self.init(reading: json, at: pointer, log: log, type: declared)
  }
}

extension Read {
  /// Reads the name of an argument.
  static func parameterName(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> String? {
    if case .string(let name) = json, name.isParameterName { return name }
    return refuse(.parameterName, json, at: pointer, log: log)
  }
}
