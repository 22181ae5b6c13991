public import JSONText

extension Invocation {
  /// The message that a document describes, or nil and the faults.
  ///
  /// For example `{"target": "photoGrid", "selector": "copy:", "arguments": [null]}`. A command
  /// that sent it is looked up in `catalog`. A `result` is what it answered when it was sent before.
  public init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog, in catalog: Catalog) {
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
  public var json: JSON {
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
  public func dated(_ time: Int64) -> Invocation {
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
      reader.log.note(.declaration(.unknownCommand(id)), at: reader.place(of: "command"))
    }
    if command == nil, description == nil { return nil }
    self.init(command: command, description: description)
  }
}
