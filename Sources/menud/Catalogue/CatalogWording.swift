import JSONText
import MenuAPI
import MenuEngine

extension CatalogFault: CustomStringConvertible {
  /// The mistake in one line: the file, the place in it, and a sentence.
  var description: String {
    "\(place): \(sentence)"
  }

  var place: FaultPlace {
    switch self {
    case .noParts(let folder): .file(FilePlace(path: folder))
    case .misspelt(let path, part: _): .file(FilePlace(path: path))
    case .file(let fault): fault.place
    case .document(let place, _, other: _): .file(place)
    }
  }

  /// The place of the declaration that this one contradicts, if any.
  var other: FilePlace? {
    switch self {
    case .noParts, .misspelt, .file: nil
    case .document(_, _, let other): other
    }
  }

  var sentence: String {
    switch self {
    case .noParts:
      "No application is here: a folder with at least one of \(Self.partNames) is expected."
    case .misspelt(_, let part):
      "No part of an application is called so; did you mean '\(part.rawValue).json'?"
    case .file(let fault): fault.sentence
    case .document(_, let fault, let other):
      fault.reason.sentenceInFile { other?.description ?? $0.description }
    }
  }

  private static var partNames: String {
    CatalogDocument.Part.allCases.map(\.fileName).joined(separator: ", ")
  }
}

extension CatalogChange.LeftOut {
  /// A client's change that no longer applies, with the reason, in one line.
  var description: String { "\(change.wording): \(fault.sentence)" }
}

extension CatalogChange {
  fileprivate var wording: String {
    switch self {
    case .declare(let command): "declare \(command.json.text())"
    case .remove(let id): "remove '\(id)'"
    case .edit(let edit): "edit \(edit.json.text())"
    case .declareProtocol(let declared):
      "declare the protocol '\(declared.name)' \(declared.json.text())"
    case .removeProtocol(let name): "remove the protocol '\(name)'"
    case .declareStoryboard(let storyboard):
      "declare the storyboard '\(storyboard.name)' \(storyboard.json.text())"
    case .removeStoryboard(let name): "remove the storyboard '\(name)'"
    }
  }
}

extension ItemsFinding {
  /// Sentences about the elements of items from data that are omitted when a session begins.
  var sentences: [String] {
    var sentences: [String] = []
    if let key = repeated.first {
      let others = repeated.count > 1 ? ", and so are \(repeated.count - 1) others of theirs" : ""
      sentences.append(
        "An element has the key '\(key.text)' of one before it as a session begins, and is left out\(others)."
      )
    }
    if excess > 0 {
      sentences.append(
        "The list has more elements as a session begins than a menu shows; \(excess) are left out.")
    }
    if let fault {
      sentences.append("The rule '\(fault.place)' fails as a session begins: \(fault.message).")
    }
    return sentences
  }
}

/// Finds the places in the files to which warnings about a new session refer.
struct WarningPlaces {
  typealias Place = (part: CatalogDocument.Part, pointer: JSONPointer)

  let files: [CatalogDocument.Part: SourceFile]
  let catalog: Catalog
  let template: SessionTemplate

  /// Returns the place of a responder; of the launch for a responder that it makes.
  func place(of id: ResponderID) -> JSONPointer {
    let pointer = JSONPointer(["responders", id.rawValue])
    return isThere((.session, pointer)) ? pointer : JSONPointer(["launch"])
  }

  func place(of id: CommandID) -> JSONPointer {
    JSONPointer(catalog.commands.firstIndex { $0.id == id }.map { ["\($0)"] } ?? [])
  }

  /// Returns the place of a key's declaration.
  func place(of claim: KeyClaim) -> Place {
    switch claim.holder {
    case .command(let id): (.commands, place(of: id).appending("key"))
    // The keymaps of users are not in the folder.
    case .entry: (.commands, claim.command.map { place(of: $0) } ?? .root)
    case .responder(let id): placeOfKeyCommand(of: id, claim.action)
    case .instances(of: let name): (.classes, JSONPointer([name.rawValue, "keyCommands"]))
    }
  }

