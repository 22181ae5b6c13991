import JSONSchema
import MenuEngine

extension MutationFault {
  func invalidParameters(_ id: CommandID, _ faults: ValueFault.List) -> String {
    guard let first = faults.faults.first else {
      return "The parameters of \(quoted(id)) do not fit."
    }
    let more = Problem.sentence(onMore: faults.count - 1, listing: faults.faults.count)
    return
      "The parameters of the command \(quoted(id)) do not fit. \(first.reason.sentence)\(more)"
  }

  func noParameters(_ id: CommandID?) -> String {
    guard let id else { return "An action takes no parameters; perform a command that does." }
    return "The command \(quoted(id)) takes no parameters; it is declared without 'parameters'."
  }

  func keyLacksParameters(_ id: CommandID, _ faults: ValueFault.List) -> String {
    "The key means the command \(quoted(id)), which cannot be performed without parameters. "
      + (faults.faults.first?.reason.sentence ?? "")
  }
}
