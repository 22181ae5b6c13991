import MenuEngine

extension Schemas {
  /// The effects of handlers.
  static let effects: [(name: String, text: String)] = [
    ("Effect", union(of: OperationDescription.effects, called: "Effect")),
    (
      "Answers",
      #"""
      {"type":"boolean","default":false,
       "description":"Whether what it answers is what this message answers."}
      """#
    ),
    (
      "Queued",
      #"""
      {"type":"boolean","default":false,
       "description":"Whether the message waits until messages are processed."}
      """#
    ),
  ]
}
