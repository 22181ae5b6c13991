import JSONText
import MenuEngine

func moveTheListFromTheDetail() throws -> [String] {
  let catalog = try CatalogDocument([
    .commands: [
      ["title": "First Row", "action": "selectFirst:"],
      ["title": "Next Row", "action": "selectNext:"],
    ]
  ]).catalog()
  let template = try SessionTemplate([
    "state": ["row": 0],
    "responders": [
      "list": [
        "kind": "view",
        "handlers": [
          "selectFirst:": [
            "validate": ["enabled": "state.row > 0"],
            "perform": [["op": "replace", "path": "/row", "value": "0"]],
          ]
        ],
      ],
      "detail": ["kind": "view", "lateResponders": ["responders": ["listProxy"]]],
      "listProxy": ["kind": "responder", "proxied": "list"],
    ],
    "firstResponder": "detail",
  ])
  var session = try Session("main", opening: template, in: catalog)

  let row = JSONPointer(["row"])
  let selectNext = Handler(
    canPerform: { call in call.state[row] != .null },
    perform: { call throws(HandlerFailure) in
      guard case .int(let present)? = call.state[row], present < 99 else {
        throw HandlerFailure("there is no next row")
      }
      return [.state(.replace(path: row, value: .int(present + 1)))]
    })
  _ = try session.apply(.putHandler(selectNext, for: "selectNext:", of: "list"), in: catalog)

  var log: [String] = []
  for item in try session.validate(ValidationRequest(), in: catalog) {
    let target = "\(item.target?.description ?? "nobody") for \(item.proxied?.rawValue ?? "itself")"
    log.append("\(item.title): \(item.reason), \(target)")
  }
  let next = ActionRequest(.command("selectNext:"))
  let outcome = try session.apply(.perform(next), in: catalog, isExplaining: true)
  log += outcome.performance?.trace.steps.map(\.sentence) ?? []
  log.append("the state is \(session.state.text())")
  return log
}
