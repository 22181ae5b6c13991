extension AnswerExamples {
  /// Answers about keys.
  static let keys: [String: String] = [
    "resolveKey": #"""
    {"session":"demo","revision":11,"action":"applyFiveStarRating:","target":"photoGrid",\#
    "key":{"input":"5","modifiers":["command"]},"matches":[{"outcome":"chosen","rule":"K1",\#
    "command":"applyFiveStarRating:","title":"★★★★★","action":"applyFiveStarRating:",\#
    "declared":{"input":"5","modifiers":["command"]},"target":"photoGrid","reason":"enabled"}]}
    """#,
    "pressKey": #"""
    {"session":"demo","revision":12,"performed":true,"reason":"enabled",\#
    "command":"applyFiveStarRating:","action":"applyFiveStarRating:","target":"photoGrid",\#
    "invocation":{"target":"photoGrid","selector":"applyFiveStarRating:",\#
    "originalSelector":"applyFiveStarRating:","arguments":[{"kind":"key","input":"5",\#
    "modifiers":["command"],"id":"applyFiveStarRating:","title":"★★★★★",\#
    "action":"applyFiveStarRating:","attributes":[],"state":"off","key":{"input":"5",\#
    "modifiers":["command"]},"wantsPriorityOverSystemBehavior":false,\#
    "allowsAutomaticLocalization":true,"allowsAutomaticMirroring":true}],\#
    "command":"applyFiveStarRating:","sender":{"kind":"key","input":"5",\#
    "modifiers":["command"]},"when":"2026-11-21T08:33:20.123Z"},"key":{"input":"5",\#
    "modifiers":["command"]},"matches":[{"outcome":"chosen","rule":"K1",\#
    "command":"applyFiveStarRating:","title":"★★★★★","action":"applyFiveStarRating:",\#
    "declared":{"input":"5","modifiers":["command"]},"target":"photoGrid","reason":"enabled"}],\#
    "changes":[{"change":"state","op":"replace","path":"/rating","value":5}],\#
    "events":[{"event":"willSendAction","command":"applyFiveStarRating:",\#
    "action":"applyFiveStarRating:","target":"photoGrid"},{"event":"didSendAction",\#
    "command":"applyFiveStarRating:","action":"applyFiveStarRating:","target":"photoGrid",\#
    "performed":true}]}
    """#,
    "getKeyConflicts": #"""
    {"catalogRevision":3,"conflicts":[]}
    """#,
    "putKeyCommands": #"""
    {"session":"demo","revision":13,"changes":[{"change":"keyCommands","responder":"photoGrid",\#
    "value":[{"input":"UIKeyInputRightArrow","modifiers":[],"action":"applyFourStarRating:",\#
    "wantsPriorityOverSystemBehavior":false,"when":"size(state.selection) > 0"}]}]}
    """#,
    "getKeyCommands": #"""
    {"session":"demo","revision":13,"responder":"photoGrid",\#
    "keyCommands":[{"input":"UIKeyInputRightArrow","modifiers":[],\#
    "action":"applyFourStarRating:","wantsPriorityOverSystemBehavior":false,\#
    "when":"size(state.selection) > 0"}]}
    """#,
  ]
}
