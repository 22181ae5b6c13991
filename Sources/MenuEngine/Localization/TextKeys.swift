import CEL
import JSONText

/// The keys of texts that declarations can show (M14): literal keys of `tr` in their rules, and texts that are their
/// own keys.
struct TextKeys {
  /// The keys of `tr`, as member names.
  private(set) var translated = JSONObject()
  /// The words of preconditions, the titles of key commands and of items of touch bars, and the titles of the commands
  /// for undoing and redoing, and those of resources and prompts with their descriptions, as member names.
  private(set) var declared = JSONObject()

  /// Collects the keys of documents: of responders, classes, storyboards, commands and sessions; and those of a
  /// catalogue's commands.
  ///
  /// - Parameter labels: The titles and descriptions of resources and prompts.
  init(of documents: [JSON], _ commands: [Command], labels: [String]) {
    for document in documents { add(document) }
    for label in labels where !label.isEmpty { declared[label] = true }
    for direction in UndoManager.Direction.allCases
    where commands.contains(where: { $0.action == direction.action }) {
      declared[direction.titleKeys.plain] = true
      declared[direction.titleKeys.named] = true
    }
  }

  private mutating func add(_ json: JSON) {
    switch json {
    case .string(let text): addRule(text)
    case .array(let elements): for element in elements { add(element) }
    case .object(let object):
      addTexts(of: object["requires"], named: ["else"])
      addTexts(of: object["keyCommands"], named: ["title", "discoverabilityTitle"])
      if case .object(let bar)? = object["touchBar"] {
        addTexts(of: bar["items"], named: ["title"])
      }
      for member in object.members { add(member.value) }
    case .null, .bool, .int, .double: break
    }
  }

  /// Adds the keys of a text that is a rule; other texts do not compile, or translate nothing.
  private mutating func addRule(_ text: String) {
    guard text.utf8.indices.contains(where: { text.utf8[$0...].starts(with: "tr".utf8) }),
      let rule = (try? Rule(text)) ?? (try? Rule(text, seeing: ElementContext.rootsOfElements))
    else { return }
    for key in rule.program.translatedKeys { translated[key] = true }
  }

  private mutating func addTexts(of list: JSON?, named names: [String]) {
    guard case .array(let elements)? = list else { return }
    for case .object(let object) in elements {
      for name in names {
        if case .string(let text)? = object[name], !text.isEmpty { declared[text] = true }
      }
    }
  }
}
