extension AnswerExamples {
  /// Late responders, user activities and touch bars.
  static let lateResponders: [String: String] = [
    "listLateResponders": #"""
    {"session":"demo","revision":13,"host":"photoHost","hooksLast":true,"lateResponders":[]}
    """#,
    "registerLateResponder": #"""
    {"session":"demo","revision":14,"host":"photoHost","changes":[{"change":"lateResponders",\#
    "responder":"photoHost","lateResponders":["gridProxy"],"op":"replace",\#
    "path":"/responders/photoHost/lateResponders","value":{"hooksLast":true,\#
    "responders":["gridProxy"]}}]}
    """#,
    "getLateResponder": #"""
    {"session":"demo","revision":14,"host":"photoHost","responder":"gridProxy","weight":5,\#
    "proxied":"photoGrid","proxiedSelectors":["copy:"]}
    """#,
    "changeProxiedSelectors": #"""
    {"session":"demo","revision":15,"host":"photoHost","changes":[{"change":"document",\#
    "op":"replace","path":"/responders/gridProxy/proxiedSelectors","value":["copy:",\#
    "delete:"]}]}
    """#,
    "deregisterLateResponder": #"""
    {"session":"demo","revision":16,"host":"photoHost","changes":[{"change":"document","op":"add",\#
    "path":"/responders/gridProxy/next","value":"photoHost/late-last","position":2},\#
    {"change":"lateResponders","responder":"photoHost","lateResponders":[],\#
    "op":"replace","path":"/responders/photoHost/lateResponders",\#
    "value":{"hooksLast":true,"responders":[]}}]}
    """#,
    "getUserActivity": #"""
    {"session":"demo","revision":16,"catalogRevision":3,"responder":"root",\#
    "userActivity":{"activityType":"photos.browse","title":"Alps","userInfo":{}}}
    """#,
    "getTouchBar": #"""
    {"session":"demo","revision":16,"catalogRevision":3,"items":[{"identifier":"copy:",\#
    "responder":"root","title":"Copy Photo","item":{"command":"copy:","title":"Copy Photo",\#
    "enabled":true,"state":"off","attributes":[],"target":"photoGrid","reason":"enabled"}}]}
    """#,
  ]
}
