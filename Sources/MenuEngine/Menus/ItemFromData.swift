import CEL
import JSONSchema
package import JSONText

/// The key of an item from data, which distinguishes it from other items of its command (M12): a text of 1 to 1,024
/// bytes.
///
/// Keys are hashed and compared by their bytes.
public struct ItemKey: Hashable, Sendable, Codable {
  /// The key as text.
  public let text: String

  /// The maximum number of bytes.
  package static let maximumLength = 1024

  /// Creates a key with this text; nil if it is empty or too long.
  public init?(_ text: String) {
    guard (1...Self.maximumLength).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  /// True if the texts have the same bytes.
  public static func == (left: ItemKey, right: ItemKey) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  /// Hashes the bytes of the text.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

  /// Encodes the key as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// Decodes a key.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    text = try container.decode(String.self)
  }
}

extension Read {
  /// Reads the key of an item from data.
  package static func itemKey(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> ItemKey? {
    guard case .string(let text) = json, let key = ItemKey(text) else {
      return refuse(.itemKey, json, at: pointer, log: log)
    }
    return key
  }
}

/// An element of a list, with the results of the declaration's rules (M12).
struct DataElement: Sendable {
  let value: JSON
  let index: Int
  let key: ItemKey
  let title: String
  /// The parameters of its item.
  let parameters: JSONObject
  /// The rule for the parameters; nil for none.
  let parameterRule: Rule?
  /// The effort of its rules.
  let effort: Int
}

extension Command {
  /// Returns the command as the item of an element: with the element's title and key, and without key equivalent and
  /// alternates, which belong to the command itself.
  func asItem(of element: DataElement) -> Command {
    var item = self
    (item.content.title, item.content.itemKey) = (element.title, element.key)
    (item.content.key, item.content.alternates, item.content.alternate) = (nil, [], nil)
    return item
  }

  /// Returns true if parameters match the declared schema, ignoring the present choices (P4).
  func takes(_ parameters: JSONObject, _ effort: Effort) -> Bool {
    guard let schema = self.parameters?.schema else { return parameters.isEmpty }
    return schema.faults(of: .object(parameters), effort).isEmpty
  }
}

/// The values that rules about lists and their elements read (M12).
struct ElementContext {
  /// The values that a rule about an element sees, in the order of their indexes in a compiled program; a rule for a
  /// list sees the first two. The state has the same index as in all rules.
  enum Root: Int, CaseIterable {
    case state
    case tr
    case item
    case index
  }

  static let rootsOfElements = Root.allCases.map { "\($0)" }
  static let rootsOfLists = Array(rootsOfElements.prefix(2))

  private let state: JSON
  private let translations: JSON
  private let effort: Effort

  /// Creates the context of a session under a catalogue in its language.
  init(_ session: Session, in catalog: Catalog, _ effort: Effort) {
    (state, translations, self.effort) = (session.state, catalog.translations, effort)
  }

  /// Returns the elements of a declaration's list.
  func list(of declaration: ItemsFromData) throws(RuleFault) -> [JSON] {
    let (rule, place) = (declaration.rules.list, "forEach")
    let value = try value(of: rule, at: place, seeing: state, as: .state) { _ in .null }
    guard case .array(let elements)? = try? value.json else {
      throw rule.fault(at: place, answering: value, expecting: .array)
    }
    return elements
  }

  /// Returns an element with the results of its declaration's rules.
  func element(
    _ value: JSON, at index: Int, of declaration: ItemsFromData
  ) throws(RuleFault) -> DataElement {
    let (rules, before) = (declaration.rules, effort.spent)
    effort.spend(Effort.member)
    do throws(RuleFault) {
      return DataElement(
        value: value, index: index, key: try key(of: value, at: index, rules),
        title: try string(rules.title, at: "title", of: value, index),
        parameters: try parameters(of: value, at: index, rules), parameterRule: rules.parameters,
        effort: effort.spent - before)
    } catch {
      throw error.about(element: index)
    }
  }

  private func key(
    of value: JSON, at index: Int, _ rules: ItemsFromData.Rules
  ) throws(RuleFault) -> ItemKey {
    let text = try string(rules.key, at: "key", of: value, index)
    if let key = ItemKey(text) { return key }
    throw RuleFault(
      place: "key", source: rules.key.program.source, reason: .misnamed(text, expected: .itemKey))
  }

