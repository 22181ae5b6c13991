import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The instance handlers of a responder.
enum HandlerRoutes {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/responders/{responder}/handlers", needing: .read,
      id: "listHandlers", "A responder's own handlers; those of its classes are not among them.",
      answers: .tagged("Handlers", "The handlers."), problems: [.unknownResponder],
      answeredBy: list),
    Route(
      .put, at: "/sessions/{session}/responders/{responder}/handlers/{selector}", needing: .declare,
      id: "putHandler", "Adds a handler, or replaces it.",
      body: .json("Handler", #"{"validate":{"enabled":"size(state.photos) > 0"},"perform":[]}"#),
      answers: [
        .created("Changed", "It is new.", headers: ["Location", "ETag"]),
        .ok("Changed", "It was replaced.", headers: ["ETag"]),
      ],
      problems: [.invalidName, .unknownResponder], answeredBy: put),
    Route(
      .get, at: "/sessions/{session}/responders/{responder}/handlers/{selector}", needing: .read,
      id: "getHandler", "A handler.", answers: .tagged("HandlerAnswer", "The handler."),
      problems: [.unknownResponder, .unknownHandler], answeredBy: get),
    Route(
      .delete, at: "/sessions/{session}/responders/{responder}/handlers/{selector}",
      needing: .declare, id: "removeHandler", "Removes a handler.",
      answers: [.ok("Changed", "It is gone.", headers: ["ETag"])],
      problems: [.unknownResponder, .unknownHandler, .delegateRefused], answeredBy: delete),
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let responder = try call.responder(in: snapshot)
    return call.answer(about: snapshot) { writer in
      writer.member("responder", responder.id.rawValue)
      writer.member("handlers")
      writer.beginObject()
      for (selector, handler) in responder.handlers.sorted(by: { $0.key.precedes($1.key) }) {
        writer.member(selector.rawValue, handler.json)
      }
      writer.endObject()
    }
  }

  private static func get(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let responder = try call.responder(in: snapshot)
    guard let selector = Selector(call.parameters[2]), let handler = responder.handlers[selector]
    else { throw unknownHandler(call) }
    return call.answer(about: snapshot) { writer in
      writer.member("responder", responder.id.rawValue)
      writer.member("selector", selector.rawValue)
      writer.member("handler", handler.json)
    }
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let id = try call.responderID
    let selector = try call.selector(2)
    let json = try call.json()
    let handler = try call.document { Handler(reading: json, at: .root, log: $0) }
    let path = "/sessions/\(try call.session)/responders/\(id)/handlers/\(selector)"
    return try call.apply(
      .putHandler(handler, for: selector, of: id),
      created: { ($0.graph[id]?.handlers[selector] == nil, path) }, at: { _ in nil })
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let id = try call.responderID
    guard let selector = Selector(call.parameters[2]) else { throw unknownHandler(call) }
    return try call.apply(.removeHandler(for: selector, of: id), at: { _ in nil })
  }

  private static func unknownHandler(_ call: Call) -> Problem {
    Problem(
      .unknownHandler,
      "The responder \(quoted(call.parameters[1])) has no handler of its own for "
        + "\(quoted(call.parameters[2])).")
  }
}

extension Selector {
  /// True if it comes first in byte order.
  func precedes(_ other: Selector) -> Bool {
    rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8)
  }
}
