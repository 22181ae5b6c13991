package import JSONText

/// The question that a front end asks before a command is performed (W4), as in an alert.
public struct Confirmation: Equatable, Sendable, Codable {
  /// The question: "Delete three photos?".
  public var title: String
  /// The consequences: "You cannot undo this.". The default is none.
  public var message: String?
  /// The title of the button that performs the command. Without one, front ends use the item's title.
  public var button: String?
}

extension Confirmation {
  /// Reads a confirmation: `{"title": "Delete?", "message": "You cannot undo this.", "button": "Delete"}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let title = reader.required("title", Read.string)
    message = reader.member("message", Read.string)
    button = reader.member("button", Read.string)
    reader.finish()
    guard let title else { return nil }
    self.title = title
  }

  package var json: JSON {
    var object = JSONObject()
    object["title"] = .string(title)
    object["message"] = message.map(JSON.string)
    object["button"] = button.map(JSON.string)
    return .object(object)
  }
}
