import JSONText

/// The text that each item of a validation has as its command is declared: everything before `enabled`.
struct DeclaredTexts: Sendable {
  private var bytes: [UInt8] = []
  /// Where each text begins, where its title does, where that ends and where the text does.
  private var places: [(start: Int32, title: Int32, rest: Int32, end: Int32)] = []
  private var appearances: [(state: CommandState, attributes: CommandAttributes)] = []

  init(_ commands: [Command]) {
    places.reserveCapacity(commands.count)
    for command in commands { append(ValidatedItem(declaredBy: command)) }
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
    appearances.append((item.state, item.attributes))
    places.append((Int32(start), Int32(title), Int32(rest), Int32(bytes.count)))
  }

  /// The number of bytes that they take.
  var size: Int { bytes.count + places.count * 24 }

  /// The state and the attributes that a command declares.
  func declared(_ position: Int) -> (state: CommandState, attributes: CommandAttributes) {
    appearances[position]
  }

  /// Returns a text, with another title if there is one.
  func text(_ position: Int, title: String?) -> ArraySlice<UInt8> {
    let place = places[position]
    guard let title else { return bytes[Int(place.start)..<Int(place.end)] }
    var text = Array(bytes[Int(place.start)..<Int(place.title)])
    JSON.string(title).write(into: &text)
    text += bytes[Int(place.rest)..<Int(place.end)]
    return text[...]
  }
}

/// The texts of the members that a validation decides.
enum DecidedTexts {
  /// Returns the members from `enabled` to `attributes`, each behind a comma.
  static func appearance(_ item: ItemDecision) -> [UInt8] {
    appearances[
      (item.isEnabled ? 48 : 0) + item.state.number * 16 + Int(item.attributes.rawValue)]
  }

  /// Returns the member `reason`, with the comma before it and the bracket behind.
  static func end(_ reason: ValidationReason) -> [UInt8] {
    switch reason {
    case .enabled: ends[0]
    case .noTarget: ends[1]
    case .ruleFalse: ends[2]
    case .declaredDisabled: ends[3]
    case .noAction: ends[4]
    case .cycle: ends[5]
    case .ruleError, .unknownCommand, .noHandler, .recorded, .proxiedGone, .noMatch:
      preconditionFailure("a plan does not decide on \(reason)")
    }
  }

  private static let ends = [
    ValidationReason.enabled, .noTarget, .ruleFalse, .declaredDisabled, .noAction, .cycle,
  ].map { Array(#","reason":"\#($0.rawValue)"}"#.utf8) }

  private static let appearances: [[UInt8]] = [false, true].flatMap { isEnabled in
    CommandState.allCases.flatMap { state in
      (0..<16).map { (attributes: UInt8) in
        var writer = JSONWriter()
        writer.beginObject()
        writer.appearance(
          isEnabled: isEnabled, state: state, attributes: CommandAttributes(rawValue: attributes))
        return [UInt8(ascii: ",")] + writer.bytes.dropFirst()
      }
    }
  }

  /// Returns the members about the target, each behind a comma.
  static func target(_ receiver: Receiver?, proxied: ResponderID?) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.target(receiver, proxied: proxied)
    return [UInt8(ascii: ",")] + writer.bytes.dropFirst()
  }

  /// The members about no target.
  static let noTarget = target(nil, proxied: nil)
}

extension CommandState {
  /// Its position among all.
  fileprivate var number: Int {
    switch self {
    case .off: 0
    case .on: 1
    case .mixed: 2
    }
  }
}
