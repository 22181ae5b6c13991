import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

struct HostileBodyTests {
  /// Values that replace every part of every example.
  static let oddities: [JSON] = [
    nil, true, "", "a b", "copy:", "demo", "root", "photoHost/forwarder", "é\u{301}", -1,
    .int(.max), .int(.min), 0.5, [], [nil], .object(JSONObject()), .object(["op": "send"]),
    .string(String(repeating: "x", count: 5000)),
    .string(String(repeating: "(", count: 500)), .string("state.selection[9223372036854775807]"),
  ]

  @Test(arguments: Service.routes.filter { $0.body != nil }.map(\.id))
  func `whatever stands in a body gets one of the answers that are described`(
    operation: String
  ) throws {
    let route = try #require(Service.routes.first { $0.id == operation })
    for content in route.body?.contents ?? [] {
      let example = try JSON(parsing: content.example)
      for place in places(in: example) {
        let sample = try SampleService()
        for oddity in Self.oddities {
          var body = example
          _ = try body.noteEdits(of: .replace(path: place, value: oddity))
          try check(route, content.type, body, of: sample)
        }
      }
    }
  }

  @Test(arguments: Service.routes.map(\.id))
  func `whatever stands in a path gets one of the answers that are described`(
    operation: String
  ) throws {
    let route = try #require(Service.routes.first { $0.id == operation })
    let content = route.body?.contents.first
    for name in route.path.parameters {
      let sample = try SampleService()
      for odd in ["%C3%A9", "-", "a%20b", "99999999999999999999", "validate", "photoHost", "%0A"] {
        let path = path(of: route, replacing: [name: odd])
        let body = try content.map { try JSON(parsing: $0.example) }
        try check(route, content?.type, body, at: path, of: sample)
      }
    }
  }

  @Test func `of many faults a hundred are listed, and all are counted`() throws {
    let bad = Array(repeating: "1", count: 5000).joined(separator: ",")
    let response = try SampleService().send(
      .post, "/commands/validate", #"{"session":"demo","commands":[\#(bad)]}"#)
    #expect(response.status == .unprocessableContent)
    guard case .array(let errors)? = try response.value("/errors") else {
      Issue.record("there are no errors")
      return
    }
    #expect(errors.count == 100)
    #expect(
      try response.value("/detail")
        == .string(
          "Expected an identifier (1 to 128 letters A to Z and a to z, digits and '_', '.', ':', "
            + "'-'), found the number 1. And 4999 more; 'errors' has the first 100."))
  }

  private func check(
    _ route: Route, _ type: String?, _ body: JSON?, at path: String? = nil, of sample: SampleService
  ) throws {
    let target = path ?? self.path(of: route, replacing: [:])
    let response = try sample.send(route.method, target, body?.text(), type: type)
    let request = "\(route.method.rawValue) \(target) \(body?.text().prefix(300) ?? "")"
    let isAnswer = response.headers["content-type"] != "application/problem+json"
    if isAnswer || response.status.rawValue < 400 {
      let statuses = route.answers.map(\.status)
      #expect(statuses.contains(response.status), "\(request)")
    } else {
      let problems = route.problems.filter { $0.status == response.status }.flatMap(\.types)
      let uris = problems.map { JSON.string($0.uri) }
      #expect(uris.contains(try #require(try response.value("/type"))), "\(request)")
    }
  }

  private func path(of route: Route, replacing names: [String: String]) -> String {
    route.path.parameters.reduce(route.path.text) { path, name in
      let example = route.parameters[name] ?? SampleService.exampleOfPathParameter(name)
      guard let range = path.firstRange(of: "{\(name)}") else { return path }
      return path.replacingCharacters(in: range, with: names[name] ?? example ?? "")
    }
  }

  /// All places of a value, its root first.
  private func places(in json: JSON, below place: JSONPointer = .root) -> [JSONPointer] {
    switch json {
    case .array(let elements):
      [place]
        + elements.enumerated().flatMap { places(in: $1, below: place.appending($0)) }
    case .object(let object):
      [place] + object.members.flatMap { places(in: $0.value, below: place.appending($0.name)) }
    case .null, .bool, .int, .double, .string: [place]
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    var copy = self
    copy.replaceSubrange(range, with: text)
    return copy
  }
}
