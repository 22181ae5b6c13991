import JSONText

/// Returns the words of a fault and its place, which is left out if it is the whole document.
func words(of fault: Any, at place: JSONPointer) -> String {
  (place.tokens.isEmpty ? "" : "\(place): ") + words(of: fault)
}

/// Returns the words of a fault: the names of its cases, then its values, as in `unknown responder: ghost`.
func words(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  let isList = [.collection, .set, .dictionary].contains(mirror.displayStyle)
  if !isList, let value = value as? any CustomStringConvertible { return value.description }
  guard mirror.displayStyle == .enum else {
    // A trace is longer than what it explains.
    return mirror.children.filter { $0.label != "trace" }.map(labeledWords).filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
  guard let (name, value) = mirror.children.first else { return separated("\(value)") }
  let values = words(of: value)
  return separated(name ?? "") + (values.isEmpty ? "" : ": \(values)")
}

/// Returns the words of a value and of its label, if it has one.
private func labeledWords(of child: Mirror.Child) -> String {
  let values = words(of: child.value)
  guard let label = child.label, !label.hasPrefix("."), label != "some", !values.isEmpty else {
    return values
  }
  return "\(separated(label)): \(values)"
}

/// Returns the words of a name: `unknownResponder` is `unknown responder`.
private func separated(_ name: String) -> String {
  var words = ""
  for character in name {
    if character.isUppercase, words.last?.isLowercase == true { words += " " }
    words.append(character)
  }
  return words.lowercased()
}
