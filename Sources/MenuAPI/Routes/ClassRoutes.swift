import JSONText
import MenuEngine
import MicroHTTP

/// The classes of responders, including the built-in ones (A2, A6).
enum ClassRoutes {
  static let all = [
    Route(
      .get, at: "/classes", needing: .read, id: "listClasses",
      "All classes of responders with the methods that they have of their own: the built-in ones, and then the declared ones in alphabetical order.",
      answers: .tagged("Classes", "The classes."), answeredBy: list)
  ]

  private static let builtIn = Set(ResponderClass.builtIn.map(\.name))

  private static func list(_ call: Call) throws(Problem) -> Response {
    let catalog = call.catalog
    return call.answer(about: catalog, "classes") { writer in
      writer.member("classes")
      writer.beginArray()
      for declared in catalog.classes.all {
        writer.value(declared, isBuiltIn: builtIn.contains(declared.name))
      }
      writer.endArray()
    }
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ declared: ResponderClass, isBuiltIn: Bool) {
    beginObject()
    member("name", declared.name.rawValue)
    member("superclass", declared.superclass)
    member("isBuiltIn", isBuiltIn)
    optionalMember("delegateProtocol", declared.delegateProtocol?.rawValue)
    member("methods")
    beginArray()
    for (selector, handler) in declared.handlers.sorted(by: { $0.key.precedes($1.key) }) {
      beginObject()
      member("selector", selector.rawValue)
      if let method = handler.builtIn {
        member("builtIn", method.rawValue)
      } else {
        member("handler", handler.json)
      }
      endObject()
    }
    endArray()
    if !declared.keyCommands.isEmpty {
      member("keyCommands", .array(declared.keyCommands.map(\.json)))
    }
    endObject()
  }
}
