import JSONText

/// The part of an item that a validation adds to its declaration.
struct ItemDecision {
  var isEnabled = false
  var state: CommandState
  var isCheckable: Bool
  var attributes: CommandAttributes
  var reason: ValidationReason
  /// The title, if it differs from the declared one.
  var title: String?
  var requirement: Int?
  var explanation: String?
  var confirmation: Confirmation?

  /// True if the text consists of prepared parts.
  fileprivate var isPlain: Bool { title == nil && explanation == nil && confirmation == nil }
}

extension PlanTable {
  /// Returns the answer with all or some items, none of them dirty, as an object that begins with the members
  /// of `opening`.
  mutating func body(
    _ positions: [Int?]?, _ ids: [CommandID]?, opening: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserveCapacity(256 + texts.length(of: positions))
    writer.beginObject()
    opening(&writer)
    writer.member("items")
    writer.beginArray()
    let start = writer.bytes.count
    if let positions, let ids {
      copy(positions, ids, to: &writer)
    } else {
      texts.copyAll(to: &writer)
    }
    writer.endArray()
    writer.endObject()
    let body = writer.bytes
    if positions == nil { texts.adopt(body, from: start) }
    condenseTexts()
    return body
  }

  private func copy(_ positions: [Int?], _ ids: [CommandID], to writer: inout JSONWriter) {
    for (position, id) in zip(positions, ids) {
      if let position {
        texts.copy(position, to: &writer)
      } else {
        writer.value(encoded: Self.text(ofUnknown: id))
      }
    }
  }

  /// Reads the texts of items, none of them dirty.
  mutating func readTexts(
    of positions: [Int?], _ ids: [CommandID], _ read: (ArraySlice<UInt8>) -> Void
  ) {
    for (position, id) in zip(positions, ids) {
      read(position.map { texts.text(of: $0) } ?? Self.text(ofUnknown: id)[...])
    }
    condenseTexts()
  }

