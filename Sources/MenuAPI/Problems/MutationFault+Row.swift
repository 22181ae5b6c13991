import JSONText
package import MenuEngine

extension MutationFault: TabulatedFault {
  /// The row of the fault; the session is unchanged.
  package var row: FaultRow {
    switch self {
    case .unknownResponder(let id):
      FaultRow(
        .unresolvedReference, inPath: .unknownResponder,
        "The session has no responder \(quoted(id)).")
    case .link(let fault): fault.row
    case .focus(let fault): fault.row
    case .lateResponder(let fault): fault.row
    case .handler(let fault): fault.row
    case .command(let fault): fault.row
    case .message(let fault): fault.row
    case .effect(let fault): fault.row
    case .presentation(let fault): fault.row
    case .delegate(let fault): fault.row
    case .launch(let fault): fault.row
    case .launching(let fault): fault.row.within()
    case .storyboard(let fault): fault.row
    case .containment(let fault): fault.row
    case .coordination(let fault): fault.row
    case .stateIsNoObject: FaultRow(.invalidBody, "The state must be an object.")
    case .patch(let fault): FaultRow(.patchConflict, fault.description)
    case .tooLarge(let limit):
      FaultRow(
        .patchConflict,
        "The value is nested deeper than \(Limits.depth) levels, or has more than \(limit) values "
          + "and bytes of text; make it smaller.")
    case .unknownCommand(let id): CommandDeclarationFault.unknownCommand(id).row
    case .unknownMenu(let id): MenuDeclarationFault.unknownMenu(id).row
    case .undo(let fault): fault.row
    case .delivery(let fault): fault.row
    case .tooMuchEffort:
      FaultRow(
        .tooMuchEffort,
        "The request takes more than \(Limits.effort) steps; ask for less at once, or without "
          + "'explain'.")
    case .limitReached(let holding, let limit): FaultRow(.limitReached, holding.sentence(limit))
    case .inList(index: _, let fault) where fault.handlerToBlame != nil: fault.row.within()
    case .inList(let index, let fault):
      fault.row.within { "Mutation \(index) is refused, and with it all of them. \($0)" }
    }
  }
}
