import CEL
import JSONText
import Languages

/// Reads the parts of a catalogue, each with a log of its own.
struct CatalogReading {
  let document: CatalogDocument
  let logs: [CatalogDocument.Part: FaultLog]

  init(_ document: CatalogDocument) {
    var document = document
    document.parts = document.parts.mapValues(\.withoutSchemaReference)
    self.document = document
    let files = ApplicationFiles(document.files)
    var logs: [CatalogDocument.Part: FaultLog] = [:]
    for part in CatalogDocument.Part.allCases {
      logs[part] = FaultLog(
        ruleLimits: document.ruleLimits, itemsFromData: document.itemsFromData, files: files)
    }
    self.logs = logs
  }

  /// The faults so far, in the order of parts.
  var faults: [CatalogDocument.Fault] {
    CatalogDocument.Part.allCases.flatMap { part in
      (logs[part]?.faults ?? []).map { CatalogDocument.Fault(part: part, fault: $0) }
    }
  }

  /// Reads all parts in the order of their references.
  func findings() -> CatalogDocument.Findings {
    let (commands, names) = commands()
    let menus = menus(declaring: names)
    let protocols = protocols()
    let (classes, categories) = classes()
    let storyboards = storyboards(of: classes)
    let template = read(.session) { json, log in
      SessionTemplate(reading: json, at: .root, log: log)
    }
    check(template)
    let strings = strings()
    let contents = contents(declaring: names)
    let areMenusSound = isSound(.commands) && isSound(.menus)
    let catalog = trial { () throws(DeclarationFault) in
      try Catalog(
        commands: commands, menus: areMenusSound ? menus : [], classes: classes,
        categories: categories, template: template, protocols: protocols,
        storyboards: storyboards, strings: strings, contents: contents)
    }
    return CatalogDocument.Findings(
      catalog: isSound(.commands) ? catalog : nil, faults: faults,
      missingMembers: missingMembers, enablingRules: enablingRules, conditions: conditions)
  }

  private var enablingRules: [(part: CatalogDocument.Part, place: JSONPointer)] {
    rules.compactMap { part, place, rule in
      guard place.tokens.suffix(2) == ["validate", "enabled"], !rule.isAlwaysTrue else {
        return nil
      }
      return (part, place)
    }
  }

  /// The rules that are conditions, except constant ones.
  private var conditions: [(part: CatalogDocument.Part, place: JSONPointer, rule: Rule)] {
    rules.filter { _, place, rule in
      guard let name = place.tokens.last, !rule.program.readVariables.isEmpty else { return false }
      let isState = name == "checked" && rule.program.type != .string
      return isState || Self.conditionNames.contains(name)
    }
  }

  private static let conditionNames: Set<String> = [
    "enabled", "hidden", "if", "when", "canPerform", "canBecomeFirstResponder",
    "canResignFirstResponder", "shouldPerform",
  ]

  private var rules: [(part: CatalogDocument.Part, place: JSONPointer, rule: Rule)] {
    CatalogDocument.Part.allCases.flatMap { part in
      (logs[part]?.rules ?? []).map { (part, $0.place, $0.rule) }
    }
  }

  /// Returns the catalogue, unless a part that sessions depend on has faults.
  private func trial(_ catalog: () throws(DeclarationFault) -> Catalog) -> Catalog? {
    let needed: [CatalogDocument.Part] = [.protocols, .classes, .storyboards, .session]
    guard needed.allSatisfy(isSound) else { return nil }
    do throws(DeclarationFault) {
      let catalog = try catalog()
      return open(catalog.template, in: catalog) ? catalog : nil
    } catch {
      logs[.classes]?.note(.declaration(error), at: .root)
      return nil
    }
  }

  func isSound(_ part: CatalogDocument.Part) -> Bool {
    !document.unreadable.contains(part) && logs[part]?.faults.isEmpty == true
  }

  private var missingMembers: [MissingMember] {
    MissingMember.all(in: document, rules)
  }

  func read<Result>(
    _ part: CatalogDocument.Part, _ read: (JSON, FaultLog) -> Result?
  ) -> Result? {
    guard let json = document.parts[part], let log = logs[part] else { return nil }
    return read(json, log)
  }
}

