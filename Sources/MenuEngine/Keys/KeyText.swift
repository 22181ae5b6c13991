import JSONText

/// The text of a key as VS Code's `keybindings.json` writes it: `ctrl+k ctrl+s`, `shift+cmd+p` (K9).
///
/// Its modifiers are those of the keyboard: `cmd` (also `win` and `meta`) is the key beside the space bar. So it names
/// other modifiers of a `KeyCombination` on Apple's platforms than on others, where Control is `command` (M2).
package enum KeyText {
  /// A parsed stroke.
  package enum Stroke: Equatable, Sendable {
    case key(KeyCombination)
    /// A key known to VS Code without an input in menud: `insert`, or `[KeyA]`, which is a position on the keyboard.
    case withoutInput(name: String)
  }

  /// A part of a text that is not a stroke.
  package struct Fault: Error, Equatable, Sendable {
    /// The name of the key; empty if there is none.
    package let name: String
  }

  /// Parses the strokes of a text on a platform; empty for a text of spaces.
  ///
  /// Case is ignored, and `-` joins like `+`.
  ///
  /// - Throws: `Fault` for the first stroke whose key is unknown.
  package static func strokes(of text: String, on platform: KeyPlatform) throws(Fault) -> [Stroke] {
    var strokes: [Stroke] = []
    var rest = text.utf8[...]
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    while true {
      rest = rest.drop(while: isSpace)
      guard !rest.isEmpty else { return strokes }
      var held: KeyModifiers = []
      while let (modifier, length) = modifier(at: rest, on: platform) {
        held.formUnion(modifier)
        rest = rest.dropFirst(length)
      }
      let name = rest.prefix { !isSpace($0) }
      rest = rest[name.endIndex...]
      strokes.append(try stroke(String(decoding: name, as: UTF8.self), holding: held))
    }
  }

  /// Returns the text of a key on a platform; nil if it has caps lock, or the numeric pad modifier with a key that is
  /// not on the numeric pad.
  package static func text(of key: KeySequence, on platform: KeyPlatform) -> String? {
    var texts: [String] = []
    for stroke in key.strokes {
      guard let text = text(of: stroke, on: platform) else { return nil }
      texts.append(text)
    }
    return texts.joined(separator: " ")
  }

  private static func text(of stroke: KeyCombination, on platform: KeyPlatform) -> String? {
    var held = stroke.modifiers
    let name: String
    if held.contains(KeyModifiers.Name.numericPad.modifier) {
      guard let key = numericPad.first(where: { $0.input.hasSameBytes(as: stroke.folded) }) else {
        return nil
      }
      name = key.name
      held.subtract(KeyModifiers([.numericPad]))
    } else {
      name = named.first { $0.input.hasSameBytes(as: stroke.folded) }?.name ?? stroke.folded
    }
    guard held.isSubset(of: .decisive) else { return nil }
    let modifiers = modifiers(on: platform).filter { held.contains($0.modifier) }
    return (modifiers.map(\.name) + [name]).joined(separator: "+")
  }
}

// MARK: Names

extension KeyText {
  private typealias Modifier = (name: String, modifier: KeyModifiers)

  /// The modifiers in the order in which they are written.
  private static func modifiers(on platform: KeyPlatform) -> [Modifier] {
    let (control, command): (KeyModifiers.Name, KeyModifiers.Name) =
      platform == .apple ? (.control, .command) : (.command, .control)
    return [
      ("ctrl", KeyModifiers([control])), ("shift", KeyModifiers([.shift])),
      ("alt", KeyModifiers([.alternate])),
      (platform == .apple ? "cmd" : "meta", KeyModifiers([command])),
    ]
  }

