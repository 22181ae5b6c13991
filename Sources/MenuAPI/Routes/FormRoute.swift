import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The route for the present form of a command: its item, and the schema of its parameters (P4).
enum FormRoute {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/commands/{command}/form", needing: .items, id: "getForm",
      "The form of a command: its item, and the schema of its parameters with the present choices. Performing checks parameters against it.",
      query: [.modifiers, .from, .window], answers: .tagged("Form", "The form."),
      problems: [.unknownCommand, .tooMuchEffort], answeredBy: form)
  ]

  private static func form(_ call: Call) throws(Problem) -> Response {
    var request = ValidationRequest()
    request.from = try call.query.name("from")
    request.window = try call.query.name("window")
    request.modifiers = KeyModifiers(try call.query.words("modifiers"))
    request.actor = call.actor
    let snapshot = try call.snapshot()
    let name = call.parameters[1]
    guard let id = CommandID(name), snapshot.catalog.command(id) != nil else {
      throw CommandRoutes.declared.unknown(name)
    }
    do throws(MutationFault) {
      return try call.answer(about: snapshot, request.parameters(ofFormOf: id)) {
        [request] (writer) throws(MutationFault) in
        let form = try snapshot.session.form(of: id, request, in: snapshot.catalog)
        call.note(ruleErrors: form.faults.count + [form.item].ruleErrors)
        writer.members(of: form)
      }
    } catch {
      throw Problem(ofQuery: error)
    }
  }
}

extension ValidationRequest {
  /// Distinguishes the answers to different queries; a slash cannot occur in a name.
  fileprivate func parameters(ofFormOf id: CommandID) -> String {
    "form/\(id)/\(from?.rawValue ?? "")/\(window?.rawValue ?? "")/\(modifiers.rawValue)"
  }
}

extension JSONWriter {
  /// Writes the members of a form: those of its item, the schema, and the faults of its rules, if any.
  fileprivate mutating func members(of form: CommandForm) {
    members(of: form.item) { fault, writer in writer.value(fault) }
    member("schema", form.schema)
    guard !form.faults.isEmpty else { return }
    member("errors")
    beginArray()
    for fault in form.faults { value(fault) }
    endArray()
  }
}
