import JSONText

@testable import MenuEngine

/// A launched storyboard with responders of a front end beside it: containers, late responders, a
/// delegate, commands, and who has messages recorded against it.
enum SystemsSession {
  /// - Parameter hasManagers: True if some responders are to have undo managers of their own.
  static func open(hasManagers: Bool = false) throws -> OpenedSession {
    let template: JSONObject = [
      "state": ["log": [], "answer": 0, "marks": ["count": 0, "list": [1, 2.0, nil]]],
      "responders": responders(hasManagers), "launch": ["storyboard": "Main"],
    ]
    var opened = try OpenedSession(
      [
        .commands: commands, .classes: ["Judge": judge],
        .storyboards: ["Main": ["initialViewController": "root", "scenes": scenes]],
        .session: .object(template),
      ], opening: template)
    for id: ResponderID in ["split", "detail"] {
      _ = try opened.session.apply(.setDelegate("judge", of: id), in: opened.catalog)
    }
    return opened
  }

  /// Containers of the front end.
  static let controllers = (0..<5).map { ResponderID(unchecked: "c\($0)") }
  static let controllerClasses = [
    "UIViewController", "UINavigationController", "UITabBarController", "UISplitViewController",
  ]
  /// Containers off screen whose messages do nothing but what undoing them takes back.
  static let sideShow: [ResponderID] = ["side", "s0", "s1"]

  /// Returns true if a responder is to stay as it is.
  static func keeps(_ id: ResponderID, isExact: Bool) -> Bool {
    isExact && (id == "keeper" || id == "side")
  }

  static func controller(
    _ className: String, _ parent: ResponderID?, _ children: [ResponderID]
  ) -> JSON {
    var document: JSONObject = ["kind": "viewController", "class": .string(className)]
    document["parent"] = parent.map { .string($0.rawValue) }
    if !children.isEmpty {
      document["viewControllers"] = .array(children.map { .string($0.rawValue) })
    }
    document["delegate"] = "judge"
    return .object(document)
  }

  /// The segues of a scene.
  static func segues(of scene: SceneName?) -> [SegueIdentifier] {
    let declared = scene.flatMap { scenes[JSONPointer([$0.rawValue, "segues"])] }
    guard case .array(let segues)? = declared else { return [] }
    return segues.compactMap { segue in
      guard case .string(let text)? = segue[JSONPointer(["identifier"])] else { return nil }
      return SegueIdentifier(text)
    }
  }
}

extension SystemsSession {
  private static func segues(_ destination: String, _ more: JSON...) -> JSON {
    .array(
      ["show", "showDetail", "present", "push", "popover"].map { kind in
        [
          "identifier": .string(kind + destination), "kind": .string(kind),
          "destination": .string(destination),
        ]
      } + more)
  }

  private static let back: JSON = ["identifier": "back", "kind": "unwind", "action": "home:"]

  /// Presents a form, and records how to take that back.
  private static let open: JSON = [
    "perform": [
      [
        "op": "registerUndo", "target": "responder.id",
        "action": "'dismissViewControllerAnimated:completion:'",
      ],
      ["op": "segue", "identifier": "'presentform'"],
    ]
  ]

  private static let scenes: JSON = [
    "root": ["class": "UITabBarController", "viewControllers": ["left", "split"]],
    "left": ["class": "UINavigationController", "viewControllers": ["list"]],
    "list": [
      "segues": segues("detail"),
      "handlers": [
        "home:": .noting("segue.identifier"), "viewDidAppear:": .logging("list"),
        "prepareForSegue:sender:": .noting("sender.?title.orValue(null)"),
        "shouldPerformSegueWithIdentifier:sender:": .answering("state.answer != 3"),
      ],
    ],
    "detail": [
      "segues": segues("modal", back),
      "handlers": ["awakeFromNib": .logging("awake"), "formIsGone:": .noting("responder.id")],
      "observes": [["event": "dealloc", "of": "form", "action": "formIsGone:"]],
    ],
    "modal": ["class": "UINavigationController", "viewControllers": ["form"]],
    "form": [
      "segues": segues("form", back),
      "handlers": [
        "open:": open, "viewDidLoad": .noting("size(responder.viewControllers)"),
        "viewDidDisappear:": .logging("hidden"), "dealloc": .logging("gone"),
      ],
    ],
    "split": [
      "class": "UISplitViewController", "viewControllers": ["left2", "detail"],
    ],
    "left2": ["class": "UINavigationController", "viewControllers": ["list"]],
    "board": [
      "segues": [["identifier": "inside", "kind": "embed", "destination": "form"], back],
      "handlers": [
        "prepareForSegue:sender:": .noting("segue.destination.id"), "home:": .logging("home"),
      ],
    ],
  ]