  /// Returns the place of the first key command for an action, of a responder or of its classes.
  func placeOfKeyCommand(of id: ResponderID, _ action: Selector?) -> Place {
    let holders: [Place] = [(.session, place(of: id))] + inherited(by: id)
    for (part, holder) in holders {
      let list = holder.appending("keyCommands")
      guard case .array(let keyCommands)? = files[part]?.json[list],
        let index = keyCommands.firstIndex(where: {
          $0[JSONPointer(["action"])] == action.map { .string($0.rawValue) }
        })
      else { continue }
      return (part, list.appending(index))
    }
    return holders[0]
  }

  /// Returns the place of a declaration of items from data, in the menu of the finding if several have it.
  func place(of finding: ItemsFinding) -> Place {
    let places = placesOfItems(finding.declaration.json, in: files[.menus]?.json ?? .null)
    let own = places.first { $0.menu == .string(finding.menu.rawValue) } ?? places.first
    return (.menus, own?.pointer ?? .root)
  }

  /// Returns the places of a declaration of items from data, each with the identifier of its menu.
  private func placesOfItems(
    _ declaration: JSON, in json: JSON, at pointer: JSONPointer = .root, menu: JSON? = JSON?.none
  ) -> [(menu: JSON?, pointer: JSONPointer)] {
    switch json {
    case .array(let elements):
      elements.enumerated().flatMap { index, element in
        placesOfItems(declaration, in: element, at: pointer.appending(index), menu: menu)
      }
    case .object(let object) where object["forEach"] != nil:
      ["forEach", "key", "command"].allSatisfy {
        object[$0] == declaration[JSONPointer([$0])]
      } ? [(menu, pointer)] : []
    case .object(let object):
      placesOfItems(
        declaration, in: object["children"] ?? .null, at: pointer.appending("children"),
        menu: object["identifier"])
    case .null, .bool, .int, .double, .string: []
    }
  }

  /// Returns the place of a rule: in a handler of the responder, of its coordinator or of one of its classes,
  /// otherwise in the responder itself.
  func place(of rule: FailingRule) -> Place {
    let steps = rule.fault.place.split(separator: "/").map(String.init)
    let owner = place(of: rule.receiver.responder)
    let own: Place = (.session, JSONPointer(owner.tokens + steps))
    if steps.first == "keyCommands" {
      let (part, pointer) = placeOfKeyCommand(of: rule.receiver.responder, rule.action)
      return (part, JSONPointer(pointer.tokens + steps.dropFirst(2)))
    }
    guard let action = rule.action, !isThere(own) else { return own }
    let holders: [Place] =
      switch rule.receiver {
      case .responder(let id), .undoManager(of: let id): [(.session, owner)] + inherited(by: id)
      case .forwarder: [(.session, owner.appending("coordinator"))]
      }
    let handlers = holders.map { holder -> Place in
      (holder.part, holder.pointer.appending("handlers").appending(action.rawValue))
    }
    guard let handler = handlers.first(where: isThere) else { return (.session, owner) }
    return (handler.part, JSONPointer(handler.pointer.tokens + steps))
  }

  /// Returns the places of a responder's declared classes and their categories, the nearest first.
  private func inherited(by id: ResponderID) -> [Place] {
    var current = template.responders.first { $0.id == id }?.className
    var names: [ClassName] = []
    while let name = current, !names.contains(name) {
      names.append(name)
      names += catalog.classes.categories.filter { $0.extended == name }.map(\.name)
      current =
        catalog.classes.declared.first { $0.name == name }?.superclass
        ?? ResponderClass.builtIn.first { $0.name == name }?.superclass
    }
    return names.map { (.classes, JSONPointer([$0.rawValue])) }
  }

  private func isThere(_ place: Place) -> Bool {
    files[place.part]?.contains(place.pointer) == true
  }
}
