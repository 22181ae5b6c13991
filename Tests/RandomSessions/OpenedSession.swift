import JSONText

@testable import MenuEngine

/// A catalogue and a session that begins under it, made from documents.
struct OpenedSession {
  var catalog: Catalog
  var session: Session
  /// The beginning of the session.
  let template: SessionTemplate

  init(_ parts: [CatalogDocument.Part: JSON], opening document: JSONObject) throws {
    catalog = try CatalogDocument(parts).catalog()
    template = try FaultLog.collecting {
      SessionTemplate(reading: .object(document), at: .root, log: $0)
    }
    session = try Session("s", opening: template, in: catalog)
  }
}

extension JSON {
  /// A handler that appends a mark to `/log`.
  static func logging(_ mark: String) -> JSON { noting("'\(mark)'") }

  /// A handler that appends the value of a rule to `/log`.
  static func noting(_ rule: String) -> JSON {
    ["perform": [["op": "add", "path": "/log/-", "value": .string(rule)]]]
  }

  /// A handler that answers the value of a rule.
  static func answering(_ rule: String) -> JSON {
    ["perform": [["op": "answer", "value": .string(rule)]]]
  }
}
