package import MenuEngine

extension MutationFault {
  func coordinatingCycle(_ path: [ResponderID]) -> String {
    "The coordinating chain would lead back into itself: "
      + "\(path.map { quoted($0) }.joined(separator: " → "))."
  }

  func notCoordinating(_ id: ResponderID, _ holder: ResponderID) -> String {
    "\(quoted(id)) cannot be the parent coordinator of \(quoted(holder)), since it coordinates "
      + "nothing; put it with a member 'coordinating' first."
  }
}
