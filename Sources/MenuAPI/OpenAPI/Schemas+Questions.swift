extension Schemas {
  /// Items, menus, targets and traces.
  static let questions: [(name: String, text: String)] = [
    ("Item", item("")),
    (
      "MenuItem",
      item(
        ##"""
        "key":{"$ref":"#/components/schemas/Key"},
        "alternates":{"type":"array","items":{"$ref":"#/components/schemas/MenuItem"},
         "description":"The item as it would be with the modifiers of each of its alternates held."},
        """##)
    ),
    (
      "Trace",
      ##"""
      {"type":"array","items":{"title":"TraceStep","type":"object","required":["asked","question","answer","rule",
        "says"],
        "properties":{"asked":{"$ref":"#/components/schemas/Asked"},
         "question":{"type":"string"},"selector":{"$ref":"#/components/schemas/Selector"},
         "answer":{},"rule":{"type":"string"},
         "says":{"type":"string","description":"The step as a sentence."},
         "explanation":{"type":"array","items":{"type":"string"},
          "description":"What made a rule false, a line for each condition."},
         "error":{"$ref":"#/components/schemas/RuleError"}}}}
      """##
    ),
    (
      "ValidationRequest",
      ##"""
      {"type":"object","required":["session"],"additionalProperties":false,
       "not":{"required":["commands","menu"]},"properties":{
        "session":{"$ref":"#/components/schemas/Identifier"},
        "commands":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"}},
        "menu":{"$ref":"#/components/schemas/Identifier"},
        "kind":{"type":"string","enum":["main","context"],"default":"main",
         "description":"How the menu is shown; only with `menu`."},
        "from":{"$ref":"#/components/schemas/Identifier"},
        "sender":{"$ref":"#/components/schemas/Sender"},
        "modifiers":{"$ref":"#/components/schemas/Modifiers"},
        "explain":{"type":"boolean","default":false}}}
      """##
    ),
    (
      "ValidationAnswer",
      session(
        requiring: "catalogRevision items",
        ##"""
        "catalogRevision":{"$ref":"#/components/schemas/Revision"},
        "items":{"type":"array","items":{"$ref":"#/components/schemas/Item"}}
        """##)
    ),
    (
      "SessionMenu",
      session(
        requiring: "catalogRevision menu",
        ##"""
        "catalogRevision":{"$ref":"#/components/schemas/Revision"},
        "menu":{"$ref":"#/components/schemas/ValidatedMenu"}
        """##)
    ),
    (
      "ValidatedMenu",
      ##"""
      {"type":"object","required":["identifier","title","options","enabled","children"],
       "properties":{
        "identifier":{"$ref":"#/components/schemas/Identifier"},
        "title":{"type":"string"},"image":{"type":"string"},
        "options":{"$ref":"#/components/schemas/MenuOptions"},
        "enabled":{"type":"boolean"},
        "children":{"type":"array","items":{"oneOf":[
          {"$ref":"#/components/schemas/MenuItem"},{"$ref":"#/components/schemas/ValidatedMenu"}]}},
        "leftOut":{"type":"array","items":{"$ref":"#/components/schemas/MenuItem"}}}}
      """##
    ),
    (
      "Diagnostics",
      session(
        requiring: """
          catalogRevision chain cycles detached unhandled unhandledAlternates \
          unhandledKeyCommands unhooked unreachableRegistries deadProxies ignoredDelegates \
          brokenDelegates coordinating shadowed keyConflicts allRulesTried failing
          """,
        ##"""
        "catalogRevision":{"$ref":"#/components/schemas/Revision"},
        "chain":{"type":"array","items":{"$ref":"#/components/schemas/ChainMember"}},
        "cycles":{"type":"array","items":{"type":"array",
          "items":{"$ref":"#/components/schemas/ChainMember"}}},
        "detached":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"}},
        "unhandled":{"type":"array","description":"Commands that have no action, or one that nobody can handle, whatever has focus.",
          "items":{"$ref":"#/components/schemas/Identifier"}},
        "unhandledAlternates":{"type":"array","items":{"type":"object",
         "required":["command","modifiers","action"],"properties":{
          "command":{"$ref":"#/components/schemas/Identifier"},
          "modifiers":{"$ref":"#/components/schemas/Modifiers"},
          "action":{"$ref":"#/components/schemas/Selector"}}}},
        "unhandledKeyCommands":{"type":"array","items":{"type":"object",
         "required":["responder","key","action"],"properties":{
          "responder":{"$ref":"#/components/schemas/Identifier"},
          "key":{"$ref":"#/components/schemas/Key"},
          "action":{"$ref":"#/components/schemas/Selector"}}}},
        "unhooked":{"type":"array","items":{"type":"object",
         "required":["host","unreachable"],"properties":{
          "host":{"$ref":"#/components/schemas/Identifier"},
          "unreachable":{"type":"array",
            "items":{"$ref":"#/components/schemas/ChainMember"}}}}},
        "unreachableRegistries":{"type":"array",
          "description":"Hosts of registries that no chain to the application passes.",
          "items":{"$ref":"#/components/schemas/Identifier"}},
        "deadProxies":{"type":"array","description":"Proxies whose responder is gone.",
          "items":{"$ref":"#/components/schemas/Identifier"}},
        "ignoredDelegates":{"type":"array",
          "description":"Delegates of the application that its chain does not go on to, since they are views or view controllers.",
          "items":{"$ref":"#/components/schemas/Identifier"}},
        "brokenDelegates":{"type":"array",
          "description":"Delegates from which a reload of the application took messages that their protocols require.",
          "items":{"type":"object","required":["responder","delegate","protocol","missing"],"properties":{
            "responder":{"$ref":"#/components/schemas/Identifier"},
            "delegate":{"$ref":"#/components/schemas/Identifier"},
            "protocol":{"$ref":"#/components/schemas/Identifier"},
            "missing":{"type":"array","items":{"$ref":"#/components/schemas/Selector"}}}}},
        "coordinating":{"type":"object","required":["cycles","cut","rootless","goneSenders","replaced","dead"],"properties":{
          "cycles":{"type":"array","items":{"type":"array",
          "items":{"$ref":"#/components/schemas/ChainMember"}}},
          "cut":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"},
            "description":"After whom the coordinating chain ends because what they belong to is no responder."},
          "rootless":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"},
            "description":"Coordinators without a root view controller."},
          "goneSenders":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"},
            "description":"Who sent messages that wait still, and is gone."},
          "replaced":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"},
            "description":"Coordinators in whose place another one with the same identifier was started."},
          "dead":{"type":"array",
           "description":"Coordinators that are started, but that nothing reaches.",
           "items":{"type":"object","required":["coordinator","reason"],"properties":{
            "coordinator":{"$ref":"#/components/schemas/Identifier"},
            "reason":{"enum":["noRootViewController","rootUnowned","parentNotStarted"]}}}}}},
        "shadowed":{"type":"array","items":{"type":"object",
         "required":["action","winner","shadowed"],"properties":{
          "action":{"$ref":"#/components/schemas/Selector"},
          "winner":{"$ref":"#/components/schemas/Receiver"},
          "shadowed":{"$ref":"#/components/schemas/Receiver"}}}},
        "keyConflicts":{"description":"As of GET /keys/conflicts; null when that would take too long.",
         "oneOf":[{"type":"array","items":{"$ref":"#/components/schemas/KeyConflict"}},
          {"type":"null"}]},
        "allRulesTried":{"type":"boolean","description":"Whether `failing` is complete; false when that would take too long."},
        "failing":{"type":"array","description":"Rules that fail as the state is now.",
         "items":{"type":"object","required":["receiver","always","error"],"properties":{
          "receiver":{"$ref":"#/components/schemas/Receiver"},
          "action":{"$ref":"#/components/schemas/Selector"},
          "command":{"$ref":"#/components/schemas/Identifier"},
          "always":{"type":"boolean","description":"Whether it fails whatever the state is: it reads nothing."},
          "error":{"$ref":"#/components/schemas/RuleError"}}}}
        """##)
    ),
    (
      "TargetRequest",
      ##"""
      {"type":"object","required":["session","action"],"additionalProperties":false,
       "description":"Searched is the chain of responders from the first responder on, that of actors from the view controller `from` up its containers, or the coordinating chain from `from` up containers and coordinators, which has no `sender`.",
       "if":{"required":["chain"],"properties":{"chain":{"enum":["actor","coordinating"]}}},
       "then":{"required":["from"]},
       "not":{"required":["chain","sender"],"properties":{"chain":{"const":"coordinating"}}},
       "properties":{
        "session":{"$ref":"#/components/schemas/Identifier"},
        "action":{"$ref":"#/components/schemas/Selector"},
        "chain":{"title":"SearchedChain","type":"string","default":"responder",
         "enum":["responder","actor","coordinating"]},
        "from":{"$ref":"#/components/schemas/Identifier"},
        "sender":{"$ref":"#/components/schemas/Sender"}}}
      """##
    ),
    (
      "Chain",
      session(
        requiring: "catalogRevision search isCyclic chain",
        ##"""
        "catalogRevision":{"$ref":"#/components/schemas/Revision"},
        "search":{"$ref":"#/components/schemas/Search"},
        "action":{"$ref":"#/components/schemas/Selector"},
        "target":{"$ref":"#/components/schemas/OptionalReceiver"},
        "proxied":{"$ref":"#/components/schemas/Identifier"},
        "isCyclic":{"type":"boolean"},
        "chain":{"type":"array","items":{"title":"ChainStep","type":"object",
         "required":["responder","kind","class"],"properties":{
          "responder":{"$ref":"#/components/schemas/Identifier"},
          "kind":{"$ref":"#/components/schemas/ResponderKind"},
          "class":{"$ref":"#/components/schemas/Identifier"},
          "answers":{"description":"Who would receive the action if this responder were asked: itself, or somebody in its place; null when it passes the action on.",
           "oneOf":[{"$ref":"#/components/schemas/Receiver"},{"type":"null"}]},
          "proxied":{"$ref":"#/components/schemas/Identifier"},
          "error":{"$ref":"#/components/schemas/RuleError"}}}}
        """##)
    ),
    (
      "TargetAnswer",
      session(
        requiring: "target reason trace",
        ##"""
        "target":{"$ref":"#/components/schemas/OptionalReceiver"},
        "proxied":{"$ref":"#/components/schemas/Identifier"},
        "reason":{"$ref":"#/components/schemas/Reason"},
        "error":{"$ref":"#/components/schemas/RuleError"},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
  ]

  /// An item, with these properties before.
  private static func item(_ properties: String) -> String {
    ##"""
    {"type":"object",
     "required":["command","title","enabled","state","attributes","target","reason"],
     "properties":{\##(properties)
      "command":{"$ref":"#/components/schemas/Identifier"},
      "title":{"type":"string"},
      "alternate":{"type":"object","required":["modifiers","action"],"properties":{
        "modifiers":{"$ref":"#/components/schemas/Modifiers"},
        "action":{"$ref":"#/components/schemas/Selector"}}},
      "subtitle":{"type":"string"},"image":{"type":"string"},
      "discoverabilityTitle":{"type":"string"},"enabled":{"type":"boolean"},
      "state":{"$ref":"#/components/schemas/State"},
      "attributes":{"$ref":"#/components/schemas/Attributes"},
      "target":{"$ref":"#/components/schemas/OptionalReceiver"},
      "proxied":{"$ref":"#/components/schemas/Identifier"},
      "reason":{"$ref":"#/components/schemas/Reason"},
      "error":{"$ref":"#/components/schemas/RuleError"},
      "lostSingleSelection":{"type":"boolean"},
      "trace":{"$ref":"#/components/schemas/Trace"}}}
    """##
  }
}
