import CEL
import JSONText

/// The items from data of a plan (M12), so that repeated requests take time proportional to the changes.
///
/// Rules are evaluated again only for changed elements of a list. Items are validated again only if their element has
/// changed; all of them, if a place that their targets' rules read may have changed.
struct PlannedLists: Sendable {
  private var lists: [ObjectIdentifier: PlannedList] = [:]
  private var ruleErrors = 0

  /// The approximate size in bytes.
  var size: Int { lists.values.reduce(0) { $0 + $1.size } }

  /// Returns the items of declarations, and the effort without a cache.
  ///
  /// - Throws: `MutationFault.tooMuchEffort` if evaluating without a cache would take too much.
  mutating func items(
    of declarations: [ItemsFromData], from: ResponderID?, _ inquiry: PlanInquiry
  ) throws(MutationFault) -> (lists: ItemLists, effort: Int) {
    var (made, effort) = (ItemLists(), 0)
    for declaration in declarations where !made.has(declaration) {
      let id = ObjectIdentifier(declaration)
      var list = lists.removeValue(forKey: id) ?? PlannedList(declaration, from: from, inquiry)
      ruleErrors += list.follow(inquiry, from: from, within: Limits.effort - effort)
      made[declaration] = list.made
      effort += list.effort
      lists[id] = list
      guard effort <= Limits.effort else { throw .tooMuchEffort }
    }
    return (made, effort)
  }

  /// Returns the last requested items of a declaration, with their titles for searches.
  mutating func titledItems(
    of declaration: ItemsFromData, in menus: [String]
  ) -> [(ValidatedItem, SearchedTitle)] {
    lists[ObjectIdentifier(declaration)]?.titledItems(in: menus) ?? []
  }

  /// Returns the number of rules that failed since the last call.
  mutating func takeRuleErrors() -> Int {
    defer { ruleErrors = 0 }
    return ruleErrors
  }

  /// Drops the session's version but keeps the contents, for another session.
  mutating func forgetSession() { for id in lists.keys { lists[id]?.forgetSession() } }
}

/// The items of one declaration as of the last request.
struct PlannedList: Sendable {
  /// The item of an element.
  fileprivate struct Entry: Sendable {
    let element: DataElement
    /// The item; nil if it was never validated.
    var item: ValidatedItem?
    /// The effort of validating it; -1 if it is dirty.
    var effort = -1
    /// The title for searches, once one has read it.
    var title: SearchedTitle?
  }

  private enum Reader {
    static let list: ReadPlaces.Reader = 0
    static let elements: ReadPlaces.Reader = 1
    /// The rules of the items' targets.
    static let items: ReadPlaces.Reader = 2
  }

  private let declaration: ItemsFromData
  private var state: JSON
  private var deliveries: Deliveries
  private var basis: PlanBasis
  /// The session's version; nil after a change to another session.
  private var edition: Int?
  private var places = ReadPlaces()
  /// True if the list must be read again.
  private var isStale = true
  private var elements: [DataElement] = []
  private var effortOfList = 0
  /// The items in order, each key once.
  private var entries: [Entry] = []
  /// The rules that the items' targets evaluated, each once.
  private var rules: [Rule] = []
  /// True if the items depend on more than these rules read.
  private var isUnsure = false
  private(set) var made = ItemList()
  /// The effort without a cache.
  private(set) var effort = 0

  init(_ declaration: ItemsFromData, from: ResponderID?, _ inquiry: PlanInquiry) {
    self.declaration = declaration
    let moment = inquiry.moment
    (state, deliveries) = (moment.session.state, moment.session.deliveries)
    basis = PlanBasis(moment, inquiry.variant, from: from)
    forgetItems()
  }

  /// The approximate size in bytes.
  var size: Int {
    entries.reduce(entries.count * MemoryLayout<Entry>.stride + places.readerCount * 32) {
      // The effort of an element has the size of its parameters and its title.
      $0 + 512 + ($1.item?.written?.text.count ?? 0) + Rule.bytesOfStep * $1.element.effort
    }
  }

  /// Drops the session's version but keeps the contents, for another session.
  mutating func forgetSession() { edition = nil }

