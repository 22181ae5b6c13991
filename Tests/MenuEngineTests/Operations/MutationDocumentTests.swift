import JSONText
import Testing

@testable import MenuEngine

struct MutationDocumentTests {
  static let documents = [
    #"{"op":"patchState","patch":[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}]}"#,
    #"{"op":"patchState","patch":[{"op":"replace","path":"/a","value":null}]}"#,
    #"{"op":"patchState","patch":[{"op":"move","from":"/a","path":"/b"}]}"#,
    #"{"op":"patchState","patch":[{"op":"copy","from":"/a","path":"/b"}]}"#,
    #"{"op":"patchState","patch":[{"op":"test","path":"/a","value":[]}]}"#,
    #"{"op":"mergeState","patch":{"a":null}}"#,
    #"{"op":"removeResponder","responder":"a"}"#,
    #"{"op":"putHandler","responder":"a","selector":"b:","handler":{"perform":[]}}"#,
    #"{"op":"removeHandler","responder":"a","selector":"b:"}"#,
    #"{"op":"registerHandler","responder":"a","selector":"b:","handler":{"perform":[]}}"#,
    #"{"op":"changeRegistration","responder":"a","token":3,"selector":"b:"}"#,
    #"{"op":"removeRegistration","responder":"a","token":3}"#,
    #"{"op":"registerLateResponder","lateResponder":"a","responder":"b"}"#,
    #"{"op":"deregisterLateResponder","lateResponder":"a","responder":"b"}"#,
    #"{"op":"deregisterLateResponder","lateResponder":"a"}"#,
    #"{"op":"changeProxiedSelectors","responder":"a","proxiedSelectors":["b:"]}"#,
    #"{"op":"changeProxiedSelectors","responder":"a","proxiedSelectors":null}"#,
    #"{"op":"becomeFirstResponder","responder":"a"}"#,
    #"{"op":"resignFirstResponder"}"#,
    #"{"op":"makeKeyWindow","window":"a"}"#,
    #"{"op":"makeKeyWindow","window":null}"#,
    #"{"op":"undo"}"#, #"{"op":"undo","responder":"a"}"#, #"{"op":"redo"}"#,
    #"{"op":"beginUndoGrouping","responder":"a"}"#, #"{"op":"endUndoGrouping"}"#,
    #"{"op":"setLevelsOfUndo","levelsOfUndo":3}"#, #"{"op":"setUndoActionName","name":"é"}"#,
    #"{"op":"registerUndo","target":"a","action":"b:","arguments":[1]}"#,
    #"{"op":"registerUndo","responder":"c","target":"a","action":"b:"}"#,
    #"{"op":"prepareWithInvocationTarget","target":"a"}"#, #"{"op":"disableUndoRegistration"}"#,
    #"{"op":"enableUndoRegistration"}"#, #"{"op":"removeAllUndoActions","target":"a"}"#,
    #"{"op":"removeAllUndoActions","responder":"a"}"#,
    #"{"op":"perform","action":"a","sender":{"kind":"request","action":"a"},"to":"c/undoManager"}"#,
    #"{"op":"perform","command":"copy:"}"#,
    #"{"op":"perform","action":"a:","sender":{"kind":"request","action":"a:"},"from":"b","to":"c/forwarder","arguments":[1],"when":5}"#,
    #"{"op":"perform","action":"a","sender":{"responder":"b","kind":"button"}}"#,
    #"{"op":"invoke","invocation":{"selector":"a","originalSelector":"b","arguments":[]}}"#,
    #"{"op":"startCoordinator","coordinator":"a"}"#,
    #"{"op":"startChildCoordinator","coordinator":"a","parentCoordinator":"b"}"#,
    #"{"op":"stopChildCoordinator","coordinator":"a"}"#,
    #"{"op":"stopCoordinator","coordinator":"a"}"#,
    #"{"op":"activateCoordinator","coordinator":"a"}"#,
    #"{"op":"takeoverCoordinator","coordinator":"a"}"#,
    #"{"op":"coordinatorDidFinish","coordinator":"a"}"#,
    #"{"op":"coordinatorShow","coordinator":"a","viewController":"b"}"#,
    #"{"op":"coordinatorRoot","coordinator":"a","viewController":"b"}"#,
    #"{"op":"coordinatorTop","coordinator":"a","viewController":"b"}"#,
    #"{"op":"coordinatorPop","coordinator":"a"}"#,
    #"{"op":"coordinatorPop","coordinator":"a","to":"b"}"#,
    #"{"op":"popViewController","navigationController":"a","by":"user"}"#,
    #"{"op":"popViewController","navigationController":"a","by":"user","isCancelled":true}"#,
    #"{"op":"popToViewController","viewController":"a","by":"user"}"#,
    #"{"op":"popToRootViewController","navigationController":"a","by":"user"}"#,
    #"{"op":"launch"}"#,
    #"{"op":"launch","launch":{"storyboard":"S","delegate":{"class":"UIResponder","properties":{},"handlers":{},"id":"d"},"options":{"a":1}}}"#,
    #"{"op":"instantiate","storyboard":"S","scene":"a","id":"b"}"#,
    #"{"op":"instantiate","storyboard":"S","scene":"a"}"#,
    #"{"op":"performSegue","identifier":"Go","source":"a","by":"code","sender":{"row":1},"id":"b","when":5}"#,
    #"{"op":"performSegue","identifier":"Go","source":"a","by":"user"}"#,
    #"{"op":"unwind","action":"home:","source":"a","sender":{"row":1},"when":5}"#,
    #"{"op":"setDelegate","responder":"a","delegate":"b"}"#,
    #"{"op":"setDelegate","responder":"a","delegate":null}"#,
    #"{"op":"message","message":"done:","from":"a","to":"delegate","arguments":[1],"when":5}"#,
    #"{"op":"message","message":"done:","from":"a","to":"chain","queue":true}"#,
    #"{"op":"processMessages"}"#, #"{"op":"processMessages","limit":3}"#,
    #"{"op":"removeQueuedMessages"}"#, #"{"op":"removeQueuedMessages","limit":0}"#,
  ]

