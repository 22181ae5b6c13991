import JSONSchema
import JSONText
import MenuEngine
import MicroHTTP

/// A tool of the administrator's side: a request of the API, with the arguments that it takes.
struct AdministratorTool: Sendable {
  let name: String
  let title: String
  let description: String
  let effect: Effect
  /// The schema of the arguments.
  let schema: Schema
  /// The request that a call stands for.
  let request: @Sendable (ToolArguments) -> AdministratorRequest

  /// The ways in which a tool may change something.
  enum Effect: Sendable {
    /// It changes nothing.
    case none
    /// It adds something, and takes nothing away.
    case addition
    /// It takes something away, which cannot be done twice.
    case removal
    /// It does what the application declares: anything.
    case anything
  }

  init(
    _ name: String, _ title: String, description: String, effect: Effect = .none,
    arguments: String, request: @escaping @Sendable (ToolArguments) -> AdministratorRequest
  ) {
    self.name = name
    self.title = title
    self.description = description
    self.effect = effect
    self.request = request
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
      "annotations": effect.annotations,
    ]
  }
}

extension AdministratorTool.Effect {
  /// The effect as agents are told it; whatever is not there is unknown.
  fileprivate var annotations: JSON {
    switch self {
    case .none:
      ["readOnlyHint": true, "destructiveHint": false, "openWorldHint": false]
    case .addition:
      [
        "readOnlyHint": false, "destructiveHint": false, "idempotentHint": false,
        "openWorldHint": false,
      ]
    case .removal:
      [
        "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true,
        "openWorldHint": false,
      ]
    case .anything: ["readOnlyHint": false]
    }
  }
}
