/// An example of what each operation answers, as JSON text by the id of the operation.
///
/// They are what a service over the sample of the tests answers to the examples of the requests, one
/// after the other; a test holds them to that.
enum AnswerExamples {
  static let all: [String: String] =
    catalogue.merging(sessions) { first, _ in first }.merging(actions) { first, _ in first }
    .merging(lateResponders) { first, _ in first }
    .merging(keys) { first, _ in first }.merging(storyboards) { first, _ in first }
    .merging(lists) { first, _ in first }
    .merging(undo) { first, _ in first }.merging(messages) { first, _ in first }

  /// Commands and menus.
  private static let catalogue: [String: String] = [
    "listCommands": #"""
    {"catalogRevision":0,"commands":[{"id":"copy:","title":"Copy","action":"copy:",\#
    "attributes":[],"state":"off","key":{"input":"c","modifiers":["command"]},\#
    "wantsPriorityOverSystemBehavior":false,"allowsAutomaticLocalization":true,\#
    "allowsAutomaticMirroring":true},{"id":"paste:","title":"Paste","action":"paste:",\#
    "attributes":[],"state":"off","wantsPriorityOverSystemBehavior":false,\#
    "allowsAutomaticLocalization":true,"allowsAutomaticMirroring":true},{"id":"delete:",\#
    "title":"Delete","action":"delete:","attributes":["destructive"],"state":"off",\#
    "wantsPriorityOverSystemBehavior":false,"allowsAutomaticLocalization":true,\#
    "allowsAutomaticMirroring":true},{"id":"applyFourStarRating:","title":"★★★★",\#
    "action":"applyFourStarRating:","attributes":[],"state":"off",\#
    "wantsPriorityOverSystemBehavior":false,"allowsAutomaticLocalization":true,\#
    "allowsAutomaticMirroring":true},{"id":"applyFiveStarRating:","title":"★★★★★",\#
    "action":"applyFiveStarRating:","attributes":[],"state":"off","key":{"input":"5",\#
    "modifiers":["command"]},"wantsPriorityOverSystemBehavior":false,\#
    "allowsAutomaticLocalization":true,"allowsAutomaticMirroring":true},{"id":"sortByDate",\#
    "title":"Date","action":"sort:","propertyList":"date","attributes":[],"state":"off",\#
    "wantsPriorityOverSystemBehavior":false,"allowsAutomaticLocalization":true,\#
    "allowsAutomaticMirroring":true},{"id":"sortByTitle","title":"Title","action":"sort:",\#
    "propertyList":"title","attributes":[],"state":"off",\#
    "wantsPriorityOverSystemBehavior":false,"allowsAutomaticLocalization":true,\#
    "allowsAutomaticMirroring":true},{"id":"separate","title":"Separate","attributes":[],\#
    "state":"off","wantsPriorityOverSystemBehavior":false,\#
    "allowsAutomaticLocalization":true,"allowsAutomaticMirroring":true}]}
    """#,
    "getCommand": #"""
    {"id":"copy:","title":"Copy","action":"copy:","attributes":[],"state":"off",\#
    "key":{"input":"c","modifiers":["command"]},"wantsPriorityOverSystemBehavior":false,\#
    "allowsAutomaticLocalization":true,"allowsAutomaticMirroring":true}
    """#,
    "declareCommand": #"""
    {"id":"duplicate:","title":"Duplicate","action":"duplicate:","attributes":[],\#
    "state":"off","key":{"input":"d","modifiers":[]},\#
    "wantsPriorityOverSystemBehavior":false,"allowsAutomaticLocalization":true,\#
    "allowsAutomaticMirroring":true}
    """#,
    "getMenus": #"""
    {"catalogRevision":2,"root":{"identifier":"root","title":"","options":[],\#
    "children":[{"identifier":"edit","title":"Edit","options":[],"children":["copy:",\#
    "delete:"]},{"identifier":"image","title":"Image","options":[],\#
    "children":[{"identifier":"rating","title":"Rating","options":["singleSelection"],\#
    "children":["applyFourStarRating:","applyFiveStarRating:"]}]}]},"edits":[]}
    """#,
    "getMenu": #"""
    {"identifier":"edit","title":"Edit","options":[],"children":["copy:","delete:"]}
    """#,
    "editMenus": #"""
    {"catalogRevision":3,"edits":[{"op":"insertChild","menu":{"identifier":"edit.1",\#
    "title":"More","options":[],"children":["copy:"]},"atEndOfMenu":"image"}]}
    """#,
  ]
}
