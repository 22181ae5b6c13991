import MenuEngine

extension MutationFault {
  func coordinatingCycle(_ path: [ResponderID]) -> String {
    "The coordinating chain would lead back into itself: "
      + "\(path.map { quoted($0) }.joined(separator: " → "))."
  }

  func notCoordinating(_ id: ResponderID, _ holder: ResponderID) -> String {
    "\(quoted(id)) cannot be the parent coordinator of \(quoted(holder)), since it coordinates "
      + "nothing; put it with a member 'coordinating' first."
  }

  func messageQueueFull(_ count: Int) -> String {
    "\(count) messages wait already, and there is no room for another one; process them, or remove "
      + "some."
  }

  func queuedMessage(
    _ index: Int, _ message: Selector, from id: ResponderID, refusedBy fault: MutationFault
  ) -> String {
    "Message \(index) of those that wait, \(quoted(message)) from \(quoted(id)), cannot be sent, and "
      + "so all of them wait still; remove it, or process those before it with a 'limit'. "
      + fault.sentence
  }
}
