import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Every kind of mutation and effect is stored.
@Suite struct MutationCodingTests {
  static let others = [
    #"{"op":"putResponder","responder":"a","value":{"kind":"window","rootViewController":"b","delegate":"c","canBecomeFirstResponder":"state.a","undoManager":{"levelsOfUndo":2},"lateResponders":{},"weight":-3,"coordinator":{"handlers":{"x:":{}}},"keyCommands":[{"input":"a","modifiers":["command"],"action":"b:","when":"true"}],"userActivity":{"activityType":"a","userInfo":{"b":[]}},"touchBar":{"items":["otherItems",{"command":"zoom:"}]},"catchAll":{"selector":"h:","accepts":[]},"observes":[{"event":"viewDidLoad","action":"a:"}]}}"#,
    #"{"op":"putKeyCommands","responder":"a","keyCommands":[{"input":"UIKeyInputUpArrow","action":"b:","propertyList":null,"enabled":"state.b"}]}"#,
    #"{"op":"makeMainWindow","window":"a"}"#, #"{"op":"makeModalWindow","window":null}"#,
    #"{"op":"pressKey","key":{"input":"É","modifiers":["shift"]},"from":"a","when":1}"#,
    #"{"op":"pushViewController","viewController":"a","navigationController":"b"}"#,
    #"{"op":"popViewController","navigationController":"a"}"#,
    #"{"op":"popToViewController","viewController":"a"}"#,
    #"{"op":"popToRootViewController","navigationController":"a"}"#,
    #"{"op":"setViewControllers","container":"a","viewControllers":[]}"#,
    #"{"op":"selectViewController","viewController":"a"}"#,
    #"{"op":"present","viewController":"a","from":"b"}"#,
    #"{"op":"dismiss","viewController":"a"}"#, #"{"op":"removeFromParent","viewController":"a"}"#,
    #"{"op":"collapse","splitViewController":"a"}"#, #"{"op":"expand","splitViewController":"a"}"#,
    #"{"op":"invoke","invocation":{"selector":"a:","arguments":[null],"command":"copy:","target":"b","when":3}}"#,
    #"{"op":"mergeProperties","responder":"a","properties":{"b":null}}"#,
    #"{"op":"claimDelivery","delivery":1,"by":"é","until":5}"#,
    #"{"op":"claimDelivery","delivery":1,"until":-5}"#,
    #"{"op":"renewDelivery","delivery":1,"claim":2,"until":5}"#,
    #"{"op":"replyToDelivery","delivery":1,"claim":2,"result":null}"#,
    #"{"op":"replyToDelivery","delivery":1,"claim":2,"result":[],"mutations":[{"op":"undo"},{"op":"mergeState","patch":{"a":null}}],"at":3}"#,
    #"{"op":"failDelivery","delivery":1,"claim":2,"problem":{},"at":3}"#,
    #"{"op":"becomeFirstResponder","responder":"a","window":"b"}"#,
    #"{"op":"resignFirstResponder","window":"a"}"#,
    #"{"op":"perform","command":"copy:","window":"a"}"#,
    #"{"op":"pressKey","key":{"input":"k"},"window":"a"}"#,
    #"{"op":"pressKey","key":[{"input":"k"},{"input":"s"}],"final":true}"#,
    #"{"op":"useKeymap","keymap":"a"}"#, #"{"op":"useKeymap","keymap":null}"#,
    #"{"op":"setLocale","locale":"pt-BR"}"#, #"{"op":"setLocale","locale":null}"#,
    #"{"op":"mergeState","patch":{},"undo":{"actionName":"é","coalesce":"k"}}"#,
    #"{"op":"mergeState","patch":{},"undo":{"coalesce":"k","window":"w"}}"#,
    #"{"op":"patchState","patch":[],"undo":{}}"#,
    #"{"op":"replyToDelivery","delivery":1,"claim":2,"undo":false}"#,
    #"{"op":"cancelDelivery","delivery":1}"#, #"{"op":"cancelDelivery","delivery":1,"at":3}"#,
    #"{"op":"expireClaims","at":3}"#, #"{"op":"forgetDeliveries","settledBefore":3}"#,
  ]

