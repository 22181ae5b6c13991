import MenuEngine

extension MutationFault {
  /// What is wrong with late responders; empty for other faults.
  var lateSentence: String {
    switch self {
    case .noRegistry(let id):
      "Neither \(quoted(id)) nor anybody on its chain or among its parents has a registry of late "
        + "responders; PUT one of them with a member 'lateResponders'."
    case .unknownLateResponder(let id, let host):
      "The registry of \(quoted(host)) lists \(quoted(id)), which the session does not have; put "
        + "that responder first."
    case .lateResponderTaken(let id, let host, by: let other) where host == other:
      "The registry of \(quoted(host)) lists \(quoted(id)) twice."
    case .lateResponderTaken(let id, let host, by: let other):
      "\(quoted(id)) is in the registries of \(quoted(other)) and \(quoted(host)); register it "
        + "with one of them to move it there."
    case .weightFixed(let id, let weight, let host):
      "The weight of \(quoted(id)) is \(weight) and cannot change while it is registered with "
        + "\(quoted(host)); deregister it first."
    case .notAProxy(let id):
      "The responder \(quoted(id)) is no proxy; PUT it with a member 'proxied'."
    default: ""
    }
  }
}
