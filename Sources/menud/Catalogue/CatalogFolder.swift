import CEL
import JSONText
import Languages
import MenuAPI
import MenuEngine

/// The folder of an application: a file for each part of its catalogue.
struct CatalogFolder {
  /// The path of the folder; empty without one, and then its catalogue is empty.
  let path: String
  /// The limits of the rules in it.
  let ruleLimits: ProgramLimits
  /// The maximum number of items from data that a menu shows (M12).
  let itemsFromData: Int

  /// Creates the folder that a configuration names, or the one at `path` with the configuration's limits.
  init(_ configuration: Configuration, path: String? = nil) {
    self.init(
      path: path ?? configuration.application, ruleLimits: configuration.rules,
      itemsFromData: configuration.limits.itemsFromData)
  }

  init(
    path: String, ruleLimits: ProgramLimits = ProgramLimits(),
    itemsFromData: Int = ItemsFromData.usualLimit
  ) {
    (self.path, self.ruleLimits, self.itemsFromData) = (path, ruleLimits, itemsFromData)
  }

  /// Returns its catalogue; parts without a file are empty.
  ///
  /// - Throws: `CatalogFaults` with all mistakes in all files.
  func catalog() throws(CatalogFaults) -> Catalog {
    let reading = reading()
    guard let catalog = reading.findings.catalog, reading.faults.isEmpty else {
      throw CatalogFaults(faults: reading.faults)
    }
    return catalog
  }

  /// Reads every file, regardless of mistakes in others.
  func reading() -> CatalogFolderReading {
    var document = CatalogDocument(
      [:], ruleLimits: ruleLimits, itemsFromData: itemsFromData)
    if !path.isEmpty { document.files = Posix.reader(ofFilesBelow: path) }
    var files: [CatalogDocument.Part: SourceFile] = [:]
    var faults: [CatalogFault] = []
    let strings = readStrings(into: &document, noting: &faults)
    for part in presentParts where part != .strings {
      do throws(ConfigurationFault) {
        let file = try SourceFile(reading: path(of: part))
        document.parts[part] = file.json
        files[part] = file
      } catch {
        document.unreadable.insert(part)
        faults.append(.file(error))
      }
    }
    var strayFiles: [String] = []
    do throws(ConfigurationFault) {
      strayFiles = try self.strayFiles(besides: document.namedFiles)
    } catch {
      // Files can be read in a folder that cannot be listed; misspelt names are not found there.
      if presentParts.isEmpty { faults.append(.file(error)) }
    }
    for name in strayFiles {
      guard let part = misspeltPart(name) else { continue }
      document.unreadable.insert(part)
      faults.append(.misspelt(path: "\(path)/\(name)", part: part))
    }
    if !path.isEmpty, presentParts.isEmpty, faults.isEmpty {
      faults.append(.noParts(folder: path))
    }
    return CatalogFolderReading(
      folder: self, files: files, strings: strings, namedFiles: document.namedFiles,
      fileFaults: faults,
      findings: document.findings())
  }

  /// Reads the files of languages, which together are a part (M14), and returns them by the tags of their names.
  private func readStrings(
    into document: inout CatalogDocument, noting faults: inout [CatalogFault]
  ) -> [String: SourceFile] {
    guard presentParts.contains(.strings) else { return [:] }
    var files: [String: SourceFile] = [:]
    var languages = JSONObject()
    var names: [String] = []
    do throws(ConfigurationFault) {
      names = try Posix.entries(of: path(of: .strings))
    } catch {
      document.unreadable.insert(.strings)
      faults.append(.file(error))
    }
    for name in names where name.isNameOfJSONFile {
      let tag = String(name.dropLast(5))
      do throws(ConfigurationFault) {
        let file = try SourceFile(reading: "\(path(of: .strings))/\(name)")
        files[tag] = file
        languages[tag] = file.json.withoutSchemaReference
      } catch {
        document.unreadable.insert(.strings)
        faults.append(.file(error))
      }
    }
    document.parts[.strings] = .object(languages)
    return files
  }

