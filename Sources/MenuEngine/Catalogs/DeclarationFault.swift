import CEL
package import JSONText

/// An inconsistent declaration in the catalogue (M1, M3, M4).
package enum DeclarationFault: Error, Hashable, Sendable, Codable {
  /// A fault of a command (M1).
  case command(CommandDeclarationFault)
  /// A fault of a menu (M1).
  case menu(MenuDeclarationFault)
  /// A fault of a class.
  case `class`(ClassDeclarationFault)
  /// A fault of a protocol (V7).
  case `protocol`(ProtocolDeclarationFault)
  /// A fault of a storyboard (V2).
  case storyboard(StoryboardDeclarationFault)
  /// A fault of a keymap (K9).
  case keymap(KeymapFault)
  /// A fault of a scene (V3).
  case scene(SceneDeclarationFault)
}

/// A command that contradicts another declaration (M1).
package enum CommandDeclarationFault: Hashable, Sendable, Codable {
  /// Two different declarations of one command name.
  case duplicateCommand(CommandID)
  /// The same command declared twice in one document.
  case identicalCommand(CommandID)
  /// Two commands with the same action and property list (M1).
  case duplicateIdentity(CommandID, Selector, other: CommandID)
  /// Two commands with the same key combination (M1).
  case duplicateKey(CommandID, KeySequence, other: CommandID)
  /// A command id in the document that differs from the one in its path.
  case otherName(CommandID, expected: CommandID)
  /// A command that menus contain, so that it cannot be removed.
  case standsInMenus(CommandID, [MenuID])
  /// There is no command of this name.
  case unknownCommand(CommandID)
}

/// A menu, or an edit of one, that contradicts another declaration (M1).
package enum MenuDeclarationFault: Hashable, Sendable, Codable {
  /// Two menus with one identifier (M1).
  case duplicateMenu(MenuID)
  /// A menu with an undeclared command, and the most similar declared one.
  case undeclaredCommand(CommandID, nearest: CommandID? = nil)
  /// There is no menu of this name.
  case unknownMenu(MenuID)
  /// The root menu cannot be replaced, removed or given a sibling.
  case rootMenu
  /// Menus are nested deeper than the limit.
  case menusTooDeep(limit: Int)
}

/// A class or category that contradicts another declaration.
package enum ClassDeclarationFault: Hashable, Sendable, Codable {
  /// A class with an undeclared superclass, and the known classes.
  case unknownSuperclass(ClassName, superclass: ClassName, known: [ClassName])
  /// A class has the name of a built-in one.
  case builtInClass(ClassName)
  /// A category extends an undeclared class.
  case unknownExtendedClass(ClassName, ClassName)
  /// A category redeclares a member of its class or of another category.
  case repeatedMethod(ClassName, Selector, of: ClassName)
  /// Classes whose superclasses form a cycle.
  case classCycle([ClassName])
  /// A class whose delegates have an undeclared protocol (V7).
  case undeclaredProtocol(ClassName, ProtocolName)
}

/// A protocol of delegates that contradicts another declaration (V7).
package enum ProtocolDeclarationFault: Hashable, Sendable, Codable {
  /// Two declarations of one protocol name.
  case duplicateProtocol(ProtocolName)
  /// A protocol declares a message twice.
  case repeatedMessage(ProtocolName, Selector)
  /// There is no protocol of this name.
  case unknownProtocol(ProtocolName)
  /// A protocol that classes name, so that it cannot be removed.
  case protocolInUse(ProtocolName, [ClassName])
}

/// A change of a keymap that cannot be made (K9).
package enum KeymapFault: Hashable, Sendable, Codable {
  /// There is no keymap of this name.
  case unknownKeymap(KeymapName)
}

/// A storyboard that contradicts another declaration (V2).
package enum StoryboardDeclarationFault: Hashable, Sendable, Codable {
  /// Two declarations of one storyboard name.
  case duplicateStoryboard(StoryboardName)
  /// There is no storyboard of this name.
  case unknownStoryboard(StoryboardName)
  /// A storyboard names a scene that it does not have.
  case unknownScene(StoryboardName, SceneName)
  /// Scenes that instantiate themselves, with the first one repeated at the end (V2).
  case relationshipCycle([SceneName])
  /// Scenes instantiate each other deeper than the limit.
  case scenesTooDeep(limit: Int)
}

