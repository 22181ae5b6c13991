import JSONSchema
import JSONText
import Testing

@testable import MenuAPI
@testable import MenuEngine

struct DocumentFaultTests {
  static let reasons: [DocumentFault.Reason] = [
    .expected(.string, found: 1), .expected(.arguments(of: "copy:"), found: []),
    .expected(.arguments(of: "copy:"), found: [1, 2]),
    .expected(.oneOf(["next", "view"]), found: "nekst"),
    .expected(.arrayUpTo(1), found: [1, 2]), .expected(.arrayFrom(1...2), found: [1, 2, 3]),
    .expected(.objectUpTo(1), found: ["a": 1, "b": 2]), .missingMember("action"),
    .missingMember("action", orElse: ["command", "key"]),
    .unknownMember("acton", known: ["action", "title"]), .unknownMember("x", known: []),
    .unknownMember("x", known: ["action", "title"]), .conflictingMembers("next", "parent"),
    .memberOfOtherKind("superview", kind: .window, kinds: [.view]),
    .memberOfOtherSegue("perform", kind: .show, kinds: [.custom]),
    .repeatedItem("share", other: JSONPointer(["items", "0"])),
    .repeatedLanguage("de"), .repeatedURI("notes:a", other: JSONPointer(["a", "uri"])),
    .repeatedName("size"), .unknownArgument("sise", known: ["size"]),
    .unknownArgument("x", known: []), .unknownResource("nots", known: ["note"]),
    .unknownResource("x", known: []), .unfilledVariable("id", of: "note"), .file(.noFolder),
    .file(.absent), .file(.outside), .file(.notAFile), .file(.tooLarge(limit: 9)),
    .file(.tooMuch(limit: 9)), .file(.notText(.json)), .file(.unreadable("Permission denied")),
    .repeatedModifiers(KeyModifiers.Name.shift.modifier, other: JSONPointer(["alternates", "0"])),
    .repeatedKeyCommand(FaultSamples.repeated(.identical), other: JSONPointer(["0"])),
    .repeatedKeyCommand(FaultSamples.repeated(.keyAndAction), other: JSONPointer(["0"])),
    .repeatedKeyCommand(FaultSamples.repeated(.key), other: JSONPointer(["0"])),
    .repeatedKeyCommand(FaultSamples.repeated(.action), other: JSONPointer(["0"])),
    .rule(FaultSamples.compilation),
    .schema(.tooManyPatterns), .patch("It is no patch."),
    .declaration(.menu(.duplicateMenu("file")), other: JSONPointer(["0"])),
    .mutation(.unknownResponder("grid")),
  ]

