package import JSONText

/// A message as a value (F9). It can be stored, given another target or selector, and sent again.
package struct Invocation: Equatable, Sendable, Codable, Dated {
  package var target: Receiver?
  /// The selector of the called method. Changing it affects neither arguments nor signature.
  package var selector: Selector
  /// The selector at creation.
  package let originalSelector: Selector
  package internal(set) var sender: Sender?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z by the sender's clock.
  package var when: Int64?
  /// The parameters of the performed command (P2); empty if none were given.
  package var parameters: JSONObject {
    get { givenParameters ?? JSONObject() }
    set { givenParameters = newValue.isEmpty ? nil : newValue }
  }
  private var givenParameters: JSONObject?
  /// The arguments after target and selector.
  package internal(set) var arguments: [JSON]
  /// The receiver's answer; nil before there is one.
  package internal(set) var result: JSON?

  /// The names in journals.
  private enum CodingKeys: String, CodingKey {
    case target, selector, originalSelector, sender, when, givenParameters
    case arguments = "realArguments"
    case result = "storedResult"
  }

  /// Creates a message to `target` with one argument per colon of the selector.
  ///
  /// - Throws: `MessageFault.argumentCount`.
  package init(
    target: Receiver?, selector: Selector, arguments: [JSON], sender: Sender?, when: Int64? = nil
  ) throws(MutationFault) {
    guard arguments.count == selector.argumentCount else {
      throw .message(.argumentCount(selector, given: arguments.count))
    }
    self.target = target
    self.selector = selector
    originalSelector = selector
    self.arguments = arguments
    self.sender = sender
    self.when = when
  }

  /// The receiver's answer. The default is null.
  var answer: JSON { result ?? .null }
}

extension Invocation {
  /// Creates a message with the given arguments, by default the sender and then nulls.
  init(
    _ action: Selector, of sender: Sender?, to target: Receiver?, arguments: [JSON]?,
    when: Int64?, in session: Session
  ) throws(MutationFault) {
    let count = action.argumentCount
    var real = arguments ?? Array(repeating: .null, count: count)
    if arguments == nil, count > 0 { real[0] = sender?.json(in: session.graph) ?? .null }
    try self.init(
      target: target, selector: action, arguments: real, sender: sender, when: when)
  }
}

/// The sender and time of a message, inherited by the messages that it triggers.
struct Sending {
  let sender: Sender?
  /// In milliseconds since 1970-01-01T00:00:00Z; nil if unknown.
  let when: Int64?

  init(by sender: Sender?, when: Int64? = nil) {
    self.sender = sender
    self.when = when
  }

  /// The sending of a message without sender.
  static let byNobody = Sending(by: nil)
}

extension Invocation {
  /// Reads a message, for example `{"target": "photoGrid", "selector": "copy:", "arguments": [null]}`; nil with faults
  /// in the log. A command as sender is looked up in `catalog`. `result` is the answer of an earlier sending.
  package init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog, in catalog: Catalog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let target = reader.member("target", Read.receiver)
    let selector = reader.required("selector", Read.selector)
    let original = reader.member("originalSelector", Read.selector)
    let arguments = reader.list("arguments", Read.any)
    let parameters = reader.member("parameters", Read.object)
    let sender = Sender(&reader, in: catalog)
    let when = reader.member("when", Read.time)
    let result = reader.json("result")
    reader.finish()
    guard let selector else { return nil }
    do throws(MutationFault) {
      try self.init(
        target: target, selector: original ?? selector,
        arguments: arguments
          ?? Array(repeating: .null, count: (original ?? selector).argumentCount),
        sender: sender, when: when)
      self.selector = selector
      self.parameters = parameters ?? JSONObject()
      self.result = result
    } catch {
      log.note(
        .expected(.arguments(of: original ?? selector), found: .array(arguments ?? [])),
        at: pointer.appending("arguments"))
      return nil
    }
  }

  package var json: JSON {
    var object = JSONObject()
    object.reserveCapacity(12)
    object.add("target", target.map { .string($0.description) })
    object.add("selector", .string(selector.rawValue))
    object.add("originalSelector", .string(originalSelector.rawValue))
    object.add("arguments", .array(arguments))
    if !parameters.isEmpty { object.add("parameters", .object(parameters)) }
    object.add("command", sender?.command.map { .string($0.id.rawValue) })
    if let key = sender?.command?.itemKey { object.add("itemKey", .string(key.text)) }
    object.add("modifiers", sender?.command?.alternate?.modifiers.json)
    object.add("sender", sender?.description?.json)
    object.add("result", result)
    object.add("when", when.map(JSON.int))
    return .object(object)
  }

  /// The invocation as rules see it: `target`, `selector`, `originalSelector`, `when`, and `result` once it is
  /// answered (F9).
  var ruleValue: JSON {
    var object = JSONObject()
    object.add("target", target.map { .string($0.description) } ?? .null)
    object.add("selector", .string(selector.rawValue))
    object.add("originalSelector", .string(originalSelector.rawValue))
    object.add("when", when.map(JSON.int))
    object.add("result", result)
    return .object(object)
  }
}

extension Sender {
  fileprivate init?(_ reader: inout ObjectReader, in catalog: Catalog) {
    let id: CommandID? = reader.member("command", Read.identifier)
    let description = reader.member("sender", SenderDescription.init(reading:at:log:))
    let modifiers = reader.member("modifiers", Read.modifiers) ?? []
    var command = id.flatMap(catalog.command)?.whileHolding(modifiers)
    if let key = reader.member("itemKey", Read.itemKey) {
      command?.content.itemKey = key
      if id == nil { reader.log.note(.missingMember("command"), at: reader.pointer) }
      if !modifiers.isEmpty {
        reader.log.note(.conflictingMembers("itemKey", "modifiers"), at: reader.pointer)
      }
    }
    if let id, command == nil {
      reader.log.note(.declaration(.command(.unknownCommand(id))), at: reader.place(of: "command"))
    }
    if command == nil, description == nil { return nil }
    self.init(command: command, description: description)
  }
}