/// A scene that contradicts itself or a class (V3).
package enum SceneDeclarationFault: Hashable, Sendable, Codable {
  /// Two segues of a scene with one identifier (V3).
  case duplicateSegue(SceneName, SegueIdentifier)
  /// Two views of a scene with one name.
  case duplicateView(SceneName, Identifier<SceneView>)
  /// A scene with an undeclared class.
  case undeclaredClass(SceneName, ClassName)
  /// A scene whose class is not one of view controllers.
  case notAViewController(SceneName, ClassName)
  /// A scene of a split view controller has more children than columns (A6).
  case tooManyColumns(SceneName, Int)
}

extension DeclarationFault {
  /// The earlier one of two conflicting commands.
  package var other: CommandID? {
    switch self {
    case .command(.duplicateCommand(let id)), .command(.identicalCommand(let id)): id
    case .command(.duplicateIdentity(_, _, let other)), .command(.duplicateKey(_, _, let other)):
      other
    case .command, .menu, .class, .protocol, .storyboard, .keymap, .scene: nil
    }
  }
}

/// A rule that reads a member missing from the state of a new session.
///
/// Members that the rule tests, as with `has`, do not count, nor do those that an effect of the application
/// adds.
package struct MissingMember: Equatable, Sendable {
  /// The part with the rule.
  package let part: CatalogDocument.Part
  /// The place of the rule in the part.
  package let place: JSONPointer
  /// The place in the state; the missing member is the last token.
  package let path: JSONPointer
  /// The members of the object that lacks it.
  package let present: [String]
}

extension MissingMember {
  /// Returns the missing members of all rules; none if the initial state is undeclared.
  static func all(
    in document: CatalogDocument,
    _ rules: [(part: CatalogDocument.Part, place: JSONPointer, rule: Rule)]
  ) -> [MissingMember] {
    guard case .object(let state)? = document.parts[.session]?[JSONPointer(["state"])] else {
      return []
    }
    let added = document.parts.values.flatMap(additions)
    var guards = EarlierConditions()
    return rules.flatMap { part, place, rule in
      defer { guards.note(rule, at: place) }
      return rule.requiredStatePaths.compactMap { steps -> MissingMember? in
        guard let (path, present) = absence(of: steps, from: .object(state)),
          !added.contains(where: { $0.contains(path) }), !guards.read(path, before: place)
        else { return nil }
        return MissingMember(part: part, place: place, path: path, present: present)
      }
    }
  }

  /// The places that the conditions of preconditions and confirmations read: later rules of the same handler are
  /// evaluated only if they hold.
  private struct EarlierConditions {
    private var paths: [JSONPointer: [ArraySlice<String>]] = [:]

    mutating func note(_ rule: Rule, at place: JSONPointer) {
      guard place.tokens.last == "if", let group = Self.group(of: place) else { return }
      paths[group, default: []] += rule.statePaths
    }

    func read(_ path: JSONPointer, before place: JSONPointer) -> Bool {
      guard let group = Self.group(of: place), let read = paths[group] else { return false }
      return read.contains { $0.starts(with: path.tokens) }
    }

    /// Returns the place of the preconditions, or of the confirmation, that a rule belongs to.
    private static func group(of place: JSONPointer) -> JSONPointer? {
      guard let end = place.tokens.lastIndex(of: "validate"), end + 1 < place.tokens.count,
        ["requires", "confirmation"].contains(place.tokens[end + 1])
      else { return nil }
      return JSONPointer(Array(place.tokens[...(end + 1)]))
    }
  }

  /// Returns the first missing member on a path, and the members of the object that lacks it.
  private static func absence(
    of steps: ArraySlice<String>, from state: JSON
  ) -> (JSONPointer, [String])? {
    var current = state
    for (index, step) in zip(steps.indices, steps) {
      guard case .object(let object) = current else { return nil }
      guard let next = object[step] else {
        return (JSONPointer(Array(steps[...index])), object.members.map(\.name))
      }
      current = next
    }
    return nil
  }

