extension AnswerExamples {
  /// Questions and actions, and the health of the service.
  static let actions: [String: String] = [
    "resolveTarget": #"""
    {"session":"demo","revision":10,"target":"photoGrid","reason":"enabled",\#
    "trace":[{"asked":"photoGrid","question":"respondsToSelector",\#
    "selector":"applyFiveStarRating:","answer":true,"rule":"R3",\#
    "says":"R3: 'photoGrid' responds to 'applyFiveStarRating:': it or its class has a handler."},\#
    {"asked":"photoGrid","question":"canPerformAction","selector":"applyFiveStarRating:",\#
    "answer":true,"rule":"R4","says":"R4: 'photoGrid' can perform 'applyFiveStarRating:'."}]}
    """#,
    "validateCommands": #"""
    {"session":"demo","revision":10,"catalogRevision":3,\#
    "items":[{"command":"applyFiveStarRating:","title":"★★★★★","enabled":true,"state":"off",\#
    "attributes":[],"target":"photoGrid","reason":"enabled"},{"command":"copy:",\#
    "title":"Copy Photo","enabled":true,"state":"off","attributes":[],"target":"photoGrid",\#
    "reason":"enabled"}]}
    """#,
    "performCommand": #"""
    {"session":"demo","revision":11,"performed":true,"reason":"enabled",\#
    "command":"applyFiveStarRating:","action":"applyFiveStarRating:","target":"photoGrid",\#
    "invocation":{"target":"photoGrid","selector":"applyFiveStarRating:",\#
    "originalSelector":"applyFiveStarRating:","arguments":[{"kind":"menu",\#
    "id":"applyFiveStarRating:","title":"★★★★★","action":"applyFiveStarRating:","attributes":[],\#
    "state":"off","key":{"input":"5","modifiers":["command"]},\#
    "wantsPriorityOverSystemBehavior":false,"allowsAutomaticLocalization":true,\#
    "allowsAutomaticMirroring":true}],"command":"applyFiveStarRating:",\#
    "when":"2026-11-21T08:33:20.123Z"},"changes":[{"change":"state","op":"replace",\#
    "path":"/rating","value":5},{"change":"document","op":"replace",\#
    "path":"/undo/session/canUndo","value":true},{"change":"document","op":"replace",\#
    "path":"/undo/session/undoMenuItemTitle","value":"Undo ★★★★★"},{"change":"document",\#
    "op":"add","path":"/undo/session/undo/0","value":{"actionName":"★★★★★","actions":1}}],\#
    "events":[{"event":"willSendAction","command":"applyFiveStarRating:",\#
    "action":"applyFiveStarRating:","target":"photoGrid"},{"event":"didSendAction",\#
    "command":"applyFiveStarRating:","action":"applyFiveStarRating:","target":"photoGrid",\#
    "performed":true}],"trace":[{"asked":"photoGrid","question":"respondsToSelector",\#
    "selector":"applyFiveStarRating:","answer":true,"rule":"R3",\#
    "says":"R3: 'photoGrid' responds to 'applyFiveStarRating:': it or its class has a \#
    handler."},{"asked":"photoGrid","question":"canPerformAction",\#
    "selector":"applyFiveStarRating:","answer":true,"rule":"R4",\#
    "says":"R4: 'photoGrid' can perform 'applyFiveStarRating:'."},{"asked":"photoGrid",\#
    "question":"validate","answer":{"enabled":true,"checked":"off"},"rule":"M5",\#
    "says":"M5: 'photoGrid' validates the item: enabled true, checked \"off\"."},\#
    {"asked":"photoGrid","question":"invoke","selector":"applyFiveStarRating:",\#
    "answer":"applyFiveStarRating:","rule":"F4",\#
    "says":"F4: 'photoGrid' runs its method 'applyFiveStarRating:'."}]}
    """#,
    "checkRule": #"""
    {"ok":true,"value":true,"type":"bool","cost":4,"paths":["state.selection"]}
    """#,
    "mutate": #"""
    {"session":"demo","revision":10,"outcomes":[{"changes":[{"change":"mergedState",\#
    "patch":{"zoom":200}}]},{"changes":[]}]}
    """#,
    "getSessionMenu": #"""
    {"session":"demo","revision":10,"catalogRevision":3,"menu":{"identifier":"root",\#
    "title":"","options":[],"enabled":true,"children":[{"identifier":"edit",\#
    "title":"Edit","options":[],"enabled":true,"children":[{"command":"copy:",\#
    "title":"Copy Photo","enabled":true,"state":"off","attributes":[],\#
    "target":"photoGrid","reason":"enabled","key":{"input":"c",\#
    "modifiers":["command"]}},{"command":"delete:","title":"Delete","enabled":false,\#
    "state":"off","attributes":["disabled","destructive"],"target":"photoGrid",\#
    "reason":"ruleFalse"}]},{"identifier":"image","title":"Image","options":[],\#
    "enabled":true,"children":[{"identifier":"rating","title":"Rating",\#
    "options":["singleSelection"],"enabled":true,\#
    "children":[{"command":"applyFourStarRating:","title":"★★★★","enabled":true,\#
    "state":"off","attributes":[],"target":"photoGrid","reason":"enabled"},\#
    {"command":"applyFiveStarRating:","title":"★★★★★","enabled":true,"state":"off",\#
    "attributes":[],"target":"photoGrid","reason":"enabled","key":{"input":"5",\#
    "modifiers":["command"]}}]},{"identifier":"edit.1","title":"More","options":[],\#
    "enabled":true,"children":[{"command":"copy:","title":"Copy Photo","enabled":true,\#
    "state":"off","attributes":[],"target":"photoGrid","reason":"enabled",\#
    "key":{"input":"c","modifiers":["command"]}}]}]}]}}
    """#,
    "getDiagnostics": #"""
    {"session":"demo","revision":10,"catalogRevision":3,"chain":["photoGrid","rootView",\#
    "root","window","application"],"cycles":[],"detached":["gridProxy"],"unhandled":["separate"],\#
    "unhandledAlternates":[],"unhandledKeyCommands":[],"unhooked":[],\#
    "unreachableRegistries":[],"deadProxies":[],"ignoredDelegates":[],"brokenDelegates":[],\#
    "coordinating":{"cycles":[],\#
    "cut":[],"rootless":[],"goneSenders":[],"replaced":[],"dead":[]},"shadowed":[],"keyConflicts":[],\#
    "allRulesTried":true,"failing":[{"receiver":"photoGrid",\#
    "action":"paste:","command":"paste:","always":false,"error":{"rule":"state.clipboard.isOpen",\#
    "message":"no such key \"clipboard\"; the keys are \"rating\", \"selection\",\#
     \"photos\", \"zoom\", \"sortedBy\"","offset":0,"line":1,"column":1,\#
    "place":"validate/enabled"}}]}
    """#,
    "health": #"""
    {"status":"ok"}
    """#,
    "live": #"""
    {"status":"ok"}
    """#,
    "ready": #"""
    {"status":"ok"}
    """#,
  ]
}
