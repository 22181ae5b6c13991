import Foundation
import JSONText
import RandomSessions
import Testing

@testable import MenuEngine
@testable import RandomSessions

/// Every operation, every effect and every change of a catalogue as format 1 stores it, and sessions that are made of
/// such records: all stay the same, to the byte. `RecoveredAnswersTests` compares the answers.
///
/// `MENUD_WRITE_FIXTURE=1` writes the fixture anew; see `JournalFormatTests` for when that is right.
@Suite struct RecoveredBytesTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures/every-operation.json")
  private static let writing = Result {
    guard ProcessInfo.processInfo.environment["MENUD_WRITE_FIXTURE"] != nil else { return }
    try Data(try EveryOperation.fixture().bytes).write(to: file)
  }
  private let fixture: JSON

  init() throws {
    try Self.writing.get()
    fixture = try JSON(parsing: Array(Data(contentsOf: Self.file)))
  }

  private func list(_ name: String) throws -> [JSON] {
    guard case .array(let list)? = fixture.object?[name] else { throw StoredFault.notStored }
    try #require(!list.isEmpty)
    return list
  }

  /// Reads what is stored in a member, and stores it again.
  private func value<Value: Codable>(_ json: JSON, _ member: String = "stored") throws -> Value {
    let stored = try #require(json.object?[member])
    let value: Value = try StoredFormat.value(from: stored.bytes)
    #expect(String(decoding: try StoredFormat.bytes(of: value), as: UTF8.self) == stored.text())
    return value
  }

  @Test func `every mutation is read and stored as it was`() throws {
    var words: Set<String> = []
    for step in try list("mutations") {
      let document = try #require(step.object?["document"])
      let stored: Mutation = try value(step)
      #expect(stored.json.text() == step.object?["written"]?.text())
      let read = try EveryOperation.mutation(document)
      #expect(
        String(decoding: try StoredFormat.bytes(of: read), as: UTF8.self)
          == step.object?["stored"]?.text(), "\(document.text())")
      words.insert(stored.op)
    }
    #expect(words == Set(Mutation.ops))
  }

  @Test func `every effect is read and stored as it was`() throws {
    var words: Set<String> = []
    for step in try list("effects") {
      let stored: Effect = try value(step)
      #expect(stored.json.text() == step.object?["written"]?.text())
      words.insert(stored.operation.name)
      guard let document = step.object?["document"] else { continue }
      let read = try FaultLog.collecting { Effect(reading: document, at: .root, log: $0) }
      #expect(
        String(decoding: try StoredFormat.bytes(of: read), as: UTF8.self)
          == step.object?["stored"]?.text(), "\(document.text())")
    }
    #expect(words == Set(Effect.ops).union(["builtIn"]))
  }

  @Test func `every mutation of a catalogue is stored as it was`() throws {
    for step in try list("catalogMutations") { let _: CatalogMutation = try value(step) }
    for step in try list("catalogChanges") { let _: CatalogChange = try value(step) }
    for step in try list("catalogs") { let _: Catalog = try value(step) }
  }

  @Test func `every session is recovered as it was`() throws {
    for run in try list("runs") {
      let name = try #require(run.object?["name"]).text()
      let catalog: Catalog = try value(run, "catalog")
      var session: Session = try value(run, "opened")
      guard case .array(let steps)? = run.object?["steps"] else { throw StoredFault.notStored }
      for (index, step) in steps.enumerated() {
        let record: SessionRecord = try value(step, "record")
        if let replayed = try? record.replayed(on: session, in: catalog) {
          session = replayed.session
        }
        let digest = JSON.string(try EveryOperation.digest(of: session))
        try #require(digest == step.object?["digest"], "\(name) \(index)")
      }
      #expect(
        String(decoding: try StoredFormat.bytes(of: session), as: UTF8.self)
          == run.object?["session"]?.text())
      #expect(session.document.text() == run.object?["document"]?.text())
    }
  }
}

/// Makes what ``RecoveredBytesTests`` reads.
enum EveryOperation {
  static func mutation(_ json: JSON) throws -> Mutation {
    let catalog = try CatalogDocument([.commands: [["title": "Copy", "action": "copy:"]]]).catalog()
    return try FaultLog.collecting { Mutation(reading: json, at: .root, log: $0, in: catalog) }
  }

