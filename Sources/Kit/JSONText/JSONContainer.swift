/// An array or object whose end has not been read, or the document around the one value.
struct JSONContainer {
  enum Kind {
    case document
    case array
    case object
  }

  let kind: Kind
  var elements: [JSON] = []
  private(set) var object = JSONObject()
  /// The name of the member whose value comes next, and where it stands.
  var name = ""
  var nameOffset = 0
  /// A bit for each length and first and last byte that a name had: what has no bit is new.
  private var seen: UInt64 = 0

  init(kind: Kind) {
    self.kind = kind
    // Saves the first reallocations; more would waste memory on small containers.
    switch kind {
    case .document: break
    case .array: elements.reserveCapacity(2)
    case .object: object.reserveCapacity(4)
    }
  }

  /// Adds the member called `name`; answers the name when it is taken and not to be replaced.
  mutating func addMember(_ value: consuming JSON, replacing: Bool) -> String? {
    let name = exchange(&name, with: "")
    let bit = Self.bit(of: name)
    let mayBePresent = seen & bit != 0
    seen |= bit
    guard mayBePresent else {
      object.appendAbsent(.init(name: name, value: value))
      return nil
    }
    if replacing {
      object[name] = value
      return nil
    }
    return object.append(.init(name: name, value: value)) ? nil : name
  }

  private static func bit(of name: String) -> UInt64 {
    let bytes = name.utf8
    let first = UInt64(bytes.first ?? 0)
    let last = UInt64(bytes.last ?? 0)
    return 1 << ((UInt64(bytes.count) &* 5 &+ first &* 3 &+ last) & 63)
  }
}
