public import JSONText

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
  public static func proxiedSelectors(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [Selector]?? {
    if json == .null { return .some(nil) }
    return list(json, at: pointer, log: log, of: selector).map { .some($0) }
  }
}