  /// Updates the list to the snapshot of an inquiry. Returns the number of rules that failed.
  ///
  /// - Parameter limit: The effort beyond which it stops, without a result.
  mutating func follow(
    _ inquiry: PlanInquiry, from: ResponderID?, within limit: Int
  ) -> Int {
    doubt(inquiry, from: from)
    let moment = inquiry.moment
    (state, deliveries) = (moment.session.state, moment.session.deliveries)
    (basis, edition) = (PlanBasis(moment, inquiry.variant, from: from), moment.sessionEdition)
    do throws(RuleFault) {
      if isStale { try readList(inquiry, within: limit) }
    } catch {
      (elements, entries, made, isStale) = ([], [], ItemList(error), false)
      effortOfList = effort
      return 1
    }
    return validate(inquiry, from: from, within: limit)
  }

  /// Invalidates everything that may have changed.
  private mutating func doubt(_ inquiry: PlanInquiry, from: ResponderID?) {
    let session = inquiry.moment.session
    let isOther = edition != inquiry.moment.sessionEdition
    var told: [ReadPlaces.Reader] = []
    places.compare(state, session.state, telling: &told)
    if told.contains(Reader.elements) { elements = [] }
    // The message of a fault may depend on more than its rule reads.
    if told.contains(where: { $0 != Reader.items }) || isOther && made.fault != nil {
      isStale = true
    }
    let isSameSearch =
      basis.hasResponders(of: session)
      && basis.hasFocus(of: session, inquiry.variant, from: from)
      && deliveries.isIdentical(to: session.deliveries)
    if !isSameSearch || isOther && isUnsure || told.contains(Reader.items) { forgetItems() }
  }

  /// Invalidates the items, but keeps their texts.
  private mutating func forgetItems() {
    for index in entries.indices { entries[index].effort = -1 }
    (rules, isUnsure, places) = ([], false, ReadPlaces())
    for path in declaration.rules.list.statePaths { places.add(Reader.list, reading: path) }
    for path in declaration.rules.ofElements.flatMap(\.statePaths) {
      places.add(Reader.elements, reading: path)
    }
  }
}

// MARK: The list

extension PlannedList {
  /// Reads the list. Rules are not evaluated for unchanged elements.
  private mutating func readList(_ inquiry: PlanInquiry, within limit: Int) throws(RuleFault) {
    inquiry.beginCounting()
    var effortOfFormer = 0
    defer { effort = effortOfFormer + inquiry.effort.spent }
    let context = inquiry.elementContext
    let values = try context.list(of: declaration)
    effortOfList = inquiry.effort.spent
    let former = FormerElements(elements, then: values, under: declaration)
    var read: [DataElement] = []
    read.reserveCapacity(min(values.count, declaration.limit))
    for (index, value) in values.prefix(declaration.limit).enumerated()
    where effortOfFormer + inquiry.effort.spent <= limit {
      if let known = former.element(value, at: index) {
        effortOfFormer += known.effort
        read.append(known)
      } else {
        read.append(try context.element(value, at: index, of: declaration))
      }
    }
    elements = read
    made = ItemList()
    made.excess = max(0, values.count - declaration.limit)
    assignItems()
    // An incomplete list is read again.
    isStale = effortOfFormer + inquiry.effort.spent > limit
  }

  /// Assigns the known items to the elements, each key once.
  private mutating func assignItems() {
    var known: [ItemKey: Int] = [:]
    known.reserveCapacity(entries.count)
    for (index, entry) in entries.enumerated() { known[entry.element.key] = index }
    var met: Set<ItemKey> = []
    met.reserveCapacity(elements.count)
    entries = elements.compactMap { element in
      guard met.insert(element.key).inserted else {
        made.repeated.append(element.key)
        return nil
      }
      guard let index = known[element.key] else { return Entry(element: element) }
      let old = entries[index]
      return old.element.hasSameItem(as: element)
        ? Entry(element: element, item: old.item, effort: old.effort, title: old.title)
        : Entry(element: element, item: old.item)
    }
  }
}

extension DataElement {
  /// True if the items of both elements are validated alike.
  fileprivate func hasSameItem(as other: DataElement) -> Bool {
    title.hasSameBytes(as: other.title)
      && JSON.object(parameters).isWritten(as: .object(other.parameters))
  }
}

/// The former elements of a list, found by index or else by value.
private struct FormerElements {
  private let elements: [DataElement]
  private let readsIndex: Bool
  /// The former index of each value in sequence with the former elements; nil for others.
  private var places: [Int?] = []
  /// The former indexes of the other elements, by value.
  private var others: [JSON: Int] = [:]

