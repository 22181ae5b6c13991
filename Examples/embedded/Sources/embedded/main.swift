import Foundation
import JSONText
import MenuEngine

func rateAPhoto() throws -> [String] {
  var log: [String] = []
  let catalog = try CatalogDocument([
    .commands: [["title": "Five Stars", "action": "rate:"]],
    .menus: [["identifier": "photo", "title": "Photo", "children": ["rate:"]]],
  ]).catalog()
  let template = try SessionTemplate([
    "state": ["rating": 0],
    "responders": [
      "window": ["kind": "window"],
      "grid": ["kind": "view", "superview": "window"],
      "photo": ["kind": "view", "superview": "grid"],
    ],
    "firstResponder": "photo",
  ])
  var session = try Session("main", opening: template, in: catalog)

  let rating = JSONPointer(["rating"])
  let rate = Handler(
    canPerform: { call in call.state[rating] != nil },
    validate: { call, item in
      item.state = call.state[rating] == 5 ? .on : .off
      if item.state == .on { item.title = "Rated" }
    },
    perform: { _ in [.state(.replace(path: rating, value: 5))] })
  _ = try session.apply(.putHandler(rate, for: "rate:", of: "grid"), in: catalog)

  var request = ValidationRequest()
  request.isExplaining = true
  for item in try session.items(request, in: catalog) {
    log.append("\(item.title) is \(item.isEnabled ? "enabled" : "disabled"): \(item.reason)")
    log += item.trace.sentences
  }
  let outcome = try session.apply(.perform(ActionRequest(.command("rate:"))), in: catalog)
  log.append("\(outcome.performance?.target.description ?? "nobody") performed it")
  for item in try session.items(request, in: catalog) {
    log.append("\(item.title) is \(item.state)")
  }
  return log
}

for line in try rateAPhoto() { print(line) }
// The application of the first page of the documentation.
let photoApp = URL(filePath: #filePath).appending(path: "../../../../../Config/photo-app")
for line in try useThePhotoApp(in: photoApp.standardized) { print(line) }