  @Test(arguments: MutationDocumentTests.documents + others)
  func `a mutation comes back as it was`(text: String) throws {
    let mutation = try read(text)
    #expect(try reread(mutation).json.text() == mutation.json.text())
  }

  @Test func `there is one of every kind`() throws {
    let ops = try (MutationDocumentTests.documents + Self.others).map { text in
      try JSON(parsing: text)[JSONPointer(["op"])]
    }
    for op in Mutation.ops { #expect(ops.contains(.string(op)), "\(op)") }
  }

  private func read(_ text: String) throws -> Mutation {
    let json = try JSON(parsing: text)
    let catalog = try CatalogDocument([.commands: [["title": "Copy", "action": "copy:"]]]).catalog()
    return try FaultLog.collecting { Mutation(reading: json, at: .root, log: $0, in: catalog) }
  }

  @Test(arguments: edgeCases)
  func `nil differs from empty and from null`(mutation: Mutation) throws {
    #expect(try reread(mutation).json.text() == mutation.json.text())
  }

  private static let edgeCases: [Mutation] = [
    .changeProxiedSelectors(nil, of: "a"), .changeProxiedSelectors([], of: "a"),
    .mergeState(.null), .patchState(JSONPatch([])),
    .patchState(JSONPatch([.add(path: JSONPointer([""]), value: .null)])),
    .perform(ActionRequest(.action("a"), arguments: [])), .perform(ActionRequest(.action("a"))),
    .registerUndo(target: "a", "b:", arguments: [.null]), .setUndoActionName(""),
  ]
}

/// Every kind of effect is stored.
@Suite struct EffectCodingTests {
  static let documents = [
    #"{"op":"add","path":"/a/-","value":"1"}"#, #"{"op":"remove","path":""}"#,
    #"{"op":"replace","path":"/a~1b","value":"state['é']"}"#,
    #"{"op":"move","from":"/a","path":"/b"}"#, #"{"op":"copy","from":"/a","path":"/b"}"#,
    #"{"op":"test","path":"/a","value":"null"}"#,
    #"{"op":"send","action":"'a:'","to":"'b'","arguments":"[1]","answers":true}"#,
    #"{"op":"send","action":"'a:'"}"#, #"{"op":"firstResponder","responder":"'a'"}"#,
    #"{"op":"properties","responder":"'a'","value":"{}"}"#, #"{"op":"handleAction"}"#,
    #"{"op":"answer","value":"1"}"#, #"{"op":"super"}"#, #"{"op":"super","arguments":"[]"}"#,
    #"{"op":"targetViewController","action":"'a:'","arguments":"[1]","otherwise":"1"}"#,
    #"{"op":"show","viewController":"'a'","from":"'b'","sender":"1"}"#,
    #"{"op":"showDetail","viewController":"null"}"#, #"{"op":"present","viewController":"'a'"}"#,
    #"{"op":"dismiss"}"#, #"{"op":"pop","to":"'a'"}"#,
    #"{"op":"registerUndo","target":"'a'","action":"'b:'","arguments":"[1]"}"#,
    #"{"op":"setActionName","name":"'a'"}"#, #"{"op":"beginUndoGrouping"}"#,
    #"{"op":"endUndoGrouping"}"#, #"{"op":"disableUndoRegistration"}"#,
    #"{"op":"enableUndoRegistration"}"#, #"{"op":"prepareWithInvocationTarget","target":"'a'"}"#,
    #"{"op":"instantiate","scene":"'a'","storyboard":"'S'","id":"'b'"}"#,
    #"{"op":"instantiate","class":"'UIView'"}"#,
    #"{"op":"segue","identifier":"'a'","source":"'b'","sender":"1"}"#,
    #"{"op":"unwind","action":"'a:'"}"#, #"{"op":"delegate","to":"null","of":"'a'"}"#,
    #"{"op":"message","message":"'a:'","to":"delegate","from":"'b'","arguments":"[1]","answers":true}"#,
    #"{"op":"makeKeyAndVisible","window":"'a'","rootViewController":"'b'"}"#,
    #"{"op":"answer","value":"1","when":"state.a"}"#,
    #"{"op":"remove","path":"/a","undo":false}"#,
    #"{"op":"remove","path":"/a","when":"state.a","undo":false}"#,
    #"{"op":"continue"}"#, #"{"op":"continue","arguments":"[1]"}"#, #"{"op":"processMessages"}"#,
    #"{"op":"startCoordinator","coordinator":"'a'"}"#,
    #"{"op":"startChildCoordinator","coordinator":"'a'"}"#,
    #"{"op":"startChildCoordinator","coordinator":"'a'","parentCoordinator":"'b'"}"#,
    #"{"op":"stopChildCoordinator","coordinator":"'a'"}"#, #"{"op":"stopCoordinator"}"#,
    #"{"op":"activateCoordinator"}"#, #"{"op":"takeoverCoordinator"}"#,
    #"{"op":"coordinatorDidFinish"}"#, #"{"op":"coordinatorShow","viewController":"'a'"}"#,
    #"{"op":"coordinatorRoot","coordinator":"'b'","viewController":"'a'"}"#,
    #"{"op":"coordinatorTop","viewController":"'a'"}"#, #"{"op":"coordinatorPop"}"#,
    #"{"op":"coordinatorPop","coordinator":"'b'","to":"'a'"}"#,
    #"{"op":"replace","pathRule":"'/a/' + sender.b","value":"1"}"#,
    #"{"op":"remove","pathRule":"'/a'"}"#, #"{"op":"move","fromRule":"'/a'","path":"/b"}"#,
    #"{"op":"copy","fromRule":"'/a'","pathRule":"'/b'"}"#,
    #"{"op":"registerLateResponder","lateResponder":"'a'","responder":"'b'"}"#,
    #"{"op":"registerLateResponder","lateResponder":"'a'"}"#,
    #"{"op":"deregisterLateResponder","lateResponder":"'a'"}"#,
    #"{"op":"changeProxiedSelectors","responder":"'a'","proxiedSelectors":"['b:']"}"#,
    #"{"op":"changeProxiedSelectors","proxiedSelectors":"null"}"#,
    #"{"op":"registerHandler","responder":"'a'","selector":"'b:'","handler":{"perform":[]}}"#,
    #"{"op":"changeRegistration","responder":"'a'","token":"1","selector":"'b:'","handler":{"perform":[]}}"#,
    #"{"op":"changeRegistration","token":"state.token","selector":"sender.action"}"#,
    #"{"op":"removeRegistration","responder":"'a'","token":"1"}"#,
  ]

