import MenuEngine

extension Schemas {
  /// Sessions as a whole.
  static let sessions: [(name: String, text: String)] = [
    (
      "SessionOpening",
      ##"""
      {"type":"object","additionalProperties":false,"properties":{
        "id":{"$ref":"#/components/schemas/Identifier"},
        "template":{"type":"boolean","default":true,
          "description":"Whether what is not given here is as in the catalogue's template."},
        "state":{"type":"object"},
        "responders":{"$ref":"#/components/schemas/ResponderMap"},
        "firstResponder":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "keyWindow":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "mainWindow":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "modalWindow":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "search":{"$ref":"#/components/schemas/Search"},
        "presenter":{"$ref":"#/components/schemas/Presenter"},
        "undoManager":{"$ref":"#/components/schemas/UndoManagerDeclaration"},
        "launch":{"oneOf":[{"$ref":"#/components/schemas/Launch"},{"type":"null"}]},
        "registrations":{"$ref":"#/components/schemas/RegistrationTokens"},
        "undo":{"$ref":"#/components/schemas/SessionUndo"},
        "messages":{"$ref":"#/components/schemas/SessionMessages"}}}
      """##
    ),
    (
      "Session",
      session(
        requiring: """
          state firstResponder keyWindow mainWindow modalWindow search presenter undoManager \
          responders registrations undo messages
          """,
        ##"""
        "state":{"type":"object"},
        "firstResponder":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "keyWindow":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "mainWindow":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "modalWindow":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "search":{"$ref":"#/components/schemas/Search"},
        "presenter":{"$ref":"#/components/schemas/Presenter"},
        "undoManager":{"$ref":"#/components/schemas/UndoManagerDeclaration"},
        "responders":{"$ref":"#/components/schemas/ResponderMap"},
        "registrations":{"$ref":"#/components/schemas/RegistrationTokens"},
        "undo":{"$ref":"#/components/schemas/SessionUndo"},
        "messages":{"$ref":"#/components/schemas/SessionMessages"},
        "token":{"type":"string","description":"With which the session is asked; only when it is opened, and only where tokens are asked for."},
        "steps":{"type":"array","items":{"$ref":"#/components/schemas/LaunchStep"},
         "description":"What the launch did; only when the session is opened with one."},
        "events":{"$ref":"#/components/schemas/Events"}
        """##)
    ),
    (
      "Sessions",
      ##"""
      {"type":"object","required":["total","sessions"],"properties":{
        "total":{"type":"integer","minimum":0,"description":"The number of open sessions."},
        "sessions":{"type":"array","items":{"title":"SessionSummary","type":"object",
          "required":["session","revision","firstResponder","search","queuedMessages","holdings"],
          "properties":{
           "session":{"$ref":"#/components/schemas/Identifier"},
           "revision":{"$ref":"#/components/schemas/Revision"},
           "firstResponder":{"$ref":"#/components/schemas/OptionalIdentifier"},
           "search":{"$ref":"#/components/schemas/Search"},
           "queuedMessages":{"type":"integer","minimum":0},
           "holdings":{"title":"Holdings","type":"object","required":[\##(holdings)],
            "description":"How much of each kind there is of what limits bound; sizes are in values and bytes.",
            "properties":{\##(holdingProperties)}}}}},
        "next":{"type":"string","description":"Where the next page is, unless this is the last."}}}
      """##
    ),
    (
      "RegistrationTokens",
      #"""
      {"type":"object","description":"The tokens of registrations: by the hosts of coordinators, then by selectors. A session that is opened with them begins with new ones.",
       "additionalProperties":{"type":"object","additionalProperties":{"type":"integer","minimum":0}}}
      """#
    ),
    (
      "SessionUndo",
      ##"""
      {"type":"object","required":["session","responders"],"additionalProperties":false,
       "description":"The undo managers. A session that is opened with them begins with nothing to undo.",
       "properties":{"session":{"$ref":"#/components/schemas/UndoStacks"},
        "responders":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/UndoStacks"}}}}
      """##
    ),
    (
      "SessionMessages",
      ##"""
      {"type":"array","items":{"$ref":"#/components/schemas/WaitingMessage"},
       "description":"The messages that wait. A session that is opened with them begins without."}
      """##
    ),
    (
      "Search",
      #"""
      {"enum":["uikit","appkit"],"default":"uikit","description":"How targets are searched for: along the chain, or in the key and the main window."}
      """#
    ),
    (
      "Presenter",
      #"""
      {"enum":["receiver","root"],"default":"receiver","description":"Who presents what no container shows: the view controller that was asked to show it, or the root of its window."}
      """#
    ),
    (
      "Changed",
      session(
        requiring: "changes",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "changes":{"$ref":"#/components/schemas/Changes"},
        "events":{"$ref":"#/components/schemas/Events"},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "Changes",
      ##"""
      {"type":"array","items":{"$ref":"#/components/schemas/Change"},
       "description":"Whoever applies them in order to the session's document has the next one, to the byte. A change with `op` is an operation of a JSON Patch on the document, `state` one on its member `state`; a member that it adds stands at `position`, or behind the others of its object. `mergedState` has a JSON Merge Patch for `state`, `properties` one for the responder's. `firstResponder`, `keyWindow`, `mainWindow` and `modalWindow` replace these members. `responder`, `handler` and `keyCommands` set what stands under their names by `value`, `responderRemoved` and `handlerRemoved` remove it. `registration` sets the handler of the host's coordinator by `value` and its token in `registrations` by `token`, each behind the others; `registrationRemoved` removes both, unless the selector has another token by then. `messageQueue` takes `removed` messages from the front and adds `added` at the end. The others say why. Members stand where they are added, but those of a responder in the order of the schema `Responder`, without `keyCommands` when there are none, and its handlers by selector."}
      """##
    ),
    (
      "Change",
      ##"""
      {"type":"object","required":["change"],"properties":{
        "change":{"title":"ChangeKind","enum":["state","mergedState","firstResponder","keyWindow","mainWindow","modalWindow","responder",
          "responderRemoved","linkCleared","properties","handler","handlerRemoved","registration",
          "registrationRemoved","keyCommands","lateResponders","registryRemoved",
          "viewControllers","selectedViewController","superview","presented","dismissed",
          "isCollapsed","isStarted","undoManager","messageQueue","link","document"]},
        "count":{"type":"integer","minimum":0},
        "removed":{"type":"integer","minimum":1,"description":"How many of the first messages are gone."},
        "added":{"type":"array","items":{"$ref":"#/components/schemas/WaitingMessage"}},
        "position":{"type":"integer","minimum":0,"description":"Where the member that is added stands among those of its object; behind all others when absent."},
        "responder":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "window":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "selector":{"$ref":"#/components/schemas/Selector"},
        "token":{"type":"integer"},"patch":{},
        "op":{"type":"string"},"path":{"type":"string"},"from":{"type":"string"},"value":{},
        "link":{"type":"string"},
        "destination":{"$ref":"#/components/schemas/ChainMember"},
        "lateResponders":{"type":"array",
          "items":{"$ref":"#/components/schemas/Identifier"}},
        "viewControllers":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"}},
        "viewController":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "superview":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "presentingViewController":{"$ref":"#/components/schemas/Identifier"},
        "isCollapsed":{"type":"boolean"},"isStarted":{"type":"boolean"}}}
      """##
    ),
    (
      "FirstResponder",
      session(
        requiring: "responder",
        ##"""
        "responder":{"$ref":"#/components/schemas/OptionalIdentifier"}
        """##)
    ),
    (
      "FirstResponderChanged",
      session(
        requiring: "responder changes",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "responder":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "changes":{"$ref":"#/components/schemas/Changes"},
        "events":{"$ref":"#/components/schemas/Events"},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "FirstResponderRequest",
      ##"""
      {"type":"object","required":["responder"],"additionalProperties":false,"properties":{
        "responder":{"$ref":"#/components/schemas/OptionalIdentifier"}}}
      """##
    ),
    (
      "WindowChanged",
      session(
        requiring: "window changes",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "window":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "changes":{"$ref":"#/components/schemas/Changes"},
        "events":{"$ref":"#/components/schemas/Events"},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "WindowRequest",
      ##"""
      {"type":"object","required":["window"],"additionalProperties":false,"properties":{
        "window":{"$ref":"#/components/schemas/OptionalIdentifier"}}}
      """##
    ),
  ]

  private static let holdings = Holding.allCases.map { "\"\($0.rawValue)\"" }
    .joined(separator: ",")

  private static let holdingProperties = Holding.allCases
    .map { "\"\($0.rawValue)\":{\"type\":\"integer\"}" }.joined(separator: ",")

  /// An answer about a session, with these properties beside its id and revision.
  ///
  /// - Parameter required: The names of those that are always there, between spaces.
  static func session(requiring required: String = "", _ properties: String) -> String {
    let names = "session revision \(required)".split(separator: " ").map { "\"\($0)\"" }
    return ##"""
      {"type":"object","required":[\##(names.joined(separator: ","))],"properties":{
        "session":{"$ref":"#/components/schemas/Identifier"},
        "revision":{"$ref":"#/components/schemas/Revision"},
        \##(properties)}}
      """##
  }
}
