public import JSONText

/// The documents that describe a catalogue, as they lie in a folder of the configuration.
public struct CatalogDocument: Sendable {
  /// The parts, each in a file of its own.
  public enum Part: String, CaseIterable, Sendable {
    /// An array of commands.
    case commands
    /// An array of menus and command names, the children of the root menu.
    case menus
    /// An object of responder classes by name.
    case classes
    /// A session template.
    case session
  }

  /// The parts that are there.
  public var parts: [Part: JSON]

  /// These parts.
  public init(_ parts: [Part: JSON]) { self.parts = parts }

  /// One fault and the part it is in.
  public struct Fault: Error, Equatable, Sendable {
    /// The part.
    public let part: Part
    /// The fault.
    public let fault: DocumentFault
  }

  /// All faults of the parts, never empty.
  public struct Faults: Error, Equatable, Sendable {
    /// The faults, part by part.
    public let faults: [Fault]
  }

  /// The catalogue that the parts describe.
  ///
  /// - Throws: `Faults` with everything that is wrong, not only what was found first.
  public func catalog() throws(Faults) -> Catalog {
    var reading = Reading(self)
    guard let catalog = reading.catalog() else { throw Faults(faults: reading.faults) }
    return catalog
  }
}

/// Reads a catalogue's parts, each with a log of its own.
private struct Reading {
  private let document: CatalogDocument
  private let logs: [CatalogDocument.Part: FaultLog]

  init(_ document: CatalogDocument) {
    self.document = document
    var logs: [CatalogDocument.Part: FaultLog] = [:]
    for part in CatalogDocument.Part.allCases { logs[part] = FaultLog() }
    self.logs = logs
  }

  var faults: [CatalogDocument.Fault] {
    CatalogDocument.Part.allCases.flatMap { part in
      (logs[part]?.faults ?? []).map { CatalogDocument.Fault(part: part, fault: $0) }
    }
  }

  mutating func catalog() -> Catalog? {
    let commands = commands()
    let menus = menus(declaring: Set(commands.map(\.id)))
    let classes = classes()
    let template = read(.session) { json, log in
      SessionTemplate(reading: json, at: .root, log: log)
    }
    check(template, classes)
    guard faults.isEmpty else { return nil }
    do throws(DeclarationFault) {
      let catalog = try Catalog(
        commands: commands, menus: menus, classes: classes, template: template)
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

  /// The commands; of two that contradict each other (M1), the later one is at fault.
  private func commands() -> [Command] {
    read(.commands) { json, log in
      guard case .array(let elements) = json else {
        return Read.refuse(.array, json, .root, log)
      }
      var sound = CommandCheck(log: log)
      for (index, element) in elements.enumerated() {
        sound.declare(element, at: JSONPointer.root.appending(index))
      }
      return sound.commands
    } ?? []
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

  private func classes() -> [ResponderClass] {
    read(.classes) { json, log in
      guard let object = Read.object(json, .root, log) else { return nil }
      let classes = object.members.compactMap { member in
        ResponderClass(member.name, reading: member.value, log: log)
      }
      checkInheritance(of: classes, log)
      return classes
    } ?? []
  }

  private func checkInheritance(of classes: [ResponderClass], _ log: FaultLog) {
    do throws(DeclarationFault) {
      _ = try ResponderClasses(declared: classes)
    } catch {
      log.note(.declaration(error), at: .root)
    }
  }

  private func check(_ template: SessionTemplate?, _ classes: [ResponderClass]) {
    let known = Set((ResponderClass.builtIn + classes).map(\.name))
    for responder in template?.responders ?? [] where !known.contains(responder.className) {
      let place = JSONPointer.root.appending("responders").appending(responder.id.rawValue)
      logs[.session]?.note(
        .mutation(.unknownClass(responder.id, responder.className)),
        at: place.appending("class"))
    }
  }

  /// Opens a session as a trial, so that a template that cannot be opened is refused at once.
  private func open(_ template: SessionTemplate?, in catalog: Catalog) -> Bool {
    guard let template else { return true }
    do throws(MutationFault) {
      _ = try Session(SessionID(unchecked: "trial"), opening: template, in: catalog)
      return true
    } catch {
      logs[.session]?.note(.mutation(error), at: error.place(in: .root))
      return false
    }
  }
}

/// Declares commands one by one and notes those that contradict an earlier one (M1).
private struct CommandCheck {
  let log: FaultLog
  private(set) var commands: [Command] = []
  private var catalog: Catalog?
  private var places: [CommandID: JSONPointer] = [:]

  init(log: FaultLog) {
    self.log = log
    catalog = try? Catalog()
  }

  mutating func declare(_ json: JSON, at place: JSONPointer) {
    guard let command = Command(reading: json, at: place, log: log) else { return }
    do throws(DeclarationFault) {
      if try catalog?.declare(command) == .unchanged { throw .duplicateCommand(command.id) }
      commands.append(command)
      places[command.id] = place
    } catch {
      log.note(.declaration(error, other: error.other.flatMap { places[$0] }), at: place)
    }
  }
}

/// Finds menus of one name and commands that nobody declared, each at its place.
private struct MenuCheck {
  let commands: Set<CommandID>
  let log: FaultLog
  private var places: [MenuID: JSONPointer] = [:]

  init(commands: Set<CommandID>, log: FaultLog) {
    self.commands = commands
    self.log = log
  }

  mutating func check(_ children: [MenuElement], at pointer: JSONPointer) {
    for (index, child) in children.enumerated() {
      let place = pointer.appending(index)
      switch child {
      case .command(let id):
        if !commands.contains(id) { log.note(.declaration(.undeclaredCommand(id)), at: place) }
      case .menu(let menu):
        let name = place.appending("identifier")
        if menu.identifier == Menu.rootIdentifier || places[menu.identifier] != nil {
          log.note(
            .declaration(.duplicateMenu(menu.identifier), other: places[menu.identifier]),
            at: name)
        }
        places[menu.identifier] = name
        check(menu.children, at: place.appending("children"))
      }
    }
  }
}

extension ResponderClass {
  /// The class that a document describes under a name, or nil and the faults.
  init?(_ name: String, reading json: JSON, log: FaultLog) {
    let place = JSONPointer.root.appending(name)
    let className: ClassName? = Read.identifier(.string(name), place, log)
    guard var reader = ObjectReader(json, at: place, log: log) else { return nil }
    let superclass: ClassName? = reader.required("superclass", Read.identifier)
    let handlers = reader.member("handlers", Handler.dictionary(reading:at:log:))
    reader.finish()
    guard let className, let superclass else { return nil }
    self.init(name: className, superclass: superclass, handlers: handlers ?? [:])
  }
}

extension MutationFault {
  /// Where in a session document the fault is.
  public func place(in pointer: JSONPointer) -> JSONPointer {
    let responders = pointer.appending("responders")
    switch self {
    case .danglingLink(let holder, let link, to: _),
      .linkToOtherKind(let holder, let link, to: _, kind: _),
      .linkTaken(let holder, let link, to: _, by: _):
      return responders.appending(holder.rawValue).appending(link.rawValue)
    case .unknownClass(let responder, _):
      return responders.appending(responder.rawValue).appending("class")
    case .secondApplication(let responder, existing: _):
      return responders.appending(responder.rawValue)
    case .cycle: return responders
    case .unknownResponder, .firstResponderRefused, .firstResponderRule:
      return pointer.appending("firstResponder")
    case .notAWindow: return pointer.appending("keyWindow")
    case .stateIsNoObject: return pointer.appending("state")
    default: return pointer
    }
  }
}
