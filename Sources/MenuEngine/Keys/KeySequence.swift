package import JSONText

/// A key as it is declared or pressed: one stroke, or several one after the other (K8).
package struct KeySequence: Hashable, Sendable {
  package let first: KeyCombination
  /// The strokes after the first one; most keys have none.
  package let rest: [KeyCombination]

  /// The maximum number of strokes.
  package static let maximumCount = 4

  /// A key of one stroke.
  package init(_ stroke: KeyCombination) { (first, rest) = (stroke, []) }

  /// Nil without strokes, and for more than `maximumCount`.
  package init?(_ strokes: some Collection<KeyCombination>) {
    guard let first = strokes.first, strokes.count <= Self.maximumCount else { return nil }
    self.init(first, rest: Array(strokes.dropFirst()))
  }

  private init(_ first: KeyCombination, rest: [KeyCombination]) {
    (self.first, self.rest) = (first, rest)
  }

  /// The strokes in order.
  package var strokes: [KeyCombination] { [first] + rest }

  /// The last stroke.
  package var last: KeyCombination { rest.last ?? first }

  /// The number of strokes.
  package var count: Int { 1 + rest.count }

  /// The canonical key: letters without case (K4).
  package var normalized: KeySequence { mapping(\.normalized) }

  /// The key with only the decisive modifiers.
  var decisive: KeySequence { mapping(\.decisive) }

  /// Returns the key with modifiers added to the last stroke, with which they are held (a decision for M11).
  func adding(_ modifiers: KeyModifiers) -> KeySequence {
    rest.isEmpty
      ? KeySequence(first.adding(modifiers))
      : KeySequence(first, rest: rest.dropLast() + [last.adding(modifiers)])
  }

  /// Returns the key with modifiers added to each stroke.
  func addingToAll(_ modifiers: KeyModifiers) -> KeySequence { mapping { $0.adding(modifiers) } }

  private func mapping(_ change: (KeyCombination) -> KeyCombination) -> KeySequence {
    KeySequence(change(first), rest: rest.isEmpty ? [] : rest.map(change))
  }
}

// MARK: Matching

extension KeySequence {
  /// The strokes pressed so far, compared with a declared key.
  package enum Match: Equatable, Sendable {
    /// The strokes are the whole key.
    case whole
    /// The strokes are the beginning of the key.
    case beginning
  }

  /// Returns the match of the strokes pressed so far with this declared key (K4, K8); nil if they are neither the key
  /// nor its beginning.
  package func match(_ pressed: KeySequence) -> Match? {
    guard first.matches(pressed.first), pressed.rest.count <= rest.count else { return nil }
    for (declared, stroke) in zip(rest, pressed.rest) where !declared.matches(stroke) { return nil }
    return pressed.rest.count == rest.count ? .whole : .beginning
  }

  /// True if the pressed strokes are this declared key (K4).
  package func matches(_ pressed: KeySequence) -> Bool { match(pressed) == .whole }
}

// MARK: Documents

extension KeySequence {
  /// Reads a key: a stroke, or an array of up to `maximumCount` strokes.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard case .array(let strokes) = json else {
      guard let stroke = KeyCombination(reading: json, at: pointer, log: log) else { return nil }
      self.init(stroke)
      return
    }
    guard (1...Self.maximumCount).contains(strokes.count) else {
      log.note(.expected(.strokes, found: json), at: pointer)
      return nil
    }
    guard
      let read = Read.list(json, at: pointer, log: log, of: KeyCombination.init(reading:at:log:))
    else { return nil }
    self.init(read)
  }

  /// Reads a key from an object that has other members too: `input` and `modifiers`, or `strokes`.
  init?(_ reader: inout ObjectReader) {
    guard reader.json("strokes") != nil else {
      guard let stroke = KeyCombination(&reader) else { return nil }
      self.init(stroke)
      return
    }
    let key = reader.member("strokes", KeySequence.init(reading:at:log:))
    for other in ["input", "modifiers"] where reader.json(other) != nil {
      reader.log.note(.conflictingMembers("strokes", other), at: reader.pointer)
    }
    guard let key else { return nil }
    self = key
  }

  /// The document: a stroke, or an array of several.
  package var json: JSON { rest.isEmpty ? first.json : .array(strokes.map(\.json)) }
}

/// The coded form is the stroke itself, or an array of several.
extension KeySequence: Codable {
  package func encode(to encoder: any Encoder) throws {
    if rest.isEmpty { try first.encode(to: encoder) } else { try strokes.encode(to: encoder) }
  }

  package init(from decoder: any Decoder) throws {
    if (try? decoder.unkeyedContainer()) != nil {
      guard let key = KeySequence(try [KeyCombination](from: decoder)) else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath, debugDescription: "the key has no or too many strokes"))
      }
      self = key
    } else {
      self.init(try KeyCombination(from: decoder))
    }
  }
}
