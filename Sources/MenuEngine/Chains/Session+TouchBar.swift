import JSONText

/// The touch bar of a chain, composed of the bars of all its responders (L13).
public struct ComposedTouchBar: Sendable {
  /// The items, from left to right.
  public let items: [Item]
  /// The responders that were asked.
  public let trace: Trace

  /// An item as it is now.
  public struct Item: Sendable {
    /// The responder whose bar it comes from.
    public let responder: ResponderID
    /// The item as it was described.
    public let item: TouchBarItem
    /// Its command as it is now; nil when it has none.
    public let validated: ValidatedItem?
  }
}

extension Session {
  /// The touch bar of the chain that begins at `from`, else where searches begin (R7): the nearest
  /// bar first. Items of farther ones fill the slot of the nearer bar, else follow it.
  ///
  /// With `isExplaining` the items of commands have traces of their own.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.tooMuchEffort`.
  public func touchBar(
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
