import CEL
import JSONText
import MenuEngine
import MicroHTTP

/// The state of a question to the user, which the client returns with the answer.
///
/// **Decision:** Like a plan, it is signed with the session's key, and nothing is stored until an answer arrives: so
/// it is valid on every replica, and after a restart. It is bound to the session's incarnation, the token, the tool
/// and its arguments, expires after `plans.lifetime`, and can be used once.
struct QuestionState {
  enum Subject: Equatable {
    /// Missing parameters.
    case parameters
    /// Confirmation of a plan's effects (W4).
    case confirmation(plan: String)
  }

  let subject: Subject
  /// The number of earlier attempts.
  let attempt: Int
  /// The record by which performing the answer is limited to once.
  let use: PlanUse
  let text: String

  /// Creates the state of a question.
  ///
  /// - Parameter earlier: The earlier state if the question is repeated, so that only one of all answers is accepted.
  ///   The default is none.
  init(
    _ subject: Subject, attempt: Int, about call: QuestionedCall, until expiry: Int64,
    under key: PlanKey, after earlier: QuestionState? = nil
  ) {
    (self.subject, self.attempt) = (subject, attempt)
    use = PlanUse(nonce: earlier?.use.nonce ?? .unguessable, expiry: expiry)
    let plan: JSON = if case .confirmation(let plan) = subject { .string(plan) } else { .null }
    let values: [JSON] = [
      Self.kind, .string(call.code(under: key)), .int(expiry), .int(Int64(attempt)),
      plan, .string(use.nonce),
    ]
    text = SignedText(values, under: key).text
  }

  /// Reads a state from a client, which can be any text.
  ///
  /// - Throws: An error if it was altered, is of another call, session or token, or has expired.
  init(
    _ text: String, about call: QuestionedCall, at now: Int64, under key: PlanKey?
  ) throws(JSONRPCError) {
    guard let signed = SignedText(text, maximumDepth: 4), signed.values.count == 6,
      signed.values[0] == Self.kind, case .string(let code) = signed.values[1],
      case .int(let expiry) = signed.values[2], case .int(let attempt) = signed.values[3],
      case .string(let nonce) = signed.values[5], let key, signed.isSigned(under: key)
    else { throw .unknownState }
    guard code.hasSameBytes(as: call.code(under: key)) else { throw .stateOfAnotherCall }
    guard now <= expiry else { throw .expiredState }
    switch signed.values[4] {
    case .string(let plan): subject = .confirmation(plan: plan)
    default: subject = .parameters
    }
    (self.attempt, self.text) = (Int(attempt), text)
    use = PlanUse(nonce: nonce, expiry: expiry)
  }

  private static let kind: JSON = "question"
}

/// The call that a question is about.
struct QuestionedCall {
  let session: SessionID
  /// The token of the request; nil if none is required.
  let token: String?
  /// The name of the tool, and its arguments as sent.
  let name: String
  let arguments: JSONObject

  /// Returns the code of the call, from which the token cannot be derived.
  fileprivate func code(under key: PlanKey) -> String {
    let parts: JSON = [
      .string(session.rawValue), .string(token ?? ""), .string(name),
      JSON.object(arguments).inOrder,
    ]
    return key.code(of: parts, as: "call")
  }
}

extension JSON {
  /// The value with members of objects sorted by name, so that equal values are written alike.
  fileprivate var inOrder: JSON {
    switch self {
    case .null, .bool, .int, .double, .string: return self
    case .array(let elements): return .array(elements.map(\.inOrder))
    case .object(let object):
      let members = object.members.map { JSONObject.Member(name: $0.name, value: $0.value.inOrder) }
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      return .object(JSONObject(members) ?? object)
    }
  }
}

extension JSONRPCError {
  fileprivate static let unknownState = invalidParams(
    "The 'requestState' is none of this session: it was altered or cut, or the session was opened anew. "
      + "Call the tool without it.")
  fileprivate static let stateOfAnotherCall = invalidParams(
    "The 'requestState' is of another call: the tool, its arguments and the token are those of the call that was "
      + "asked.")
  fileprivate static let expiredState = invalidParams(
    "The question has expired, and nothing was done. Call the tool without 'requestState'.")
  /// The error for an answer to a question that has been answered before.
  static let repeatedAnswer = invalidParams(
    "The question was answered before: what the first answer led to is not done again.")
}
