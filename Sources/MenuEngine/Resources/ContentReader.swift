import CEL
package import JSONText
import Languages

/// Reads the contents of resources and prompts of a session for an actor; all rules share one effort.
package struct ContentReader {
  private let catalog: Catalog
  private let effort: Effort
  private let context: RuleContext

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - catalog: The catalogue, in the language of the session (M14).
  ///   - actor: The actor, which rules read as `sender.actor` (T4).
  package init(
    of session: Session, in catalog: Catalog, for actor: Principal, spending effort: Effort
  ) {
    self.catalog = catalog
    self.effort = effort
    let sender = Sender(description: SenderDescription(members: ["kind": "request"]))
    context = session.inquiry(
      in: SessionContext(catalog, effort: effort, isExplaining: false, actor: actor),
      sender: sender
    ).context(for: nil)
  }

  /// Returns the contents of a resource.
  ///
  /// - Parameter values: The values of its variables.
  /// - Throws: `unknownResource` if a variable does not allow its value.
  package func contents(
    of resource: ApplicationResource, _ values: JSONObject, at uri: String
  ) throws(ContentFault) -> ResourceContents {
    for variable in resource.variables {
      guard case .string(let value)? = values[variable.name],
        try allows(variable.values, value, among: values, at: "variables/\(variable.name)")
      else { throw .unknownResource(uri) }
    }
    switch resource.content {
    case .text(let text):
      return ResourceContents(
        uri: uri, type: resource.declaredType ?? .plainText, contents: .text(text))
    case .file(let file):
      return ResourceContents(uri: uri, type: file.type, contents: file.contents)
    case .rule(let rule):
      let answer = try value(of: rule, values, at: "content")
      guard case .string(let text) = answer else {
        return ResourceContents(
          uri: uri, type: resource.declaredType ?? .json, contents: .text(answer.text()))
      }
      return ResourceContents(
        uri: uri, type: resource.declaredType ?? .plainText, contents: .text(text))
    }
  }

  /// Returns the values that an argument or a variable allows, or examples of them; nil for any.
  ///
  /// - Parameters:
  ///   - others: The values known so far.
  ///   - place: The place of its declaration, for faults.
  package func choices(
    of values: ParameterValues, _ others: JSONObject, at place: String
  ) throws(ContentFault) -> [String]? {
    switch values {
    case .any: return nil
    case .listed(let texts), .examples(let texts): return texts
    case .rule(let rule):
      let answer = try value(of: rule, others, at: place + "/choices")
      let choices: [String?] =
        if case .array(let elements) = answer { elements.map(\.choice) } else { [nil] }
      guard choices.count <= Limits.choices, !choices.contains(nil) else {
        throw .rule(rule.fault(at: place + "/choices", answering: Value(answer), expecting: .texts))
      }
      return choices.compactMap(\.self)
    }
  }

  /// Returns true if an argument or a variable allows a value.
  private func allows(
    _ values: ParameterValues, _ value: String, among others: JSONObject, at place: String
  ) throws(ContentFault) -> Bool {
    switch values {
    case .any, .examples: true
    case .listed, .rule:
      try choices(of: values, others, at: place)?.contains(where: value.hasSameBytes(as:)) ?? true
    }
  }

  /// Returns the value of a rule of bounded size.
  private func value(
    of rule: Rule, _ values: JSONObject, at place: String
  ) throws(ContentFault) -> JSON {
    var context = context
    context.parameters = values
    let answer: JSON
    do throws(RuleFault) {
      answer = try rule.bounded(try context.value(of: rule, at: place), at: place, effort)
    } catch {
      throw effort.isExhausted ? .tooMuchEffort : .rule(error)
    }
    guard !effort.isExhausted else { throw .tooMuchEffort }
    return answer
  }
}

// MARK: Prompts

extension ContentReader {
  /// Returns the messages of a prompt.
  ///
  /// - Parameter isShown: Returns true for a resource that may be embedded; others count as missing.
  package func messages(
    of prompt: ApplicationPrompt, _ given: JSONObject,
    embedding isShown: (ApplicationResource) -> Bool
  ) throws(ContentFault) -> [PromptMessage] {
    let arguments = try prompt.values(in: given)
    try check(arguments, of: prompt)
    var room = Limits.promptSize
    var messages: [PromptMessage] = []
    for (index, message) in prompt.messages.enumerated() {
      let content = try content(
        of: message, arguments, at: "messages/\(index)", embedding: isShown, within: room)
      room -= content.size
      guard room >= 0 else { throw .tooLarge(limit: Limits.promptSize) }
      messages.append(PromptMessage(role: message.role, content: content))
    }
    return messages
  }