  /// The FNV-1a hash of the bytes that a session is stored as.
  static func digest(of session: Session) throws -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in try StoredFormat.bytes(of: session) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }

  private static func stored(_ value: some Encodable) throws -> JSON {
    try JSON(parsing: StoredFormat.bytes(of: value))
  }

  static func fixture() throws -> JSON {
    let more = [
      #"{"op":"perform","command":"copy:","from":"a","to":"b","sender":{"k":1},"arguments":[1],"modifiers":["shift"],"when":7}"#,
      #"{"op":"pressKey","key":{"input":"k"},"sender":{"k":1}}"#,
      #"{"op":"unwind","action":"home:","source":"a"}"#,
      #"{"op":"instantiate","storyboard":"S","scene":"a"}"#,
      #"{"op":"removeAllUndoActions"}"#,
      #"{"op":"removeAllUndoActions","target":"a","responder":"b"}"#,
      #"{"op":"changeRegistration","responder":"a","token":3,"handler":{"validate":{"title":"'x'"}}}"#,
    ]
    let mutations = try (MutationDocumentTests.documents + MutationCodingTests.others + more).map {
      let document = try JSON(parsing: $0)
      let mutation = try mutation(document)
      return [
        "document": document, "stored": try stored(mutation), "written": mutation.json,
      ] as JSON
    }
    return [
      "mutations": .array(mutations), "effects": .array(try effects()),
      "catalogMutations": .array(try catalogMutations()),
      "catalogChanges": .array(try catalogChanges()),
      "catalogs": [["stored": try stored(try CatalogCodingTests.sample("shop"))]],
      "runs": .array(try runs()),
    ]
  }

  private static func effects() throws -> [JSON] {
    let conditional = EffectCodingTests.documents.filter { !$0.contains(#""when""#) }.map {
      $0.replacing(/}$/, with: #","when":"state.a == 1"}"#)
    }
    let more = [
      #"{"op":"pop","viewController":"'a'","by":"user","to":"'b'"}"#,
      #"{"op":"message","message":"'a:'"}"#, #"{"op":"message","message":"'a:'","queue":true}"#,
      #"{"op":"dismiss","viewController":"'a'"}"#, #"{"op":"makeKeyAndVisible","window":"'a'"}"#,
      #"{"op":"targetViewController"}"#, #"{"op":"properties","value":"{'a':1}"}"#,
      #"{"op":"registerUndo","target":"'a'","action":"'b:'"}"#,
      #"{"op":"registerHandler","selector":"'b:'","handler":{"validate":{"enabled":"state.a"},"perform":[{"op":"registerHandler","selector":"'c:'","handler":{"perform":[{"op":"answer","value":"1"}],"continues":true}}]}}"#,
    ]
    let texts = EffectCodingTests.documents + EffectCodingTests.told + conditional + more
    return try texts.map {
      let document = try JSON(parsing: $0)
      let effect = try FaultLog.collecting { Effect(reading: document, at: .root, log: $0) }
      return ["document": document, "stored": try stored(effect), "written": effect.json]
    }
      + BuiltInMethod.allCases.map {
        let effect = Effect.builtIn($0)
        return ["stored": try stored(effect), "written": effect.json]
      }
  }

  private static func catalogMutations() throws -> [JSON] {
    let menu = Menu(
      identifier: "new", title: "é", image: nil, options: .displayInline,
      children: [.command(CommandPlace("copy:"))])
    let protocolDeclared = DelegateProtocol(name: "P", required: ["a:"], optional: ["b"])
    let storyboard: JSON = [
      "initialViewController": "a", "scenes": ["a": ["class": "UIViewController"]],
    ]
    let mutations: [CatalogMutation] = [
      .declareCommand(try command(["title": "C", "action": "c:", "key": ["input": "c"]])),
      .removeCommand("c:"), .editMenus([.insertChildAtEnd(of: "file", menu), .remove(menu: "x")]),
      .declareProtocol(protocolDeclared), .removeProtocol("P"),
      .declareStoryboard(
        try FaultLog.collecting { Storyboard("S", reading: storyboard, at: .root, log: $0) }),
      .removeStoryboard("S"),
      .putKeymap(
        try FaultLog.collecting {
          Keymap("ada", reading: ["entries": [["command": "-c:"]]], at: .root, log: $0)
        }), .removeKeymap("ada"), .replace(try CatalogCodingTests.sample("recipes")),
    ]
    return try mutations.map { ["stored": try stored($0)] }
  }

  private static func catalogChanges() throws -> [JSON] {
    let changes: [CatalogChange] = [
      .declare(try command(["title": "C", "action": "c:"])), .remove("c:"),
      .edit(.remove(menu: "x")),
      .declareProtocol(DelegateProtocol(name: "P", required: ["a:"], optional: ["b"])),
      .removeProtocol("P"), .removeStoryboard("S"),
    ]
    return try changes.map { ["stored": try stored($0)] }
  }
}

extension EveryOperation {
  private static func runs() throws -> [JSON] {
    var random = RandomMutations(seed: 1, isExact: false)
    var plans = RandomPlans(seed: 2)
    var talks = RandomTalks(seed: 3)
    let systems = try SystemsSession.open(hasManagers: true)
    let rules = try plans.open()
    let talking = try talks.open()
    let every = try SessionTests.stage()
    var list = try SessionTests.mutations()[...]
    let containers = try effectStage(areCoordinators: false)
    let coordinators = try effectStage(areCoordinators: true)
    var mutations = try effectMutations(areCoordinators: false)[...]
    var others = try effectMutations(areCoordinators: true)[...]
    return [
      try run("every", every.session, every.catalog, list.count) { _ in list.removeFirst() },
      try run("containers", containers.session, containers.catalog, mutations.count) { _ in
        mutations.removeFirst()
      },
      try run("coordinators", coordinators.session, coordinators.catalog, others.count) { _ in
        others.removeFirst()
      },
      try run("systems", systems.session, systems.catalog, 60) { random.next(for: $0) },
      try run("rules", rules.session, rules.catalog, 40) { session in
        // Some have closures, which are code.
        while true {
          let mutation = try plans.mutation(of: session)
          if (try? stored(mutation)) != nil { return mutation }
        }
      },
      try run("talks", talking.session, talking.catalog, 60) {
        try talks.mutation(of: $0, in: talking.catalog)
      },
    ]
  }