  /// Those that were only mutations before.
  static let told = [
    #"{"op":"patchState","patch":"[]"}"#, #"{"op":"mergeState","patch":"{'a':1}"}"#,
    #"{"op":"putResponder","responder":"a","value":{"kind":"view"}}"#,
    #"{"op":"removeResponder"}"#, #"{"op":"removeResponder","responder":"'a'"}"#,
    #"{"op":"putHandler","selector":"'a:'","handler":{"perform":[]}}"#,
    #"{"op":"removeHandler","responder":"'a'","selector":"'a:'"}"#,
    #"{"op":"putKeyCommands","keyCommands":[{"input":"a","action":"b:"}]}"#,
    #"{"op":"becomeFirstResponder"}"#, #"{"op":"resignFirstResponder"}"#,
    #"{"op":"makeKeyWindow","window":"'a'"}"#, #"{"op":"makeMainWindow","window":"null"}"#,
    #"{"op":"makeModalWindow","window":"'a'","when":"state.a"}"#,
    #"{"op":"pushViewController","viewController":"'a'"}"#,
    #"{"op":"popViewController","by":"user","isCancelled":true}"#,
    #"{"op":"popToViewController","viewController":"'a'"}"#, #"{"op":"popToRootViewController"}"#,
    #"{"op":"setViewControllers","viewControllers":"['a']"}"#,
    #"{"op":"selectViewController"}"#, #"{"op":"removeFromParent"}"#, #"{"op":"collapse"}"#,
    #"{"op":"expand","splitViewController":"'a'"}"#, #"{"op":"undo"}"#,
    #"{"op":"redo","responder":"'a'"}"#, #"{"op":"setLevelsOfUndo","levelsOfUndo":"1"}"#,
    #"{"op":"setUndoActionName","name":"'a'"}"#, #"{"op":"removeAllUndoActions","target":"'a'"}"#,
    #"{"op":"launch"}"#, #"{"op":"performSegue","identifier":"'a'"}"#,
    #"{"op":"setDelegate","delegate":"null"}"#, #"{"op":"removeQueuedMessages","limit":"1"}"#,
    #"{"op":"perform","command":"'a:'","modifiers":"['shift']"}"#,
    #"{"op":"perform","action":"'a:'","sender":"{'a':1}","to":"'b'"}"#,
    #"{"op":"mergeProperties","properties":"{'a':1}"}"#,
    #"{"op":"pressKey","key":"{'input':'a'}"}"#, #"{"op":"useKeymap","keymap":"'a'"}"#,
    #"{"op":"setLocale","locale":"'de'"}"#,
    #"{"op":"invoke","invocation":"{'selector':'a'}"}"#,
    #"{"op":"deliver"}"#, #"{"op":"deliver","value":"[1]","when":"state.a"}"#,
    #"{"op":"cancelDelivery","delivery":"command.deliveries[0].id"}"#,
    #"{"op":"claimDelivery","delivery":"1","by":"'a'","until":"5"}"#,
    #"{"op":"renewDelivery","delivery":"1","claim":"2","until":"5"}"#,
    #"{"op":"replyToDelivery","delivery":"1","claim":"2","result":"[]"}"#,
    #"{"op":"replyToDelivery","delivery":"1","claim":"2","at":"3"}"#,
    #"{"op":"failDelivery","delivery":"1","claim":"2","problem":"{}"}"#,
    #"{"op":"expireClaims"}"#, #"{"op":"forgetDeliveries","settledBefore":"3"}"#,
  ]

