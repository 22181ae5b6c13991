extension JSON {
  /// Makes an edit, or throws and changes nothing.
  ///
  /// Takes time in proportion to the size of the old value, which is compared, and to the number of
  /// its sibling members or elements.
  public mutating func apply(_ edit: JSONEdit) throws(JSONEditFault) {
    try check(edit)
    do throws(JSONPatchFault.Reason) {
      var budget = JSONPatchBudget(JSONPatchLimits(depth: .max, work: .max))
      switch (edit.before, edit.after) {
      case (nil, nil): break
      case (nil, let after?):
        try restore(RemovedJSON(value: after, position: edit.position), at: edit.place)
      case (_?, nil): _ = try remove(at: edit.place, &budget)
      case (_?, let after?): try replace(at: edit.place, with: after)
      }
    } catch {
      throw .missing(edit.place)
    }
  }

  /// Refuses an edit of a value that was different where it changes something.
  private func check(_ edit: JSONEdit) throws(JSONEditFault) {
    var value = self
    var lengths = edit.lengths[...]
    for (level, token) in edit.place.tokens.enumerated() {
      let isLast = level == edit.place.tokens.count - 1
      if case .array(let elements) = value {
        let place = JSONPointer(Array(edit.place.tokens[..<level]))
        guard let length = lengths.popFirst() else { throw .different(place) }
        guard length == elements.count else {
          throw .resized(place, count: elements.count, expected: length)
        }
        if isLast, edit.before == nil { return try check(isElement: edit.isElement, place) }
      }
      if isLast, edit.isElement, case .object = value {
        throw .different(JSONPointer(edit.place.tokens.dropLast()))
      }
      guard let child = value.child(token) else {
        guard isLast, edit.before == nil, case .object = value, !edit.isElement else {
          throw .missing(edit.place)
        }
        return
      }
      value = child
    }
    guard let before = edit.before else { throw .taken(edit.place) }
    guard before == value, lengths.isEmpty else { throw .different(edit.place) }
  }

  private func check(isElement: Bool, _ place: JSONPointer) throws(JSONEditFault) {
    guard isElement else { throw .different(place) }
  }
}
