import MenuEngine

extension Schemas {
  /// Responders and what they handle.
  static let responders: [(name: String, text: String)] = [
    (
      "Responder",
      ##"""
      {"type":"object","required":["kind"],"additionalProperties":false,
       "not":{"required":["supplementalTarget","supplementalTargetRule"]},"properties":{
        "kind":{"$ref":"#/components/schemas/ResponderKind"},
        "class":{"$ref":"#/components/schemas/Identifier"},
        "next":{"$ref":"#/components/schemas/ChainMember"},
        "superview":{"$ref":"#/components/schemas/Identifier"},
        "view":{"$ref":"#/components/schemas/Identifier"},
        "parent":{"$ref":"#/components/schemas/Identifier"},
        "presentingViewController":{"$ref":"#/components/schemas/Identifier"},
        "selectedViewController":{"$ref":"#/components/schemas/Identifier"},
        "rootViewController":{"$ref":"#/components/schemas/Identifier"},
        "windowScene":{"$ref":"#/components/schemas/Identifier"},
        "delegate":{"$ref":"#/components/schemas/Identifier"},
        "firstResponder":{"$ref":"#/components/schemas/Identifier"},
        "supplementalTarget":{"$ref":"#/components/schemas/Identifier"},
        "forwardingTarget":{"$ref":"#/components/schemas/Identifier"},
        "parentCoordinator":{"$ref":"#/components/schemas/Identifier"},
        "continuation":{"$ref":"#/components/schemas/Identifier"},
        "properties":{"type":"object"},
        "canBecomeFirstResponder":{"$ref":"#/components/schemas/BoolRule"},
        "canResignFirstResponder":{"$ref":"#/components/schemas/BoolRule"},
        "viewControllers":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"},
          "description":"The children of a container in order: a stack from the bottom to the top, tabs, columns."},
        "isCollapsed":{"type":"boolean","default":false},
        "canPerform":{"$ref":"#/components/schemas/CanPerform"},
        "handlers":{"$ref":"#/components/schemas/HandlerMap"},
        "keyCommands":{"$ref":"#/components/schemas/KeyCommandArray"},
        "coordinator":{"$ref":"#/components/schemas/Coordinator"},
        "catchAll":{"$ref":"#/components/schemas/CatchAll"},
        "supplementalTargetRule":{"$ref":"#/components/schemas/Rule"},
        "weight":{"type":"integer","default":0},
        "proxied":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "proxiedSelectors":{"$ref":"#/components/schemas/ProxiedSelectors"},
        "coordinating":{"$ref":"#/components/schemas/Coordinating"},
        "lateResponders":{"$ref":"#/components/schemas/LateRegistry"},
        "undoManager":{"$ref":"#/components/schemas/UndoManagerDeclaration"},
        "userActivity":{"$ref":"#/components/schemas/UserActivity"},
        "touchBar":{"$ref":"#/components/schemas/TouchBar"},
        "observes":{"type":"array","items":{"$ref":"#/components/schemas/Observation"}},
        "storyboard":{"$ref":"#/components/schemas/Identifier"},
        "scene":{"$ref":"#/components/schemas/Identifier"},
        "isInstance":{"type":"boolean","default":false,
          "description":"True if the session made it, so that it goes when nothing holds it any more; without it a responder is the front end's to remove."},
        "owner":{"$ref":"#/components/schemas/Identifier",
          "description":"The view controller that a view was made for, and goes with."}}}
      """##
    ),
    (
      "ResponderKind",
      #"""
      {"enum":["application","delegate","scene","window","viewController","view", "responder"]}
      """#
    ),
    (
      "Classes",
      ##"""
      {"type":"object","required":["catalogRevision","classes"],"properties":{
        "catalogRevision":{"$ref":"#/components/schemas/Revision"},
        "classes":{"type":"array","items":{"title":"ResponderClass","type":"object",
         "required":["name","superclass","isBuiltIn","methods"],"properties":{
          "name":{"$ref":"#/components/schemas/Identifier"},
          "superclass":{"$ref":"#/components/schemas/OptionalIdentifier"},
          "isBuiltIn":{"type":"boolean"},
          "delegateProtocol":{"$ref":"#/components/schemas/Identifier"},
          "methods":{"type":"array","items":{"title":"Method","type":"object",
           "required":["selector"],"description":"A built-in method, or a declared one.",
           "properties":{"selector":{"$ref":"#/components/schemas/Selector"},
            "builtIn":{"enum":[\##(builtInMethods)]},
            "handler":{"$ref":"#/components/schemas/Handler"}}}},
          "keyCommands":{"$ref":"#/components/schemas/KeyCommandArray"}}}}}}
      """##
    ),
    (
      "CanPerform",
      ##"""
      {"type":"object","description":"Rules by action that say whether it can be performed, whoever implements it.",
       "propertyNames":{"$ref":"#/components/schemas/Selector"},
       "additionalProperties":{"$ref":"#/components/schemas/BoolRule"}}
      """##
    ),
    (
      "CatchAll",
      ##"""
      {"type":"object","required":["selector"],"additionalProperties":false,"properties":{
        "selector":{"$ref":"#/components/schemas/Selector"},
        "accepts":{"type":"array","items":{"$ref":"#/components/schemas/Selector"},
          "description":"The messages it takes; all when absent."}}}
      """##
    ),
    ("Forwarding", #"{"enum":["catchAll","explicit"],"default":"catchAll"}"#),
    (
      "Coordinator",
      ##"""
      {"type":"object","additionalProperties":false,"properties":{
        "forwarding":{"$ref":"#/components/schemas/Forwarding"},
        "handlers":{"type":"object",
          "propertyNames":{"$ref":"#/components/schemas/Selector"},
          "additionalProperties":{"$ref":"#/components/schemas/CoordinatedHandler"}}}}
      """##
    ),
    (
      "ResponderMap",
      ##"""
      {"type":"object","propertyNames":{"$ref":"#/components/schemas/Identifier"},
       "additionalProperties":{"$ref":"#/components/schemas/Responder"}}
      """##
    ),
    (
      "HandlerMap",
      ##"""
      {"type":"object","propertyNames":{"$ref":"#/components/schemas/Selector"},
       "additionalProperties":{"$ref":"#/components/schemas/Handler"}}
      """##
    ),
    (
      "Responders",
      session(
        requiring: "responders",
        ##"""
        "responders":{"$ref":"#/components/schemas/ResponderMap"}
        """##)
    ),
    (
      "ResponderAnswer",
      session(
        requiring: "id responder",
        ##"""
        "id":{"$ref":"#/components/schemas/Identifier"},
        "responder":{"$ref":"#/components/schemas/Responder"},
        "topViewController":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "selectedViewController":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "presentedViewController":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "childCoordinators":{"type":"object","description":"The children of a coordinator by identifier.",
         "propertyNames":{"$ref":"#/components/schemas/Identifier"},
         "additionalProperties":{"$ref":"#/components/schemas/Identifier"}}
        """##)
    ),
    (
      "Handlers",
      session(
        requiring: "responder handlers",
        ##"""
        "responder":{"$ref":"#/components/schemas/Identifier"},
        "handlers":{"$ref":"#/components/schemas/HandlerMap"}
        """##)
    ),
    (
      "HandlerAnswer",
      session(
        requiring: "responder selector handler",
        ##"""
        "responder":{"$ref":"#/components/schemas/Identifier"},
        "selector":{"$ref":"#/components/schemas/Selector"},
        "handler":{"$ref":"#/components/schemas/Handler"}
        """##)
    ),
    (
      "Registrations",
      session(
        requiring: "responder forwarding registrations",
        ##"""
        "responder":{"$ref":"#/components/schemas/Identifier"},
        "forwarding":{"$ref":"#/components/schemas/Forwarding"},
        "registrations":{"type":"array","items":{"title":"Registration","type":"object",
         "required":["token","selector","handler"],"properties":{
          "token":{"type":"integer"},"selector":{"$ref":"#/components/schemas/Selector"},
          "handler":{"$ref":"#/components/schemas/CoordinatedHandler"}}}}
        """##)
    ),
    (
      "RegistrationAnswer",
      session(
        requiring: "responder token selector handler",
        ##"""
        "responder":{"$ref":"#/components/schemas/Identifier"},
        "token":{"type":"integer"},"selector":{"$ref":"#/components/schemas/Selector"},
        "handler":{"$ref":"#/components/schemas/CoordinatedHandler"}
        """##)
    ),
    (
      "Registered",
      session(
        requiring: "token changes",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "token":{"type":"integer"},"changes":{"$ref":"#/components/schemas/Changes"},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "RegistrationRequest",
      ##"""
      {"type":"object","required":["selector","handler"],"additionalProperties":false,
       "properties":{"selector":{"$ref":"#/components/schemas/Selector"},
        "handler":{"$ref":"#/components/schemas/CoordinatedHandler"}}}
      """##
    ),
    (
      "RegistrationChange",
      ##"""
      {"type":"object","additionalProperties":false,
       \##(atLeastOne(of: "selector", "handler")),
       "properties":{"selector":{"$ref":"#/components/schemas/Selector"},
        "handler":{"$ref":"#/components/schemas/CoordinatedHandler"}}}
      """##
    ),
  ]

  private static let builtInMethods = BuiltInMethod.allCases.map { "\"\($0.rawValue)\"" }
    .joined(separator: ",")
}
