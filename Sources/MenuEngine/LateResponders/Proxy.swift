package import JSONText

/// The part of a responder that is a proxy: it stands for the one that its link `proxied` leads to
/// (L8).
///
/// A proxy whose responder was deleted has no such link, and stays a proxy (L10).
///
/// **Decision:** what a proxy has of its own (L7) it answers itself, before the one that it stands for
/// is asked: the filter is about that one alone, and so is its being gone.
package struct Proxy: Equatable, Sendable, Codable {
  /// The selectors that it can be found for; nil for all, and none when it is empty.
  package internal(set) var proxiedSelectors: [Selector]?

  /// True if it can be found for a selector; the names have to be the same, colons included.
  package func isFound(for selector: Selector) -> Bool {
    proxiedSelectors?.contains(selector) ?? true
  }
}

extension ResponderGraph {
  /// The responder that a proxy stands for in the end, over other proxies; nil when that is gone
  /// (L10), and for a responder that is no proxy itself.
  func proxied(by id: ResponderID) -> ResponderID? {
    var current = self[id]
    while let here = current, here.proxy != nil {
      current = here.links[.proxied].flatMap { self[$0] }
    }
    return current?.id == id ? nil : current?.id
  }

  /// The proxies that stand for nobody, over other proxies (L10). Each is looked at once, however long
  /// the rows are.
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
  /// Reads the proxy part of a responder's document: `proxied`, which goes to its links, or null
  /// when that one is gone, and `proxiedSelectors`.
  init?(_ reader: inout ObjectReader, _ links: inout ResponderLinks) {
    let json = reader.json("proxied")
    let proxied: ResponderID?? = json.flatMap {
      Read.optionalIdentifier($0, at: reader.place(of: "proxied"), log: reader.log)
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
  /// Refuses members of a proxy that nobody would ask for: its rules, those of its handlers, its forwarding
  /// target and its catch-all (L8).
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
  /// Writes what makes a responder a proxy.
  func writeProxy(to object: inout JSONObject) {
    guard let proxy else { return }
    object["proxied"] = links[.proxied].map { .string($0.rawValue) } ?? .null
    object["proxiedSelectors"] = proxy.proxiedSelectors.map { selectors in
      .array(selectors.map { .string($0.rawValue) })
    }
  }
}

extension Read {
  /// The selectors that a proxy can be found for, or null for all, which is a `.some(nil)`.
  package static func proxiedSelectors(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [Selector]?? {
    if json == .null { return .some(nil) }
    return list(json, at: pointer, log: log, of: selector).map { .some($0) }
  }
}

extension Inquiry {
  /// Returns the answer of a proxy when a target is searched for (L8): it can perform an action
  /// when the filter lets the action through and the proxied responder can perform it itself.
  mutating func proxyTarget(
    of proxy: ResponderID, for action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    let found = proxied(by: proxy, for: action, &fault)
    trace.note(.canPerformAction, .responder(proxy), about: action, answer: .bool(found != nil))
    guard let (id, handler) = found else { return nil }
    return Target(receiver: .responder(proxy), handler: handler, implementer: id)
  }

  /// Returns the answer of a proxy when an implementer of a message is searched for (C2): itself,
  /// when the filter lets the message through and the proxied responder implements it.
  mutating func proxyImplementer(of proxy: ResponderID, for message: Selector) -> Target? {
    var fault: RuleFault?
    guard let (id, handler) = proxied(by: proxy, for: message, isAction: false, &fault) else {
      return nil
    }
    return Target(receiver: .responder(proxy), handler: handler, implementer: id)
  }

  /// The handler with which a proxied responder can perform an action: its own, or that of the one
  /// that it is itself a proxy of. Its redirect is not asked (L12), and for what is no action its rule
  /// neither.
  ///
  /// A proxy that the search has asked already has found nobody, so that no search asks one twice
  /// however many rows of proxies lead to it.
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
      // AppKit's search asks nobody for more than whether it responds (R10), and so no proxy either.
      let isFound =
        !isAction || session.search == .appkit
        || canPerform(action, for: id, with: handler, fault: &fault)
      return isFound ? (id, handler) : nil
    }
    return nil
  }

  /// The responder that a proxy stands for, unless that is gone (L10) or the filter keeps the action
  /// out (L8).
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

  /// Says that there is a handler which a proxy does not find (L12).
  private mutating func noteUnaskedCoordinator(of id: ResponderID, _ action: Selector) {
    guard let coordinator = session.graph[id]?.coordinator, coordinator.forwarding == .catchAll,
      coordinator[action] != nil
    else { return }
    let forwarder = Receiver.forwarder(host: id)
    trace.note(
      .unaskedRedirect, .responder(id), about: action, answer: .string(forwarder.description))
  }

  /// Returns the owner of the method for a message that is sent to a responder directly: itself,
  /// else the one that it is a proxy of, whatever the filter says (L9).
  func delivery(of selector: Selector, to id: ResponderID) -> (ResponderID, Handler)? {
    var current = id
    // Links of proxies close no cycle (R9).
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
