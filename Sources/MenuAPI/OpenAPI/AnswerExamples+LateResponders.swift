extension AnswerExamples {
  /// Late responders, user activities and touch bars.
  static let lateResponders: [String: String] = [
    "listLateResponders": #"""
    {"session":"demo","revision":19,"host":"photoHost","hooksLast":true,"lateResponders":[]}
    """#,
    "registerLateResponder": #"""
    {"session":"demo","revision":20,"host":"photoHost",\#
    "changes":[{"change":"lateResponders","responder":"photoHost",\#
    "lateResponders":["gridProxy"]}]}
    """#,
    "getLateResponder": #"""
    {"session":"demo","revision":20,"host":"photoHost","responder":"gridProxy","weight":5,\#
    "proxied":"photoGrid","proxiedSelectors":["copy:"]}
    """#,
    "changeProxiedSelectors": #"""
    {"session":"demo","revision":21,"host":"photoHost","changes":[]}
    """#,
    "deregisterLateResponder": #"""
    {"session":"demo","revision":22,"host":"photoHost",\#
    "changes":[{"change":"lateResponders","responder":"photoHost","lateResponders":[]}]}
    """#,
    "getUserActivity": #"""
    {"session":"demo","revision":22,"catalogRevision":3,"responder":"root",\#
    "userActivity":{"activityType":"photos.browse","title":"Alps","userInfo":{}}}
    """#,
    "getTouchBar": #"""
    {"session":"demo","revision":22,"catalogRevision":3,"items":[{"identifier":"copy:",\#
    "responder":"root","title":"Copy Photo","item":{"command":"copy:","title":"Copy Photo",\#
    "enabled":true,"state":"off","attributes":[],"target":"photoGrid","reason":"enabled"}}]}
    """#,
  ]
}
