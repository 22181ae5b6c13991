extension AnswerExamples {
  /// Sessions, classes and the chain.
  static let lists: [String: String] = [
    "listSessions": #"""
    {"total":2,"sessions":[{"session":"demo","revision":0,"firstResponder":"photoGrid",\#
    "search":"uikit","queuedMessages":0,"holdings":{"responders":8,"handlers":2,\#
    "rules":2,"keyCommands":0,"undoManagers":0,"stateSize":88,"responderSize":454}},\#
    {"session":"phone","revision":0,"firstResponder":null,"search":"uikit",\#
    "queuedMessages":0,"holdings":{"responders":0,"handlers":0,"rules":0,\#
    "keyCommands":0,"undoManagers":0,"stateSize":3,"responderSize":0}}]}
    """#,
    "getChain": #"""
    {"session":"demo","revision":16,"catalogRevision":3,"search":"uikit",\#
    "isCyclic":false,"chain":[{"responder":"photoGrid","kind":"view",\#
    "class":"PhotoGrid"},{"responder":"rootView","kind":"view","class":"UIView"},\#
    {"responder":"root","kind":"viewController","class":"UIViewController"},\#
    {"responder":"window","kind":"window","class":"UIWindow"},\#
    {"responder":"application","kind":"application","class":"UIApplication"}]}
    """#,
    "listClasses": #"""
    {"catalogRevision":3,"classes":[{"name":"UIResponder","superclass":null,\#
    "isBuiltIn":true,"methods":[]},{"name":"UIView","superclass":"UIResponder",\#
    "isBuiltIn":true,"methods":[]},{"name":"UIWindow","superclass":"UIView",\#
    "isBuiltIn":true,"methods":[{"selector":"redo:","builtIn":"redo"},\#
    {"selector":"undo:","builtIn":"undo"}]},{"name":"UIScene",\#
    "superclass":"UIResponder","isBuiltIn":true,"methods":[]},{"name":"UIApplication",\#
    "superclass":"UIResponder","isBuiltIn":true,"methods":[{"selector":"redo:",\#
    "builtIn":"redo"},{"selector":"undo:","builtIn":"undo"}]},\#
    {"name":"UIViewController","superclass":"UIResponder","isBuiltIn":true,\#
    "methods":[{"selector":"dismissViewControllerAnimated:completion:",\#
    "builtIn":"dismiss"},{"selector":"presentViewController:animated:completion:",\#
    "builtIn":"present"},{"selector":"removeFromParentViewController",\#
    "builtIn":"removeFromParent"},{"selector":"showDetailViewController:sender:",\#
    "builtIn":"showDetail"},{"selector":"showViewController:sender:",\#
    "builtIn":"show"}]},{"name":"UINavigationController",\#
    "superclass":"UIViewController","isBuiltIn":true,\#
    "methods":[{"selector":"popToRootViewControllerAnimated:","builtIn":"popToRoot"},\#
    {"selector":"popToViewController:animated:","builtIn":"popTo"},\#
    {"selector":"popViewControllerAnimated:","builtIn":"pop"},\#
    {"selector":"pushViewController:animated:","builtIn":"push"},\#
    {"selector":"setViewControllers:animated:","builtIn":"setViewControllers"},\#
    {"selector":"showViewController:sender:","builtIn":"navigationShow"}]},\#
    {"name":"UISplitViewController","superclass":"UIViewController","isBuiltIn":true,\#
    "methods":[{"selector":"setViewControllers:","builtIn":"setViewControllers"},\#
    {"selector":"showDetailViewController:sender:","builtIn":"splitShowDetail"},\#
    {"selector":"showViewController:sender:","builtIn":"splitShow"}]},\#
    {"name":"UITabBarController","superclass":"UIViewController","isBuiltIn":true,\#
    "methods":[{"selector":"setSelectedViewController:","builtIn":"select"},\#
    {"selector":"setViewControllers:animated:","builtIn":"setViewControllers"}]},\#
    {"name":"PhotoGrid","superclass":"UIView","isBuiltIn":false,\#
    "methods":[{"selector":"applyFiveStarRating:",\#
    "handler":{"validate":{"enabled":"size(state.selection) > 0",\#
    "checked":"state.rating >= 5"},"perform":[{"op":"replace","path":"/rating",\#
    "value":"5"}]}},{"selector":"applyFourStarRating:",\#
    "handler":{"validate":{"enabled":"size(state.selection) > 0",\#
    "checked":"state.rating >= 4"},"perform":[{"op":"replace","path":"/rating",\#
    "value":"4"}]}},{"selector":"delete:",\#
    "handler":{"validate":{"enabled":"size(state.selection) > 1"},"perform":[]}},\#
    {"selector":"paste:","handler":{"validate":{"enabled":"state.clipboard.isOpen"},\#
    "perform":[]}},{"selector":"sort:","handler":{"perform":[{"op":"replace",\#
    "path":"/rating","value":"0"},{"op":"replace","path":"/sortedBy/key",\#
    "value":"command.propertyList"}]}}]},{"name":"ZoomViewController",\#
    "superclass":"UIViewController","isBuiltIn":false,"delegateProtocol":"ZoomDelegate",\#
    "methods":[]}]}
    """#,
  ]
}
