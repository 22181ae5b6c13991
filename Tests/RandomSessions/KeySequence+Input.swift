package import MenuEngine

extension KeySequence {
  /// A key of one stroke; nil if `input` is neither one grapheme cluster nor the name of a key.
  package init?(input: String, modifiers: KeyModifiers) {
    guard let stroke = KeyCombination(input: input, modifiers: modifiers) else { return nil }
    self.init(stroke)
  }
}
