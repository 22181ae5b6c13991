import CEL
package import JSONText

/// A child of a menu that stands for items of one command, one for each element of a list (M12).
///
/// A class, because plans identify it by its address.
package final class ItemsFromData: Sendable {
  /// The command that the items perform.
  package let command: CommandID
  let rules: Rules
  /// The systems that show the items. The default is those of the menu.
  let systems: MenuSystems
  /// The maximum number of items that a menu shows. The host sets it, and it is stored with the declaration, like the
  /// limits of rules.
  let limit: Int

  /// The default of `limit`.
  package static let usualLimit = 1000

  /// The rules of a declaration.
  struct Rules: Equatable, Sendable {
    /// The rule for the list.
    let list: Rule
    /// The rule for the key of an element, which identifies its item.
    let key: Rule
    /// The rule for the title of an element's item.
    let title: Rule
    /// The rule for the parameters of the item (P2); nil for none.
    let parameters: Rule?

    /// The rules that are evaluated for each element.
    var ofElements: [Rule] { [key, title] + (parameters.map { [$0] } ?? []) }

    /// True if one of these rules reads the index of the element.
    var readIndex: Bool {
      ofElements.contains {
        $0.program.readVariables.contains(ElementContext.Root.index.rawValue)
      }
    }
  }

  private init(_ command: CommandID, _ rules: Rules, systems: MenuSystems, limit: Int) {
    (self.command, self.rules, self.systems, self.limit) = (command, rules, systems, limit)
  }
}

extension ItemsFromData: Equatable {
  package static func == (left: ItemsFromData, right: ItemsFromData) -> Bool {
    left === right
      || left.command == right.command && left.rules == right.rules
        && left.systems == right.systems && left.limit == right.limit
  }
}

// MARK: Documents

extension ItemsFromData {
  /// Reads a declaration: `{"forEach": "state.recent", "key": "item.path", "command": "openRecent:", "title":
  /// "item.name", "parameters": "{'path': item.path}"}`; nil with faults in the log.
  convenience init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let list = reader.required("forEach") {
      Read.rule(
        answering: .oneOf([.anyList]), reading: $0, at: $1, log: $2,
        seeing: ElementContext.rootsOfLists)
    }
    let command: CommandID? = reader.required("command", Read.identifier)
    let key = reader.required("key") { Read.elementRule($0, answering: .string, $1, log: $2) }
    let title = reader.required("title") { Read.elementRule($0, answering: .string, $1, log: $2) }
    let parameters = reader.member("parameters") {
      Read.elementRule($0, answering: .anyMap, $1, log: $2)
    }
    let systems = MenuSystems(&reader)
    reader.finish()
    guard let list, let command, let key, let title else { return nil }
    self.init(
      command, Rules(list: list, key: key, title: title, parameters: parameters), systems: systems,
      limit: log.itemsFromData)
  }

  /// The document.
  package var json: JSON {
    var object = JSONObject()
    object["forEach"] = rules.list.json
    object["key"] = rules.key.json
    object["command"] = .string(command.rawValue)
    object["title"] = rules.title.json
    object["parameters"] = rules.parameters?.json
    object["systems"] = systems.json
    return .object(object)
  }
}

extension Read {
  /// Reads a rule about an element.
  fileprivate static func elementRule(
    _ json: JSON, answering type: StaticType, _ pointer: JSONPointer, log: FaultLog
  ) -> Rule? {
    rule(
      answering: .oneOf([type]), reading: json, at: pointer, log: log,
      seeing: ElementContext.rootsOfElements)
  }
}

/// The stored form is the document, with the limits unless they are the defaults.
extension ItemsFromData: Codable {
  private enum CodingKeys: CodingKey {
    case document
    case limit
    case rules
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(json, forKey: .document)
    if limit != Self.usualLimit { try container.encode(limit, forKey: .limit) }
    let limits = rules.list.program.limits
    if limits != ProgramLimits() { try container.encode(limits, forKey: .rules) }
  }

  package convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let limits = try container.decodeIfPresent(ProgramLimits.self, forKey: .rules)
    let limit = try container.decodeIfPresent(Int.self, forKey: .limit)
    let log = FaultLog(
      ruleLimits: limits ?? ProgramLimits(), itemsFromData: limit ?? Self.usualLimit)
    let read = try container.decodeDocument(
      forKey: .document, log, ItemsFromData.init(reading:at:log:))
    self.init(read.command, read.rules, systems: read.systems, limit: read.limit)
  }
}
