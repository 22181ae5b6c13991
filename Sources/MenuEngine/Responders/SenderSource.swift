/// The source of a sender, which is made when a rule reads it; few do.
enum SenderSource {
  /// This one, or nothing.
  case sender(Sender?)
  /// The command at a position of the catalogue, as it is while modifiers are held, with what a request
  /// says besides.
  case command(Int, KeyModifiers, SenderDescription?)

  /// The sender's description in a request.
  var description: SenderDescription? {
    switch self {
    case .sender(let sender): sender?.description
    case .command(_, _, let description): description
    }
  }

  func sender(in catalog: Catalog) -> Sender? {
    switch self {
    case .sender(let sender): sender
    case .command(let position, let modifiers, let description):
      Sender(
        command: catalog.commands[position].whileHolding(modifiers), description: description)
    }
  }
}
