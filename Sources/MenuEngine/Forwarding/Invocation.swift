package import JSONText

/// A message as a value (F9): it can be kept, given another target or selector, and sent again.
package struct Invocation: Equatable, Sendable, Codable {
  /// The receiver.
  package var target: Receiver?
  /// The method that is called. Changing it touches neither arguments nor signature.
  package var selector: Selector
  /// The selector it was made with.
  package let originalSelector: Selector
  /// The sender.
  package let sender: Sender?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z by the sender's clock.
  package internal(set) var when: Int64?
  /// The parameters of the command that was performed (P2); empty unless some were given.
  package var parameters: JSONObject {
    get { givenParameters ?? JSONObject() }
    set { givenParameters = newValue.isEmpty ? nil : newValue }
  }
  private var givenParameters: JSONObject?
  private var realArguments: [JSON]
  private var storedResult: JSON?

  /// A message to `target` with as many arguments as the selector has colons.
  ///
  /// - Throws: `InvocationFault.argumentCount` when there are more or fewer.
  package init(
    target: Receiver?, selector: Selector, arguments: [JSON], sender: Sender?, when: Int64? = nil
  ) throws(InvocationFault) {
    guard arguments.count == selector.argumentCount else {
      throw .argumentCount(selector, given: arguments.count)
    }
    self.target = target
    self.selector = selector
    originalSelector = selector
    realArguments = arguments
    self.sender = sender
    self.when = when
  }

  /// The number of arguments, target and selector included.
  package var argumentCount: Int { realArguments.count + Self.firstRealArgument }

  /// The real arguments, which begin at index 2.
  package var arguments: [JSON] { realArguments }

  /// The argument at an index: 0 is the target, 1 the selector, 2 the first real one.
  ///
  /// - Throws: `InvocationFault.argumentOutOfRange`.
  package func argument(at index: Int) throws(InvocationFault) -> JSON {
    switch index {
    case 0: return target.map { .string($0.description) } ?? .null
    case 1: return .string(selector.rawValue)
    default: return realArguments[try position(of: index)]
    }
  }

  /// Replaces a real argument.
  ///
  /// - Throws: `InvocationFault.argumentOutOfRange`, also for the indexes 0 and 1, which are changed
  ///   through `target` and `selector`.
  package mutating func setArgument(_ value: JSON, at index: Int) throws(InvocationFault) {
    realArguments[try position(of: index)] = value
  }

  /// Returns the receiver's answer.
  ///
  /// - Throws: `InvocationFault.noResult` before it was set.
  package func result() throws(InvocationFault) -> JSON {
    guard let storedResult else { throw .noResult }
    return storedResult
  }

  /// True if a result was set.
  package var hasResult: Bool { storedResult != nil }

  /// The receiver's answer, null by default.
  var answer: JSON { storedResult ?? .null }

  /// Replaces the real arguments, by as many.
  mutating func replaceArguments(_ arguments: [JSON]) { realArguments = arguments }

  /// Sets what the receiver answered.
  package mutating func setResult(_ value: JSON) { storedResult = value }

  /// Forgets what was answered, since the message is sent again.
  mutating func clearResult() { storedResult = nil }

  private func position(of index: Int) throws(InvocationFault) -> Int {
    guard index >= Self.firstRealArgument, index < argumentCount else {
      throw .argumentOutOfRange(index, count: argumentCount)
    }
    return index - Self.firstRealArgument
  }

  private static var firstRealArgument: Int { 2 }
}

/// The misuses of an invocation.
package enum InvocationFault: Error, Hashable, Sendable {
  /// There is no argument at the index, or it is not one that can be set.
  case argumentOutOfRange(Int, count: Int)
  /// The selector has another number of colons than there are arguments.
  case argumentCount(Selector, given: Int)
  /// The result was not set yet.
  case noResult
}

extension Invocation {
  /// A message with the arguments given, else with its sender as the first and nulls for the rest.
  init(
    _ action: Selector, of sender: Sender?, to target: Receiver?, arguments: [JSON]?,
    when: Int64?, in session: Session
  ) throws(MutationFault) {
    let count = action.argumentCount
    var real = arguments ?? Array(repeating: .null, count: count)
    if arguments == nil, count > 0 { real[0] = sender?.json(in: session.graph) ?? .null }
    do throws(InvocationFault) {
      try self.init(
        target: target, selector: action, arguments: real, sender: sender, when: when)
    } catch {
      throw .message(.argumentCount(action, given: real.count))
    }
  }
}

/// The sender of a message and the time of the message, which those that it sets off have too.
struct Sending {
  let sender: Sender?
  /// In milliseconds since 1970-01-01T00:00:00Z; nil if nobody says.
  let when: Int64?

  /// A message of a sender; by default nobody says when.
  init(by sender: Sender?, when: Int64? = nil) {
    self.sender = sender
    self.when = when
  }

  /// A message of nobody.
  static let byNobody = Sending(by: nil)
}

extension Invocation {
  /// The message that a document describes, or nil and the faults.
  ///
  /// For example `{"target": "photoGrid", "selector": "copy:", "arguments": [null]}`. A command
  /// that sent it is looked up in `catalog`. A `result` is what it answered when it was sent before.
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
    do throws(InvocationFault) {
      try self.init(
        target: target, selector: original ?? selector,
        arguments: arguments
          ?? Array(repeating: .null, count: (original ?? selector).argumentCount),
        sender: sender, when: when)
      self.selector = selector
      self.parameters = parameters ?? JSONObject()
      if let result { setResult(result) }
    } catch {
      log.note(
        .expected(.arguments(of: original ?? selector), found: .array(arguments ?? [])),
        at: pointer.appending("arguments"))
      return nil
    }
  }

  /// The message as a document.
  package var json: JSON {
    var object = JSONObject()
    object["target"] = target.map { .string($0.description) }
    object["selector"] = .string(selector.rawValue)
    object["originalSelector"] = .string(originalSelector.rawValue)
    object["arguments"] = .array(arguments)
    if !parameters.isEmpty { object["parameters"] = .object(parameters) }
    object["command"] = sender?.command.map { .string($0.id.rawValue) }
    object["modifiers"] = sender?.command?.alternate?.modifiers.json
    object["sender"] = sender?.description?.json
    object["result"] = try? result()
    object["when"] = when.map(JSON.int)
    return .object(object)
  }

  /// The invocation as rules see it: `target`, `selector`, `originalSelector`, `when`, and `result`
  /// once something was answered (F9).
  var ruleValue: JSON {
    var object = JSONObject()
    object["target"] = target.map { .string($0.description) } ?? .null
    object["selector"] = .string(selector.rawValue)
    object["originalSelector"] = .string(originalSelector.rawValue)
    object["when"] = when.map(JSON.int)
    object["result"] = try? result()
    return .object(object)
  }

  /// The message, made at a time unless it says its own.
  package func dated(_ time: Int64) -> Invocation {
    guard when == nil else { return self }
    var dated = self
    dated.when = time
    return dated
  }
}

extension Sender {
  fileprivate init?(_ reader: inout ObjectReader, in catalog: Catalog) {
    let id: CommandID? = reader.member("command", Read.identifier)
    let description = reader.member("sender", SenderDescription.init(reading:at:log:))
    let modifiers = reader.member("modifiers", Read.modifiers) ?? []
    let command = id.flatMap(catalog.command)?.whileHolding(modifiers)
    if let id, command == nil {
      reader.log.note(.declaration(.command(.unknownCommand(id))), at: reader.place(of: "command"))
    }
    if command == nil, description == nil { return nil }
    self.init(command: command, description: description)
  }
}
