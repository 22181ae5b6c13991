import JSONText
package import MenuEngine

extension MissingMember {
  /// The member and that it is missing, as a sentence.
  package var sentence: String {
    let name = (["state"] + path.tokens).joined(separator: ".")
    return "The rule reads \(quoted(name)), which a session does not have as it begins"
      + (suggestion(for: path.tokens.last ?? "", among: present) ?? ".")
  }
}