  private func parameters(
    of value: JSON, at index: Int, _ rules: ItemsFromData.Rules
  ) throws(RuleFault) -> JSONObject {
    guard let rule = rules.parameters else { return JSONObject() }
    let (place, value) = ("parameters", try self.value(of: rule, at: "parameters", value, index))
    guard case .object(let object) = try rule.bounded(value, at: place, effort) else {
      throw rule.fault(at: place, answering: value, expecting: .object)
    }
    return object
  }

  private func string(
    _ rule: Rule, at place: String, of value: JSON, _ index: Int
  ) throws(RuleFault) -> String {
    let answer = try self.value(of: rule, at: place, value, index)
    guard case .string(let text) = answer else {
      throw rule.fault(at: place, answering: answer, expecting: .string)
    }
    // The text is written and searched for each item.
    effort.spend(text.utf8.count / Rule.bytesOfStep)
    return text
  }

  private func value(
    of rule: Rule, at place: String, _ item: JSON, _ index: Int
  ) throws(RuleFault) -> Value {
    try value(of: rule, at: place, seeing: item, as: .item) {
      $0 == .item ? Value(item) : Value(.int(Int64(index)))
    }
  }

  /// Returns the value of a rule; one that reads only the document at a root takes a shorter way.
  private func value(
    of rule: Rule, at place: String, seeing document: JSON, as root: Root,
    _ ofElement: (Root?) -> Value
  ) throws(RuleFault) -> Value {
    var steps = 0
    defer { effort.spend(steps) }
    if let value = rule.program.value(
      addingStepsTo: &steps, in: document, at: root.rawValue)
    {
      return value
    }
    do {
      return try rule.program.value(addingStepsTo: &steps) { index in
        let root = Root(rawValue: index)
        return switch root {
        case .state: Value(state)
        case .tr: Value(translations)
        case .item, .index, nil: ofElement(root)
        }
      }
    } catch {
      throw RuleFault(
        place: place, source: rule.program.source, reason: .evaluation(error),
        readsState: rule.readsState)
    }
  }
}

/// The items from data of one declaration (M12).
struct ItemList: Equatable, Sendable {
  /// The items, each key once.
  var items: [ValidatedItem] = []
  /// The keys that duplicate the key of an earlier element.
  var repeated: [ItemKey] = []
  /// The number of elements beyond the limit.
  var excess = 0
  /// The first rule that failed; there are no items then.
  var fault: RuleFault?

  /// Creates an empty list, by default without a failed rule.
  init(_ fault: RuleFault? = nil) { self.fault = fault }
}

/// The items from data of a menu and its submenus.
struct ItemLists {
  private var lists: [ObjectIdentifier: ItemList] = [:]

  /// The items of a declaration.
  subscript(declaration: ItemsFromData) -> ItemList {
    get { lists[ObjectIdentifier(declaration)] ?? ItemList() }
    set { lists[ObjectIdentifier(declaration)] = newValue }
  }

  /// True if there are items of a declaration.
  func has(_ declaration: ItemsFromData) -> Bool { lists[ObjectIdentifier(declaration)] != nil }
}

/// The items from data that one menu shows: each key of a command once, and no more than the limit (M12).
struct ShownLists {
  /// The keys shown so far, of the commands that have several lists in the menu.
  private var keys: [CommandID: Set<ItemKey>] = [:]
  private var count = 0

  /// Creates the lists of a menu without its submenus, of which none is shown yet.
  init(in menu: Menu) {
    var met: Set<CommandID> = []
    for case .itemsFromData(let declaration) in menu.children
    where !met.insert(declaration.command).inserted {
      keys[declaration.command] = []
    }
  }

  /// Returns the next list as the menu shows it.
  mutating func show(_ list: ItemList, of declaration: ItemsFromData) -> ItemList {
    var shown = list
    if let known = keys[declaration.command] {
      shown.items = []
      for item in list.items {
        guard let key = item.itemKey else { continue }
        if known.contains(key) { shown.repeated.append(key) } else { shown.items.append(item) }
      }
      keys[declaration.command] = known.union(shown.items.compactMap(\.itemKey))
    }
    let excess = count + shown.items.count - declaration.limit
    if excess > 0 {
      shown.items.removeLast(min(excess, shown.items.count))
      shown.excess += excess
    }
    count += shown.items.count
    return shown
  }
}

extension Inquiry {
  /// The values that rules about lists read.
  var elementContext: ElementContext { ElementContext(session, in: catalog, effort) }

