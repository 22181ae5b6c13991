import JSONText

extension Trace.Step {
  /// The next step of the coordinating chain, as a clause (C1, C3).
  var coordinatingClause: String {
    let here = "'\(asked)'"
    guard case .object(let step) = answer, case .string(let id)? = step["responder"],
      case .string(let link)? = step["link"]
    else { return "after \(here) the coordinating chain ends" }
    let relation = link == "superview" ? "which its view is in" : "its '\(link)'"
    return isCut
      ? "the coordinating chain ends after \(here), since '\(id)', \(relation), is no responder"
      : "after \(here) the message goes to '\(id)', \(relation)"
  }

  /// True if the coordinating chain ends before somebody who is no responder (C3).
  var isCut: Bool {
    guard case .object(let step) = answer else { return false }
    return step["isResponder"] != nil
  }
}