extension CatalogReading {
  /// Returns the commands and all their names, those of faulty commands included; of two conflicting commands
  /// (M1), the later one is at fault. The names are nil if they cannot be determined.
  private func commands() -> ([Command], names: Set<CommandID>?) {
    guard let json = document.parts[.commands], let log = logs[.commands] else {
      return ([], document.unreadable.contains(.commands) ? nil : [])
    }
    guard case .array(let elements) = json else {
      log.note(.expected(.array, found: json), at: .root)
      return ([], nil)
    }
    var check = CommandCheck(log: log)
    for (index, element) in elements.enumerated() {
      check.declare(element, at: JSONPointer.root.appending(index))
    }
    return (check.commands, check.names)
  }

  private func menus(declaring commands: Set<CommandID>?) -> [MenuElement] {
    read(.menus) { json, log in
      var names = MenuNames(
        taken: Menu.namesGiven(in: json).union([Menu.rootIdentifier]))
      let children = MenuElement.list(reading: json, at: .root, log, &names)
      var check = MenuCheck(commands: commands, log: log)
      check.check(json, at: .root)
      return children
    } ?? []
  }

  private func classes() -> ([ResponderClass], [ClassCategory]) {
    read(.classes) { json, log in
      guard let object = Read.object(json, at: .root, log: log) else { return nil }
      let declarations = object.members.compactMap { member in
        ClassDeclaration(member.name, reading: member.value, log: log)
      }
      let classes = declarations.compactMap(\.declared)
      let categories = declarations.compactMap(\.category)
      let faults =
        ResponderClasses.faults(of: classes, besides: classNames ?? [])
        + ResponderClasses.faults(of: categories, classes, besides: classNames ?? [])
      for (name, fault) in faults {
        log.note(.declaration(fault), at: JSONPointer([name.rawValue]))
      }
      if let protocolNames {
        for (name, fault) in classes.protocolFaults(among: protocolNames) {
          log.note(.declaration(fault), at: JSONPointer([name.rawValue, "delegateProtocol"]))
        }
      }
      return (classes, categories)
    } ?? ([], [])
  }

  /// Returns the strings of languages, in the order of their tags.
  private func strings() -> [LanguageStrings] {
    read(.strings) { json, log in
      guard let object = Read.object(json, at: .root, log: log) else { return nil }
      var all: [LanguageTag: LanguageStrings] = [:]
      for member in object.members {
        let place = JSONPointer([member.name])
        guard let tag = Read.locale(.string(member.name), at: place, log: log) else { continue }
        if all[tag] != nil { log.note(.repeatedLanguage(tag.text), at: place) }
        all[tag] = LanguageStrings(tag, reading: member.value, at: place, log: log)
      }
      return all.values.sorted { $0.language.text < $1.language.text }
    } ?? []
  }

  private func protocols() -> [DelegateProtocol] {
    named(.protocols) { DelegateProtocol($0, reading: $1, at: $2, log: $3) }
  }

  /// The names of all protocols, faulty ones included.
  private var protocolNames: Set<ProtocolName>? {
    names(in: .protocols).map { Set($0.compactMap { ProtocolName($0) }) }
  }

  /// The names of all classes, faulty ones included, so that references to them are not reported; without those of
  /// categories.
  var classNames: Set<ClassName>? {
    names(in: .classes).map { names in
      let classes = names.filter {
        document.parts[.classes]?[JSONPointer([$0, "category"])] == nil
      }
      return Set(classes.compactMap { ClassName($0) })
    }
  }

  /// Returns the names of a part's members; nil if they cannot be determined.
  func names(in part: CatalogDocument.Part) -> [String]? {
    guard let json = document.parts[part] else {
      return document.unreadable.contains(part) ? nil : []
    }
    guard case .object(let object) = json else { return nil }
    return object.members.map(\.name)
  }

  private func storyboards(of classes: [ResponderClass]) -> [Storyboard] {
    let storyboards = named(.storyboards) { Storyboard($0, reading: $1, at: $2, log: $3) }
    guard let log = logs[.storyboards], let classNames else { return storyboards }
    let inherits = ResponderClasses.inheritance(among: classes)
    for storyboard in storyboards {
      let place = JSONPointer([storyboard.name.rawValue])
      for (place, fault) in storyboard.classFaults(
        at: place, besides: classNames, inherits)
      {
        log.note(.declaration(fault), at: place)
      }
    }
    return storyboards
  }

  /// Returns the values of a part, which is an object, by name.
  private func named<Subject, Value>(
    _ part: CatalogDocument.Part,
    _ readValue: (Identifier<Subject>, JSON, JSONPointer, FaultLog) -> Value?
  ) -> [Value] {
    read(part) {
      Read.named($0, at: .root, log: $1, by: Read.identifier, readValue)?.map { $1 }
    } ?? []
  }
}

