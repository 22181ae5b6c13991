/// The actions that the responders of a session are found for, each looked at once however long the rows
/// of proxies are (L8).
struct AnswersBySearch {
  let session: Session
  let catalog: Catalog
  private var known: [ResponderID: Set<Selector>] = [:]

  init(session: Session, catalog: Catalog) {
    self.session = session
    self.catalog = catalog
  }

  /// The actions that a responder answers to, those of its coordinator before its own. AppKit's search
  /// finds no coordinator (R10).
  mutating func all(of id: ResponderID) -> [(action: Selector, receiver: Receiver)] {
    guard let responder = session.graph[id] else { return [] }
    let forwards = session.search == .uikit && responder.coordinator?.forwarding == .catchAll
    let registrations = forwards ? responder.coordinator?.registrations ?? [] : []
    return registrations.map { ($0.selector, .forwarder(host: id)) }
      + own(of: responder).map { ($0, .responder(id)) }
  }

  /// The actions that a responder has handlers for or, when it is a proxy, can be found for.
  private mutating func own(of responder: Responder) -> Set<Selector> {
    var row: [Responder] = []
    var current: Responder? = responder
    while let here = current, known[here.id] == nil {
      row.append(here)
      current = here.proxy == nil ? nil : here.links[.proxied].flatMap { session.graph[$0] }
    }
    var answers = current.flatMap { known[$0.id] } ?? []
    for member in row.reversed() {
      if let proxy = member.proxy, proxy.proxiedSelectors != nil {
        answers = answers.filter(proxy.isFound)
      }
      let handled = handled(by: member)
      // A set that stays the same is shared by the whole row.
      if !handled.isSubset(of: answers) { answers.formUnion(handled) }
      known[member.id] = answers
    }
    return answers
  }

  private func handled(by responder: Responder) -> Set<Selector> {
    catalog.classes.selectors(of: responder.className).union(responder.handlers.keys)
      .union(responder.undoHandlers.keys)
  }
}