  private static func text(ofUnknown id: CommandID) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.members(of: ValidatedItem(unknown: id)) { _, _ in }
    writer.endObject()
    return writer.bytes
  }

  /// Writes the texts of items, none of them dirty.
  mutating func write(_ positions: [Int], _ inquiry: PlanInquiry) {
    let decided = DecidedTexts.all
    var joined: [JoinedText] = []
    var items: [Int] = []
    joined.reserveCapacity(positions.count)
    items.reserveCapacity(positions.count)
    for position in positions {
      entries[position].writtenAt = now
      let decision = decision(on: position)
      if let decision { note(decision, on: position) }
      guard let decision, decision.isPlain else {
        let text = text(of: position, decision, inquiry)
        let start = texts.add(text)
        replaceText(of: position, by: start..<start + text.count)
        continue
      }
      items.append(position)
      joined.append(
        JoinedText(
          index.texts.range(position), then: decided.appearance(decision),
          then: receivers.text(of: entries[position].target), then: decided.end(decision.reason)))
    }
    let (declared, targets) = (index.texts.bytes, receivers.texts)
    var start = texts.add(
      joined, first: declared.span, second: decided.bytes.span, third: targets.span,
      fourth: decided.bytes.span)
    for (item, text) in zip(items, joined) {
      replaceText(of: item, by: start..<start + text.count)
      start += text.count + 1
    }
  }

  /// Returns the text of an item with a title by rules or with words, or that has rare members.
  private mutating func text(
    of position: Int, _ decision: ItemDecision?, _ inquiry: PlanInquiry
  ) -> [UInt8] {
    guard let decision else {
      let item = item(at: position, inquiry.moment.catalog)
      note(ItemDecision(item), on: position)
      var writer = JSONWriter()
      writer.beginObject()
      writer.members(of: item, writingFaults: inquiry.writeFault)
      writer.endObject()
      return writer.bytes
    }
    let decided = DecidedTexts.all
    var text = index.texts.text(position, title: decision.title)
    text += decided.bytes[decided.appearance(decision)]
    text += receivers.texts[receivers.text(of: entries[position].target)]
    text += decided.bytes[decided.end(decision.reason)].dropLast()
    var writer = JSONWriter()
    writer.value(encoded: text)
    writer.words(of: decision)
    return writer.bytes + CollectionOfOne(UInt8(ascii: "}"))
  }

  /// Records the part of a decision that menus and searches read.
  private mutating func note(_ decision: ItemDecision, on position: Int) {
    entries[position].isMarked = decision.isMarked
    entries[position].isEnabled = decision.isEnabled
    entries[position].isHidden = decision.attributes.contains(.hidden)
    if decision.title != nil || !titles.isEmpty { titles[position] = decision.title }
  }

  /// Returns the decision on an item (M5, M6); nil for one whose text has further members.
  private func decision(on position: Int) -> ItemDecision? {
    let (state, isCheckable, attributes) = index.texts.declared(position)
    let words = index.texts.words[position]
    var decision = ItemDecision(
      state: state, isCheckable: isCheckable, attributes: attributes, reason: .noTarget,
      confirmation: words?.confirmation)
    switch entries[position].target {
    case .special: return nil
    case .nobody: break
    case .noAction: decision.reason = .noAction
    case .cycle: decision.reason = .cycle
    case .receiver:
      guard fault(of: position) == nil else { return nil }
      var (isForbidden, hasOtherTexts) = (false, false)
      // A closure that reads the table would copy it.
      let translations = index.translations
      forEachAnswer(for: position) { rule, answer in
        if rule.refuses(by: answer) { isForbidden = true }
        if !decision.set(answer, of: rule, in: translations) { hasOtherTexts = true }
      }
      guard !hasOtherTexts else { return nil }
      decision.isEnabled = !decision.attributes.contains(.disabled)
      decision.reason =
        decision.isEnabled ? .enabled : isForbidden ? .ruleFalse : .declaredDisabled
    }
    decision.explain(byDefault: words?.unavailable)
    return decision
  }

  /// Returns the items of commands that are not dirty.
  func items(at positions: [Int?], _ ids: [CommandID], _ catalog: Catalog) -> [ValidatedItem] {
    zip(positions, ids).map { position, id in
      position.map { item(at: $0, catalog) } ?? ValidatedItem(unknown: id)
    }
  }

  /// Returns the item of a command that is not dirty.
  func item(at position: Int, _ catalog: Catalog) -> ValidatedItem {
    if let special = special[position] { return special.item }
    let command = catalog.commands[position].whileHolding(variant.modifiers)
    var item = ValidatedItem(
      declaredBy: command,
      isSelectable: index.texts.declared(position).isCheckable)
    switch entries[position].target {
    case .nobody, .special: item.reason = .noTarget
    case .noAction: item.reason = .noAction
    case .cycle: item.reason = .cycle
    case .receiver(let number):
      item.target = receivers[number].receiver
      item.proxied = receivers[number].proxied
      if let fault = fault(of: position) {
        item.fail(fault)
      } else {
        conclude(&item, position)
      }
    }
    item.explain(byDefault: command.unavailable)
    return item
  }

  /// Completes an item that has a target from the rules' results (M5, M6).
  private func conclude(_ item: inout ValidatedItem, _ position: Int) {
    var isForbidden = false
    let translations = index.translations
    forEachAnswer(for: position) { rule, answer in
      item.set(answer, of: rule, in: translations)
      if rule.refuses(by: answer) { isForbidden = true }
    }
    item.conclude(isForbidden: isForbidden)
  }

  /// Returns the fault of an item's rules, if any.
  private func fault(of position: Int) -> RuleFault? {
    let list = entries[position].list
    guard list >= 0 else { return nil }
    if rules.lists[Int(list)].isPersonal { return personal[position]?.fault }
    return rules.faults.isEmpty ? nil : rules.faults[list]
  }

  private func forEachAnswer(for position: Int, _ body: (ItemRule, PartAnswer) -> Void) {
    let list = entries[position].list
    guard list >= 0 else { return }
    guard rules.lists[Int(list)].isPersonal else {
      return rules.forEachAnswer(of: list, body)
    }
    var answers = (personal[position]?.answers ?? [])[...]
    var sequence = ItemRuleSequence()
    for rule in rules.rules(of: list).rules where sequence.includes(rule) {
      guard let answer = answers.popFirst() else { return }
      sequence.note(answer, of: rule)
      body(rule, answer)
    }
  }
}

