import JSONText

extension KeyCombination {
  /// True if pressing `pressed` is pressing this one, as it is declared (K4).
  ///
  /// The case of a letter says nothing: that a letter is large is what shift means, and shift is
  /// compared as a modifier. So `a` and `A` are one key, with shift and without.
  public func matches(_ pressed: KeyCombination) -> Bool {
    modifiers.match(pressed.modifiers) && folded.hasSameBytes(as: pressed.folded)
  }

  /// The key with those of its modifiers that must be equal.
  var decisive: KeyCombination { normalized.keeping(KeyModifiers.decisive) }
}

extension KeyModifiers {
  /// The modifiers that must be equal: command, shift, alternate and control.
  static let decisive = KeyModifiers([.command, .shift, .alternate, .control])

  /// True if holding `held` is holding these, as they are declared (K4): caps lock and the numeric
  /// pad must be held where the declaration names them, and may be where it does not.
  func match(_ held: KeyModifiers) -> Bool {
    intersection(.decisive) == held.intersection(.decisive) && isSubset(of: held)
  }

  /// The sets of modifiers that need not be equal, smaller ones first.
  static let indecisive: [KeyModifiers] = [
    [], KeyModifiers([.alphaShift]), KeyModifiers([.numericPad]),
    KeyModifiers([.alphaShift, .numericPad]),
  ]
}
