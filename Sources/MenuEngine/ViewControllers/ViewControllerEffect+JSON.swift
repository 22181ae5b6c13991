import JSONText

extension ViewControllerEffect {
  /// The words for the kinds of effects with view controllers.
  enum Op: String, CaseIterable {
    case targetViewController
    case show
    case showDetail
    case present
    case dismiss
    case pop
  }

  /// The members of an effect with view controllers, or nil and the faults.
  init?(_ op: Op, _ reader: inout ObjectReader) {
    let effect: ViewControllerEffect?
    switch op {
    case .targetViewController:
      effect = .target(
        action: reader.member("action", Read.stringRule),
        arguments: reader.member("arguments", Read.listRule),
        otherwise: reader.member("otherwise", Read.rule))
    case .show:
      let id = reader.required("viewController", Read.stringRule)
      let from = reader.member("from", Read.stringRule)
      let sender = reader.member("sender", Read.rule)
      effect = id.map { .show($0, from: from, sender: sender) }
    case .showDetail:
      let id = reader.required("viewController", Read.optionalStringRule)
      let from = reader.member("from", Read.stringRule)
      let sender = reader.member("sender", Read.rule)
      effect = id.map { .showDetail($0, from: from, sender: sender) }
    case .present:
      let id = reader.required("viewController", Read.stringRule)
      let from = reader.member("from", Read.stringRule)
      effect = id.map { .present($0, from: from) }
    case .dismiss: effect = .dismiss(reader.member("viewController", Read.stringRule))
    case .pop:
      effect = .pop(
        reader.member("viewController", Read.stringRule), to: reader.member("to", Read.stringRule),
        by: reader.member("by", Read.word) ?? .code)
    }
    guard let effect else { return nil }
    self = effect
  }

  /// The effect as a document.
  var json: JSON {
    switch self {
    case .target(let action, let arguments, let otherwise):
      document(
        .targetViewController, ("action", action), ("arguments", arguments),
        ("otherwise", otherwise))
    case .show(let id, let from, let sender):
      document(.show, ("viewController", id), ("from", from), ("sender", sender))
    case .showDetail(let id, let from, let sender):
      document(.showDetail, ("viewController", id), ("from", from), ("sender", sender))
    case .present(let id, let from): document(.present, ("viewController", id), ("from", from))
    case .dismiss(let id): document(.dismiss, ("viewController", id))
    case .pop(let id, let destination, let trigger):
      document(
        .pop, ("viewController", id), ("to", destination),
        by: trigger == .code ? nil : trigger)
    }
  }

  private func document(
    _ op: Op, _ members: (String, Rule?)..., by trigger: SegueRequest.Trigger? = nil
  ) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    for (name, rule) in members { object[name] = rule?.json }
    object["by"] = trigger.map { .string($0.rawValue) }
    return .object(object)
  }
}
