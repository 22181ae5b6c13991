import MenuEngine

/// Sentences about late responders.
extension MutationFault {
  func noRegistry(_ id: ResponderID) -> String {
    "Neither \(quoted(id)) nor anybody on its chain or among its parents has a registry of late "
      + "responders; PUT one of them with a member 'lateResponders'."
  }

  func unknownLateResponder(_ id: ResponderID, _ host: ResponderID) -> String {
    "The registry of \(quoted(host)) lists \(quoted(id)), which the session does not have; put "
      + "that responder first."
  }

  func lateResponderTaken(
    _ id: ResponderID, by host: ResponderID, and other: ResponderID
  ) -> String {
    if host == other { return "The registry of \(quoted(host)) lists \(quoted(id)) twice." }
    return
      "\(quoted(id)) is in the registries of \(quoted(other)) and \(quoted(host)); register it "
      + "with one of them to move it there."
  }

  func weightFixed(_ id: ResponderID, at weight: Int, by host: ResponderID) -> String {
    "The weight of \(quoted(id)) is \(weight) and cannot change while it is registered with "
      + "\(quoted(host)); deregister it first."
  }

  func nextOfLateResponder(_ id: ResponderID, _ host: ResponderID) -> String {
    "\(quoted(id)) is registered with \(quoted(host)), whose registry says what follows it; leave out "
      + "'next', or deregister it first."
  }

  func notAProxy(_ id: ResponderID) -> String {
    "The responder \(quoted(id)) is no proxy; PUT it with a member 'proxied'."
  }
}
