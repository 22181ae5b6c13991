import JSONText
import MenuEngine
import MicroHTTP

/// A request of the API that a tool of the administrator's side stands for.
enum AdministratorRequest: Sendable {
  case get(String)
  case post(String, JSON)
  case delete(String)
  /// A search for commands in the catalogue, which no route answers.
  case search(CommandSearch)

  /// Answers it within a call.
  func answer(_ call: Call) throws(Problem) -> Response {
    switch self {
    case .get(let path): try call.answer(.get, path)
    case .post(let path, let body): try call.answer(.post, path, body: body)
    case .delete(let path): try call.answer(.delete, path)
    case .search(let search): search.answer(call)
    }
  }

  /// The path where all of its answer can be read; nil if the answer is kept nowhere.
  var rest: String? { if case .get(let path) = self { path } else { nil } }
}
