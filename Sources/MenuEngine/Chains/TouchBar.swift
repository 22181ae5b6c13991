package import JSONText

/// The items that a responder adds to the touch bar, and the place of those of farther responders.
package struct TouchBar: Equatable, Sendable, Codable {
  /// The items and, at most once, the slot, from left to right.
  package let elements: [Element]

  /// One place of a bar.
  package enum Element: Equatable, Sendable, Codable {
    /// An item of the bar's own.
    case item(TouchBarItem)
    /// The slot for items of responders farther up the chain.
    case otherItems
  }
}

/// An item of a touch bar.
package struct TouchBarItem: Equatable, Sendable, Codable {
  /// Its name, which no other item of the same bar has; the default is that of its command.
  package let identifier: CommandID
  /// The title. The default is the command's title.
  package let title: String?
  /// The name of its image. The default is the command's image.
  package let image: String?
  /// The command that it performs; without one it is the front end's own affair.
  package let command: CommandID?
}

extension TouchBar {
  /// The bar that a document describes, or nil and the faults; for example
  /// `{"items": [{"command": "zoomOut:"}, "otherItems", {"identifier": "zoomSlider"}]}`.
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

  /// The bar as a document.
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

  /// The name that tells it apart from others of its bar.
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

  /// The item as a document.
  package var json: JSON {
    var object = JSONObject()
    object["identifier"] = .string(identifier.rawValue)
    object["title"] = title.map(JSON.string)
    object["image"] = image.map(JSON.string)
    object["command"] = command.map { .string($0.rawValue) }
    return .object(object)
  }
}

/// The touch bar of a chain, composed of the bars of all its responders (L13).
package struct ComposedTouchBar: Sendable {
  /// The items, from left to right.
  package let items: [Item]
  /// The responders that were asked.
  package let trace: Trace

  /// An item as it is now.
  package struct Item: Sendable {
    /// The responder whose bar it comes from.
    package let responder: ResponderID
    /// The item as it was described.
    package let item: TouchBarItem
    /// Its command as it is now; nil when it has none.
    package let validated: ValidatedItem?
  }
}

extension Session {
  /// The touch bar of the chain that begins at `from`, else where searches begin (R7): the nearest
  /// bar first. Items of farther ones fill the slot of the nearer bar, else follow it.
  ///
  /// With `isExplaining` the items of commands have traces of their own.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.tooMuchEffort`.
  package func touchBar(
    from: ResponderID? = nil, isExplaining: Bool = false, in catalog: Catalog
  ) throws(MutationFault) -> ComposedTouchBar {
    let chain = try chain(from: from)
    var trace = Trace(isRecording: isExplaining)
    for responder in chain {
      trace.note(.touchBar, .responder(responder.id), answer: responder.touchBar?.json ?? .null)
    }
    let items = Self.composed(chain)
    var request = ValidationRequest()
    request.commands = items.compactMap(\.item.command)
    request.from = from
    request.isExplaining = isExplaining
    var validated = try validate(request, in: catalog).makeIterator()
    return ComposedTouchBar(
      items: items.map { responder, item in
        ComposedTouchBar.Item(
          responder: responder, item: item,
          validated: item.command.flatMap { _ in validated.next() })
      },
      trace: trace)
  }

  private typealias Owned = (responder: ResponderID, item: TouchBarItem)

  /// The items before the slots, nearest first, and those behind them, farthest first; a bar without
  /// a slot has all its items before it.
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
