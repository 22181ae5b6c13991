import JSONText

// Comparisons of what is there with a document in its place, to the byte.

extension Responder {
  /// True if a document in its place says the same, to the byte, and has the same closures. One without a
  /// list of children says nothing of them: they stay.
  func isWritten(as document: Responder) -> Bool {
    var other = document
    if document.listsViewControllers != true, document.viewControllers.isEmpty {
      other.viewControllers = viewControllers
    }
    other.listsViewControllers = listsViewControllers
    return self == other && json.isWritten(as: other.json)
  }
}

extension Handler {
  /// True if both say the same, to the byte, and have the same closures.
  func isWritten(as other: Handler) -> Bool {
    self == other && json.isWritten(as: other.json)
  }
}