  private static func run(
    _ name: String, _ opened: Session, _ catalog: Catalog, _ count: Int,
    _ next: (Session) throws -> Mutation
  ) throws -> JSON {
    var session = opened
    var steps: [JSON] = []
    for _ in 0..<count {
      let record = SessionRecord([try next(session)])
      if let replayed = try? record.replayed(on: session, in: catalog) {
        session = replayed.session
      }
      steps.append([
        "record": try stored(record), "digest": .string(try digest(of: session)),
      ])
    }
    return [
      "name": .string(name), "catalog": try stored(catalog), "opened": try stored(opened),
      "steps": .array(steps), "session": try stored(session), "document": session.document,
    ]
  }

  /// A window with containers, coordinators, a host of late responders and a proxy, called as the effects
  /// of ``EffectCodingTests`` name them.
  ///
  /// - Parameter areCoordinators: Returns a stage; a and b are coordinators if `areCoordinators`,
  /// else view controllers.
  private static func effectStage(areCoordinators: Bool) throws -> Stage {
    let coordinators: JSON = [
      "a": [
        "kind": "responder", "coordinating": ["rootViewController": "b1"],
        "handlers": ["coordinatorDidFinish:": logging("finished")],
      ],
      "b": [
        "kind": "responder", "coordinating": ["kind": "navigation", "rootViewController": "nav"],
      ],
      "nav": ["kind": "viewController", "class": "UINavigationController"],
      "me": ["kind": "viewController", "handlers": fill], "b1": ["kind": "viewController"],
      "p": ["kind": "responder", "lateResponders": [:]],
    ]
    var stage = try Stage(
      commands: [["action": "b:", "title": "B"]],
      responders: areCoordinators
        ? coordinators
        : [
          "w": ["kind": "window", "rootViewController": "nav"],
          "nav": [
            "kind": "viewController", "class": "UINavigationController",
            "viewControllers": ["b", "me"],
          ],
          "b": [
            "kind": "viewController", "lateResponders": [:], "coordinator": [:],
            "handlers": ["a:": logging("b a:"), "b:": logging("b b:")],
            "canBecomeFirstResponder": true,
          ],
          "a": [
            "kind": "viewController", "coordinator": [:], "undoManager": [:],
            "canBecomeFirstResponder": true,
            "handlers": ["b:": logging("a b:"), "a:": logging("a a:")],
          ],
          "me": [
            "kind": "viewController", "coordinator": [:], "canBecomeFirstResponder": true,
            "undoManager": [:],
            "handlers": fill,
          ],
          "p": ["kind": "responder", "proxied": "me"],
        ],
      state: ["log": [], "a": 1])
    let storyboard: JSON = [
      "initialViewController": "a",
      "scenes": [
        "a": [
          "handlers": ["home:": [:], "a:": logging("scene")],
          "segues": [["identifier": "a", "kind": "present", "destination": "a"]],
        ]
      ],
    ]
    _ = try stage.catalog.declare(
      try FaultLog.collecting { Storyboard("S", reading: storyboard, at: .root, log: $0) })
    return stage
  }

  private static let fill: JSON = [
    "fill:": ["perform": [["op": "replace", "path": "", "value": filling]]]
  ]

  private static let filling = JSON.string(
    "{'log':[], 'a':1, 'a/b':1, 'b':{'x':1}, 'token':1, 'é':2}")

  /// Gives a responder a handler with each effect in turn, and sends it the message, before and after
  /// an instance of the scene is there.
  private static func effectMutations(areCoordinators: Bool) throws -> [Mutation] {
    let instantiate = #"{"op":"instantiate","storyboard":"S","scene":"a","id":"b2"}"#
    let receivers = areCoordinators ? ["a", "b", "b1", "p"] : ["me", "b", "p", "b2"]
    var list = [try mutation(JSON(parsing: instantiate))]
    for (index, text) in EffectCodingTests.documents.enumerated() {
      for receiver in receivers.dropLast(index.isMultiple(of: 3) ? 0 : 2) {
        list.append(
          try mutation([
            "op": "perform", "action": "fill:", "to": "me",
          ]))
        list.append(
          try mutation([
            "op": "putHandler",
            "responder": .string(receiver == "p" && !areCoordinators ? "me" : receiver),
            "selector": "go:",
            "handler": ["perform": [try JSON(parsing: text)]],
          ]))
        list.append(
          try mutation(["op": "perform", "action": "go:", "to": .string(receiver)]))
      }
    }
    return list
  }
}
