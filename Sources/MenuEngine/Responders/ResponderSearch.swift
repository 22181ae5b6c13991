/// The way in which targets are searched for; a session keeps it for its whole life.
public enum ResponderSearch: String, CaseIterable, Sendable, Codable {
  /// Along the chain, each responder answering for itself and those after it (R5).
  case uikit
  /// In the key window, then in the main window, then the application and its delegate (R10).
  case appkit
}
