import CEL
import JSONSchema
package import JSONText
package import MenuEngine

extension DocumentFault.Reason: TabulatedFault {
  /// The row of the fault. Its sentence does not name the place, which is in the separate pointer.
  ///
  /// If two declarations contradict each other, the sentence names the place of the other one.
  package var row: FaultRow {
    let type: ProblemType =
      switch self {
      case .declaration(let fault, other: _): fault.type
      case .mutation(let fault): fault.type
      default: .invalidBody
      }
    return FaultRow(type, ownSentence + sentence { $0.description })
  }

  /// Returns the fault as a sentence for authors of files; `place` words the place of the other declaration.
  package func sentenceInFile(otherAt place: (JSONPointer) -> String) -> String {
    let own =
      if case .declaration(let fault, other: _) = self { fault.sentenceInFile } else {
        ownSentence
      }
    return own + sentence(otherAt: place)
  }

  /// Returns the sentence about the other declaration; empty if there is none.
  private func sentence(otherAt place: (JSONPointer) -> String) -> String {
    other.map { " The other one stands at \(place($0))." } ?? ""
  }

  /// The sentence without the one about the other declaration.
  private var ownSentence: String {
    switch self {
    case .expected(.arguments(of: let selector), .array(let found)):
      "Expected \(DocumentFault.Expectation.arguments(of: selector).wording), found "
        + "\(found.isEmpty ? "none" : "\(found.count)")."
    case .expected(.oneOf(let words), .string(let found)):
      "Expected \(DocumentFault.Expectation.oneOf(words).wording), found the string "
        + quoted(found) + (suggestion(for: found, among: words) ?? ".")
    case .expected(let expectation, let found):
      "Expected \(expectation.wording), found \(expectation.count(of: found) ?? found.shown)."
    case .missingMember(let name, orElse: let others):
      "The member \(quoted(name)) is missing"
        + (others.isEmpty
          ? "." : "; \(list(others.map { quoted($0) }, "or")) would do as well.")
    case .unknownMember(let name, let known):
      "There is no member \(quoted(name)) here"
        + (suggestion(for: name, among: known)
          ?? (known.isEmpty ? "; nothing is read here." : "; known are \(list(known))."))
    case .conflictingMembers(let one, let other):
      "\(quoted(one)) and \(quoted(other)) exclude each other; give one of them."
    case .memberOfOtherKind(let name, let kind, let kinds):
      "A responder of kind '\(kind)' has no \(quoted(name)); only those of kind "
        + "\(list(kinds.map { "'\($0)'" }, "or")) have one."
    case .memberOfOtherSegue(let name, let kind, let kinds):
      "A segue of kind '\(kind)' has no \(quoted(name)); only those of kind "
        + "\(list(kinds.map { "'\($0)'" }, "or")) can have one."
    case .repeatedLanguage(let tag): "There are strings for \(quoted(tag)) already."
    case .repeatedURI(let uri, other: _): "Another resource has \(quoted(uri)) already."
    case .repeatedName(let name): "Another argument has the name \(quoted(name)) already."
    case .unknownArgument(let name, let known):
      "The prompt has no argument \(quoted(name))"
        + (suggestion(for: name, among: known) ?? "; write '{{' for a brace.")
    case .unknownResource(let name, let known):
      "There is no resource \(quoted(name))" + (suggestion(for: name, among: known) ?? ".")
    case .unfilledVariable(let name, let resource):
      "The resource \(quoted(resource)) needs \(quoted(name)); declare a required argument of this name."
    case .file(let fault): fault.sentence
    case .repeatedItem(let name, other: _): "The touch bar has \(quoted(name)) already."
    case .repeatedModifiers(let modifiers, other: _):
      "Two alternates have the modifiers \(modifiers.wording); give one of them others."
    case .repeatedKeyCommand(let repeated, other: _): repeated.sentence
    case .rule(let fault): fault.sentence
    case .schema(let problem): problem.sentence
    case .patch(let sentence): sentence
    case .declaration(let fault, other: _): fault.sentence
    case .mutation(let fault): fault.sentence
    }
  }
}

extension FileFault {
  /// The fault as a sentence.
  package var sentence: String {
    switch self {
    case .noFolder: "Files are read from the folder of an application only."
    case .absent: "There is no such file in the folder."
    case .outside: "The path leads out of the folder."
    case .notAFile: "There is no regular file at this path."
    case .tooLarge(let limit): "The file has more than \(limit) bytes."
    case .tooMuch(let limit): "The files of the application have more than \(limit) bytes together."
    case .notText(let type): "The file is not UTF-8, as one of the type \(quoted(type.text)) is."
    case .unreadable(let reason): "It cannot be read: \(reason)."
    }
  }
}

