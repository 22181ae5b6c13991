public import JSONText

extension Mutation {
  /// The mutation as a document, which reads back as the same under the same catalogue.
  public var json: JSON {
    switch self {
    case .patchState(let patch): document(.patchState, ("patch", patch.json))
    case .mergeState(let patch): document(.mergeState, ("patch", patch))
    case .putResponder(let responder):
      document(.putResponder, ("responder", text(responder.id)), ("value", responder.json))
    case .removeResponder(let id): document(.removeResponder, ("responder", text(id)))
    case .putHandler(let handler, for: let selector, of: let id):
      document(
        .putHandler, ("responder", text(id)), ("selector", text(selector)),
        ("handler", handler.json))
    case .removeHandler(for: let selector, of: let id):
      document(.removeHandler, ("responder", text(id)), ("selector", text(selector)))
    case .register(let handler, for: let selector, with: let host):
      document(
        .registerHandler, ("responder", text(host)), ("selector", text(selector)),
        ("handler", handler.json))
    case .changeRegistration(let token, with: let host, let selector, let handler):
      document(
        .changeRegistration, ("responder", text(host)), ("token", .int(Int64(token))),
        ("selector", selector.map(text)), ("handler", handler?.json))
    case .removeRegistration(let token, with: let host):
      document(.removeRegistration, ("responder", text(host)), ("token", .int(Int64(token))))
    case .registerLate(let id, from: let start):
      document(
        .registerLateResponder, ("lateResponder", text(id)), ("responder", text(start)))
    case .deregisterLate(let id, from: let start):
      document(
        .deregisterLateResponder, ("lateResponder", text(id)), ("responder", start.map(text)))
    case .changeProxiedSelectors(let selectors, of: let id):
      document(
        .changeProxiedSelectors, ("responder", text(id)),
        ("proxiedSelectors", selectors.map { .array($0.map(text)) } ?? .null))
    case .putKeyCommands(let keyCommands, of: let id):
      document(
        .putKeyCommands, ("responder", text(id)),
        ("keyCommands", .array(keyCommands.map(\.json))))
    case .becomeFirstResponder(let id): document(.becomeFirstResponder, ("responder", text(id)))
    case .resignFirstResponder: document(.resignFirstResponder)
    case .makeWindow(let id, let role): document(op(role), ("window", id.map(text) ?? .null))
    case .viewController(let mutation): mutation.json
    case .coordinator(let mutation): mutation.json
    case .undo(let operation, of: let id): operation.json(of: id)
    case .storyboard(let mutation): mutation.json
    case .messages(let mutation): mutation.json
    case .perform(let request): document(.perform, request.members)
    case .pressKey(let press): document(.pressKey, press.members)
    case .invoke(let invocation): document(.invoke, ("invocation", invocation.json))
    }
  }

  private func op(_ role: WindowRole) -> Op {
    switch role {
    case .key: .makeKeyWindow
    case .main: .makeMainWindow
    case .modal: .makeModalWindow
    }
  }

  private func text(_ name: some CustomStringConvertible) -> JSON { .string(name.description) }

  private func document(_ op: Op, _ members: (String, JSON?)...) -> JSON { document(op, members) }

  private func document(_ op: Op, _ members: [(String, JSON?)]) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    for (name, value) in members { object[name] = value }
    return .object(object)
  }
}
