import JSONText

/// The places of the state that rules read, as a tree, so that two states are compared there and
/// nowhere else.
///
/// What two states share is not looked into, so that a comparison takes as long as what changed is
/// large, not as the state is. It never misses a change; it takes one for granted where that is cheaper
/// to do than to find out.
struct ReadPlaces: Sendable {
  /// Who reads a place, by a number that the owner gives.
  typealias Reader = Int32

  private struct Place: Sendable {
    /// The index, when the step to here may be one.
    var index: Int?
    /// Whether the step to here is one that only an array can take.
    var isIndex = false
    /// Who reads the value here as a whole.
    var readers: [Reader] = []
    /// The places below, by their steps: their numbers.
    var below = JSONObject()
  }

  private var places = [Place()]
  /// How many readers were added.
  private(set) var readerCount = 0

  /// Adds a reader of what a path leads to.
  mutating func add(_ reader: Reader, reading path: some Sequence<String>) {
    var place = 0
    for step in path { place = self.place(step, below: place) }
    places[place].readers.append(reader)
    readerCount += 1
  }

  private mutating func place(_ step: String, below place: Int) -> Int {
    if case .int(let known)? = places[place].below[step] { return Int(known) }
    let isIndex = step.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    places.append(Place(index: isIndex ? Int(step) : nil, isIndex: isIndex))
    places[place].below[step] = .int(Int64(places.count - 1))
    return places.count - 1
  }

  /// Tells who reads something that may be different in two states.
  func compare(_ old: JSON, _ new: JSON, _ tell: (Reader) -> Void) {
    compare(old, new, at: 0, tell)
  }

  private func compare(_ old: JSON, _ new: JSON, at place: Int, _ tell: (Reader) -> Void) {
    guard !old.isIdentical(to: new) else { return }
    for reader in places[place].readers { tell(reader) }
    switch (old, new) {
    case (.object(let old), .object(let new)):
      for step in places[place].below.members {
        compare(old[step.name], new[step.name], at: step.value, isObject: true, tell)
      }
    case (.array(let old), .array(let new)):
      for step in places[place].below.members {
        let index = number(step.value).flatMap { places[$0].index }
        compare(
          index.flatMap { $0 < old.count ? old[$0] : nil },
          index.flatMap { $0 < new.count ? new[$0] : nil }, at: step.value, isObject: false, tell)
      }
    case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _):
      for step in places[place].below.members { tellAll(below: step.value, tell) }
    }
  }

  /// Compares what a step leads to in both.
  ///
  /// What is not there makes a rule fail, with a message that may tell what is there instead; and an
  /// index is no name in an object. So those who read such a place are told of every change around it.
  private func compare(
    _ old: JSON?, _ new: JSON?, at step: JSON, isObject: Bool, _ tell: (Reader) -> Void
  ) {
    guard let place = number(step) else { return }
    if let old, let new, places[place].isIndex != isObject {
      compare(old, new, at: place, tell)
    } else {
      tellAll(below: step, tell)
    }
  }

  private func number(_ step: JSON) -> Int? {
    guard case .int(let number) = step else { return nil }
    return Int(number)
  }

  private func tellAll(below step: JSON, _ tell: (Reader) -> Void) {
    var waiting = [step]
    while let next = waiting.popLast() {
      guard let place = number(next) else { continue }
      for reader in places[place].readers { tell(reader) }
      waiting += places[place].below.members.map(\.value)
    }
  }
}
