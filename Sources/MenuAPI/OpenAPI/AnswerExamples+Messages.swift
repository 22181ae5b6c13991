extension AnswerExamples {
  /// Messages, and who would get them.
  static let messages: [String: String] = [
    "resolveTarget.actor": #"""
    {"session":"demo","revision":10,"target":null,"reason":"noTarget",\#
    "trace":[{"asked":"photoHost","question":"respondsToSelector",\#
    "selector":"showDetailViewController:sender:","answer":true,"rule":"R3",\#
    "says":"R3: 'photoHost' responds to 'showDetailViewController:sender:': it or its class has a handler."},\#
    {"asked":"photoHost","question":"canPerformAction",\#
    "selector":"showDetailViewController:sender:","answer":true,"rule":"R4",\#
    "says":"R4: 'photoHost' can perform 'showDetailViewController:sender:'."},\#
    {"asked":"photoHost","question":"overrides","selector":"showDetailViewController:sender:",\#
    "answer":false,"rule":"A2",\#
    "says":"A2: 'photoHost' does not override 'showDetailViewController:sender:': its method is that of 'UIViewController'."},\#
    {"asked":"photoHost","question":"passOverCandidate",\#
    "selector":"showDetailViewController:sender:","answer":"notOverridden","rule":"A9",\#
    "says":"A9: 'photoHost' is passed over for 'showDetailViewController:sender:',\#
     since it does not override it."},{"asked":"photoHost","question":"parent",\#
    "selector":"showDetailViewController:sender:","answer":"root","rule":"A1",\#
    "says":"A1: 'photoHost' is in the container 'root'."},{"asked":"root",\#
    "question":"respondsToSelector","selector":"showDetailViewController:sender:",\#
    "answer":true,"rule":"R3",\#
    "says":"R3: 'root' responds to 'showDetailViewController:sender:': it or its class has a handler."},\#
    {"asked":"root","question":"canPerformAction",\#
    "selector":"showDetailViewController:sender:","answer":true,"rule":"R4",\#
    "says":"R4: 'root' can perform 'showDetailViewController:sender:'."},{"asked":"root",\#
    "question":"overrides","selector":"showDetailViewController:sender:","answer":false,\#
    "rule":"A2",\#
    "says":"A2: 'root' does not override 'showDetailViewController:sender:': its method is that of 'UIViewController'."},\#
    {"asked":"root","question":"passOverCandidate",\#
    "selector":"showDetailViewController:sender:","answer":"notOverridden","rule":"A9",\#
    "says":"A9: 'root' is passed over for 'showDetailViewController:sender:',\#
     since it does not override it."},{"asked":"root","question":"parent",\#
    "selector":"showDetailViewController:sender:","answer":null,"rule":"A1",\#
    "says":"A1: 'root' is in no container."},{"asked":"photoHost","question":"presenter",\#
    "selector":"showDetailViewController:sender:","answer":"photoHost","rule":"A4",\#
    "says":"A4: no container of 'photoHost' takes 'showDetailViewController:sender:',\#
     so 'photoHost' presents."}]}
    """#,
    "resolveTarget.coordinating": #"""
    {"session":"demo","revision":10,"target":null,"reason":"noTarget",\#
    "trace":[{"asked":"hostedView","question":"implements","selector":"photoDidChange:",\#
    "answer":false,"rule":"C2",\#
    "says":"C2: 'hostedView' is passed over for 'photoDidChange:': neither it nor its class implements it."},\#
    {"asked":"hostedView","question":"coordinatingNext","answer":{"responder":"photoHost",\#
    "link":"next"},"rule":"C1","says":"C1: after 'hostedView' the message goes to 'photoHost',\#
     its 'next'."},{"asked":"photoHost","question":"implements","selector":"photoDidChange:",\#
    "answer":false,"rule":"C2",\#
    "says":"C2: 'photoHost' is passed over for 'photoDidChange:': neither it nor its class implements it."},\#
    {"asked":"photoHost","question":"coordinatingNext","answer":{"responder":"root",\#
    "link":"parent"},"rule":"C1","says":"C1: after 'photoHost' the message goes to 'root',\#
     its 'parent'."},{"asked":"root","question":"implements","selector":"photoDidChange:",\#
    "answer":false,"rule":"C2",\#
    "says":"C2: 'root' is passed over for 'photoDidChange:': neither it nor its class implements it."},\#
    {"asked":"root","question":"coordinatingNext","answer":{"responder":"window",\#
    "link":"next"},"rule":"C1","says":"C1: after 'root' the message goes to 'window',\#
     its 'next'."},{"asked":"window","question":"implements","selector":"photoDidChange:",\#
    "answer":false,"rule":"C2",\#
    "says":"C2: 'window' is passed over for 'photoDidChange:': neither it nor its class implements it."},\#
    {"asked":"window","question":"coordinatingNext","answer":{"responder":"application",\#
    "link":"next"},"rule":"C1","says":"C1: after 'window' the message goes to 'application',\#
     its 'next'."},{"asked":"application","question":"implements",\#
    "selector":"photoDidChange:","answer":false,"rule":"C2",\#
    "says":"C2: 'application' is passed over for 'photoDidChange:': neither it nor its class implements it."},\#
    {"asked":"application","question":"coordinatingNext","answer":null,"rule":"C1",\#
    "says":"C1: after 'application' the coordinating chain ends."},{"asked":"hostedView",\#
    "question":"notHandled","selector":"photoDidChange:","answer":null,"rule":"C2",\#
    "says":"C2: nobody from 'hostedView' on handles 'photoDidChange:', which is no error."}]}
    """#,
    "sendMessage": #"""
    {"session":"phone","revision":3,"delivered":true,"reason":"delivered","receiver":"photos",\#
    "answer":null,"trace":[{"asked":"zoom","question":"implements","selector":"zoomDidChange:",\#
    "answer":false,"rule":"C2","says":"C2: 'zoom' is passed over for 'zoomDidChange:': neither it \#
    nor its class implements it."},{"asked":"zoom","question":"coordinatingNext",\#
    "answer":{"responder":"photos","link":"presentingViewController"},"rule":"C1",\#
    "says":"C1: after 'zoom' the message goes to 'photos', its 'presentingViewController'."},\#
    {"asked":"photos","question":"implements","selector":"zoomDidChange:","answer":true,\#
    "rule":"C2","says":"C2: 'photos' implements 'zoomDidChange:' and consumes it."},\#
    {"asked":"photos","question":"invoke","selector":"zoomDidChange:","answer":"zoomDidChange:",\#
    "rule":"F4","says":"F4: 'photos' runs its method 'zoomDidChange:'."}],"changes":[],"events":[]}
    """#,
    "sendMessage.delegate": #"""
    {"session":"phone","revision":4,"delivered":false,"reason":"notImplemented",\#
    "receiver":"photos","answer":null,"trace":[{"asked":"zoom","question":"messageDelegate",\#
    "selector":"zoomDidCancel:","answer":"photos","rule":"V7",\#
    "says":"V7: the delegate of 'zoom' is 'photos', to whom 'zoomDidCancel:' goes."},\#
    {"asked":"photos","question":"respondsToSelector","selector":"zoomDidCancel:",\#
    "answer":false,"rule":"R3",\#
    "says":"R3: 'photos' does not respond to 'zoomDidCancel:': neither it nor its class has a handler."}],\#
    "changes":[],"events":[]}
    """#,
    "sendMessage.queue": #"""
    {"session":"phone","revision":5,"delivered":false,"reason":"queued","receiver":null,\#
    "answer":null,"changes":[{"change":"messageQueue","count":1,\#
    "added":[{"message":"zoomDidChange:","from":"zoom","to":"chain",\#
    "when":"2026-11-21T08:33:20.123Z"}]}],"events":[]}
    """#,
    "getMessages": #"""
    {"session":"phone","revision":5,"messages":[{"message":"zoomDidChange:","from":"zoom",\#
    "to":"chain","when":"2026-11-21T08:33:20.123Z"}]}
    """#,
    "removeQueuedMessages": #"""
    {"session":"phone","revision":6,"changes":[{"change":"messageQueue","count":0,"removed":1}]}
    """#,
    "processMessages": #"""
    {"session":"phone","revision":6,"processed":[],"changes":[],"events":[]}
    """#,
  ]
}