  private static func effects() throws -> [Effect] {
    try (documents + told).map { text in
      let json = try JSON(parsing: text)
      return try FaultLog.collecting { Effect(reading: json, at: .root, log: $0) }
    } + BuiltInMethod.allCases.map(Effect.builtIn)
  }

  @Test func `an effect comes back as it was`() throws {
    for effect in try Self.effects() { #expect(try reread(effect) == effect) }
  }

  @Test func `a value and a rule stand under different names, whatever they say`() throws {
    let rule: JSON = ["op": "replace", "path": "/a~1b", "value": "state.x"]
    let read = try FaultLog.collecting { Effect(reading: rule, at: .root, log: $0) }
    #expect(try JSON(encoding: read) == ["replace": ["path": "/a~1b", "valueRule": "state.x"]])
    let value = Effect.state(.replace(path: JSONPointer(["a"]), value: "state.x"))
    #expect(try JSON(encoding: value) == ["replace": ["path": "/a", "value": "state.x"]])
  }

  @Test func `an effect whose values are known comes back as it was`() throws {
    let effects: [Effect] = [
      .send("a:", to: .responder("b"), arguments: [1], answers: true), .send("a:"),
      .answer(["rule": "state.x"]), .answer([:]), .answer(.null), .message("a:", queue: true),
      .firstResponder("a"), .properties(merging: ["a": 1]), .passOn(arguments: []), .deliver(),
    ]
    for effect in effects { #expect(try reread(effect).json == effect.json) }
  }

  @Test func `there is one of every kind`() throws {
    let effects = try Self.effects()
    let ops = effects.map { $0.json[JSONPointer(["op"])] }
    for op in Effect.ops { #expect(ops.contains(.string(op)), "\(op)") }
  }
}
