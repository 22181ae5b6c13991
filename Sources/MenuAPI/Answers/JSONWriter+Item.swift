import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes an item, with its trace when that was wanted.
  mutating func value(_ item: ValidatedItem, isExplaining: Bool) {
    beginObject()
    members(of: item, isExplaining: isExplaining)
    endObject()
  }

  /// Writes an item of a menu: with its key and its alternates, so that it can be drawn. A validation
  /// leaves them out, since they are as declared while it is asked for at every change.
  private mutating func value(inMenu item: ValidatedItem, isExplaining: Bool) {
    beginObject()
    members(of: item, isExplaining: isExplaining)
    if let key = item.key { member("key", key.json) }
    if !item.alternates.isEmpty {
      member("alternates")
      beginArray()
      for alternate in item.alternates { value(inMenu: alternate, isExplaining: isExplaining) }
      endArray()
    }
    endObject()
  }

  private mutating func members(of item: ValidatedItem, isExplaining: Bool) {
    member("command", item.command.rawValue)
    member("title", item.title)
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
    member("enabled", item.isEnabled)
    member("state", item.state.rawValue)
    member("attributes")
    value(item.attributes)
    member("target", item.target)
    optionalMember("proxied", item.proxied?.rawValue)
    member("reason", item.reason.rawValue)
    if let fault = item.fault {
      member("error")
      value(fault)
    }
    if item.lostSingleSelection { member("lostSingleSelection", true) }
    if isExplaining { member("trace", item.trace) }
  }

  private mutating func value(_ attributes: CommandAttributes) {
    beginArray()
    if attributes != [] {
      for name in attributes.names { value(name.rawValue) }
    }
    endArray()
  }

  /// Writes a menu with its items as a tree; with `explain` also what a context menu leaves out.
  mutating func value(_ menu: ValidatedMenu, isExplaining: Bool) {
    beginObject()
    member("identifier", menu.identifier.rawValue)
    member("title", menu.title)
    optionalMember("image", menu.image)
    member("options")
    beginArray()
    for name in menu.options.names { value(name.rawValue) }
    endArray()
    member("enabled", menu.isEnabled)
    member("children")
    beginArray()
    for child in menu.children {
      switch child {
      case .item(let item): value(inMenu: item, isExplaining: isExplaining)
      case .menu(let menu): value(menu, isExplaining: isExplaining)
      }
    }
    endArray()
    if isExplaining, !menu.leftOut.isEmpty {
      member("leftOut")
      beginArray()
      for item in menu.leftOut { value(inMenu: item, isExplaining: true) }
      endArray()
    }
    endObject()
  }

  /// Writes a rule that failed.
  mutating func value(_ fault: RuleFault) {
    beginObject()
    member("rule", fault.source)
    member("message", fault.message)
    member("offset", fault.offset)
    member("line", fault.line)
    member("column", fault.column)
    member("place", fault.place)
    endObject()
  }
}

extension JSONWriter {
  /// Writes a member with a string, unless there is none.
  mutating func optionalMember(_ name: String, _ string: String?) {
    if let string { member(name, string) }
  }

  /// Writes a member with a name, or null.
  mutating func member<Subject>(_ name: String, _ identifier: Identifier<Subject>?) {
    member(name)
    if let identifier { value(identifier.rawValue) } else { null() }
  }

  /// Writes a member with a receiver, or null.
  mutating func member(_ name: String, _ receiver: Receiver?) {
    member(name)
    switch receiver {
    case .responder(let id): value(id.rawValue)
    case .forwarder, .undoManager: value(receiver?.description ?? "")
    case nil: null()
    }
  }
}
