import JSONText

/// A way in which the user goes back in a navigation controller (C5).
///
/// An animation makes no difference, and so nobody is asked about one.
public enum UserPop: Equatable, Sendable, Codable {
  /// To the one before the top: the back button, or a swipe from the edge that went through.
  case back(ResponderID)
  /// Nowhere: a swipe that began and was cancelled.
  case cancelled(ResponderID)
  /// To a view controller of the menu that a long press of the back button opens.
  case to(ResponderID)
  /// To the bottom.
  case toRoot(ResponderID)
}

extension ObjectReader {
  /// The members of a pop: by code, which is the default, or by the user.
  mutating func pop(
    _ op: ViewControllerMutation.Op, _ member: String,
    _ byCode: (ResponderID) -> ViewControllerMutation
  ) -> ViewControllerMutation? {
    let id: ResponderID? = required(member, Read.identifier)
    let trigger: SegueRequest.Trigger? = self.member("by", Read.word)
    let isCancelled = op == .popViewController && self.member("isCancelled", Read.bool) == true
    if isCancelled, trigger != .user {
      log.note(
        trigger == .code ? .conflictingMembers("by", "isCancelled") : .missingMember("by"),
        at: pointer)
    }
    guard let id else { return nil }
    guard trigger == .user else { return byCode(id) }
    return UserPop(op, id, isCancelled: isCancelled).map(ViewControllerMutation.popByUser)
  }
}

extension UserPop {
  fileprivate init?(
    _ op: ViewControllerMutation.Op, _ id: ResponderID, isCancelled: Bool
  ) {
    switch op {
    case .popViewController: self = isCancelled ? .cancelled(id) : .back(id)
    case .popToViewController: self = .to(id)
    case .popToRootViewController: self = .toRoot(id)
    case .pushViewController, .setViewControllers, .selectViewController, .present, .dismiss,
      .removeFromParent, .collapse, .expand:
      return nil
    }
  }

  /// The user's way back as a document.
  var json: JSON {
    switch self {
    case .back(let id): document(.popViewController, "navigationController", id)
    case .cancelled(let id):
      document(.popViewController, "navigationController", id, isCancelled: true)
    case .to(let id): document(.popToViewController, "viewController", id)
    case .toRoot(let id): document(.popToRootViewController, "navigationController", id)
    }
  }

  private func document(
    _ op: ViewControllerMutation.Op, _ member: String, _ id: ResponderID,
    isCancelled: Bool = false
  ) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    object[member] = .string(id.rawValue)
    object["by"] = .string(SegueRequest.Trigger.user.rawValue)
    object["isCancelled"] = isCancelled ? true : nil
    return .object(object)
  }
}
