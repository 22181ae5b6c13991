/// The names of responders that are gone, so that no instance gets one of them again (V2).
///
/// A name is a number of a stem: `detail-3` is number 3 of `detail`, and `detail` is number 1. Of each stem
/// the highest number is kept; when there are too many stems, the highest number of all stands for every
/// stem. So a name may count as past that never was, but none that was counts as new.
struct PastNames: Equatable, Sendable, Codable {
  private var highest: [String: Int] = [:]
  private var floor = 0

  /// The number that no name reaches.
  static let limit = 1 << 60
  /// The number of stems that are kept apart.
  static let stems = 1024

  /// The highest number that a front end's name is counted with, so that no name of its own leaves
  /// sessions without numbers.
  static let highestOfFrontEnd = 1_000_000_000

  /// Notes that a responder is gone, which the session made itself or a front end put.
  mutating func note(_ id: ResponderID, isOfFrontEnd: Bool) {
    let (stem, number) = Self.parts(of: id.rawValue)
    if isOfFrontEnd, number > Self.highestOfFrontEnd { return }
    if number > max(highest[stem] ?? 0, floor) { highest[stem] = number }
    guard highest.count > Self.stems else { return }
    floor = max(floor, highest.values.max() ?? 0)
    highest = [:]
  }

  /// The number of the first of `NAME`, `NAME-2` and so on after which all are new; 1 for the name itself.
  func nextNumber(of name: String) -> Int {
    let (stem, number) = Self.parts(of: name)
    let last = lastNumber(of: name)
    return last == 0 && number > lastNumber(of: stem) ? 1 : max(last, 1) + 1
  }

  private func lastNumber(of stem: String) -> Int { max(highest[stem] ?? 0, floor) }

  /// The stem of a name and its number, which is written without zeros in front.
  private static func parts(of name: String) -> (stem: String, number: Int) {
    guard let dash = name.lastIndex(of: "-") else { return (name, 1) }
    let digits = name[name.index(after: dash)...]
    guard let number = Int(digits), 2..<limit ~= number, String(number) == digits else {
      return (name, 1)
    }
    return (String(name[..<dash]), number)
  }
}
