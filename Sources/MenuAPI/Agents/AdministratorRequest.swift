import JSONText
import MenuEngine
import MicroHTTP

/// The request of the API that an administrator's tool performs.
enum AdministratorRequest: Sendable {
  case get(String)
  case post(String, JSON)
  case delete(String)
  /// A search for commands in the catalogue; no route performs it.
  case search(CommandSearch)

  func answer(_ call: Call) throws(Problem) -> Response {
    switch self {
    case .get(let path): try call.answer(.get, path)
    case .post(let path, let body): try call.answer(.post, path, body: body)
    case .delete(let path): try call.answer(.delete, path)
    case .search(let search): search.answer(call)
    }
  }

  /// The path of the complete answer; nil if the answer is not kept.
  var rest: String? { if case .get(let path) = self { path } else { nil } }
}
