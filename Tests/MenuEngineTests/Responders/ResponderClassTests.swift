import JSONText
import Testing

@testable import MenuEngine

/// Classes built in and declared, and categories (A2, R3, R4).
@Suite struct ResponderClassTests {
  private func classes(_ json: JSON) throws -> ResponderClasses {
    try CatalogDocument([.classes: json]).catalog().classes
  }

  private func faults(_ json: JSON) -> [String] {
    do {
      _ = try CatalogDocument([.classes: json]).catalog()
      return []
    } catch {
      return error.faults.map { "\($0.fault.pointer) \($0.fault.reason)" }
    }
  }

  @Test func `the classes of UIKit are there with what they do`() throws {
    let classes = try classes([:])
    for name in [
      "UIResponder", "UIView", "UIWindow", "UIScene", "UIApplication", "UIViewController",
      "UINavigationController", "UISplitViewController", "UITabBarController",
    ] as [ClassName] {
      #expect(classes.contains(name))
      #expect(classes.inherits(name, from: "UIResponder"))
    }
    #expect(classes.declared.isEmpty)
    #expect(classes.method(for: .show, in: "UITabBarController")?.definer == "UIViewController")
    #expect(
      classes.method(for: .show, in: "UINavigationController")?.definer
        == "UINavigationController")
    #expect(
      classes.method(for: .showDetail, in: "UINavigationController")?.definer
        == "UIViewController")
    #expect(
      classes.method(for: .showDetail, in: "UISplitViewController")?.definer
        == "UISplitViewController")
    #expect(classes.containerKind(of: "UINavigationController") == .navigation)
    #expect(classes.containerKind(of: "UIViewController") == .plain)
    #expect(classes.containerKind(of: "UIView") == .plain)
  }

  @Test func `a subclass of a container is one`() throws {
    let classes = try classes([
      "Tabs": ["superclass": "Base"], "Base": ["superclass": "UITabBarController"],
    ])
    #expect(classes.containerKind(of: "Tabs") == .tabBar)
  }

  @Test func `A2: a category adds to a class under its own name or that of the class`() throws {
    let classes = try classes([
      "UIView": ["category": true, "handlers": ["one:": ["perform": []]]],
      "UIView.more": [
        "category": "UIView", "handlers": ["two:": ["perform": []]],
        "canPerform": ["one:": false],
        "keyCommands": [["input": "k", "action": "one:"]],
      ],
      "Grid.more": ["category": "Grid", "handlers": ["three:": ["perform": []]]],
      "Grid": ["superclass": "UIView"],
    ])
    #expect(classes.selectors(of: "Grid") == ["one:", "two:", "three:"])
    #expect(classes.method(for: "three:", in: "Grid")?.definer == "Grid")
    #expect(classes.method(for: "two:", in: "Grid")?.definer == "UIView")
    #expect(classes.canPerform("one:", in: "Grid")?.definer == "UIView")
    #expect(classes.keyCommands(of: "Grid").map(\.action) == ["one:"])
    #expect(classes.contains("UIView.more") == false)
    #expect(classes.declared.map(\.name) == ["Grid"])
  }

  @Test func `A2: a category that redeclares a member is refused`() {
    #expect(
      faults([
        "UIViewController": [
          "category": true, "handlers": ["showViewController:sender:": ["perform": []]],
        ]
      ]) == [
        "/UIViewController declaration(MenuEngine.DeclarationFault.class("
          + "MenuEngine.ClassDeclarationFault.repeatedMethod(UIViewController, "
          + "showViewController:sender:, of: UIViewController)), other: nil)"
      ])
    #expect(
      faults([
        "a": [
          "category": "UIView", "handlers": ["x:": ["perform": []]], "canPerform": ["y:": true],
        ],
        "b": [
          "category": "UIView", "handlers": ["x:": ["perform": []]], "canPerform": ["y:": true],
        ],
      ]).map { $0.prefix(3) } == ["/b ", "/b "])
    #expect(faults(["a": ["category": "Nothing"]]).count == 1)
  }

  @Test func `a category has no superclass, and names a class`() {
    #expect(
      faults(["UIView": ["category": true, "superclass": "UIResponder"]])
        == [#"/UIView conflictingMembers("superclass", "category")"#])
    #expect(
      faults(["UIView": ["category": false]]).map { $0.prefix(16) } == ["/UIView/category"])
    #expect(faults(["X": ["handlers": [:]]]) == [#"/X missingMember("superclass", orElse: [])"#])
    #expect(
      faults(["X": ["category": "UIView", "delegateProtocol": "P"]]).count == 1)
  }

  @Test func `R4: one class cannot say twice whether an action can be performed`() {
    #expect(
      faults([
        "X": [
          "superclass": "UIView", "canPerform": ["copy:": true],
          "handlers": ["copy:": ["canPerform": false, "perform": []]],
        ]
      ]) == [
        #"/X/canPerform/copy: conflictingMembers("canPerform/copy:", "handlers/copy:/canPerform")"#
      ])
    #expect(
      faults(["X": ["superclass": "UIView", "canPerform": ["copy:": 1, "a b": true]]]).count == 2)
  }

  @Test func `what a built-in class does is written as what no reader takes`() throws {
    let handler = Handler(builtIn: .show)
    #expect(handler.json == ["perform": [["op": "builtIn", "method": "show"]]])
    #expect(
      MenuEngineTests.faults { Handler(reading: handler.json, at: .root, log: $0) }.count == 1)
  }

  @Test(arguments: [
    #"{"op":"answer","value":"1"}"#, #"{"op":"super"}"#,
    #"{"op":"super","arguments":"[1]","when":"true"}"#, #"{"op":"targetViewController"}"#,
    #"{"op":"targetViewController","action":"'a'","arguments":"[]","otherwise":"1"}"#,
    #"{"op":"show","viewController":"'a'"}"#,
    #"{"op":"show","viewController":"'a'","from":"'b'","sender":"1"}"#,
    #"{"op":"showDetail","viewController":"null","from":"'b'","sender":"1"}"#,
    #"{"op":"present","viewController":"'a'"}"#,
    #"{"op":"present","viewController":"'a'","from":"'b'"}"#, #"{"op":"dismiss"}"#,
    #"{"op":"dismiss","viewController":"'a'"}"#, #"{"op":"pop"}"#,
    #"{"op":"pop","viewController":"'a'","to":"'b'"}"#,
    #"{"op":"send","action":"'a'","answers":true}"#,
    #"{"op":"remove","path":"/a","when":"1 > 2"}"#,
  ])
  func `an effect reads and writes the same document`(text: String) throws {
    let json = try JSON(parsing: text)
    let effect = try FaultLog.collecting { Effect(reading: json, at: .root, log: $0) }
    #expect(effect.json.text() == text)
  }

  @Test(arguments: [
    (#"{"op":"answer"}"#, "value"), (#"{"op":"show"}"#, "viewController"),
    (#"{"op":"showDetail"}"#, "viewController"), (#"{"op":"present"}"#, "viewController"),
  ])
  func `what an effect needs must be there`(text: String, member: String) throws {
    let json = try JSON(parsing: text)
    #expect(
      MenuEngineTests.faults { Effect(reading: json, at: .root, log: $0) }
        == [DocumentFault(.missingMember(member), at: .root)])
  }

  @Test func `mutations of view controllers read and write the same document`() throws {
    for text in [
      #"{"op":"pushViewController","viewController":"a","navigationController":"b"}"#,
      #"{"op":"popViewController","navigationController":"b"}"#,
      #"{"op":"popToViewController","viewController":"a"}"#,
      #"{"op":"popToRootViewController","navigationController":"b"}"#,
      #"{"op":"setViewControllers","container":"b","viewControllers":["a"]}"#,
      #"{"op":"selectViewController","viewController":"a"}"#,
      #"{"op":"present","viewController":"a","from":"b"}"#,
      #"{"op":"dismiss","viewController":"a"}"#, #"{"op":"removeFromParent","viewController":"a"}"#,
      #"{"op":"collapse","splitViewController":"a"}"#,
      #"{"op":"expand","splitViewController":"a"}"#,
    ] {
      let json = try JSON(parsing: text)
      let catalog = try CatalogDocument([:]).catalog()
      let mutation = try FaultLog.collecting {
        Mutation(reading: json, at: .root, log: $0, in: catalog)
      }
      #expect(mutation.json.text() == text)
    }
  }
}
