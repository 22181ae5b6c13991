/// Whether a command's item carries a check mark (M2).
public enum CommandState: String, CaseIterable, Sendable, Codable {
  case off
  case on
  case mixed
}
