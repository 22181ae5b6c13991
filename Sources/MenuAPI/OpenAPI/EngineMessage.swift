import JSONText
import MenuEngine

/// A message that the engine sends by itself: whoever wants to hear it has a handler for its selector.
struct EngineMessage {
  let selector: Selector
  /// The responder that gets it.
  let receiver: String
  /// The moment at which it is sent.
  let moment: String
  /// The arguments that its handler reads, in order.
  let arguments: [Argument]
  /// The answer that is heeded; nil when none is.
  var answer: Answer?
  /// The rule of the engine.
  let rule: String

  /// One argument.
  struct Argument {
    let name: String
    let description: String
    /// Its schema as JSON text.
    let schema: String

    /// The id of a responder.
    static func responder(_ name: String, _ description: String) -> Argument {
      Argument(
        name: name, description: description,
        schema: ##"{"$ref":"#/components/schemas/Identifier"}"##)
    }

    /// The sender, as rules see it.
    static let sender = Argument(
      name: "sender", description: "What triggers it, or null.",
      schema: #"{"type":["object","null"]}"#)

    /// A segue that is in progress.
    static let segue = Argument(
      name: "segue",
      description:
        "Its `identifier`, `kind`, `source` and `destination`, the last two as rules see them.",
      schema: #"{"type":"object"}"#)
  }

  /// An answer that is heeded.
  struct Answer {
    /// Its schema as JSON text.
    let schema: String
    let description: String
    /// The behaviour when there is no handler, or it answers nothing.
    let fallback: String

    /// Yes or no; anything else is a fault of the handler.
    static func bool(_ description: String, otherwise fallback: String) -> Answer {
      Answer(schema: #"{"type":"boolean"}"#, description: description, fallback: fallback)
    }
  }
}

extension JSONWriter {
  /// Writes the messages that the engine sends by itself, as an extension of OpenAPI.
  mutating func engineMessages() {
    member("x-messages")
    beginArray()
    for message in EngineMessage.all { value(message) }
    endArray()
  }

  private mutating func value(_ message: EngineMessage) {
    beginObject()
    member("selector", message.selector.rawValue)
    member("receiver", message.receiver)
    member("moment", message.moment)
    member("rule", message.rule)
    member("arguments")
    beginArray()
    for argument in message.arguments {
      beginObject()
      member("name", argument.name)
      member("description", argument.description)
      member("schema")
      value(encoded: Array(argument.schema.utf8))
      endObject()
    }
    endArray()
    if let answer = message.answer {
      member("answer")
      beginObject()
      member("description", answer.description)
      member("default", answer.fallback)
      member("schema")
      value(encoded: Array(answer.schema.utf8))
      endObject()
    }
    endObject()
  }
}
