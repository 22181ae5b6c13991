import JSONText

/// The places of the state that rules read, as a tree, so that two states are compared there and
/// nowhere else.
///
/// Parts that two states share are not looked into, so that a comparison takes time that grows with
/// the change, not with the state. It never misses a change; it takes one for granted where that is
/// cheaper to do than to find out.
struct ReadPlaces: Sendable {
  /// A reader of a place, by a number that the owner gives.
  typealias Reader = Int32

  private struct Place: Sendable {
    /// The step that leads here from the place above.
    let step: String
    /// True if the step is one that only an array can take.
    let isIndex: Bool
    /// The index, unless it is beyond all arrays.
    let index: Int
    /// The readers of the value here as a whole.
    var readers: [Reader] = []
    /// The places below.
    var below: [Int] = []

    init(_ step: String) {
      self.step = step
      isIndex = !step.utf8.isEmpty && step.utf8.allSatisfy { 0x30...0x39 ~= $0 }
      index = isIndex ? Int(step) ?? .max : .max
    }
  }

  private var places = [Place("")]
  /// The places below each by their steps.
  private var numbers = [JSONObject()]
  /// The last position of the member for each place in its object. It is most likely there again.
  private var positions = [Int.max]
  /// The number of readers that were added.
  private(set) var readerCount = 0

  /// Adds a reader of what a path leads to.
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
    // An index is no name, so that it stands nowhere.
    positions.append(places[number].isIndex ? .max : 0)
    places[place].below.append(number)
    numbers[place][step] = .int(Int64(number))
    return number
  }

  /// Adds to a list who reads something that may be different in two states.
  mutating func compare(_ old: JSON, _ new: JSON, telling told: inout [Reader]) {
    compare(old, new, at: 0, telling: &told)
  }

  /// An absent value makes a rule fail, with a message that may name its siblings; and an index is
  /// no name in an object. Readers of such a place are therefore told of every change around it.
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

  /// Most members are what they were, which their storage tells.
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

  /// Returns the place to which a step leads.
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
