/// The check mark of a command's item (M2).
public enum CommandState: String, CaseIterable, Sendable, Codable {
  case off
  case on
  case mixed
}
