extension Schemas {
  /// Coordinators and the messages of the coordinating chain.
  static let coordinators: [(name: String, text: String)] = [
    (
      "Coordinating",
      ##"""
      {"type":"object","additionalProperties":false,
       "description":"What makes a responder of kind `responder` a coordinator.","properties":{
        "identifier":{"$ref":"#/components/schemas/Identifier"},
        "rootViewController":{"$ref":"#/components/schemas/Identifier"},
        "kind":{"enum":["coordinator","navigation"],"default":"coordinator"},
        "isResponder":{"type":"boolean","default":true},
        "isStarted":{"type":"boolean","default":false},
        "viewControllers":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"},
          "description":"The list of a navigation coordinator."}}}
      """##
    )
  ]
}
