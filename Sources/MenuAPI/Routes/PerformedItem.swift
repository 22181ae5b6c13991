import JSONText
import MenuEngine
import MenuStore

/// The item of a command that is performed, as it was before and as it is afterwards.
///
/// Both are of the change itself: nothing else happens between them. An item that takes too much effort is not told,
/// and of a trial there is none afterwards.
struct PerformedItem {
  private let question: ValidationRequest
  private let before: ValidatedItem?
  private var after: ValidatedItem?

  /// The item of the command of a message before a change; nil without a command.
  init?(of message: Message, in change: SessionChange) {
    guard case .request(let request) = message, let command = request.subject.command else {
      return nil
    }
    var question = ValidationRequest()
    question.commands = [command]
    question.from = request.from
    question.window = request.window
    question.sender = request.sender
    question.modifiers = request.modifiers
    self.question = question
    before = try? change.session.validate(question, in: change.catalog).first
  }

  /// Notes the item after the change, unless that was only tried.
  mutating func note(_ change: SessionChange) {
    guard !change.isDry else { return }
    after = try? change.session.validate(question, in: change.catalog).first
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, item) in [("before", before), ("after", after)] {
      guard let item else { continue }
      writer.member(name)
      writer.value(item, isExplaining: false)
    }
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes the member with an item before and after.
  mutating func member(_ name: String, _ item: PerformedItem) {
    member(name)
    item.write(to: &self)
  }
}
