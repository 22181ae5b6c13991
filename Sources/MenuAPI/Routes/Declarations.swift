import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The declarations of one kind in the catalogue, whose names are in the path of a request.
struct Declarations<Subject>: Sendable {
  /// The kind in sentences.
  let kind: String
  let holding: CatalogHolding
  /// The problem of a name that is not declared.
  let unknown: ProblemType
  /// The path of the list.
  let path: String
  let json: @Sendable (Catalog, Identifier<Subject>) -> JSON?
  let removal: @Sendable (Identifier<Subject>) -> CatalogMutation

  func get(_ call: Call) throws(Problem) -> Response {
    guard let declared = json(call.catalog, try name(in: call)) else {
      throw unknown(call.parameters[0])
    }
    return call.answer(declared: declared)
  }

  func delete(_ call: Call) throws(Problem) -> Response {
    let name = try name(in: call)
    return try call.changeCatalog(holding, part(name), by: removal(name)) { error, _ in
      Problem(error.fault)
    } answer: { _, _ in
      Response(status: .noContent)
    }
  }

  func part(_ name: Identifier<Subject>) -> CatalogPart {
    CatalogPart(title: "The \(kind) \(quoted(name))") { catalog in
      json(catalog, name).map { .declaration($0) }
    }
  }

  private func name(in call: Call) throws(Problem) -> Identifier<Subject> {
    guard let name = Identifier<Subject>(call.parameters[0]) else {
      throw unknown(call.parameters[0])
    }
    return name
  }

  func unknown(_ name: String) -> Problem {
    Problem(
      unknown,
      "There is no \(kind) \(quoted(name)); GET \(path) lists those that are declared.")
  }
}
