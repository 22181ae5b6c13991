package import JSONText

/// The layout of an item in the answer to a validation. Declared members precede computed ones, so that they are
/// written once per catalogue.
extension JSONWriter {
  /// Writes the members of an item, without its trace.
  ///
  /// - Parameter writeFault: Writes the value of `error`, the rule that failed.
  package mutating func members(
    of item: ValidatedItem, writingFaults writeFault: ValidationPlan.FaultWriter
  ) {
    member("command", item.command.rawValue)
    optionalMember("itemKey", item.itemKey?.text)
    member("title", item.title)
    declaredMembers(behindTitleOf: item)
    appearance(
      isEnabled: item.isEnabled, state: item.state, isCheckable: item.isCheckable,
      attributes: item.attributes)
    target(item.target, proxied: item.proxied)
    member("reason", item.reason.rawValue)
    words(of: item)
    if let fault = item.fault {
      member("error")
      writeFault(fault, &self)
    }
    if item.lostSingleSelection { member("lostSingleSelection", true) }
  }

  mutating func declaredMembers(behindTitleOf item: ValidatedItem) {
    if let alternate = item.alternate {
      member("alternate")
      beginObject()
      member("modifiers", alternate.modifiers.json)
      member("action", alternate.action.rawValue)
      endObject()
    }
    optionalMember("subtitle", item.subtitle)
    optionalMember("image", item.image)
    optionalMember("discoverabilityTitle", item.discoverabilityTitle)
    if item.needsParameters { member("needsParameters", true) }
  }

  mutating func appearance(
    isEnabled: Bool, state: CommandState, isCheckable: Bool, attributes: CommandAttributes
  ) {
    member("enabled", isEnabled)
    member("state", state.rawValue)
    if isCheckable { member("checkable", true) }
    member("attributes")
    beginArray()
    for name in attributes.names { value(name.rawValue) }
    endArray()
  }

  mutating func words(of item: some DecidedByRules) {
    if let requirement = item.requirement { member("requirement", requirement) }
    optionalMember("explanation", item.explanation)
    if let confirmation = item.confirmation { member("confirmation", confirmation.json) }
  }

  /// Writes the explanation of a disabled item and the confirmation (W).
  package mutating func members(wordsOf item: ValidatedItem) { words(of: item) }

  mutating func target(_ receiver: Receiver?, proxied: ResponderID?) {
    member("target", receiver)
    optionalMember("proxied", proxied?.rawValue)
  }

  /// Writes a string member, unless it is nil.
  package mutating func optionalMember(_ name: String, _ string: String?) {
    if let string { member(name, string) }
  }

  package mutating func member<Subject>(_ name: String, _ identifier: Identifier<Subject>?) {
    member(name)
    if let identifier { value(identifier.rawValue) } else { null() }
  }

  package mutating func member(_ name: String, _ receiver: Receiver?) {
    member(name)
    switch receiver {
    case .responder(let id): value(id.rawValue)
    case .forwarder, .undoManager: value(receiver?.description ?? "")
    case nil: null()
    }
  }
}
