package import JSONText

/// The part of a responder that is a proxy for the destination of its link `proxied` (L8).
///
/// A proxy whose proxied responder was removed has no such link, and is still a proxy (L10).
///
/// **Decision:** a proxy's own methods (L7) come before the proxied responder's; the filter and the removal of
/// the proxied responder do not affect them.
package struct Proxy: Equatable, Sendable, Codable {
  /// The filter: the selectors it can be found for. Nil allows all; an empty filter allows none.
  package internal(set) var proxiedSelectors: [Selector]?

  /// True if the filter allows a selector; names must be equal, colons included.
  package func isFound(for selector: Selector) -> Bool {
    proxiedSelectors?.contains(selector) ?? true
  }
}

extension ResponderGraph {
  /// Returns the responder at the end of a row of proxies; nil if it was removed (L10), and for a responder
  /// that is not a proxy.
  func proxied(by id: ResponderID) -> ResponderID? {
    var current = self[id]
    while let here = current, here.proxy != nil {
      current = here.links[.proxied].flatMap { self[$0] }
    }
    return current?.id == id ? nil : current?.id
  }

  /// The proxies whose final proxied responder was removed (L10). Each proxy is visited once.
  var deadProxies: [ResponderID] {
    var isDead: [ResponderID: Bool] = [:]
    return ids.filter { id in
      var row: [ResponderID] = []
      var current = self[id]
      while let here = current, here.proxy != nil, isDead[here.id] == nil {
        isDead[here.id] = true
        row.append(here.id)
        current = here.links[.proxied].flatMap { self[$0] }
      }
      let leadsToSomebody = current.map { isDead[$0.id] != true } ?? false
      if leadsToSomebody { for proxy in row { isDead[proxy] = false } }
      return isDead[id] == true
    }
  }
}

extension Proxy {
  /// Reads the proxy part of a responder's document: `proxied`, which is stored in its links, or null if that
  /// was removed, and `proxiedSelectors`.
  init?(_ reader: inout ObjectReader, _ links: inout ResponderLinks) {
    let json = reader.json("proxied")
    let proxied: ResponderID?? = json.flatMap {
      Read.orNull(Read.identifier)($0, reader.place(of: "proxied"), reader.log)
    }
    let selectors = reader.list("proxiedSelectors", Read.selector)
    links[.proxied] = proxied ?? nil
    guard json != nil else {
      if selectors != nil { reader.log.note(.missingMember("proxied"), at: reader.pointer) }
      return nil
    }
    proxiedSelectors = selectors
  }
}

extension ObjectReader {
  /// Rejects members of a proxy that are never evaluated: `canPerform` rules, its forwarding target and its
  /// catch-all (L8).
  func refuseUnaskedMembersOfProxy(_ handlers: [Selector: Handler]) {
    for selector in handlers.keys.sorted(by: { $0.rawValue < $1.rawValue })
    where handlers[selector]?.canPerform != nil {
      log.note(
        .conflictingMembers("canPerform", "proxied"),
        at: place(of: "handlers").appending(selector.rawValue).appending("canPerform"))
    }
    for name in ["canPerform", "forwardingTarget", "catchAll"] where has(name) {
      log.note(.conflictingMembers(name, "proxied"), at: place(of: name))
    }
  }
}

extension Responder {
  /// Writes the proxy part.
  func writeProxy(to object: inout JSONObject) {
    guard let proxy else { return }
    object["proxied"] = links[.proxied].map { .string($0.rawValue) } ?? .null
    object["proxiedSelectors"] = proxy.proxiedSelectors.map { selectors in
      .array(selectors.map { .string($0.rawValue) })
    }
  }
}

