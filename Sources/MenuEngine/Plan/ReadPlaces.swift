import JSONText

/// The places of the state that rules read, as a tree; two states are compared only there.
///
/// Shared parts are skipped, so that a comparison takes time proportional to the change, not to the state. It
/// misses no change, but may report one where finding out would cost more.
struct ReadPlaces: Sendable {
  /// A reader of a place, by a number that the owner assigns.
  typealias Reader = Int32

  private struct Place: Sendable {
    /// The step from the parent place.
    let step: String
    /// True if the step is an index, which only arrays take.
    let isIndex: Bool
    /// The index; out of range for any array if the step is none.
    let index: Int
    /// The readers of the value at this place as a whole.
    var readers: [Reader] = []
    /// The child places.
    var below: [Int] = []

    init(_ step: String) {
      self.step = step
      isIndex = !step.utf8.isEmpty && step.utf8.allSatisfy { 0x30...0x39 ~= $0 }
      index = isIndex ? Int(step) ?? .max : .max
    }
  }

  private var places = [Place("")]
  /// The child places by step, for each place.
  private var numbers = [JSONObject()]
  /// The last position of each place's member in its object, where it is looked for first.
  private var positions = [Int.max]
  /// The number of readers added.
  private(set) var readerCount = 0

  /// Adds a reader of the value at a path.
  mutating func add(_ reader: Reader, reading path: some Sequence<String>) {
    var place = 0
    for step in path { place = self.place(step, below: place) }
    places[place].readers.append(reader)
    readerCount += 1
  }

  private mutating func place(_ step: String, below place: Int) -> Int {
    if case .int(let known)? = numbers[place][step] { return Int(known) }
    let number = places.count
    places.append(Place(step))
    numbers.append(JSONObject())
    // An index is not a member name.
    positions.append(places[number].isIndex ? .max : 0)
    places[place].below.append(number)
    numbers[place][step] = .int(Int64(number))
    return number
  }

  /// Adds the readers whose values may differ between two states to `told`.
  mutating func compare(_ old: JSON, _ new: JSON, telling told: inout [Reader]) {
    compare(old, new, at: 0, telling: &told)
  }

  /// A missing value makes a rule fail with a message that may list its siblings, and an index is not a member
  /// name. Readers of such places are therefore reported for every change around them.
  private mutating func compare(
    _ old: JSON, _ new: JSON, at place: Int, telling told: inout [Reader]
  ) {
    guard !old.isIdentical(to: new) else { return }
    if !places[place].readers.isEmpty { told += places[place].readers }
    if case (.object(let old), .object(let new)) = (old, new) {
      return compareMembers(old, new, of: place, telling: &told)
    }
    for number in places[place].below { compareChildren(number, of: old, and: new, telling: &told) }
  }

  /// Most members are unchanged, which comparing their storage shows.
  private mutating func compareMembers(
    _ old: JSONObject, _ new: JSONObject, of place: Int, telling told: inout [Reader]
  ) {
    for number in places[place].below
    where !old.isIdentical(to: new, at: positions[number], named: places[number].step) {
      compareChildren(number, of: .object(old), and: .object(new), telling: &told)
    }
  }

  private mutating func compareChildren(
    _ number: Int, of old: JSON, and new: JSON, telling told: inout [Reader]
  ) {
    if let oldChild = child(number, of: old), let newChild = child(number, of: new) {
      compare(oldChild, newChild, at: number, telling: &told)
    } else {
      tellAll(from: number, telling: &told)
    }
  }

  /// Returns the value at a child place.
  private mutating func child(_ number: Int, of json: JSON) -> JSON? {
    switch json {
    case .object(let object): member(number, of: object)
    case .array(let elements):
      places[number].index < elements.count ? elements[places[number].index] : nil
    case .null, .bool, .int, .double, .string: nil
    }
  }

  private mutating func member(_ number: Int, of object: JSONObject) -> JSON? {
    guard !places[number].isIndex else { return nil }
    let position = positions[number]
    if position < object.count,
      object.members[position].name.hasSameBytes(as: places[number].step)
    {
      return object.members[position].value
    }
    guard let position = object.position(of: places[number].step) else { return nil }
    positions[number] = position
    return object.members[position].value
  }

  private func tellAll(from number: Int, telling told: inout [Reader]) {
    var waiting = [number]
    while let next = waiting.popLast() {
      told += places[next].readers
      waiting += places[next].below
    }
  }
}