  /// Returns the elements of a declaration that have items, and the omitted ones.
  func elements(of declaration: ItemsFromData) throws(RuleFault) -> ([DataElement], left: ItemList)
  {
    let context = elementContext
    let values = try context.list(of: declaration)
    var (elements, left) = ([DataElement](), ItemList())
    var met: Set<ItemKey> = []
    for (index, value) in values.prefix(declaration.limit).enumerated() where !effort.isExhausted {
      let element = try context.element(value, at: index, of: declaration)
      if met.insert(element.key).inserted {
        elements.append(element)
      } else {
        left.repeated.append(element.key)
      }
    }
    left.excess = max(0, values.count - declaration.limit)
    return (elements, left)
  }

  /// Returns the element with a key among the items from data of a command, the first in menu order; if there is none,
  /// the first rule that failed.
  func element(
    _ key: ItemKey, of command: CommandID
  ) -> (element: DataElement?, fault: RuleFault?) {
    var fault: RuleFault?
    for declaration in catalog.menus.itemsFromData() where declaration.command == command {
      do throws(RuleFault) {
        let (elements, _) = try elements(of: declaration)
        if let element = elements.first(where: { $0.key == key }) { return (element, nil) }
      } catch {
        fault = fault ?? error
      }
    }
    return (nil, fault)
  }

  /// Returns the items of a declaration, each validated with its key and parameters (M5).
  mutating func list(
    of declaration: ItemsFromData, _ request: ValidationRequest
  ) throws(MutationFault) -> ItemList {
    guard let command = catalog.command(declaration.command) else { return ItemList() }
    var elements: [DataElement]
    var list: ItemList
    do throws(RuleFault) {
      (elements, list) = try self.elements(of: declaration)
    } catch {
      (elements, list) = ([], ItemList(error))
    }
    try effort.check()
    for element in elements {
      trace = Trace(isRecording: request.isExplaining)
      list.items.append(
        item(of: command, showing: element, request.sender, from: request.from).item)
      try effort.check()
    }
    return list
  }

  /// Returns the item of an element, with the target of its action.
  mutating func item(
    of command: Command, showing element: DataElement, _ description: SenderDescription?,
    from: ResponderID?
  ) -> (item: ValidatedItem, target: Target?) {
    readings = Readings()
    let shown = command.asItem(of: element)
    sender = Sender(command: shown, description: description)
    return validate(shown, showing: element, from: from)
  }

  private mutating func validate(
    _ shown: Command, showing element: DataElement, from: ResponderID?, to: Receiver? = nil
  ) -> (item: ValidatedItem, target: Target?) {
    validate(
      shown, bringing: element.parameters, at: "parameters",
      writtenAs: element.parameterRule?.program.source ?? "{}", from: from, to: to)
  }

  /// Returns the validated item of a command with these parameters. It is disabled if the command does not accept them
  /// at present (P2, P4).
  ///
  /// - Parameters:
  ///   - place: The place of the parameters, for a fault.
  ///   - source: The text of the parameters, for a fault.
  mutating func validate(
    _ shown: Command, bringing brought: JSONObject, at place: String,
    writtenAs source: @autoclosure () -> String, from: ResponderID?, to: Receiver? = nil
  ) -> (item: ValidatedItem, target: Target?) {
    parameters = brought
    var (item, target) = validate(shown, from: from, to: to)
    parameters = JSONObject()
    guard item.isEnabled, let reason = refusal(of: brought, by: shown, at: target) else {
      return (item, target)
    }
    item.isEnabled = false
    item.fail(RuleFault(place: place, source: source(), reason: reason))
    return (item, nil)
  }
}

extension Performer {
  /// Returns the element of a command's item from data (M12), the first in the order of the menus.
  mutating func element(
    _ key: ItemKey, of command: Command
  ) throws(MutationFault) -> DataElement {
    let (element, fault) = inquire(nil) { $0.element(key, of: command.id) }
    try effort.check()
    if let element { return element }
    var item = ValidatedItem(declaredBy: command)
    (item.itemKey, item.reason) = (key, .unknownItem)
    if let fault { item.fail(fault) }
    throw refused(item, of: command)
  }
}

extension Inquiry {
  /// Returns the validated item that a request performs, with its target. Its rules see the request's parameters (P2).
  mutating func validate(
    _ command: Command, asIn request: ActionRequest, showing element: DataElement? = nil
  ) -> (item: ValidatedItem, target: Target?) {
    if let element {
      return validate(command, showing: element, from: request.from, to: request.to)
    }
    parameters = request.parameters ?? JSONObject()
    return validate(command, from: request.from, to: request.to)
  }
}