extension RepeatedKeyCommand {
  fileprivate var sentence: String {
    let action = quoted(keyCommand.action)
    return switch sameness {
    case .identical:
      "The key command \(action) with the key \(keyCommand.key.wording) is declared twice, and both "
        + "declarations are identical; leave one of them out."
    case .keyAndAction:
      "The key command \(action) with the key \(keyCommand.key.wording) is declared twice, and "
        + "differently; leave one of them out, or give each a 'when' of its own."
    case .key:
      "The key commands \(quoted(other.action)) and \(action) have the same key "
        + "\(keyCommand.key.wording); give one of them another, or each a 'when' of its own."
    case .action:
      "The key commands with the keys \(other.key.wording) and \(keyCommand.key.wording) have the "
        + "same action \(action) and property list; give one of them another property list, or "
        + "each a 'when' of its own."
    }
  }
}

extension DocumentFault.Expectation {
  /// Returns the number of elements or members of a value that has too few or too many; nil for other mistakes.
  fileprivate func count(of found: JSON) -> String? {
    switch (self, found) {
    case (.arrayUpTo, .array(let elements)), (.arrayFrom, .array(let elements)):
      elements.isEmpty ? nil : "\(elements.count)"
    case (.objectUpTo, .object(let object)): "\(object.count)"
    default: nil
    }
  }

  /// The maximum number of words that a sentence lists.
  private static let maximumListedWords = 24

  fileprivate var wording: String {
    switch self {
    case .object: "an object"
    case .objectUpTo(let count): "an object of at most \(count) members"
    case .objectWithMembers: "an object with at least one member"
    case .arrayFrom(let range): "an array of \(range.lowerBound) to \(range.upperBound) elements"
    case .uri:
      "a URI such as 'notes:about', of at most \(Limits.uri) bytes, whose scheme is not 'menud'"
    case .uriTemplate:
      "a URI template such as 'notes:{id}', of at most \(Limits.uri) bytes, with 1 to \(Limits.arguments) variables and a character such as '/' between them"
    case .mediaType: "a media type such as 'text/markdown'"
    case .imageType: "the media type of an image, such as 'image/png'"
    case .filePath: "the path of a file below the folder, such as 'images/logo.png'"
    case .imagePath:
      "the path of a file whose name ends as those of images do, such as '.png', or 'mimeType' beside it"
    case .parameterName:
      "a name of 1 to \(Limits.parameterName) letters A to Z and a to z, digits and '_', which begins with no digit"
    case .array: "an array"
    case .locale: "the tag of a language, such as 'de' or 'pt-BR' (BCP 47)"
    case .strokes: "a stroke, or an array of 1 to \(KeySequence.maximumCount) strokes"
    case .keyText:
      "a key such as 'ctrl+k ctrl+s', of 1 to \(KeySequence.maximumCount) strokes with 'ctrl', 'shift', 'alt' and 'cmd'"
    case .itemKey: "the key of an item, a string of 1 to \(ItemKey.maximumLength) bytes"
    case .arrayUpTo(let count): "an array of at most \(count) elements"
    case .string: "a string"
    case .stringUpTo(let size): "a string of at most \(size) bytes"
    case .bool: "true or false"
    case .integer: "an integer"
    case .fraction: "a number from 0 to 1"
    case .integerFrom(let range) where range.upperBound == .max:
      "an integer that is at least \(range.lowerBound)"
    case .integerFrom(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .identifier:
      "an identifier (1 to 128 letters A to Z and a to z, digits and '_', '.', ':', '-')"
    case .sessionName: "another name than '.' and '..', which no address can have"
    case .label: "a label of 1 to \(Principal.longestLabel) bytes without control characters"
    case .commandPattern: "the id of a command, in which '*' may stand for any characters"
    case .selector: "a selector such as 'copy:', whose colons count its arguments"
    case .receiver:
      "the id of a responder, that of a host followed by '/forwarder', or that of a responder "
        + "followed by '/undoManager'"
    case .pointer: "a JSON Pointer, empty or beginning with '/'"
    case .rule: "a rule in a string"
    case .boolRule: "a rule in a string, true or false"
    case .words: "a text, or an object with a 'rule' for one"
    case .category: "true, or the name of the class that the category adds to"
    case .menuElement:
      "the id of a command in a string, the place of a command, items from data, or a menu"
    case .touchBarItem: "an item, or the word 'otherItems'"
    case .parameterSchema: "a JSON Schema in an object, with \"type\": \"object\""
    case .keyInput: "one character or a named key such as 'UIKeyInputUpArrow'"
    case .time:
      "milliseconds since 1970, or a moment such as '2026-11-21T08:32:27.000Z', of the years 0 to 9999"
    case .modifiers: "one or more modifiers"
    case .systems: "one or more of 'main' and 'context'"
    case .oneOf(let words) where words.count > Self.maximumListedWords:
      "one of \(words.count) words, which GET /openapi.json lists"
    case .oneOf(let words): list(words.map { "'\($0)'" }, "or")
    case .arguments(of: let selector):
      "as many arguments as \(quoted(selector)) has colons, \(selector.argumentCount)"
    }
  }
}

extension CompilationFault {
  /// The rule's mistake and its place, as a sentence.
  package var sentence: String {
    let hint = hint.map { "; \($0)" } ?? ""
    let stop = hint.hasSuffix("?") ? "" : "."
    return "The rule does not compile: \(message) at offset \(offset) "
      + "(line \(line), column \(column))\(hint)\(stop)"
  }
}