extension ItemDecision: DecidedByRules {
  /// Creates the decision that an item shows.
  fileprivate init(_ item: ValidatedItem) {
    self.init(
      isEnabled: item.isEnabled, state: item.state, isCheckable: item.isCheckable,
      attributes: item.attributes, reason: item.reason, title: item.title)
  }

  /// True if the item has a check mark that clears those of other items in its group (M9).
  fileprivate var isMarked: Bool { state == .on && !attributes.contains(.hidden) }

  /// Sets a part from a rule's result; returns false for texts that it does not have.
  fileprivate mutating func set(
    _ answer: PartAnswer, of rule: ItemRule, in translations: JSON?
  ) -> Bool {
    if applyUnlessText(answer, of: rule, in: translations) { return true }
    guard case (.title, .text(let text)) = (rule.part, answer) else { return false }
    title = text
    return true
  }
}

/// The menu tree, assembled from its declared text and the texts of the items.
extension PlanTable {
  /// Returns a menu whose items are not dirty, as an object that begins with the members of `opening`.
  ///
  /// - Parameter alternates: The alternates of the items by command (M11).
  mutating func body(
    _ part: MenuLayout.Part, of layout: MenuLayout, alternates: [Int: [ValidatedItem]],
    _ inquiry: PlanInquiry, opening: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    let (texts, particular) = joinedTexts(part, of: layout, alternates: alternates, inquiry)
    let declared = layout.bytes
    var writer = JSONWriter()
    writer.reserveCapacity(256 + texts.reduce(0) { $0 + $1.count })
    writer.beginObject()
    opening(&writer)
    writer.member("menu")
    self.texts.copy(texts, between: declared.span, and: particular.span, to: &writer)
    writer.endObject()
    condenseTexts()
    return writer.bytes
  }

  /// Returns the sources of a menu's text: the declared text, the items in the whole answer, the rewritten
  /// items, and the additional text that is also returned.
  private func joinedTexts(
    _ part: MenuLayout.Part, of layout: MenuLayout, alternates: [Int: [ValidatedItem]],
    _ inquiry: PlanInquiry
  ) -> ([JoinedText], particular: [UInt8]) {
    var texts: [JoinedText] = []
    texts.reserveCapacity(part.slots.count + 1)
    var particular: [UInt8] = []
    var isTaken = Array(repeating: false, count: layout.selectionCount)
    var start = part.text.lowerBound
    for slot in layout.slots[part.slots] {
      let declared = start..<slot.place
      start = slot.place
      if slot.isOfAlternates {
        let text = members(inquiry) { writer, writeItem in
          writer.member(alternates: alternates[slot.command] ?? [], writingItems: writeItem)
        }
        texts.append(Self.joined(declared, adding: text, to: &particular))
      } else if slot.selection >= 0, entries[slot.command].isMarked, isTaken[slot.selection] {
        let text = members(inquiry) { writer, writeItem in
          var item = item(at: slot.command, inquiry.moment.catalog)
          item.loseSingleSelection()
          writeItem(item, &writer)
        }
        texts.append(Self.joined(declared, adding: text.dropFirst(), to: &particular))
      } else {
        if slot.selection >= 0, entries[slot.command].isMarked { isTaken[slot.selection] = true }
        let place = self.texts.members(of: slot.command)
        texts.append(JoinedText(declared, then: place.whole, then: place.fresh, then: 0..<0))
      }
    }
    texts.append(JoinedText(start..<part.text.upperBound, then: 0..<0, then: 0..<0, then: 0..<0))
    return (texts, particular)
  }

  private static func joined(
    _ declared: Range<Int>, adding text: ArraySlice<UInt8>, to particular: inout [UInt8]
  ) -> JoinedText {
    let start = particular.count
    particular += text
    return JoinedText(declared, then: 0..<0, then: 0..<0, then: start..<particular.count)
  }

  /// Returns members with a leading comma; empty if nothing is written.
  private func members(
    _ inquiry: PlanInquiry, _ write: (inout JSONWriter, JSONWriter.ItemMembers) -> Void
  ) -> ArraySlice<UInt8> {
    var writer = JSONWriter()
    writer.value(encoded: ArraySlice())
    write(&writer) { item, writer in
      writer.members(of: item, writingFaults: inquiry.writeFault)
    }
    return writer.bytes[...]
  }
}
