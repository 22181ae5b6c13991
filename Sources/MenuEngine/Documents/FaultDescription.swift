import JSONText

/// Returns the words of a fault and its place, which is omitted for the whole document.
func describe(_ fault: Any, at place: JSONPointer) -> String {
  (place.tokens.isEmpty ? "" : "\(place): ") + describe(fault)
}

/// Returns the words of a fault: the names of its cases, then its values, as in `unknown responder: ghost`.
func describe(_ fault: Any) -> String {
  let mirror = Mirror(reflecting: fault)
  let isList = [.collection, .set, .dictionary].contains(mirror.displayStyle)
  if !isList, let fault = fault as? any CustomStringConvertible { return fault.description }
  guard mirror.displayStyle == .enum else {
    // A trace is longer than the fault that it explains.
    return mirror.children.filter { $0.label != "trace" }.map(labeledWords).filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
  guard let (name, payload) = mirror.children.first else { return separated("\(fault)") }
  let values = describe(payload)
  return separated(name ?? "") + (values.isEmpty ? "" : ": \(values)")
}

/// Returns the words of a value and of its label, if it has one.
private func labeledWords(of child: Mirror.Child) -> String {
  let values = describe(child.value)
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
