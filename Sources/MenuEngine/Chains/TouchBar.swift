package import JSONText

/// The touch bar items of a responder, with the slot for those of farther responders.
package struct TouchBar: Equatable, Sendable, Codable {
  /// The items and at most one slot, from left to right.
  package let elements: [Element]

  package enum Element: Equatable, Sendable, Codable {
    /// An item of the bar itself.
    case item(TouchBarItem)
    /// The slot for items of responders farther up the chain.
    case otherItems
  }
}

package struct TouchBarItem: Equatable, Sendable, Codable {
  /// Its name, unique in the bar. The default is the id of its command.
  package let identifier: CommandID
  /// The title. The default is the command's title.
  package fileprivate(set) var title: String?
  /// The name of its image. The default is the command's image.
  package let image: String?
  /// The command it performs; nil for an item handled by the front end.
  package let command: CommandID?
}

extension TouchBar {
  /// Reads a bar, for example `{"items": [{"command": "zoomOut:"}, "otherItems", {"identifier":
  /// "zoomSlider"}]}`; nil with faults in the log.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let elements = reader.required("items") { Read.list($0, at: $1, log: $2, of: Element.init) }
    reader.finish()
    guard let elements else { return nil }
    var places: [String: JSONPointer] = [:]
    for (index, element) in elements.enumerated() {
      let place = reader.place(of: "items").appending(index)
      if let other = places[element.name] {
        log.note(.repeatedItem(element.name, other: other), at: place)
      }
      places[element.name] = places[element.name] ?? place
    }
    self.elements = elements
  }

  package var json: JSON { ["items": .array(elements.map(\.json))] }
}

extension TouchBar.Element {
  init?(_ json: JSON, at pointer: JSONPointer, log: FaultLog) {
    if case .string(let word) = json {
      guard word.hasSameBytes(as: Self.slot) else {
        log.note(.expected(.touchBarItem, found: json), at: pointer)
        return nil
      }
      self = .otherItems
      return
    }
    guard let item = TouchBarItem(reading: json, at: pointer, log: log) else { return nil }
    self = .item(item)
  }

  /// The name, unique in its bar.
  fileprivate var name: String {
    switch self {
    case .item(let item): item.identifier.rawValue
    case .otherItems: Self.slot
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .item(let item): item.json
    case .otherItems: .string(Self.slot)
    }
  }

  private static let slot = "otherItems"
}

extension TouchBarItem {
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard case .object = json else {
      log.note(.expected(.touchBarItem, found: json), at: pointer)
      return nil
    }
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let identifier: CommandID? = reader.member("identifier", Read.identifier)
    title = reader.member("title", Read.string)
    image = reader.member("image", Read.string)
    command = reader.member("command", Read.identifier)
    reader.finish()
    guard let name = identifier ?? command else {
      log.note(.missingMember("identifier"), at: pointer)
      return nil
    }
    self.identifier = name
  }

  package var json: JSON {
    var object = JSONObject()
    object["identifier"] = .string(identifier.rawValue)
    object["title"] = title.map(JSON.string)
    object["image"] = image.map(JSON.string)
    object["command"] = command.map { .string($0.rawValue) }
    return .object(object)
  }
}

extension TouchBarItem {
  /// Returns the item with its title in the language of a catalogue, where its key is the title (M14).
  fileprivate func localized(in catalog: Catalog) -> TouchBarItem {
    var copy = self
    copy.title = title.map(catalog.translated)
    return copy
  }
}

/// The touch bar of a chain, composed of the bars of its responders (L13).
package struct ComposedTouchBar: Sendable {
  /// The items, from left to right.
  package let items: [Item]
  /// The responders visited.
  package let trace: Trace

  /// A validated item.
  package struct Item: Sendable {
    /// The responder whose bar has the item.
    package let responder: ResponderID
    /// The item as declared, in the language of the session.
    package let item: TouchBarItem
    /// Its validated command; nil if it has none.
    package let validated: ValidatedItem?
  }
}

extension Session {
  /// Returns the touch bar of the chain from `from`, by default from the start of searches (R7): the nearest bar
  /// first. Items of farther bars fill the slot of the nearer one, or follow it if it has none.
  ///
  /// With `isExplaining`, items of commands have traces. Items of commands not in `commands` are omitted (T1).
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.tooMuchEffort`.
  package func touchBar(
    from: ResponderID? = nil, isExplaining: Bool = false, in catalog: Catalog,
    by actor: Principal = .local, limitedTo commands: [CommandPattern]? = nil
  ) throws(MutationFault) -> ComposedTouchBar {
    let catalog = catalog.localized(for: self)
    let chain = try chain(from: from)
    var trace = Trace(isRecording: isExplaining)
    for responder in chain {
      trace.note(.touchBar, .responder(responder.id), answer: responder.touchBar?.json ?? .null)
    }
    let items = Self.composed(chain).filter { _, item in
      guard let command = item.command, let commands else { return true }
      return commands.contains { $0.matches(command) }
    }
    var request = ValidationRequest()
    request.commands = items.compactMap(\.item.command)
    request.from = from
    request.isExplaining = isExplaining
    request.actor = actor
    var validated = try validate(request, in: catalog).makeIterator()
    return ComposedTouchBar(
      items: items.map { responder, item in
        ComposedTouchBar.Item(
          responder: responder, item: item.localized(in: catalog),
          validated: item.command.flatMap { _ in validated.next() })
      },
      trace: trace)
  }

  private typealias Owned = (responder: ResponderID, item: TouchBarItem)

  /// Returns the items before the slots, nearest bar first, then those after them, farthest bar first. A bar
  /// without a slot has all items before it.
  private static func composed(_ chain: [Responder]) -> [Owned] {
    var leading: [Owned] = []
    var trailing: [[Owned]] = []
    for responder in chain {
      let parts = responder.touchBar?.elements.split(
        separator: .otherItems, maxSplits: 1, omittingEmptySubsequences: false)
      for (index, part) in (parts ?? []).enumerated() {
        let items = part.compactMap { element in element.item.map { (responder.id, $0) } }
        if index == 0 { leading += items } else { trailing.append(items) }
      }
    }
    return leading + trailing.reversed().joined()
  }
}

extension TouchBar.Element {
  fileprivate var item: TouchBarItem? {
    if case .item(let item) = self { item } else { nil }
  }
}