  @Test(
    arguments: rows(
      reasons,
      """
      expected 422 invalid-body: Expected a string, found the number 1.
      expected 422 invalid-body: Expected as many arguments as 'copy:' has colons, 1, found none.
      expected 422 invalid-body: Expected as many arguments as 'copy:' has colons, 1, found 2.
      expected 422 invalid-body: Expected 'next' or 'view', found the string 'nekst'.
      expected 422 invalid-body: Expected an array of at most 1 elements, found 2.
      expected 422 invalid-body: Expected an array of 1 to 2 elements, found 3.
      expected 422 invalid-body: Expected an object of at most 1 members, found 2.
      missingMember 422 invalid-body: The member 'action' is missing.
      missingMember 422 invalid-body: The member 'action' is missing; 'command' or 'key' would do \
      as well.
      unknownMember 422 invalid-body: There is no member 'acton' here; did you mean 'action'?
      unknownMember 422 invalid-body: There is no member 'x' here; nothing is read here.
      unknownMember 422 invalid-body: There is no member 'x' here; known are action and title.
      conflictingMembers 422 invalid-body: 'next' and 'parent' exclude each other; give one of \
      them.
      memberOfOtherKind 422 invalid-body: A responder of kind 'window' has no 'superview'; only \
      those of kind 'view' have one.
      memberOfOtherSegue 422 invalid-body: A segue of kind 'show' has no 'perform'; only those of \
      kind 'custom' can have one.
      repeatedItem 422 invalid-body: The touch bar has 'share' already. The other one stands at \
      /items/0.
      repeatedLanguage 422 invalid-body: There are strings for 'de' already.
      repeatedURI 422 invalid-body: Another resource has 'notes:a' already. The other one stands at \
      /a/uri.
      repeatedName 422 invalid-body: Another argument has the name 'size' already.
      unknownArgument 422 invalid-body: The prompt has no argument 'sise'; did you mean 'size'?
      unknownArgument 422 invalid-body: The prompt has no argument 'x'; write '{{' for a brace.
      unknownResource 422 invalid-body: There is no resource 'nots'; did you mean 'note'?
      unknownResource 422 invalid-body: There is no resource 'x'.
      unfilledVariable 422 invalid-body: The resource 'note' needs 'id'; declare a required argument \
      of this name.
      file 422 invalid-body: Files are read from the folder of an application only.
      file 422 invalid-body: There is no such file in the folder.
      file 422 invalid-body: The path leads out of the folder.
      file 422 invalid-body: There is no regular file at this path.
      file 422 invalid-body: The file has more than 9 bytes.
      file 422 invalid-body: The files of the application have more than 9 bytes together.
      file 422 invalid-body: The file is not UTF-8, as one of the type 'application/json' is.
      file 422 invalid-body: It cannot be read: Permission denied.
      repeatedModifiers 422 invalid-body: Two alternates have the modifiers 'shift'; give one of \
      them others. The other one stands at /alternates/0.
      repeatedKeyCommand 422 invalid-body: The key command 'copy:' with the key 'command+shift+c' \
      is declared twice, and both declarations are identical; leave one of them out. The other one \
      stands at /0.
      repeatedKeyCommand 422 invalid-body: The key command 'copy:' with the key 'command+shift+c' \
      is declared twice, and differently; leave one of them out, or give each a 'when' of its own. \
      The other one stands at /0.
      repeatedKeyCommand 422 invalid-body: The key commands 'cut:' and 'copy:' have the same key \
      'command+shift+c'; give one of them another, or each a 'when' of its own. The other one \
      stands at /0.
      repeatedKeyCommand 422 invalid-body: The key commands with the keys 'command+shift+c' and \
      'command+shift+c' have the same action 'copy:' and property list; give one of them another \
      property list, or each a 'when' of its own. The other one stands at /0.
      rule 422 invalid-body: The rule does not compile: expected an expression, found the end at \
      offset 3 (line 1, column 4).
      schema 422 invalid-body: The patterns of the schema take too much to compile.
      patch 422 invalid-body: It is no patch.
      declaration 409 duplicate-declaration: Two menus have the identifier 'file'; give one of \
      them another. The other one stands at /0.
      mutation 422 unresolved-reference: The session has no responder 'grid'.
      """))
  func `each fault says its status, its kind and a sentence`(
    fault: DocumentFault.Reason, row: String
  ) {
    #expect(told(fault) == row)
  }

