/// The presenter of what no container shows (A4); a session has one of these for its whole life.
public enum Presenter: String, CaseIterable, Sendable, Codable {
  /// The view controller that was asked to show it.
  case receiver
  /// The root view controller of its window.
  case root
}
