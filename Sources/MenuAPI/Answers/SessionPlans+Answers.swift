import JSONText
import MenuEngine
import MenuStore

extension SessionPlans {
  /// The body of a validation: the items, and of which session and catalogue they are; and how many rules
  /// failed that were asked for it.
  ///
  /// - Throws: As `Session.validate`.
  func answer(
    to request: ValidationRequest, _ snapshot: Snapshot
  ) throws(MutationFault) -> (body: [UInt8], ruleErrors: Int) {
    guard request.menu == nil, !request.isExplaining else {
      let (items, ruleErrors) = try ask(snapshot) { (plan) throws(MutationFault) in
        try plan.validate(request, at: snapshot.moment)
      }
      return (
        body(of: items, request, at: snapshot),
        request.isExplaining ? items.ruleErrors : ruleErrors
      )
    }
    let (body, ruleErrors) = try ask(snapshot) { (plan) throws(MutationFault) in
      try plan.answer(to: request, at: snapshot.moment) { writer in
        writer.members(snapshot)
      }
    }
    return (body, ruleErrors)
  }

  /// The body of an answer with a menu and everything in it as it is now, and how many rules failed that were
  /// asked for it.
  ///
  /// - Throws: As `Session.validate`.
  func answer(
    to request: ValidationRequest, about menu: Menu, _ snapshot: Snapshot
  ) throws(MutationFault) -> (body: [UInt8], ruleErrors: Int) {
    let (answer, ruleErrors) = try ask(snapshot) {
      (plan) throws(MutationFault) -> (body: [UInt8], shownErrors: Int) in
      let moment = snapshot.moment
      if let known = try plan.answer(
        to: request, aboutMenu: menu.identifier, at: moment,
        opening: { writer in writer.members(snapshot) })
      {
        return (known, 0)
      }
      let validated = try plan.validate(menu, request, at: moment)
      return (
        body(of: validated, request, at: snapshot), request.isExplaining ? validated.ruleErrors : 0
      )
    }
    return (answer.body, request.isExplaining ? answer.shownErrors : ruleErrors)
  }

  private func body(
    of menu: ValidatedMenu, _ request: ValidationRequest, at snapshot: Snapshot
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.members(snapshot)
    writer.member("menu")
    writer.value(menu, isExplaining: request.isExplaining)
    writer.endObject()
    return writer.bytes
  }

  private func body(
    of items: [ValidatedItem], _ request: ValidationRequest, at snapshot: Snapshot
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserveCapacity(128 + 192 * items.count)
    writer.beginObject()
    writer.members(snapshot)
    writer.member("items")
    writer.beginArray()
    for item in items { writer.value(item, isExplaining: request.isExplaining) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