  /// Returns the modifier at the beginning of a text, with its length including the following sign.
  private static func modifier(
    at text: Substring.UTF8View, on platform: KeyPlatform
  ) -> (KeyModifiers, length: Int)? {
    let written = modifiers(on: platform)
    let others = ["cmd", "win", "meta"].map { ($0, written[3].modifier) }
    for (name, modifier) in written + others {
      let length = name.utf8.count
      let isThere = zip(text, name.utf8).allSatisfy { $0 | 0x20 == $1 }
      let sign = text.dropFirst(length).first
      // The sign can also be the key: "+" after "ctrl+".
      if isThere, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), text.count > length + 1 {
        return (modifier, length + 1)
      }
    }
    return nil
  }

  private static func stroke(_ name: String, holding held: KeyModifiers) throws(Fault) -> Stroke {
    let isShort = name.utf8.count <= KeyInput.maximumLength
    let folded = isShort ? name.lowercased() : name
    if let key = numericPad.first(where: { $0.name.hasSameBytes(as: folded) }) {
      let modifiers = held.union(KeyModifiers([.numericPad]))
      if let key = KeyCombination(input: key.input, modifiers: modifiers) { return .key(key) }
    }
    if isWithoutInput(folded) { return .withoutInput(name: folded) }
    let input = (named + aliases).first { $0.name.hasSameBytes(as: folded) }?.input
    // The names of menud's own inputs are not accepted here.
    guard input != nil || name.count == 1,
      let key = KeyCombination(input: input ?? name, modifiers: held)
    else { throw Fault(name: name) }
    return .key(key)
  }

  private typealias Named = (name: String, input: String)

  /// The keys that are written by name, and their inputs.
  private static let named: [Named] =
    [
      ("up", "UIKeyInputUpArrow"), ("down", "UIKeyInputDownArrow"),
      ("left", "UIKeyInputLeftArrow"), ("right", "UIKeyInputRightArrow"),
      ("pageup", "UIKeyInputPageUp"), ("pagedown", "UIKeyInputPageDown"),
      ("home", "UIKeyInputHome"), ("end", "UIKeyInputEnd"), ("escape", "UIKeyInputEscape"),
      ("delete", "UIKeyInputDelete"), ("backspace", "\u{8}"), ("tab", "\t"), ("enter", "\r"),
      ("space", " "),
    ] + (1...12).map { ("f\($0)", "UIKeyInputF\($0)") }

  /// Further names of keys.
  private static let aliases: [Named] = [
    ("oem_1", ";"), ("oem_plus", "="), ("oem_comma", ","), ("oem_minus", "-"), ("oem_period", "."),
    ("oem_2", "/"), ("oem_3", "`"), ("oem_4", "["), ("oem_5", "\\"), ("oem_6", "]"), ("oem_7", "'"),
  ]

  /// The keys of the numeric pad.
  private static let numericPad: [Named] =
    (0...9).map { ("numpad\($0)", "\($0)") } + [
      ("numpad_multiply", "*"), ("numpad_add", "+"), ("numpad_subtract", "-"),
      ("numpad_decimal", "."), ("numpad_divide", "/"), ("numpad_separator", ","),
    ]

  /// True for a key name of VS Code, in lower case, without an input in menud.
  private static func isWithoutInput(_ name: String) -> Bool {
    // The name of a hardware key, which may be an unknown one.
    if name.hasPrefix("["), name.hasSuffix("]"), name.utf8.count > 2 { return true }
    return withoutInput.contains(where: name.hasSameBytes(as:))
  }

  private static let withoutInput: [String] =
    [
      "insert", "pausebreak", "capslock", "numlock", "scrolllock", "contextmenu", "clear",
      "oem_8", "oem_102", "abnt_c1", "abnt_c2", "audiovolumemute", "audiovolumeup",
      "audiovolumedown", "browserback", "browserforward", "browserhome", "browsersearch",
      "mediatracknext", "mediatrackprevious", "mediastop", "mediaplaypause", "launchmail",
      "launchapp2", "launchmediaplayer", "keyincomposition",
    ] + (13...24).map { "f\($0)" }
}

extension KeySequence {
  /// Creates a key of strokes; nil if one of them has no input, or they are too many or none.
  package init?(_ strokes: [KeyText.Stroke]) {
    let keys = strokes.compactMap { stroke in
      if case .key(let key) = stroke { key } else { nil }
    }
    guard keys.count == strokes.count else { return nil }
    self.init(keys)
  }
}
