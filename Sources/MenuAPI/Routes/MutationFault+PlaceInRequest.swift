import JSONText
import MenuEngine

extension MutationFault {
  /// The member of a question or request that names the responder which is not there; nil when the
  /// fault is about something else.
  func placeOfResponder(
    from: ResponderID?, _ sender: SenderDescription?, to: Receiver?, window: ResponderID? = nil
  ) -> JSONPointer? {
    switch self {
    case .unknownResponder(let id) where id == window: JSONPointer.root.appending("window")
    case .notAWindow: JSONPointer.root.appending("window")
    case .unknownResponder(let id) where id == from: JSONPointer.root.appending("from")
    case .unknownResponder(let id) where id == to?.responder: JSONPointer.root.appending("to")
    case .unknownResponder(let id) where id == sender?.responder:
      JSONPointer.root.appending("sender").appending("responder")
    case .containment: JSONPointer.root.appending("from")
    case .unknownMenu: JSONPointer.root.appending("menu")
    case .noCoordinator: JSONPointer.root.appending("to")
    case .argumentCount: JSONPointer.root.appending("arguments")
    case .invalidParameters, .noParameters: JSONPointer.root.appending("parameters")
    default: nil
    }
  }
}
