extension Schemas {
  /// The members of the mutations of coordinators.
  static let coordinatorForms: [(op: String, required: [Member], optional: [Member])] =
    [
      "startCoordinator", "stopChildCoordinator", "stopCoordinator", "activateCoordinator",
      "takeoverCoordinator", "coordinatorDidFinish",
    ].map { ($0, [coordinator], []) }
    + ["coordinatorShow", "coordinatorRoot", "coordinatorTop"].map {
      ($0, [coordinator, ("viewController", "Identifier")], [])
    } + [
      (
        "startChildCoordinator", [coordinator, ("parentCoordinator", "Identifier")], []
      ), ("coordinatorPop", [coordinator], [("to", "Identifier")]),
    ]

  private static let coordinator: Member = ("coordinator", "Identifier")

  /// The triggers of going back in a navigation controller.
  static let pops: [(name: String, text: String)] = [
    (
      "PopTrigger",
      #"""
      {"enum":["user","code"],"default":"code",
       "description":"Who goes back: of the user, by the back button, its menu or a swipe, navigation coordinators hear."}
      """#
    ),
    (
      "CancelledSwipe",
      #"""
      {"type":"boolean","default":false,
       "description":"Only by the user: whether it was a swipe that was cancelled, so that nothing is popped."}
      """#
    ),
  ]
}