  /// Returns the places in the state that the effects in a document add.
  private static func additions(in json: JSON) -> [JSONPointer] {
    switch json {
    case .array(let elements): elements.flatMap(additions)
    case .object(let object):
      (addition(by: object).map { [$0] } ?? []) + object.members.flatMap { additions(in: $0.value) }
    case .null, .bool, .int, .double, .string: []
    }
  }

  private static func addition(by effect: JSONObject) -> JSONPointer? {
    guard case .string(let name)? = effect["op"], ["add", "copy", "move"].contains(name) else {
      return nil
    }
    return StatePlace.written(by: "path", of: .object(effect))
  }
}

/// Declares commands one by one and records conflicts with earlier ones (M1).
struct CommandCheck {
  let log: FaultLog
  private(set) var commands: [Command] = []
  /// The names of all commands, faulty ones included, so that menus with them are not reported.
  private(set) var names: Set<CommandID> = []
  private var catalog: Catalog?
  private var places: [CommandID: JSONPointer] = [:]

  init(log: FaultLog) {
    self.log = log
    catalog = try? Catalog()
  }

  mutating func declare(_ json: JSON, at place: JSONPointer) {
    if let name = Self.name(of: json) { names.insert(name) }
    guard let command = Command(reading: json, at: place, log: log) else { return }
    do throws(DeclarationFault) {
      if try catalog?.declare(command) == false {
        throw .command(.identicalCommand(command.id))
      }
      commands.append(command)
      places[command.id] = place
    } catch {
      log.note(.declaration(error, other: error.other.flatMap { places[$0] }), at: place)
    }
  }

  private static func name(of json: JSON) -> CommandID? {
    guard case .object(let object) = json else { return nil }
    return (object["id"] ?? object["action"]).flatMap(CommandID.init(json:))
  }
}

extension Command {
  /// Returns the fault of declaring the command beside another of the same name (M1).
  func repeating(_ other: Command) -> DeclarationFault {
    json == other.json ? .command(.identicalCommand(id)) : .command(.duplicateCommand(id))
  }
}

/// Finds duplicate menus and undeclared commands, each with its place, in a document that may have other
/// faults.
struct MenuCheck {
  /// The declared commands; nil if they cannot be determined.
  let commands: Set<CommandID>?
  let log: FaultLog
  private var places: [MenuID: JSONPointer] = [:]

  init(commands: Set<CommandID>?, log: FaultLog) {
    self.commands = commands
    self.log = log
  }

  /// Checks the children of a menu; the root menu has depth 1.
  mutating func check(_ children: JSON?, at pointer: JSONPointer, depth: Int = 1) {
    guard case .array(let children)? = children else { return }
    for (index, child) in children.enumerated() {
      let place = pointer.appending(index)
      switch child {
      case .string: check(command: child, at: place)
      case .object(let object):
        if let command = object["command"] {
          check(command: command, at: place)
        } else {
          guard depth <= Limits.menus else {
            return log.note(.declaration(.menu(.menusTooDeep(limit: Limits.menus))), at: place)
          }
          check(identifier: object["identifier"], at: place.appending("identifier"))
          check(object["children"], at: place.appending("children"), depth: depth + 1)
        }
      case .null, .bool, .int, .double, .array: break
      }
    }
  }

  private func check(command: JSON, at place: JSONPointer) {
    guard let commands, let id = CommandID(json: command), !commands.contains(id) else { return }
    log.noteUndeclared(id, among: commands, at: place)
  }

  private mutating func check(identifier: JSON?, at place: JSONPointer) {
    guard let identifier = identifier.flatMap(MenuID.init(json:)) else { return }
    if identifier == Menu.rootIdentifier || places[identifier] != nil {
      log.note(
        .declaration(.menu(.duplicateMenu(identifier)), other: places[identifier]), at: place)
    }
    places[identifier] = place
  }
}

extension FaultLog {
  /// Records an undeclared command, with the most similar declared one.
  func noteUndeclared(_ id: CommandID, among declared: Set<CommandID>, at place: JSONPointer) {
    let nearest = CEL.nearest(to: id.rawValue, among: declared.map(\.rawValue).sorted())
    note(
      .declaration(.menu(.undeclaredCommand(id, nearest: nearest.flatMap { CommandID($0) }))),
      at: place)
  }
}
