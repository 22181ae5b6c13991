import CEL
package import JSONText

/// A declaration in the catalogue that contradicts another one (M1, M3, M4).
package enum DeclarationFault: Error, Hashable, Sendable, Codable {
  /// Of a command (M1).
  case command(CommandDeclarationFault)
  /// Of a menu (M1).
  case menu(MenuDeclarationFault)
  /// Of a class.
  case `class`(ClassDeclarationFault)
  /// Of a protocol (V7).
  case `protocol`(ProtocolDeclarationFault)
  /// Of a storyboard (V2).
  case storyboard(StoryboardDeclarationFault)
  /// Of a scene (V3).
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
  case duplicateKey(CommandID, KeyCombination, other: CommandID)
  /// A name in the document that differs from the one it is stored under.
  case otherName(CommandID, expected: CommandID)
  /// A command that still stands in menus and so cannot be removed.
  case standsInMenus(CommandID, [MenuID])
  /// There is no command of this name.
  case unknownCommand(CommandID)
}

/// A menu, or an edit of one, that contradicts another declaration (M1).
package enum MenuDeclarationFault: Hashable, Sendable, Codable {
  /// Two menus with one identifier (M1).
  case duplicateMenu(MenuID)
  /// A menu that names a command that is not declared, and the declared one that is most like it.
  case undeclaredCommand(CommandID, nearest: CommandID? = nil)
  /// There is no menu of this name.
  case unknownMenu(MenuID)
  /// The root menu cannot be replaced, removed or given a sibling.
  case rootMenu
  /// Menus that stand deeper inside each other than the limit.
  case menusTooDeep(limit: Int)
}

/// A class or category that contradicts another declaration.
package enum ClassDeclarationFault: Hashable, Sendable, Codable {
  /// A class with an undeclared superclass, and the known classes.
  case unknownSuperclass(ClassName, superclass: ClassName, known: [ClassName])
  /// A class with the name of one that is built in.
  case builtInClass(ClassName)
  /// A category of a class that nobody declared.
  case unknownExtendedClass(ClassName, ClassName)
  /// A category that gives a class what it has already, itself or by another category.
  case repeatedMethod(ClassName, Selector, of: ClassName)
  /// Classes that are their own superclass.
  case classCycle([ClassName])
  /// A class whose delegates are of a protocol that nobody declared (V7).
  case undeclaredProtocol(ClassName, ProtocolName)
}

/// A protocol of delegates that contradicts another declaration (V7).
package enum ProtocolDeclarationFault: Hashable, Sendable, Codable {
  /// Two declarations of one protocol name.
  case duplicateProtocol(ProtocolName)
  /// A message that a protocol has twice.
  case repeatedMessage(ProtocolName, Selector)
  /// There is no protocol of this name.
  case unknownProtocol(ProtocolName)
  /// A protocol that classes name and that so cannot be removed.
  case protocolInUse(ProtocolName, [ClassName])
}

/// A storyboard that contradicts another declaration (V2).
package enum StoryboardDeclarationFault: Hashable, Sendable, Codable {
  /// Two declarations of one storyboard name.
  case duplicateStoryboard(StoryboardName)
  /// There is no storyboard of this name.
  case unknownStoryboard(StoryboardName)
  /// A storyboard names a scene that it does not have.
  case unknownScene(StoryboardName, SceneName)
  /// Scenes that are instantiated with themselves, the first one again at the end (V2).
  case relationshipCycle([SceneName])
  /// Scenes that are instantiated with each other deeper than the limit.
  case scenesTooDeep(limit: Int)
}

/// A scene that contradicts itself or a class (V3).
package enum SceneDeclarationFault: Hashable, Sendable, Codable {
  /// Two segues of a scene with one identifier (V3).
  case duplicateSegue(SceneName, SegueIdentifier)
  /// Two views of a scene with one name.
  case duplicateView(SceneName, Identifier<SceneView>)
  /// A scene with a class that nobody declared.
  case undeclaredClass(SceneName, ClassName)
  /// A scene whose class is none of view controllers.
  case notAViewController(SceneName, ClassName)
}

extension DeclarationFault {
  /// The command that was there first, when two contradict each other.
  package var other: CommandID? {
    switch self {
    case .command(.duplicateCommand(let id)), .command(.identicalCommand(let id)): id
    case .command(.duplicateIdentity(_, _, let other)), .command(.duplicateKey(_, _, let other)):
      other
    case .command, .menu, .class, .protocol, .storyboard, .scene: nil
    }
  }
}

/// A rule that reads a member of the state which a session as it begins does not have.
///
/// A member that a rule tests itself, as with `has`, is not among them, nor is one that an effect
/// of the application adds.
package struct MissingMember: Equatable, Sendable {
  /// The part of the catalogue that the rule is in.
  package let part: CatalogDocument.Part
  /// The place of the rule in that part.
  package let place: JSONPointer
  /// The place in the state; the missing member comes last.
  package let path: JSONPointer
  /// The members that are there beside it.
  package let present: [String]
}

extension MissingMember {
  /// The missing members of all these rules; none when nothing says what the state begins with.
  static func all(
    in document: CatalogDocument,
    _ rules: [(part: CatalogDocument.Part, place: JSONPointer, rule: Rule)]
  ) -> [MissingMember] {
    guard case .object(let state)? = document.parts[.session]?[JSONPointer(["state"])] else {
      return []
    }
    let added = document.parts.values.flatMap(additions)
    return rules.flatMap { part, place, rule in
      rule.requiredStatePaths.compactMap { steps -> MissingMember? in
        guard let (path, present) = absence(of: steps, from: .object(state)),
          !added.contains(where: { $0.contains(path) })
        else { return nil }
        return MissingMember(part: part, place: place, path: path, present: present)
      }
    }
  }

  /// The first member on the way that an object lacks, and those that it has.
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

  /// The places in the state where the effects in a document put something.
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
    switch (effect["path"], effect["pathRule"]) {
    case (.string(let path)?, _): return try? JSONPointer(parsing: path)
    case (nil, .string(let rule)?): return StatePlace.beginning(of: rule)
    default: return nil
    }
  }
}

/// Declares commands one by one and notes those that contradict an earlier one (M1).
struct CommandCheck {
  let log: FaultLog
  private(set) var commands: [Command] = []
  /// The names of all commands, those at fault included, so that a menu is not blamed for them.
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
      if try catalog?.declare(command) == .unchanged {
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
  /// The fault of declaring it beside another command of its name (M1).
  func repeating(_ other: Command) -> DeclarationFault {
    json == other.json ? .command(.identicalCommand(id)) : .command(.duplicateCommand(id))
  }
}

/// Finds menus of one name and commands that nobody declared, each at its place, in a document in which
/// there may be other mistakes.
struct MenuCheck {
  /// The commands that are declared; nil when that cannot be known.
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
    let nearest = CEL.nearest(to: id.rawValue, among: commands.map(\.rawValue).sorted())
    log.note(
      .declaration(.menu(.undeclaredCommand(id, nearest: nearest.flatMap { CommandID($0) }))),
      at: place)
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
