extension AnswerExamples {
  /// Sessions and their responders.
  static let sessions: [String: String] = [
    "openSession": #"""
    {"session":"tablet","revision":0,"state":{"rating":0,"selection":["lake"],"photos":["lake",\#
    "owl"],"zoom":100,"sortedBy":null},"firstResponder":"photoGrid","keyWindow":"window",\#
    "mainWindow":null,"modalWindow":null,"search":"uikit","presenter":"receiver",\#
    "undoManager":{"levelsOfUndo":0},"responders":{"application":{"kind":"application",\#
    "class":"UIApplication","properties":{},"handlers":{}},"window":{"kind":"window",\#
    "class":"UIWindow","rootViewController":"root","properties":{},"handlers":{}},\#
    "root":{"kind":"viewController","class":"UIViewController","view":"rootView",\#
    "properties":{},"viewControllers":["photoHost"],"handlers":{},\#
    "userActivity":{"activityType":"photos.browse","title":"Alps","userInfo":{}},\#
    "touchBar":{"items":[{"identifier":"copy:","command":"copy:"},"otherItems"]}},\#
    "gridProxy":{"kind":"responder","class":"UIResponder","properties":{},"handlers":{},\#
    "weight":5,"proxied":"photoGrid","proxiedSelectors":["copy:"]},"rootView":{"kind":"view",\#
    "class":"UIView","properties":{},"handlers":{}},"photoGrid":{"kind":"view",\#
    "class":"PhotoGrid","superview":"rootView","properties":{},\#
    "handlers":{"copy:":{"validate":{"title":"'Copy Photo'"},"perform":[]}}},\#
    "photoHost":{"kind":"viewController","class":"UIViewController","view":"hostedView",\#
    "parent":"root","properties":{},"handlers":{},"coordinator":{"forwarding":"catchAll",\#
    "handlers":{"applyFiveStarRating:":{"perform":[{"op":"replace","path":"/rating",\#
    "value":"5"}]}}},"lateResponders":{"hooksLast":true,"responders":[]}},\#
    "hostedView":{"kind":"view","class":"UIView","superview":"rootView","properties":{},\#
    "handlers":{}}},"registrations":{"photoHost":{"applyFiveStarRating:":1}},\#
    "undo":{"session":{"levelsOfUndo":0,"canUndo":false,"undoMenuItemTitle":"Undo",\#
    "canRedo":false,"redoMenuItemTitle":"Redo","groupingLevel":0,\#
    "isUndoRegistrationEnabled":true,"preparedTarget":null,"undo":[],"redo":[]},\#
    "responders":{}},"messages":[]}
    """#,
    "getSession": #"""
    {"session":"demo","revision":0,"state":{"rating":0,"selection":["lake"],"photos":["lake",\#
    "owl"],"zoom":100,"sortedBy":null},"firstResponder":"photoGrid","keyWindow":"window",\#
    "mainWindow":null,"modalWindow":null,"search":"uikit","presenter":"receiver",\#
    "undoManager":{"levelsOfUndo":0},"responders":{"application":{"kind":"application",\#
    "class":"UIApplication","properties":{},"handlers":{}},"window":{"kind":"window",\#
    "class":"UIWindow","rootViewController":"root","properties":{},"handlers":{}},\#
    "root":{"kind":"viewController","class":"UIViewController","view":"rootView",\#
    "properties":{},"viewControllers":["photoHost"],"handlers":{},\#
    "userActivity":{"activityType":"photos.browse","title":"Alps","userInfo":{}},\#
    "touchBar":{"items":[{"identifier":"copy:","command":"copy:"},"otherItems"]}},\#
    "gridProxy":{"kind":"responder","class":"UIResponder","properties":{},"handlers":{},\#
    "weight":5,"proxied":"photoGrid","proxiedSelectors":["copy:"]},"rootView":{"kind":"view",\#
    "class":"UIView","properties":{},"handlers":{}},"photoGrid":{"kind":"view",\#
    "class":"PhotoGrid","superview":"rootView","properties":{},\#
    "handlers":{"copy:":{"validate":{"title":"'Copy Photo'"},"perform":[]}}},\#
    "photoHost":{"kind":"viewController","class":"UIViewController","view":"hostedView",\#
    "parent":"root","properties":{},"handlers":{},"coordinator":{"forwarding":"catchAll",\#
    "handlers":{"applyFiveStarRating:":{"perform":[{"op":"replace","path":"/rating",\#
    "value":"5"}]}}},"lateResponders":{"hooksLast":true,"responders":[]}},\#
    "hostedView":{"kind":"view","class":"UIView","superview":"rootView","properties":{},\#
    "handlers":{}}},"registrations":{"photoHost":{"applyFiveStarRating:":1}},\#
    "undo":{"session":{"levelsOfUndo":0,"canUndo":false,"undoMenuItemTitle":"Undo",\#
    "canRedo":false,"redoMenuItemTitle":"Redo","groupingLevel":0,\#
    "isUndoRegistrationEnabled":true,"preparedTarget":null,"undo":[],"redo":[]},\#
    "responders":{}},"messages":[]}
    """#,
    "listResponders": #"""
    {"session":"demo","revision":0,"responders":{"application":{"kind":"application",\#
    "class":"UIApplication","properties":{},"handlers":{}},"window":{"kind":"window",\#
    "class":"UIWindow","rootViewController":"root","properties":{},"handlers":{}},\#
    "root":{"kind":"viewController","class":"UIViewController","view":"rootView",\#
    "properties":{},"viewControllers":["photoHost"],"handlers":{},"userActivity":{"activityType":"photos.browse",\#
    "title":"Alps","userInfo":{}},"touchBar":{"items":[{"identifier":"copy:",\#
    "command":"copy:"},"otherItems"]}},"gridProxy":{"kind":"responder",\#
    "class":"UIResponder","properties":{},"handlers":{},"weight":5,"proxied":"photoGrid",\#
    "proxiedSelectors":["copy:"]},"rootView":{"kind":"view","class":"UIView",\#
    "properties":{},"handlers":{}},"photoGrid":{"kind":"view","class":"PhotoGrid",\#
    "superview":"rootView","properties":{},\#
    "handlers":{"copy:":{"validate":{"title":"'Copy Photo'"},"perform":[]}}},\#
    "photoHost":{"kind":"viewController","class":"UIViewController","view":"hostedView",\#
    "parent":"root","properties":{},"handlers":{},"coordinator":{"forwarding":"catchAll",\#
    "handlers":{"applyFiveStarRating:":{"perform":[{"op":"replace","path":"/rating",\#
    "value":"5"}]}}},"lateResponders":{"hooksLast":true,"responders":[]}},\#
    "hostedView":{"kind":"view","class":"UIView","superview":"rootView","properties":{},\#
    "handlers":{}}}}
    """#,
    "getResponder": #"""
    {"session":"demo","revision":0,"id":"photoGrid","responder":{"kind":"view",\#
    "class":"PhotoGrid","superview":"rootView","properties":{},\#
    "handlers":{"copy:":{"validate":{"title":"'Copy Photo'"},"perform":[]}}}}
    """#,
    "putResponder": #"""
    {"session":"demo","revision":1,"changes":[{"change":"responder","responder":"caption",\#
    "value":{"kind":"view","class":"UIView","superview":"photoGrid","properties":{},\#
    "handlers":{}}}]}
    """#,
    "patchResponder": #"""
    {"session":"demo","revision":2,"changes":[{"change":"responder","responder":"caption",\#
    "value":{"kind":"view","class":"UIView","superview":"rootView","properties":{"lines":2},\#
    "handlers":{}}}]}
    """#,
    "removeResponder": #"""
    {"session":"demo","revision":3,"changes":[{"change":"responderRemoved",\#
    "responder":"caption"}]}
    """#,
    "listHandlers": #"""
    {"session":"demo","revision":3,"responder":"photoGrid",\#
    "handlers":{"copy:":{"validate":{"title":"'Copy Photo'"},"perform":[]}}}
    """#,
    "putHandler": #"""
    {"session":"demo","revision":4,"changes":[{"change":"handler","responder":"photoGrid",\#
    "selector":"duplicate:","value":{"validate":{"enabled":"size(state.photos) > 0"},\#
    "perform":[]}}]}
    """#,
    "getHandler": #"""
    {"session":"demo","revision":4,"responder":"photoGrid","selector":"duplicate:",\#
    "handler":{"validate":{"enabled":"size(state.photos) > 0"},"perform":[]}}
    """#,
    "removeHandler": #"""
    {"session":"demo","revision":5,"changes":[{"change":"handlerRemoved",\#
    "responder":"photoGrid","selector":"duplicate:"}]}
    """#,
    "listRegistrations": #"""
    {"session":"demo","revision":5,"responder":"photoHost","forwarding":"catchAll",\#
    "registrations":[{"token":1,"selector":"applyFiveStarRating:",\#
    "handler":{"perform":[{"op":"replace","path":"/rating","value":"5"}]}}]}
    """#,
    "registerHandler": #"""
    {"session":"demo","revision":6,"token":2,"changes":[{"change":"registration",\#
    "responder":"photoHost","selector":"share:","token":2,"value":{"perform":[]}}]}
    """#,
    "getRegistration": #"""
    {"session":"demo","revision":6,"responder":"photoHost","token":1,\#
    "selector":"applyFiveStarRating:","handler":{"perform":[{"op":"replace",\#
    "path":"/rating","value":"5"}]}}
    """#,
    "changeRegistration": #"""
    {"session":"demo","revision":7,"token":3,"changes":[{"change":"registrationRemoved",\#
    "responder":"photoHost","selector":"applyFiveStarRating:","token":1},\#
    {"change":"registration","responder":"photoHost","selector":"export:","token":3,\#
    "value":{"perform":[{"op":"replace","path":"/rating","value":"5"}]}}]}
    """#,
    "removeRegistration": #"""
    {"session":"demo","revision":7,"changes":[]}
    """#,
    "getFirstResponder": #"""
    {"session":"demo","revision":7,"responder":"photoGrid"}
    """#,
    "putFirstResponder": #"""
    {"session":"demo","revision":7,"responder":"photoGrid","changes":[]}
    """#,
    "putKeyWindow": #"""
    {"session":"demo","revision":7,"window":"window","changes":[]}
    """#,
    "putMainWindow": #"""
    {"session":"demo","revision":8,"window":"window","changes":[{"change":"mainWindow",\#
    "window":"window"}]}
    """#,
    "putModalWindow": #"""
    {"session":"demo","revision":9,"window":"window","changes":[{"change":"modalWindow",\#
    "window":"window"}]}
    """#,
    "patchState": #"""
    {"session":"demo","revision":9,"changes":[]}
    """#,
  ]
}
