import JSONText
import Testing

@testable import MenuEngine

extension Stage {
  /// The target of an action on the actor chain, or the reason why there is none.
  func actorTarget(_ action: Selector, from: ResponderID) throws -> String {
    let answer = try session.actorTarget(for: action, from: from, in: catalog)
    return answer.target?.description ?? answer.reason.rawValue
  }

  /// Returns the reasons why candidates are passed over: `list notOverridden`; the target comes
  /// last.
  func candidates(_ action: Selector, from: ResponderID) throws -> [String] {
    let answer = try session.actorTarget(for: action, from: from, in: catalog)
    let passedOver = answer.trace.steps.filter { $0.question == .passOverCandidate }.map {
      "\($0.asked) \(($0.answer.text()).filter { $0 != "\"" })"
    }
    return passedOver + [answer.target?.description].compactMap(\.self)
  }

  /// Sends a message to a responder, and answers what it answers.
  @discardableResult
  mutating func send(
    _ action: Selector, to id: ResponderID, _ arguments: [JSON]? = nil
  ) throws -> Outcome {
    try apply(
      .perform(ActionRequest(.action(action), to: .responder(id), arguments: arguments)))
  }

  /// Returns the answer to a message.
  mutating func answer(
    _ action: Selector, to id: ResponderID, _ arguments: [JSON]? = nil
  ) throws -> JSON? {
    try? send(action, to: id, arguments).performance?.invocation.result
  }

  /// Shows a view controller from another one.
  @discardableResult
  mutating func show(_ id: JSON, from: ResponderID) throws -> Outcome {
    try send(.show, to: from, [id, nil])
  }

  @discardableResult
  mutating func showDetail(_ id: JSON, from: ResponderID) throws -> Outcome {
    try send(.showDetail, to: from, [id, nil])
  }

  func children(of id: ResponderID) -> [ResponderID] {
    session.graph[id]?.viewControllers ?? []
  }

  func presenter(of id: ResponderID) -> ResponderID? {
    session.graph[id]?.links[.presentingViewController]
  }
}

/// A view controller's document.
func controller(_ className: String? = nil, _ children: JSON? = nil, _ more: JSONObject = [:])
  -> JSON
{
  var object: JSONObject = ["kind": "viewController"]
  object["class"] = className.map(JSON.string)
  object["viewControllers"] = children
  for member in more.members { object[member.name] = member.value }
  return .object(object)
}
