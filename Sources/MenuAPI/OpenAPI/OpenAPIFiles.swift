import JSONText

/// The parts of the OpenAPI document that are written as JSON, since they do not follow from routes and
/// types.
struct OpenAPIFiles {
  /// The document without what follows from routes: `openapi`, `info`, `tags`, and of `components`
  /// the header fields, their parameters and the security schemes.
  let document: JSONObject
  /// The parameters of paths by name.
  let pathParameters: JSONObject
  /// The parameters of queries by the names that they have in ``QueryParameter``.
  let queryParameters: JSONObject
  /// The messages that the engine sends by itself.
  let messages: JSON
  /// The schemas by name, each with its parts behind it.
  let schemas: [JSONObject.Member]
  /// An example of what each operation answers by the id of the operation, or by that and the name of the
  /// example of the body.
  ///
  /// They are what a service over the sample of the tests answers to the examples of the requests, one
  /// after the other; a test holds them to that.
  let answers: JSONObject

  /// Reads the files.
  init() {
    let files = EmbeddedFile.all
    func file(_ name: String) -> EmbeddedFile {
      guard let file = files.first(where: { $0.path == "OpenAPI/\(name).json" }) else {
        preconditionFailure("There is no \(name).json.")
      }
      return file
    }
    func members(under folder: String) -> [JSONObject.Member] {
      files.filter { $0.path.hasPrefix("OpenAPI/\(folder)/") }.flatMap(\.object.members)
    }
    document = file("document").object
    let parameters = file("parameters").object
    pathParameters = parameters.object("path")
    queryParameters = parameters.object("query")
    messages = file("messages").json
    schemas = members(under: "schemas")
    guard let answers = JSONObject(members(under: "examples")) else {
      preconditionFailure("An operation has two examples of its answer.")
    }
    self.answers = answers
  }
}

extension JSONObject {
  /// The object of this name, which is there.
  func object(_ name: String) -> JSONObject {
    guard case .object(let object)? = self[name] else { preconditionFailure("no \(name)") }
    return object
  }
}