  private static let judge: JSON = [
    "superclass": "UIResponder",
    "handlers": [
      "listen:": .logging("heard"),
      "splitViewController:collapseSecondaryViewController:ontoPrimaryViewController:":
        .answering("state.answer == 1"),
      "splitViewController:separateSecondaryViewControllerFromPrimaryViewController:":
        .answering("[null, false, 'c0', 'c1'][state.answer]"),
      "splitViewController:showDetailViewController:sender:": .answering("state.answer == 2"),
    ],
  ]

  private static let commands: JSON = .array(
    ["mark:", "shuffle:", "prune:", "twist:", "undo:", "redo:"].map {
      ["action": .string($0), "title": .string("Do \($0)")]
    })
}

extension SystemsSession {
  private static func responders(_ hasManagers: Bool) -> JSON {
    var keeper: JSONObject = [
      "kind": "view", "superview": "panel", "handlers": handlersOfKeeper,
    ]
    var panel: JSONObject = ["kind": "window"]
    if hasManagers {
      keeper["undoManager"] = ["levelsOfUndo": 5]
      panel["undoManager"] = [:]
    }
    var responders: JSONObject = [
      "panel": .object(panel), "keeper": .object(keeper),
      "host": ["kind": "view", "superview": "panel", "lateResponders": [:]],
      "inner": ["kind": "view", "superview": "host", "lateResponders": ["hooksLast": false]],
      "judge": ["kind": "responder", "class": "Judge"],
      "side": [
        "kind": "viewController", "class": "UITabBarController", "viewControllers": ["s0", "s1"],
        "handlers": ["choose:": choose],
      ],
      "s0": ["kind": "viewController"], "s1": ["kind": "viewController"],
      "shy": ["kind": "view", "canBecomeFirstResponder": "false"],
    ]
    for (number, id) in controllers.enumerated() {
      responders[id.rawValue] = controller(
        controllerClasses[number % controllerClasses.count], nil, [])
    }
    for number in 0..<3 {
      responders["late\(number)"] = ["kind": "responder", "weight": .int(Int64(1 - number))]
    }
    return .object(responders)
  }

  /// Selects a child, and records how to select the one before.
  private static let choose: JSON = [
    "perform": [
      [
        "op": "registerUndo", "target": "responder.id", "action": "'choose:'",
        "arguments": "[responder.selectedViewController]",
      ],
      [
        "op": "send", "to": "responder.id", "action": "'setSelectedViewController:'",
        "arguments": "[arguments[0]]", "when": "arguments[0] in responder.viewControllers",
      ],
    ]
  ]

  private static let handlersOfKeeper: JSON = [
    "mark:": [
      "perform": [
        ["op": "replace", "path": "/marks/count", "value": "state.marks.count + 1"],
        ["op": "move", "from": "/marks/list/0", "path": "/marks/list/-"],
        ["op": "add", "path": "/marks/last", "value": "{'of': state.marks.count}"],
      ]
    ],
    "shuffle:": [
      "perform": [
        ["op": "move", "from": "/log/0", "path": "/log/-", "when": "size(state.log) > 0"],
        ["op": "move", "from": "/marks/list", "path": "/marks/list"],
        ["op": "copy", "from": "/log", "path": "/copy"],
      ]
    ],
    "prune:": [
      "perform": [
        ["op": "remove", "path": "/log/0", "when": "size(state.log) > 0"],
        ["op": "remove", "path": "/copy", "when": "has(state.copy)"],
      ]
    ],
    "twist:": [
      "perform": [
        ["op": "beginUndoGrouping"],
        ["op": "send", "to": "'keeper'", "action": "'mark:'"], ["op": "endUndoGrouping"],
        ["op": "setActionName", "name": "'Twist ' + string(state.marks.count)"],
        ["op": "send", "to": "'keeper'", "action": "'touch:'"],
      ]
    ],
    "touch:": [
      "perform": [
        ["op": "registerUndo", "target": "'keeper'", "action": "'touch:'"],
        [
          "op": "properties",
          "value": "{'touched': responder.properties.?touched.orValue(0) + 1}",
        ],
      ]
    ],
    "focus:": [
      "perform": [
        ["op": "registerUndo", "target": "'keeper'", "action": "'focus:'"],
        ["op": "firstResponder", "responder": "'keeper'"],
      ]
    ],
    "display:": [
      "perform": [
        ["op": "replace", "path": "/marks/count", "value": "state.marks.count * 2"],
        ["op": "show", "viewController": "arguments[0][0]", "from": "arguments[0][1]"],
      ]
    ],
  ]
}