  /// The parts that have a file.
  private var presentParts: [CatalogDocument.Part] {
    guard !path.isEmpty else { return [] }
    return CatalogDocument.Part.allCases.filter { part in
      part == .strings ? Posix.isFolder(path(of: part)) : Posix.isEntry(path(of: part))
    }
  }

  /// Returns the names of JSON files that are neither parts nor these.
  ///
  /// - Throws: `ConfigurationFault.unreadable`.
  func strayFiles(besides named: [String]) throws(ConfigurationFault) -> [String] {
    guard !path.isEmpty else { return [] }
    let parts = CatalogDocument.Part.ofOneFile.map(\.fileName) + ["menud.json"]
    return try Posix.entries(of: path).filter { name in
      name.isNameOfJSONFile && !(parts + named).contains(where: name.hasSameBytes(as:))
    }
  }

  /// Returns the part that a file was probably meant to be; nil if no name is similar, or that part has a file.
  private func misspeltPart(_ name: String) -> CatalogDocument.Part? {
    let stem = String(name.dropLast(5))
    let absent = CatalogDocument.Part.ofOneFile.filter { !Posix.isEntry(path(of: $0)) }
    return CEL.nearest(to: stem.lowercased(), among: absent.map(\.rawValue))
      .flatMap(CatalogDocument.Part.init(rawValue:))
  }

  /// Returns the path of a part's file, or of the folder of its files.
  func path(of part: CatalogDocument.Part) -> String {
    part == .strings ? "\(path)/\(part.rawValue)" : "\(path)/\(part.fileName)"
  }
}

extension CatalogDocument {
  /// The paths of files that are contents of resources.
  fileprivate var namedFiles: [String] {
    guard case .object(let resources)? = parts[.resources] else { return [] }
    return resources.members.compactMap { member in
      if case .string(let path)? = member.value[JSONPointer(["file"])] { path } else { nil }
    }
  }
}

extension CatalogDocument.Part {
  /// The parts that have one file.
  static let ofOneFile = allCases.filter { $0 != .strings }
}

extension String {
  var isNameOfJSONFile: Bool { utf8.suffix(5).elementsEqual(".json".utf8) }
}

/// A mistake in an application's folder.
enum CatalogFault: Error, Sendable {
  /// The folder has none of the files.
  case noParts(folder: String)
  /// A file with a name similar to that of a part without a file.
  case misspelt(path: String, part: CatalogDocument.Part)
  /// A file that cannot be read, or is not JSON.
  case file(ConfigurationFault)
  /// A mistake in the contents of a file, with the place of the declaration that it contradicts, if any.
  case document(FilePlace, DocumentFault, other: FilePlace? = nil)
}

/// All mistakes in an application's folder, never empty.
struct CatalogFaults: Error, Sendable {
  let faults: [CatalogFault]
}

/// The contents of a folder: its files and its catalogue.
struct CatalogFolderReading {
  let folder: CatalogFolder
  /// The files that are valid JSON.
  let files: [CatalogDocument.Part: SourceFile]
  /// The files of languages that are valid JSON, by the tags of their names (M14).
  let strings: [String: SourceFile]
  /// The paths of files that are contents of resources.
  let namedFiles: [String]
  /// The mistakes that keep files from being read.
  let fileFaults: [CatalogFault]
  /// The catalogue, and the mistakes in the contents of the files.
  let findings: CatalogDocument.Findings

  /// All mistakes, in the order of parts and lines.
  var faults: [CatalogFault] {
    let faults = findings.faults.map { found in
      CatalogFault.document(
        place(of: found.fault, in: found.part), found.fault,
        other: found.fault.reason.other.map { place(of: $0, in: found.part) })
    }
    return inOrder(fileFaults + faults, by: \.place)
  }