  @Test func `every case of DocumentFault.Reason stands in the table`() throws {
    #expect(
      try declaredCases(of: "Reason", in: "Documents/DocumentFault.swift")
        == Set(Self.reasons.map { caseName($0) }))
  }

  static let expectations: [DocumentFault.Expectation] = [
    .object, .objectUpTo(9), .objectWithMembers, .array, .arrayUpTo(9), .arrayFrom(1...9), .string,
    .stringUpTo(9),
    .bool, .integer, .integerFrom(1...9), .fraction,
    .identifier, .locale,
    .sessionName, .label, .commandPattern, .selector, .receiver, .pointer, .rule, .boolRule, .words,
    .menuElement, .category,
    .keyInput, .strokes, .keyText, .itemKey, .time, .touchBarItem, .uri,
    .uriTemplate, .mediaType, .imageType, .filePath, .imagePath, .parameterName,
    .parameterSchema, .modifiers,
    .systems,
    .oneOf(["a", "b", "c"]), .oneOf((0..<25).map { "word\($0)" }), .arguments(of: "copy:"),
  ]

  @Test(
    arguments: rows(
      expectations,
      """
      Expected an object, found null.
      Expected an object of at most 9 members, found null.
      Expected an object with at least one member, found null.
      Expected an array, found null.
      Expected an array of at most 9 elements, found null.
      Expected an array of 1 to 9 elements, found null.
      Expected a string, found null.
      Expected a string of at most 9 bytes, found null.
      Expected true or false, found null.
      Expected an integer, found null.
      Expected an integer from 1 to 9, found null.
      Expected a number from 0 to 1, found null.
      Expected an identifier (1 to 128 letters A to Z and a to z, digits and '_', '.', ':', '-'), \
      found null.
      Expected the tag of a language, such as 'de' or 'pt-BR' (BCP 47), found null.
      Expected another name than '.' and '..', which no address can have, found null.
      Expected a label of 1 to 128 bytes without control characters, found null.
      Expected the id of a command, in which '*' may stand for any characters, found null.
      Expected a selector such as 'copy:', whose colons count its arguments, found null.
      Expected the id of a responder, that of a host followed by '/forwarder', or that of a \
      responder followed by '/undoManager', found null.
      Expected a JSON Pointer, empty or beginning with '/', found null.
      Expected a rule in a string, found null.
      Expected a rule in a string, true or false, found null.
      Expected a text, or an object with a 'rule' for one, found null.
      Expected the id of a command in a string, the place of a command, items \
      from data, or a menu, found null.
      Expected true, or the name of the class that the category adds to, found null.
      Expected one character or a named key such as 'UIKeyInputUpArrow', found null.
      Expected a stroke, or an array of 1 to 4 strokes, found null.
      Expected a key such as 'ctrl+k ctrl+s', of 1 to 4 strokes with 'ctrl', 'shift', 'alt' and \
      'cmd', found null.
      Expected the key of an item, a string of 1 to 1024 bytes, found null.
      Expected milliseconds since 1970, or a moment such as '2026-11-21T08:32:27.000Z', of the \
      years 0 to 9999, found null.
      Expected an item, or the word 'otherItems', found null.
      Expected a URI such as 'notes:about', of at most 1024 bytes, whose scheme is not 'menud', \
      found null.
      Expected a URI template such as 'notes:{id}', of at most 1024 bytes, with 1 to 16 variables \
      and a character such as '/' between them, found null.
      Expected a media type such as 'text/markdown', found null.
      Expected the media type of an image, such as 'image/png', found null.
      Expected the path of a file below the folder, such as 'images/logo.png', found null.
      Expected the path of a file whose name ends as those of images do, such as '.png', or \
      'mimeType' beside it, found null.
      Expected a name of 1 to 64 letters A to Z and a to z, digits and '_', which begins with no \
      digit, found null.
      Expected a JSON Schema in an object, with "type": "object", found null.
      Expected one or more modifiers, found null.
      Expected one or more of 'main' and 'context', found null.
      Expected 'a', 'b' or 'c', found null.
      Expected one of 25 words, which GET /openapi.json lists, found null.
      Expected as many arguments as 'copy:' has colons, 1, found null.
      """))
  func `each value that would have been accepted is named`(
    fault: DocumentFault.Expectation, row: String
  ) {
    #expect(DocumentFault.Reason.expected(fault, found: nil).sentence == row)
  }

  @Test func `every case of DocumentFault.Expectation stands in the table`() throws {
    #expect(
      try declaredCases(of: "Expectation", in: "Documents/DocumentFault.swift")
        == Set(Self.expectations.map { caseName($0) }))
  }

  @Test func `a document without a fault to tell of cannot be read`() {
    let problem = Problem(DocumentFaults([]))
    #expect(problem.detail == "The body cannot be read.")
    #expect(problem.parts.map(\.pointer) == [.root])
  }
}
