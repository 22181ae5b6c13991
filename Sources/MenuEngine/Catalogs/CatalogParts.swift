import JSONText

/// The contents of a catalogue, which copies share: catalogues are passed along by every request.
struct CatalogParts: Sendable {
  typealias Opening = (template: SessionTemplate?, graph: OpeningGraph?)

  var revision = 0
  var commands: [Command] = []
  var menus = Menu(
    identifier: Menu.rootIdentifier, title: "", image: nil, options: [], children: [])
  var changes: [CatalogChange] = []
  var leftOut: [CatalogChange.LeftOut] = []
  var tokens = GrantedTokens()
  var keymaps: [Keymap] = []
  var languages: CatalogLanguages?
  var contents: ApplicationContents?
  var protocols: [DelegateProtocol] = []
  var storyboards: [Storyboard] = []
  let classes: ResponderClasses
  let opening: Shared<Opening>
  var keyClaims: [KeyClaim] = []
  var positions: [CommandID: Int] = [:]
  var indexes = CatalogIndexes()
  var identities: [Command.Identity: CommandID] = [:]
  var keys: [KeyPlatform: [KeySequence: CommandID]] = [:]

  init(_ classes: ResponderClasses, _ template: SessionTemplate?) {
    self.classes = classes
    opening = Shared((template, OpeningGraph(template)))
  }

  /// Keeps the menus and contents of some commands, and removes all commands and the changes by clients.
  mutating func keep(_ isKept: (CommandID) -> Bool) {
    menus.keep(where: isKept)
    contents = contents?.limited(to: isKept)
    (commands, positions, keyClaims, identities, keys) = ([], [:], [], [:], [:])
    (changes, leftOut, tokens) = ([], [], GrantedTokens())
  }
}
