public import JSONText

// Whatever a document describes, from a document in a program's text.

extension Responder {
  /// The responder that a document describes: `Responder("list", ["kind": "view"])`.
  ///
  /// - Throws: `DocumentFaults` with everything that is wrong.
  public init(_ id: ResponderID, _ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { Responder(id, reading: document, at: .root, log: $0) }
  }
}

extension SessionTemplate {
  /// The template that a document describes.
  ///
  /// - Throws: `DocumentFaults` with everything that is wrong.
  public init(_ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { SessionTemplate(reading: document, at: .root, log: $0) }
  }
}

extension Handler {
  /// The handler that a document describes: `Handler(["perform": []])`.
  ///
  /// - Throws: `DocumentFaults` with everything that is wrong.
  public init(_ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { Handler(reading: document, at: .root, log: $0) }
  }
}

extension Command {
  /// The command that a document describes: `Command(["title": "Copy", "action": "copy:"])`.
  ///
  /// - Throws: `DocumentFaults` with everything that is wrong.
  public init(_ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { Command(reading: document, at: .root, log: $0) }
  }
}
