import JSONText

/// Reads a catalogue's parts, each with a log of its own.
struct CatalogReading {
  private let document: CatalogDocument
  private let logs: [CatalogDocument.Part: FaultLog]

  init(_ document: CatalogDocument) {
    self.document = document
    var logs: [CatalogDocument.Part: FaultLog] = [:]
    for part in CatalogDocument.Part.allCases {
      logs[part] = FaultLog(ruleLimits: document.ruleLimits)
    }
    self.logs = logs
  }

  /// What was wrong so far, part by part.
  var faults: [CatalogDocument.Fault] {
    CatalogDocument.Part.allCases.flatMap { part in
      (logs[part]?.faults ?? []).map { CatalogDocument.Fault(part: part, fault: $0) }
    }
  }

  /// The catalogue, or nil and the faults.
  func catalog() -> Catalog? {
    let (commands, names) = commands()
    let menus = menus(declaring: names)
    let protocols = protocols()
    let (classes, categories) = classes()
    let storyboards = storyboards(of: classes)
    let template = read(.session) { json, log in
      SessionTemplate(reading: json, at: .root, log: log)
    }
    check(template)
    guard faults.isEmpty else { return nil }
    do throws(DeclarationFault) {
      let catalog = try Catalog(
        commands: commands, menus: menus, classes: classes, categories: categories,
        template: template, protocols: protocols, storyboards: storyboards)
      return open(template, in: catalog) ? catalog : nil
    } catch {
      logs[.classes]?.note(.declaration(error), at: .root)
      return nil
    }
  }

  private func read<Result>(
    _ part: CatalogDocument.Part, _ read: (JSON, FaultLog) -> Result?
  ) -> Result? {
    guard let json = document.parts[part], let log = logs[part] else { return nil }
    return read(json, log)
  }
}

extension CatalogReading {
  /// The commands, and the names of those at fault, too; of two that contradict each other (M1),
  /// the later one is at fault.
  private func commands() -> ([Command], names: Set<CommandID>) {
    read(.commands) { json, log in
      guard case .array(let elements) = json else {
        return Read.refuse(.array, json, .root, log)
      }
      var check = CommandCheck(log: log)
      for (index, element) in elements.enumerated() {
        check.declare(element, at: JSONPointer.root.appending(index))
      }
      return (check.commands, check.names)
    } ?? ([], [])
  }

  private func menus(declaring commands: Set<CommandID>) -> [MenuElement] {
    read(.menus) { json, log in
      var names = MenuNames(
        taken: Menu.namesGiven(in: json).union([Menu.rootIdentifier]))
      let children = MenuElement.list(reading: json, at: .root, log, &names)
      guard log.faults.isEmpty else { return nil }
      var check = MenuCheck(commands: commands, log: log)
      check.check(children, at: .root)
      return children
    } ?? []
  }

  private func classes() -> ([ResponderClass], [ClassCategory]) {
    read(.classes) { json, log in
      guard let object = Read.object(json, .root, log) else { return nil }
      let declarations = object.members.compactMap { member in
        ClassDeclaration(member.name, reading: member.value, log: log)
      }
      let classes = declarations.compactMap(\.declared)
      let categories = declarations.compactMap(\.category)
      let faults =
        ResponderClasses.faults(of: classes, besides: classNames)
        + ResponderClasses.faults(of: categories, classes, besides: classNames)
      for (name, fault) in faults {
        log.note(.declaration(fault), at: JSONPointer([name.rawValue]))
      }
      for (name, fault) in classes.protocolFaults(among: protocolNames) {
        log.note(.declaration(fault), at: JSONPointer([name.rawValue, "delegateProtocol"]))
      }
      return (classes, categories)
    } ?? ([], [])
  }

  private func protocols() -> [DelegateProtocol] {
    named(.protocols) { DelegateProtocol($0, reading: $1, at: $2, log: $3) }
  }

  /// The names of all protocols, those at fault included.
  private var protocolNames: Set<ProtocolName> {
    Set((document.parts[.protocols]?.members.members ?? []).compactMap { ProtocolName($0.name) })
  }

  private func storyboards(of classes: [ResponderClass]) -> [Storyboard] {
    let storyboards = named(.storyboards) { Storyboard($0, reading: $1, at: $2, log: $3) }
    guard let log = logs[.storyboards] else { return storyboards }
    let isViewController = ResponderClasses.isViewController(among: classes)
    for storyboard in storyboards {
      let place = JSONPointer([storyboard.name.rawValue])
      for (place, fault) in storyboard.classFaults(
        at: place, besides: classNames, isViewController)
      {
        log.note(.declaration(fault), at: place)
      }
    }
    return storyboards
  }

  /// What a part that is an object holds by names.
  private func named<Subject, Value>(
    _ part: CatalogDocument.Part,
    _ readValue: (Identifier<Subject>, JSON, JSONPointer, FaultLog) -> Value?
  ) -> [Value] {
    read(part) { json, log in
      guard let object = Read.object(json, .root, log) else { return nil }
      return object.members.compactMap { member in
        let place = JSONPointer([member.name])
        let name: Identifier<Subject>? = Read.identifier(.string(member.name), place, log)
        return name.flatMap { readValue($0, member.value, place, log) }
      }
    } ?? []
  }

  /// The names of all classes, those at fault included, so that others are not blamed for them.
  private var classNames: Set<ClassName> {
    guard case .object(let object)? = document.parts[.classes] else { return [] }
    return Set(object.members.compactMap { ClassName($0.name) })
  }
}

extension CatalogReading {
  /// Notes responders of unknown classes, and links and focus that lead nowhere.
  private func check(_ template: SessionTemplate?) {
    guard let template else { return }
    let known = classNames.union(ResponderClass.builtIn.map(\.name))
    for responder in template.responders where !known.contains(responder.className) {
      note(.unknownClass(responder.id, responder.className), template)
    }
    guard logs[.session]?.faults.isEmpty == true else { return }
    for fault in template.graphFaults { note(fault, template) }
  }

  /// Opens a session as a trial, so that a template that cannot be opened is refused at once.
  private func open(_ template: SessionTemplate?, in catalog: Catalog) -> Bool {
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
    logs[.session]?.note(
      .mutation(fault), at: fault.place(in: .root, windows: template.windows))
  }
}