  init(_ elements: [DataElement], then values: [JSON], under declaration: ItemsFromData) {
    self.elements = elements
    readsIndex = declaration.rules.readIndex
    places.reserveCapacity(values.count)
    var next = 0
    for (index, value) in values.enumerated() {
      if isFormer(value, at: next) {
        places.append(next)
        next += 1
      } else if isFormer(value, at: next + 1) {
        // This former element was removed or moved.
        others[elements[next].value] = next
        places.append(next + 1)
        next += 2
      } else {
        places.append(nil)
        // Otherwise this element replaces a former one.
        let isNew = index + 1 < values.count && isFormer(values[index + 1], at: next)
        guard !isNew, next < elements.count else { continue }
        others[elements[next].value] = next
        next += 1
      }
    }
    for place in next..<max(next, elements.count) { others[elements[place].value] = place }
  }

  private func isFormer(_ value: JSON, at place: Int) -> Bool {
    place < elements.count && elements[place].value.isWritten(as: value)
  }

  /// Returns the former element with a value; nil if its rules must be evaluated.
  func element(_ value: JSON, at index: Int) -> DataElement? {
    guard let old = places[index] ?? others[value], elements[old].value.isWritten(as: value) else {
      return nil
    }
    guard elements[old].index != index else { return elements[old] }
    return readsIndex ? nil : elements[old].moved(to: index)
  }
}

extension DataElement {
  fileprivate func moved(to index: Int) -> DataElement {
    DataElement(
      value: value, index: index, key: key, title: title, parameters: parameters,
      parameterRule: parameterRule, effort: effort)
  }
}

// MARK: The items

extension PlannedList {
  /// Validates the dirty items. Returns the number of rules that failed.
  private mutating func validate(
    _ inquiry: PlanInquiry, from: ResponderID?, within limit: Int
  ) -> Int {
    let catalog = inquiry.moment.catalog
    effort = elements.reduce(effortOfList) { $0 + $1.effort }
    guard let command = catalog.command(declaration.command), effort <= limit else { return 0 }
    var asking: Inquiry?
    var (faults, isChanged) = (0, made.items.count != entries.count)
    for index in entries.indices where effort <= limit {
      if entries[index].effort < 0 {
        var inquiring = asking ?? inquiry.newInquiry()
        asking = nil
        inquiry.beginCounting()
        let (item, target) = inquiring.item(
          of: command, showing: entries[index].element, inquiry.variant.sender, from: from)
        note(inquiring.readings, target)
        entries[index].take(item, writtenBy: inquiry.writeFault)
        entries[index].effort = inquiry.effort.spent
        if item.fault != nil { faults += 1 }
        isChanged = true
        made.items = []
        asking = inquiring
      }
      effort += entries[index].effort
    }
    if isChanged, effort <= limit { made.items = entries.compactMap(\.item) }
    return faults
  }

  /// Returns the items with their titles for searches, in menus with these titles.
  mutating func titledItems(in menus: [String]) -> [(ValidatedItem, SearchedTitle)] {
    entries.indices.compactMap { index in
      guard let item = entries[index].item else { return nil }
      let title = entries[index].title ?? SearchedTitle(item.title, in: menus)
      entries[index].title = title
      return (item, title)
    }
  }

  /// Records the dependencies of the last item.
  private mutating func note(_ readings: Readings, _ target: Inquiry.Target?) {
    if readings.isEverything || target?.handler?.makesSpecialItems == true { isUnsure = true }
    for rule in readings.rules where !rules.contains(where: rule.isIdentical) {
      rules.append(rule)
      for path in rule.statePaths { places.add(Reader.items, reading: path) }
    }
  }
}

extension PlannedList.Entry {
  /// Stores an item; one with the same text keeps it.
  fileprivate mutating func take(
    _ new: ValidatedItem, writtenBy writeFault: ValidationPlan.FaultWriter
  ) {
    var writer = JSONWriter()
    writer.value(inMenu: new) { item, writer in
      writer.members(of: item, writingFaults: writeFault)
    }
    let isSame = item?.written?.text == writer.bytes
    if !isSame { title = nil }
    let written = isSame ? item?.written : nil
    item = new
    item?.written = written ?? WrittenItem(writer.bytes)
  }
}
