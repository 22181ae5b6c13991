package import MenuEngine

extension KeyConflict {
  /// The one that the key goes to first, and why, as a sentence.
  package func sentence(about shadow: Shadow) -> String {
    "The key \(key.wording) goes to \(winner.wording) first: \(shadow.reason.clause)."
  }
}

extension KeyConflict.Reason {
  fileprivate var clause: String {
    switch self {
    case .priority: "it wants priority over system behaviour"
    case .nearer: "it is nearer to the first responder"
    case .listOrder: "it stands before this one in the list"
    case .respondersFirst: "responders come before menus"
    case .menuOrder: "it stands before this one in the menus"
    }
  }
}
