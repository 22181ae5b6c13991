import JSONText

/// The declared text of each item of a validation: everything before `enabled`.
struct DeclaredTexts: Sendable {
  /// The texts, concatenated.
  private(set) var bytes: [UInt8] = []
  /// The offsets of each text's start, its title's start, its title's end and its end.
  private var places: [(start: Int32, title: Int32, rest: Int32, end: Int32)] = []
  private var appearances:
    [(state: CommandState, isCheckable: Bool, attributes: CommandAttributes)] = []
  /// The declared words of the commands that have some, by position.
  private(set) var words: [Int: Words] = [:]

  /// The words that a command declares (W2, W4).
  struct Words: Sendable {
    let unavailable: String?
    let confirmation: Confirmation?
  }

  /// Creates the texts of commands. `selectable` are those in a menu with `singleSelection`.
  init(_ commands: [Command], selectable: Set<CommandID>) {
    places.reserveCapacity(commands.count)
    for (position, command) in commands.enumerated() {
      if command.unavailable != nil || command.confirmation != nil {
        words[position] = Words(
          unavailable: command.unavailable, confirmation: command.confirmation)
      }
      append(
        ValidatedItem(declaredBy: command, isSelectable: selectable.contains(command.id)))
    }
  }

  private mutating func append(_ item: ValidatedItem) {
    let start = bytes.count
    var writer = JSONWriter(appendingTo: bytes)
    bytes = []
    writer.beginObject()
    writer.member("command", item.command.rawValue)
    writer.member("title")
    let title = writer.bytes.count
    writer.value(item.title)
    let rest = writer.bytes.count
    writer.declaredMembers(behindTitleOf: item)
    bytes = writer.bytes
    appearances.append((item.state, item.isCheckable, item.attributes))
    places.append((Int32(start), Int32(title), Int32(rest), Int32(bytes.count)))
  }

  /// The size in bytes.
  var size: Int { bytes.count + places.count * 24 + words.count * 256 }

  /// Returns the declared state and attributes of a command, and whether it is checkable.
  func declared(
    _ position: Int
  ) -> (state: CommandState, isCheckable: Bool, attributes: CommandAttributes) {
    appearances[position]
  }

  /// Returns the range of a command's text.
  func range(_ position: Int) -> Range<Int> {
    Int(places[position].start)..<Int(places[position].end)
  }

  /// Returns the text of a command, with another title unless it is nil.
  func text(_ position: Int, title: String?) -> [UInt8] {
    let place = places[position]
    guard let title else { return Array(bytes[range(position)]) }
    var text = Array(bytes[Int(place.start)..<Int(place.title)])
    JSON.string(title).write(into: &text)
    text += bytes[Int(place.rest)..<Int(place.end)]
    return text
  }
}

/// The texts of the members that a validation decides.
struct DecidedTexts: Sendable {
  /// The texts, concatenated.
  private(set) var bytes: [UInt8] = []
  private var appearances: [Range<Int>] = []
  private var ends: [Range<Int>] = []

  /// The texts of all decisions.
  static let all = DecidedTexts()

  private init() {
    for isEnabled in [false, true] {
      for state in CommandState.allCases {
        for isCheckable in [false, true] {
          for attributes in 0..<UInt8(16) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.appearance(
              isEnabled: isEnabled, state: state, isCheckable: isCheckable,
              attributes: CommandAttributes(rawValue: attributes))
            appearances.append(append([UInt8(ascii: ",")] + writer.bytes.dropFirst()))
          }
        }
      }
    }
    for reason in [
      ValidationReason.enabled, .noTarget, .ruleFalse, .declaredDisabled, .noAction, .cycle,
    ] {
      ends.append(append(Array(#","reason":"\#(reason.rawValue)"}"#.utf8)))
    }
  }

  private mutating func append(_ text: [UInt8]) -> Range<Int> {
    let start = bytes.count
    bytes += text
    return start..<bytes.count
  }

  /// Returns the range of the members from `enabled` to `attributes`, each with a leading comma.
  func appearance(_ item: ItemDecision) -> Range<Int> {
    appearances[
      (item.isEnabled ? 96 : 0) + item.state.number * 32 + (item.isCheckable ? 16 : 0)
        + Int(item.attributes.rawValue)]
  }

  /// Returns the range of the member `reason`, with a leading comma and the closing bracket.
  func end(_ reason: ValidationReason) -> Range<Int> {
    switch reason {
    case .enabled: ends[0]
    case .noTarget: ends[1]
    case .ruleFalse: ends[2]
    case .declaredDisabled: ends[3]
    case .noAction: ends[4]
    case .cycle: ends[5]
    case .ruleError, .unknownCommand, .unknownItem, .noHandler, .recorded, .proxiedGone, .noMatch,
      .pending:
      preconditionFailure("a plan does not decide on \(reason)")
    }
  }

  /// Returns the members about a target, each with a leading comma.
  static func target(_ receiver: Receiver?, proxied: ResponderID?) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.target(receiver, proxied: proxied)
    return [UInt8(ascii: ",")] + writer.bytes.dropFirst()
  }
}

extension CommandState {
  /// The index of the decision in `all`.
  fileprivate var number: Int {
    switch self {
    case .off: 0
    case .on: 1
    case .mixed: 2
    }
  }
}