  @Test(arguments: documents)
  func `a mutation reads and writes the same document`(text: String) throws {
    #expect(try read(text).json.text() == text)
  }

  @Test func `C2: a message without destination goes up the coordinating chain`() throws {
    #expect(
      try read(#"{"op":"message","message":"done","from":"a"}"#).json.text()
        == #"{"op":"message","message":"done","from":"a","to":"chain"}"#)
  }

  @Test func `a responder and an invocation are written with their defaults`() throws {
    let put = try read(#"{"op":"putResponder","responder":"a","value":{"kind":"view"}}"#)
    #expect(
      put.json.text() == #"""
        {"op":"putResponder","responder":"a","value":\#
        {"kind":"view","class":"UIView","properties":{},"handlers":{}}}
        """#)
    let invoke = try read(#"{"op":"invoke","invocation":{"selector":"a:","command":"copy:"}}"#)
    #expect(
      invoke.json.text() == #"""
        {"op":"invoke","invocation":{"selector":"a:","originalSelector":"a:",\#
        "arguments":[null],"command":"copy:"}}
        """#)
  }

  @Test(arguments: [
    (#"{}"#, [""]), (#"{"op":"explode"}"#, ["/op"]), (#"{"op":"perform"}"#, [""]),
    (#"{"op":"perform","command":"a","action":"a"}"#, [""]),
    (#"{"op":"perform","command":1}"#, ["/command"]),
    (#"{"op":"patchState","patch":[{"op":"add","path":"a","value":1}]}"#, ["/patch/0/path"]),
    (#"{"op":"putHandler"}"#, ["", "", ""]),
    (#"{"op":"removeRegistration","responder":"a","token":1.5}"#, ["/token"]),
    (#"{"op":"resignFirstResponder","responder":"a"}"#, ["/responder"]),
    (#"{"op":"setLevelsOfUndo","levelsOfUndo":-1}"#, ["/levelsOfUndo"]),
    (#"{"op":"registerUndo","arguments":{}}"#, ["", "", "/arguments"]),
    (#"{"op":"setUndoActionName"}"#, [""]), (#"{"op":"undo","name":"a"}"#, ["/name"]),
    (#"{"op":"perform","action":"a","to":"/undoManager"}"#, ["/to"]),
    (#"{"op":"instantiate"}"#, ["", ""]), (#"{"op":"performSegue","source":1}"#, ["", "/source"]),
    (#"{"op":"unwind","action":"a b"}"#, ["/action", ""]),
    (#"{"op":"setDelegate","responder":"a"}"#, [""]),
    (
      #"{"op":"message","message":"a:","from":"b","to":"me","arguments":[]}"#,
      ["/to", "/arguments"]
    ),
    (#"{"op":"startCoordinator"}"#, [""]), (#"{"op":"coordinatorShow","coordinator":"a"}"#, [""]),
    (#"{"op":"startChildCoordinator","coordinator":1}"#, ["/coordinator", ""]),
    (#"{"op":"startCoordinator","coordinator":"a","to":"b"}"#, ["/to"]),
    (#"{"op":"coordinatorPop","coordinator":"a","to":1}"#, ["/to"]),
    (#"{"op":"popToViewController","viewController":"a","by":"me"}"#, ["/by"]),
    (
      #"{"op":"popToViewController","viewController":"a","by":"user","isCancelled":true}"#,
      ["/isCancelled"]
    ),
    (#"{"op":"popViewController","navigationController":"a","isCancelled":true}"#, [""]),
    (#"{"op":"message"}"#, ["", ""]), (#"{"op":"processMessages","limit":-1}"#, ["/limit"]),
    (#"{"op":"removeQueuedMessages","from":"a"}"#, ["/from"]),
    (#"{"op":"makeKeyWindow"}"#, [""]), (#"{"op":"registerLateResponder"}"#, ["", ""]),
    (
      #"{"op":"changeProxiedSelectors","responder":"a","proxiedSelectors":[1]}"#,
      ["/proxiedSelectors/0"]
    ),
    (
      #"{"op":"registerHandler","responder":"a","selector":"b:","handler":{"canPerform":true}}"#,
      ["/handler/canPerform"]
    ),
    (#"{"op":"invoke","invocation":{"selector":"a:","arguments":[]}}"#, ["/invocation/arguments"]),
    (#"{"op":"invoke","invocation":{"selector":"a","command":"b"}}"#, ["/invocation/command"]),
  ])
  func `what is wrong with a mutation is told with its place`(
    text: String, places: [String]
  ) throws {
    do {
      _ = try read(text)
      Issue.record("no fault")
    } catch let faults as DocumentFaults {
      #expect(faults.faults.map(\.pointer.description) == places)
    }
  }

  @Test func `a request is dated unless it says its own time`() throws {
    let request = try read(#"{"op":"perform","action":"a"}"#)
    let dated = #"{"op":"perform","action":"a","sender":{"kind":"request","action":"a"},"when":7}"#
    #expect(request.dated(7).json.text() == dated)
    #expect(request.dated(7).dated(8).json.text() == dated)
  }

  private func read(_ text: String) throws -> Mutation {
    let json = try JSON(parsing: text)
    let commands = #"[{"title":"Copy","action":"copy:"}]"#
    let catalog = try CatalogDocument([.commands: try JSON(parsing: commands)]).catalog()
    return try FaultLog.collecting { Mutation(reading: json, at: .root, log: $0, in: catalog) }
  }
}
