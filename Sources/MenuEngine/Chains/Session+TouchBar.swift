import JSONText

/// The touch bar of a chain, composed of the bars of all its responders (L13).
public struct ComposedTouchBar: Sendable {
  /// The items, from left to right.
  public let items: [Item]
  /// Who was asked.
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
  /// - Throws: `MutationFault.unknownResponder`.
  public func touchBar(
    from: ResponderID? = nil, isExplaining: Bool = false, in catalog: Catalog
  ) throws(MutationFault) -> ComposedTouchBar {
    let chain = try chain(from: from)
    var trace = Trace(isRecording: isExplaining)
    for responder in chain {
      trace.note(.touchBar, .responder(responder.id), responder.touchBar?.json ?? .null)
    }
    let items = chain.reversed().reduce([]) { farther, responder in
      responder.touchBar?.items(of: responder.id, filledWith: farther) ?? farther
    }
    var request = ValidationRequest()
    request.commands = items.compactMap(\.item.command)
    request.from = from
    var validated = try validate(request, in: catalog).makeIterator()
    return ComposedTouchBar(
      items: items.map { responder, item in
        ComposedTouchBar.Item(
          responder: responder, item: item,
          validated: item.command.flatMap { _ in validated.next() })
      },
      trace: trace)
  }
}

extension TouchBar {
  fileprivate typealias Owned = (responder: ResponderID, item: TouchBarItem)

  /// The items of a bar with those of farther responders in the slot, else behind.
  fileprivate func items(of responder: ResponderID, filledWith farther: [Owned]) -> [Owned] {
    let items = elements.flatMap { element -> [Owned] in
      switch element {
      case .item(let item): [(responder, item)]
      case .otherItems: farther
      }
    }
    return elements.contains(.otherItems) ? items : items + farther
  }
}