extension Read {
  /// Reads a filter: selectors, or null for all, which is `.some(nil)`.
  package static func proxiedSelectors(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [Selector]?? {
    orNull { list($0, at: $1, log: $2, of: selector) }(json, pointer, log)
  }
}

extension Inquiry {
  /// Returns the target behind a proxy (L8): the proxy can perform an action if its filter allows it and the
  /// proxied responder can perform it.
  mutating func proxyTarget(
    of proxy: ResponderID, for action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    let found = proxied(by: proxy, for: action, &fault)
    trace.note(.canPerformAction, .responder(proxy), about: action, answer: .bool(found != nil))
    guard let (id, handler) = found else { return nil }
    return Target(receiver: .responder(proxy), handler: handler, implementer: id)
  }

  /// Returns the proxy as implementer of a message (C2), if its filter allows the message and the proxied
  /// responder implements it.
  mutating func proxyImplementer(of proxy: ResponderID, for message: Selector) -> Target? {
    var fault: RuleFault?
    guard let (id, handler) = proxied(by: proxy, for: message, isAction: false, &fault) else {
      return nil
    }
    return Target(receiver: .responder(proxy), handler: handler, implementer: id)
  }

  /// Returns the handler of a proxied responder for an action: its own, or through further proxies. Its
  /// redirect is not used (L12), nor, for messages, its `canPerform` rule.
  ///
  /// A proxy visited before in the same search has no handler and is not visited again, whatever the number of
  /// rows through it.
  private mutating func proxied(
    by proxy: ResponderID, for action: Selector, isAction: Bool = true, _ fault: inout RuleFault?
  ) -> (ResponderID, Handler)? {
    var current = proxy
    while askedProxies.insert(current).inserted {
      guard let id = proxied(by: current, for: action) else { return nil }
      let handler = implementation(of: action, in: id)
      guard handler != nil || session.graph[id]?.proxy == nil else {
        current = id
        continue
      }
      trace.note(.respondsToSelector, .responder(id), about: action, answer: .bool(handler != nil))
      guard let handler else {
        noteUnaskedCoordinator(of: id, action)
        return nil
      }
      // AppKit's search only considers whether a responder responds (R10).
      let isFound =
        !isAction || session.search == .appkit
        || canPerform(action, for: id, with: handler, fault: &fault)
      return isFound ? (id, handler) : nil
    }
    return nil
  }

  /// Returns the proxied responder, unless it was removed (L10) or the filter excludes the action (L8).
  private mutating func proxied(
    by proxy: ResponderID, for action: Selector
  ) -> ResponderID? {
    effort.spend(trace.isRecording ? 4 * Effort.traceStep : 1)
    let responder = session.graph[proxy]
    guard let proxied = responder?.links[.proxied] else {
      trace.note(.proxied, .responder(proxy), answer: .null)
      return nil
    }
    trace.note(.proxied, .responder(proxy), answer: .string(proxied.rawValue))
    let isFound = responder?.proxy?.isFound(for: action) == true
    trace.note(.proxiedSelectors, .responder(proxy), about: action, answer: .bool(isFound))
    return isFound ? proxied : nil
  }

  /// Records a coordinator's handler that a proxy does not find (L12).
  private mutating func noteUnaskedCoordinator(of id: ResponderID, _ action: Selector) {
    guard let coordinator = session.graph[id]?.coordinator, coordinator.forwarding == .catchAll,
      coordinator[action] != nil
    else { return }
    let forwarder = Receiver.forwarder(host: id)
    trace.note(
      .unaskedRedirect, .responder(id), about: action, answer: .string(forwarder.description))
  }

  /// Returns the owner and the handler for a message sent directly to a responder: its own, else the proxied
  /// responder's, whatever the filter (L9).
  func delivery(of selector: Selector, to id: ResponderID) -> (ResponderID, Handler)? {
    var current = id
    // Links of proxies form no cycle (R9).
    while true {
      effort.spend(1)
      if let handler = implementation(of: selector, in: current) { return (current, handler) }
      guard let responder = session.graph[current], responder.proxy != nil,
        let proxied = responder.links[.proxied]
      else { return nil }
      current = proxied
    }
  }
}
