import JSONText

extension CatalogReading {
  /// Notes responders of unknown classes, and links and focus that lead nowhere.
  func check(_ template: SessionTemplate?) {
    guard let template, let log = logs[.session] else { return }
    let misread = log.faults.map { JSONPointer(Array($0.pointer.tokens.prefix(2))) }
    if let classNames {
      let known = classNames.union(ResponderClass.builtIn.map(\.name))
      for responder in template.responders where !known.contains(responder.className) {
        note(.unknownClass(responder.id, responder.className), template)
      }
    }
    // Links to a responder that cannot be read are not to blame, nor are those of one that is misread.
    let unread = unreadResponders(template)
    for fault in template.graphFaults
    where unread.isEmpty || fault.isOfName && !unread.contains(fault.name) {
      let place = fault.place(in: .root, windows: template.windows)
      if !misread.contains(where: { $0.contains(place) }) { note(fault, template) }
    }
    // A session that is opened as a trial tells of cycles, too.
    if !isSound(.session), let cycle = ResponderGraph.cycle(of: template.responders) {
      note(cycle, template)
    }
  }

  /// Returns the names of the responders that are declared and cannot be read.
  private func unreadResponders(_ template: SessionTemplate) -> Set<JSON?> {
    let responders = document.parts[.session]?[JSONPointer(["responders"])]
    guard case .object(let declared)? = responders else { return [] }
    let read = Set(template.responders.map(\.id.rawValue))
    return Set(declared.members.map(\.name).filter { !read.contains($0) }.map(JSON.string))
  }

  /// Opens a session as a trial, so that a template that cannot be opened is refused at once.
  func open(_ template: SessionTemplate?, in catalog: Catalog) -> Bool {
    guard let template else { return true }
    do throws(MutationFault) {
      _ = try Session(SessionID(unchecked: "trial"), opening: template, in: catalog)
      return true
    } catch {
      note(error, template)
      return false
    }
  }

  private func note(_ fault: MutationFault, _ template: SessionTemplate) {
    let place = fault.place(in: .root, windows: template.windows)
    let document = document.parts[.session] ?? .null
    logs[.session]?.note(.mutation(fault), at: fault.element(in: document, at: place))
  }
}

extension MutationFault {
  /// True if the fault is of one responder that is named, or of none that has the name, and of no others.
  fileprivate var isOfName: Bool {
    switch self {
    case .danglingLink, .linkToOtherKind, .linkTaken, .secondApplication, .unknownResponder,
      .notAWindow:
      true
    default: false
    }
  }
}
