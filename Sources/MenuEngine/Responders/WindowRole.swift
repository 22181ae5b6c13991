/// A part that one window of a session can have.
public enum WindowRole: String, CaseIterable, Sendable, Codable, CodingKeyRepresentable {
  /// Keys go to it; a search begins in it when there is no first responder (R7).
  case key
  /// The window that is worked on while another one, such as a panel, is key (R10).
  case main
  /// It stops all others, and takes the main window's place in a search (R10).
  case modal

  /// The name of the member that says which window it is: `keyWindow`.
  public var member: String { "\(rawValue)Window" }

  /// The change to another window, or to none.
  func change(to id: ResponderID?) -> Outcome.Change {
    switch self {
    case .key: .keyWindow(id)
    case .main: .mainWindow(id)
    case .modal: .modalWindow(id)
    }
  }
}

extension Session {
  /// The window that has a part.
  public func window(_ role: WindowRole) -> ResponderID? { windows[role] }

  /// The window that keys go to.
  public var keyWindow: ResponderID? { windows[.key] }

  /// The window that is worked on.
  public var mainWindow: ResponderID? { windows[.main] }

  /// The window that stops all others.
  public var modalWindow: ResponderID? { windows[.modal] }

  /// Gives a part to a window, or to none.
  @discardableResult
  mutating func make(
    _ id: ResponderID?, _ role: WindowRole
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkWindow(id, as: role)
    guard windows[role] != id else { return [] }
    let carried = role == .key ? carryFocus(toKey: id) : []
    windows[role] = id
    return [role.change(to: id)] + carried
  }

  /// Takes all parts from a responder that is a window no more.
  mutating func dismissWindow(_ id: ResponderID) -> [Outcome.Change] {
    guard graph.kind(of: id) != .window else { return [] }
    return WindowRole.allCases.filter { windows[$0] == id }.map { role in
      windows[role] = nil
      return role.change(to: nil)
    }
  }
}