  /// Returns the place of a value of a part.
  func place(of pointer: JSONPointer, in part: CatalogDocument.Part) -> FilePlace {
    if part == .strings, let tag = pointer.tokens.first {
      let inFile = JSONPointer(Array(pointer.tokens.dropFirst()))
      return file(of: tag)?.place(of: inFile)
        ?? FilePlace(path: "\(folder.path(of: part))/\(tag).json", pointer: inFile)
    }
    return files[part]?.place(of: pointer)
      ?? FilePlace(path: folder.path(of: part), pointer: pointer)
  }

  /// Returns the file of a language, whose name may have the tag in another case.
  private func file(of tag: String) -> SourceFile? {
    strings[tag]
      ?? LanguageTag(tag).flatMap { tag in
        strings.sorted { $0.key < $1.key }.first { LanguageTag($0.key) == tag }?.value
      }
  }

  /// Returns the place of a mistake.
  private func place(of fault: DocumentFault, in part: CatalogDocument.Part) -> FilePlace {
    if part == .strings, let tag = fault.pointer.tokens.first, let file = file(of: tag) {
      let inFile = JSONPointer(Array(fault.pointer.tokens.dropFirst()))
      return file.place(of: fault.reason, at: inFile)
    }
    return files[part]?.place(of: fault.reason, at: fault.pointer)
      ?? place(of: fault.pointer, in: part)
  }

  /// Sorts by file, line and column; stable for equal places.
  func inOrder<Element>(_ elements: [Element], by place: (Element) -> FaultPlace) -> [Element] {
    elements.enumerated().map { (order(of: place($1)) + [$0], $1) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
  }

  private func order(of place: FaultPlace) -> [Int] {
    guard case .file(let place) = place else { return [] }
    let file = CatalogDocument.Part.allCases.firstIndex { part in
      part == .strings
        ? place.path.hasPrefix(folder.path(of: part) + "/") : folder.path(of: part) == place.path
    }
    return [file ?? 0, place.position?.line ?? 0, place.position?.column ?? 0]
  }
}

extension CatalogFolderReading {
  /// The warnings about rules, storyboards (V10), and a new session, in the order of parts and lines.
  ///
  /// Warnings about storyboards and sessions need a valid catalogue.
  var warnings: [CheckFinding] {
    let missing = findings.missingMembers.map { missing in
      warning("missingMember", at: (missing.part, missing.place), missing.sentence)
    }
    let lint = (findings.catalog?.lint ?? []).map { lint in
      warning(lint.finding.rule.rawValue, at: (lint.part, lint.place), lint.sentence)
    }
    // The responders of a class share its warnings.
    var told: Set<String> = []
    return inOrder(strayFiles + missing + lint + stringsWarnings + sessionWarnings, by: \.place)
      .filter { told.insert($0.description).inserted }
  }

  /// The JSON files that are not parts, and the files among strings that are not of a language; all are ignored.
  private var strayFiles: [CheckFinding] {
    let faults = Set(fileFaults.map(\.place.description))
    let strays = ((try? folder.strayFiles(besides: namedFiles)) ?? []).map {
      (
        path: "\(folder.path)/\($0)",
        sentence: "No part of an application is called so; nothing reads this file."
      )
    }
    return (strays + folder.straysAmongStrings).compactMap { stray in
      let place = FaultPlace.file(FilePlace(path: stray.path))
      guard !faults.contains(place.description) else { return nil }
      return CheckFinding(
        severity: .warning, kind: "strayFile", place: place, message: stray.sentence)
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
      + diagnostics.itemsFromData.flatMap { finding in
        finding.sentences.map { warning("itemsFromData", at: places.place(of: finding), $0) }
      }
  }

  /// Returns the rules that fail, each once, except those that read a missing member.
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

/// The selectors of declared handlers.
private struct Selectors {
  private var names: Set<String> = []

  init(in files: [SourceFile?]) {
    for file in files.compactMap(\.self) { collect(file.json) }
  }

  func contains(_ selector: Selector) -> Bool { names.contains(selector.rawValue) }

  /// Returns the declared selector most similar to an unhandled one.
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
