import JSONText

extension MemberType where Value == SceneReference {
  /// A scene of a storyboard, in two members.
  static var scene: MemberType {
    MemberType(
      [
        MemberDescription("storyboard", "Identifier", isRequired: true, about: "The storyboard."),
        MemberDescription("scene", "Identifier", isRequired: true, about: "The scene."),
      ],
      read: { reader in
        let storyboard: StoryboardName? = reader.required("storyboard", Read.identifier)
        let scene: SceneName? = reader.required("scene", Read.identifier)
        guard let storyboard, let scene else { return nil }
        return SceneReference(storyboard: storyboard, scene: scene)
      },
      write: {
        [
          ("storyboard", .string($0.storyboard.rawValue)), ("scene", .string($0.scene.rawValue)),
        ]
      })
  }
}

extension MemberType where Value == SegueRequest.Trigger {
  static var segueTrigger: MemberType {
    MemberType("SegueTrigger", read: Read.word, write: { .string($0.rawValue) })
  }
}

extension MemberType where Value == SegueRequest {
  /// A segue to perform, in several members.
  static var segueRequest: MemberType {
    MemberType(
      [
        MemberDescription(
          "identifier", "Identifier", isRequired: true, about: "The identifier of the segue."),
        MemberDescription(
          "source", "Identifier", isRequired: true, about: "The view controller that has it."),
        MemberDescription("by", "SegueTrigger", about: "The trigger: the user, or the program."),
        MemberDescription("sender", "Sender", about: "The sender."),
        MemberDescription("id", "Identifier", about: "The id of the destination."),
        MemberDescription("when", "Time", about: "When it is performed. The default is now."),
      ],
      read: { SegueRequest(&$0, $0.required("identifier", Read.identifier)) }, write: \.members,
      dated: { request, time in
        var dated = request
        dated.when = request.when ?? time
        return dated
      })
  }
}

extension MemberType where Value == UnwindRequest {
  /// A way back to take, in several members.
  static var unwindRequest: MemberType {
    MemberType(
      [
        MemberDescription("action", "Selector", isRequired: true, about: "The unwind action."),
        MemberDescription("source", "Identifier", isRequired: true, about: "The view controller."),
        MemberDescription("sender", "Sender", about: "The sender."),
        MemberDescription("when", "Time", about: "When it is done. The default is now."),
      ], read: { UnwindRequest(&$0) }, write: \.members,
      dated: { request, time in
        var dated = request
        dated.when = request.when ?? time
        return dated
      })
  }
}
