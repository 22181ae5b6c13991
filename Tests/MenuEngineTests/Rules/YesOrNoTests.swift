import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Whatever asks for yes or no takes true and false, and nothing else (V9, A7).
@Suite struct YesOrNoTests {
  private static let others: [String] = ["'no'", "'true'", "1", "0", "null", "[]", "{}"]

  private func wrong(_ rule: String, of id: ResponderID, _ selector: Selector) throws
    -> MutationFault
  {
    let values: [String: JSON] = [
      "'no'": "no", "'true'": "true", "1": 1, "0": 0, "null": nil, "[]": [], "{}": [:],
    ]
    return .effect(.wrongAnswer(try #require(values[rule]), of: id, selector, expected: .bool))
  }

  private func push(_ destination: String) -> JSON {
    ["identifier": "Push", "kind": "push", "destination": .string(destination)]
  }

  @Test(arguments: others)
  func `V9: a source that answers neither yes nor no is at fault, and no segue is performed`(
    rule: String
  ) throws {
    let stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["list"]],
        "list": [
          "segues": [push("detail")],
          "handlers": ["shouldPerformSegueWithIdentifier:sender:": answering(rule)],
        ], "detail": [:],
      ])
    #expect(
      stage.refusal(of: .performSegue(SegueRequest(identifier: "Push", source: "list")))
        == (try wrong(rule, of: "list", .shouldPerformSegue)))
  }

  @Test(arguments: others)
  func `V9: a controller answers unwinding with yes or no, else nothing unwinds`(rule: String)
    throws
  {
    let scenes: JSON = [
      "root": ["class": "UINavigationController", "viewControllers": ["a"]],
      "a": [
        "segues": [push("b")],
        "handlers": [
          "home:": logging("home"),
          "canPerformUnwindSegueAction:fromViewController:sender:": answering(rule),
        ],
      ],
      "b": [
        "handlers": ["back:": ["perform": [["op": "unwind", "action": "'home:'"]]]]
      ],
    ]
    var stage = try StoryboardStage(launching: scenes)
    try stage.segue("Push", from: "a")
    let fault = try wrong(rule, of: "a", .canPerformUnwind)
    #expect(stage.refusal(of: .unwind(UnwindRequest(action: "home:", source: "b"))) == fault)
    // The handler is at fault, not the effect that asks.
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("back:"), to: .responder("b")))) == fault)
  }

  private func split(_ delegate: JSONObject) throws -> Stage {
    try Stage(
      responders: [
        "split": controller(
          "UISplitViewController", ["nav", "detail"], ["delegate": "delegate"]),
        "nav": controller("UINavigationController", ["list"]), "list": controller(),
        "detail": controller(), "new": controller(),
        "delegate": ["kind": "responder", "handlers": .object(delegate)],
      ])
  }

  @Test(arguments: others)
  func `V9, A6, A8: the delegate of a split view controller says yes or no, or is at fault`(
    rule: String
  ) throws {
    let shows: [(Selector, Selector)] = [
      (.show, .splitDelegateShow), (.showDetail, .splitDelegateShowDetail),
    ]
    for (action, question) in shows {
      let stage = try split([question.rawValue: answering(rule)])
      let request = ActionRequest(
        .action(action), to: .responder("split"), arguments: ["new", nil])
      #expect(
        stage.refusal(of: .perform(request)) == (try wrong(rule, of: "delegate", question)))
    }
    let stage = try split([Selector.splitDelegateCollapse.rawValue: answering(rule)])
    #expect(
      stage.refusal(of: .collapse("split"))
        == (try wrong(rule, of: "delegate", .splitDelegateCollapse)))
  }

  @Test(arguments: others)
  func `V9, A7: a question whose default is yes or no takes nothing else from a container`(
    rule: String
  ) throws {
    let stage = try Stage(
      classes: [
        "UIViewController": [
          "category": true,
          "handlers": [
            "willShowPush:": ["perform": [["op": "targetViewController", "otherwise": "false"]]]
          ],
        ],
        "UINavigationController": [
          "category": true, "handlers": ["willShowPush:": answering(rule)],
        ],
      ],
      responders: ["nav": controller("UINavigationController", ["list"]), "list": controller()])
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("willShowPush:"), to: .responder("list"))))
        == (try wrong(rule, of: "nav", "willShowPush:")))
  }

  /// A handler may do something and say nothing, as one that is not there.
  @Test func `V9: a handler without an answer leaves the default`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": [
          "segues": [["identifier": "Go", "kind": "present", "destination": "other"]],
          "handlers": ["shouldPerformSegueWithIdentifier:sender:": logging("asked")],
        ], "other": [:],
      ])
    #expect(try stage.segue("Go", from: "root").segue?.reason == .performed)
    #expect(stage.log == ["asked"])
    var silent = try Stage(
      classes: [
        "UIViewController": [
          "category": true,
          "handlers": [
            "willShowPush:": ["perform": [["op": "targetViewController", "otherwise": "false"]]]
          ],
        ],
        "UINavigationController": [
          "category": true, "handlers": ["willShowPush:": ["perform": []]],
        ],
      ],
      responders: ["nav": controller("UINavigationController", ["list"]), "list": controller()])
    #expect(try silent.answer("willShowPush:", to: "list") == false)
  }

  @Test func `V9, A7: a closure asks yes or no when its default is one`() throws {
    let stage = try Stage(
      classes: [
        "UINavigationController": ["category": true, "handlers": ["willPush:": answering("1")]]
      ],
      responders: ["nav": controller("UINavigationController", ["list"]), "list": controller()])
    var asking = stage
    try asking.apply(
      .putHandler(
        Handler(perform: { _ in
          [.target(action: "willPush:", arguments: [nil], otherwise: false)]
        }), for: "ask:", of: "list"))
    #expect(
      asking.refusal(of: .perform(ActionRequest(.action("ask:"), to: .responder("list"))))
        == .effect(.wrongAnswer(1, of: "nav", "willPush:", expected: .bool)))
  }
}