  private func check(
    _ arguments: JSONObject, of prompt: ApplicationPrompt
  ) throws(ContentFault) {
    for argument in prompt.arguments {
      guard case .string(let value)? = arguments[argument.name] else {
        if argument.isRequired { throw .missingArgument(argument.name) }
        continue
      }
      let place = "arguments/\(argument.name)"
      guard try allows(argument.values, value, among: arguments, at: place) else {
        let choices = try choices(of: argument.values, arguments, at: place) ?? []
        throw .notAChoice(argument.name, value, choices: choices)
      }
    }
  }

  private func content(
    of message: ApplicationPrompt.Message, _ arguments: JSONObject, at place: String,
    embedding isShown: (ApplicationResource) -> Bool, within room: Int
  ) throws(ContentFault) -> PromptMessage.Content {
    switch message.content {
    case .text(let text):
      guard text.size(naming: arguments) <= room else { throw .tooLarge(limit: Limits.promptSize) }
      return .text(text.text(naming: arguments, else: ""))
    case .rule(let rule): return .text(try text(of: rule, arguments, at: place + "/content"))
    case .image(let file): return .image(data: file.base64, file.type)
    case .resource(let name):
      guard let resource = catalog.resource(name), isShown(resource),
        let uri = resource.uri.expansion(arguments), let values = resource.uri.values(of: uri)
      else { throw .unknownResource(name.rawValue) }
      return .resource(try contents(of: resource, values, at: uri))
    case .resourceAt(let rule):
      let uri = try text(of: rule, arguments, at: place + "/resourceAt")
      guard let (resource, values) = catalog.resource(at: uri, where: isShown) else {
        throw .unknownResource(uri)
      }
      return .resource(try contents(of: resource, values, at: uri))
    }
  }

  private func text(
    of rule: Rule, _ arguments: JSONObject, at place: String
  ) throws(ContentFault) -> String {
    let answer = try value(of: rule, arguments, at: place)
    guard case .string(let text) = answer else {
      throw .rule(rule.fault(at: place, answering: Value(answer), expecting: .string))
    }
    return text
  }
}

extension ApplicationPrompt {
  /// Returns the values of a client's arguments, in declaration order.
  ///
  /// - Throws: `unknownArgument`, or `notAText` for a value that is not a string.
  package func values(in given: JSONObject) throws(ContentFault) -> JSONObject {
    let names = arguments.map(\.name)
    for member in given where !names.contains(where: member.name.hasSameBytes) {
      throw .unknownArgument(member.name, known: names)
    }
    var values = JSONObject()
    for name in names {
      guard let value = given[name] else { continue }
      guard case .string = value else { throw .notAText(name) }
      values[name] = value
    }
    return values
  }
}

extension JSONObject {
  fileprivate func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }
}

extension MessageText {
  /// Returns the number of bytes of the text with values.
  fileprivate func size(naming values: JSONObject) -> Int {
    parts.reduce(0) { size, part in
      switch part {
      case .text(let text): size + text.utf8.count
      case .name(let name): size + (values.text(name)?.utf8.count ?? 0)
      }
    }
  }

  /// Returns the text with values; `other` replaces missing ones.
  fileprivate func text(naming values: JSONObject, else other: String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .name(let name): values.text(name) ?? other
      }
    }.joined()
  }
}

extension JSON {
  /// The text of a choice, or of the member `const` beside a `title`; nil for another value.
  fileprivate var choice: String? {
    switch self {
    case .string(let text): text
    case .object(let object):
      if case .string(let text)? = object["const"] { text } else { nil }
    case .null, .bool, .int, .double, .array: nil
    }
  }
}

/// The contents of a resource.
package struct ResourceContents: Sendable {
  package let uri: String
  package let type: MediaType
  package let contents: ApplicationFile.Contents
}

/// A message of a prompt, with all values filled in.
package struct PromptMessage: Sendable {
  package let role: ApplicationPrompt.Role
  package let content: Content

  package enum Content: Sendable {
    case text(String)
    /// The bytes as Base64.
    case image(data: String, MediaType)
    case resource(ResourceContents)

    fileprivate var size: Int {
      switch self {
      case .text(let text): text.utf8.count
      case .image(let data, _): data.utf8.count
      case .resource(let resource): resource.contents.size
      }
    }
  }
}

/// A reason why a resource or a prompt cannot be read.
package enum ContentFault: Error, Equatable, Sendable {
  /// There is no resource of this URI, or with this name.
  case unknownResource(String)
  case missingArgument(String)
  case unknownArgument(String, known: [String])
  /// The value of an argument is not a string.
  case notAText(String)
  /// The value of an argument is not one of its choices.
  case notAChoice(String, String, choices: [String])
  case rule(RuleFault)
  case tooMuchEffort
  /// The messages exceed the maximum size.
  case tooLarge(limit: Int)
}
