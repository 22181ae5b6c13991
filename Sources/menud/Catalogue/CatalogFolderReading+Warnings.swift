import CEL
import JSONText
import MenuAPI
import MenuEngine

extension CatalogFolderReading {
  /// The oddities in rules, in storyboards (V10), and in a session as it begins, in the order of the
  /// parts and of the lines in them.
  ///
  /// The last two need a catalogue that sessions can be opened with.
  var warnings: [CheckFinding] {
    let missing = findings.missingMembers.map { missing in
      warning("missingMember", at: (missing.part, missing.place), missing.sentence)
    }
    let lint = (findings.catalog?.lint ?? []).map { lint in
      warning(lint.finding.rule.rawValue, at: (lint.part, lint.place), lint.sentence)
    }
    // The responders of a class share its oddities.
    var told: Set<String> = []
    return inOrder(strayFiles + missing + lint + sessionWarnings, by: \.place)
      .filter { told.insert($0.description).inserted }
  }

  /// The files that are no parts, and are read by nothing.
  private var strayFiles: [CheckFinding] {
    let faults = Set(fileFaults.map(\.place.description))
    return folder.strayFiles.compactMap { name in
      let place = FaultPlace.file(FilePlace(path: "\(folder.path)/\(name)"))
      guard !faults.contains(place.description) else { return nil }
      return CheckFinding(
        severity: .warning, kind: "strayFile", place: place,
        message: "No part of an application is called so; nothing reads this file.")
    }
  }

  private var sessionWarnings: [CheckFinding] {
    guard let catalog = findings.catalog, let template = catalog.template,
      !template.responders.isEmpty || template.launch != nil,
      let session = try? Session("check", opening: template, in: catalog)
    else { return [] }
    let diagnostics = session.diagnostics(in: catalog)
    let places = WarningPlaces(files: files, catalog: catalog, template: template)
    return failing(diagnostics.failing, places) + unhandled(diagnostics.unhandled, places)
      + (findings.faults.isEmpty ? conflicts(diagnostics.keyConflicts ?? [], places) : [])
      + diagnostics.deadProxies.map { id in
        warning(
          "deadProxies", at: (.session, places.place(of: id).appending("proxied")),
          "The responder that '\(id)' stands for is not there.")
      }
      + diagnostics.coordinating.dead.map { dead in
        warning("dead", at: (.session, places.place(of: dead.coordinator)), dead.sentence)
      }
  }

  /// The rules that fail, each once, without those that read what is missing.
  private func failing(_ failing: FailingRules, _ places: WarningPlaces) -> [CheckFinding] {
    var told = Set(findings.missingMembers.map { "\($0.part) \($0.place)" })
    let warnings = failing.rules.compactMap { rule -> CheckFinding? in
      let place = places.place(of: rule)
      guard told.insert("\(place.part) \(place.pointer)").inserted else { return nil }
      return warning(
        "failing", at: place, "The rule fails as a session begins: \(rule.fault.message).")
    }
    guard !failing.isComplete else { return warnings }
    return warnings + [
      warning(
        "allRulesTried", at: (.session, .root),
        "Not all rules were tried as a session begins, since that takes too long.")
    ]
  }

  private func unhandled(_ actions: UnhandledActions, _ places: WarningPlaces) -> [CheckFinding] {
    let handled = Selectors(in: [files[.classes], files[.storyboards]])
    func unhandled(
      _ kind: String, at place: WarningPlaces.Place, _ action: Selector?
    ) -> CheckFinding? {
      guard let action else { return warning(kind, at: place, "The command has no action.") }
      guard !handled.contains(action) else { return nil }
      return warning(
        kind, at: place,
        "Nobody handles '\(action)': no class, and no responder of a session as it begins"
          + (handled.nearest(to: action).map { ";" + didYouMean($0, for: action.rawValue) } ?? "."))
    }
    return actions.commands.compactMap {
      unhandled(
        "unhandled", at: (.commands, places.place(of: $0)), places.catalog.command($0)?.action)
    }
      + actions.alternates.compactMap {
        unhandled(
          "unhandledAlternates",
          at: (.commands, places.place(of: $0.command).appending("alternates")), $0.action)
      }
      + actions.keyCommands.compactMap {
        unhandled(
          "unhandledKeyCommands", at: places.placeOfKeyCommand(of: $0.responder, $0.action),
          $0.action)
      }
  }

  private func conflicts(_ conflicts: [KeyConflict], _ places: WarningPlaces) -> [CheckFinding] {
    conflicts.flatMap { conflict in
      conflict.shadowed.map { shadow in
        warning(
          "keyConflicts", at: places.place(of: shadow.claim), conflict.sentence(about: shadow))
      }
    }
  }

  private func warning(
    _ kind: String, at place: WarningPlaces.Place, _ message: String
  ) -> CheckFinding {
    CheckFinding(
      severity: .warning, kind: kind, place: .file(self.place(of: place.pointer, in: place.part)),
      message: message)
  }
}

/// The selectors that documents declare handlers for.
private struct Selectors {
  private var names: Set<String> = []

  init(in files: [SourceFile?]) {
    for file in files.compactMap(\.self) { collect(file.json) }
  }

  func contains(_ selector: Selector) -> Bool { names.contains(selector.rawValue) }

  /// The selector that is most like one that nobody handles.
  func nearest(to selector: Selector) -> String? {
    CEL.nearest(
      to: selector.rawValue, among: names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  private mutating func collect(_ json: JSON) {
    switch json {
    case .array(let elements): for element in elements { collect(element) }
    case .object(let object):
      if case .object(let handlers)? = object["handlers"] {
        names.formUnion(handlers.members.map(\.name))
      }
      for member in object.members { collect(member.value) }
    case .null, .bool, .int, .double, .string: break
    }
  }
}