extension CatalogReading {
  /// Records responders of unknown classes, and invalid links and focus.
  func check(_ template: SessionTemplate?) {
    guard let template, let log = logs[.session] else { return }
    let misread = log.faults.map { JSONPointer(Array($0.pointer.tokens.prefix(2))) }
    if let classNames {
      let known = classNames.union(ResponderClass.builtIn.map(\.name))
      for responder in template.responders where !known.contains(responder.className) {
        note(.link(.unknownClass(responder.id, responder.className)), template)
      }
    }
    // Ignore links to and from responders that could not be read.
    let unread = unreadResponders(template)
    for fault in template.graphFaults
    where unread.isEmpty || fault.isOfName && !unread.contains(fault.name) {
      let place = fault.place(in: .root, windows: template.windows)
      if !misread.contains(where: { $0.contains(place) }) { note(fault, template) }
    }
    // Opening a session as a trial reports cycles, too.
    if !isSound(.session), let cycle = ResponderGraph.cycle(of: template.responders) {
      note(cycle, template)
    }
  }

  /// Returns the names of the declared responders that could not be read.
  private func unreadResponders(_ template: SessionTemplate) -> Set<JSON?> {
    let responders = document.parts[.session]?[JSONPointer(["responders"])]
    guard case .object(let declared)? = responders else { return [] }
    let read = Set(template.responders.map(\.id.rawValue))
    return Set(declared.members.map(\.name).filter { !read.contains($0) }.map(JSON.string))
  }

  /// Opens a session as a trial, so that an invalid template is refused when it is loaded.
  func open(_ template: SessionTemplate?, in catalog: Catalog) -> Bool {
    guard let template else { return true }
    do throws(MutationFault) {
      _ = try Session(SessionID(unchecked: "trial"), opening: template, in: catalog)
      return true
    } catch {
      note(error, template)
      return false
    }
  }

  private func note(_ fault: MutationFault, _ template: SessionTemplate) {
    let place = fault.place(in: .root, windows: template.windows)
    let document = document.parts[.session] ?? .null
    logs[.session]?.note(.mutation(fault), at: fault.element(in: document, at: place))
  }
}

extension MutationFault {
  /// True if the fault concerns the named responder, or a missing one of that name, and no other.
  fileprivate var isOfName: Bool {
    switch self {
    case .link(.danglingLink), .link(.linkToOtherKind), .link(.linkTaken),
      .link(.secondApplication), .unknownResponder,
      .focus(.notAWindow):
      true
    default: false
    }
  }
}

/// Analyses the source of a rule that computes a place.
enum StatePlace {
  /// Returns the place in the state that a member of an effect names; for a computed one, the common ancestor of all
  /// places that it can name. Nil if there is neither.
  static func written(by member: String, of effect: JSON) -> JSONPointer? {
    switch (effect[JSONPointer([member])], effect[JSONPointer([member + "Rule"])]) {
    case (.string(let path)?, _): try? JSONPointer(parsing: path)
    case (nil, .string(let rule)?): beginning(of: rule)
    default: nil
    }
  }

  /// Returns the common ancestor of all places that a rule can return, from its leading literals: `/o` of
  /// `'/o/' + state.id` and of `['o', state.id]`. The root if it begins otherwise.
  static func beginning(of rule: String) -> JSONPointer {
    var rest = rule[...].drop(while: \.isWhitespace)
    guard rest.first == "[" else {
      let literal = literal(&rest) ?? ""
      guard rest.isEmpty || rest.first == "+", !rule.contains("?") else { return .root }
      // The last token may be incomplete.
      let tokens = literal.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      return (try? JSONPointer(parsing: tokens.joined(separator: "/"))) ?? .root
    }
    var tokens: [String] = []
    while rest.first == "[" || rest.first == "," {
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      guard let token = literal(&rest), rest.first == "," || rest.first == "]" else { break }
      tokens.append(token)
    }
    return JSONPointer(tokens)
  }

  /// Consumes a string literal without escapes, and the space after it.
  private static func literal(_ rest: inout Substring) -> String? {
    guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
    let text = rest.dropFirst().prefix { $0 != quote }
    guard !text.contains("\\"), !text.isEmpty else { return nil }
    rest = rest.dropFirst(text.count + 2).drop(while: \.isWhitespace)
    return String(text)
  }
}

extension JSONPointer {
  var json: JSON { .string(description) }
}
