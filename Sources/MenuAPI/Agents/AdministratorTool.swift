import JSONSchema
import JSONText
import MenuEngine
import MicroHTTP

/// A tool of the administrator's side: a request of the API, with the arguments that it takes.
struct AdministratorTool: Sendable {
  let name: String
  let title: String
  let description: String
  /// True if it changes nothing.
  let isReadOnly: Bool
  /// The schema of the arguments.
  let schema: Schema
  /// Answers a call by the request that it stands for.
  let answer: @Sendable (ToolArguments, Call) throws(Problem) -> Response

  init(
    _ name: String, _ title: String, description: String, isReadOnly: Bool = true,
    arguments: String, answer: @escaping @Sendable (ToolArguments, Call) throws(Problem) -> Response
  ) {
    self.name = name
    self.title = title
    self.description = description
    self.isReadOnly = isReadOnly
    self.answer = answer
    guard let document = try? JSON(parsing: arguments), let schema = try? Schema(document) else {
      preconditionFailure("The schema of the tool \(name) is none.")
    }
    self.schema = schema
  }

  /// The tool in a list.
  var json: JSON {
    [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "inputSchema": schema.document,
      "annotations": [
        "readOnlyHint": .bool(isReadOnly), "destructiveHint": .bool(!isReadOnly),
        "openWorldHint": false,
      ],
    ]
  }
}
