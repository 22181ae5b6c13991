import JSONText
import Testing

@testable import MenuEngine

/// URIs and templates of level 1 (RFC 6570).
struct URITemplateTests {
  @Test(arguments: [
    "a:", "a:b", "test://static-text", "urn:isbn:1", "a+b-c.d:x?y#z", "a:%20", "a:{x}",
    "a:{x}/{y}", "a:{x}-/{_y2}b", "https://example.org/{id}",
  ])
  func `a URI begins with a scheme`(text: String) {
    #expect(URITemplate(text)?.text == text)
  }

  @Test(arguments: [
    "", ":", "b", "1a:b", "{x}:b", "a{x}:b", "menud:a", "MENUD://sessions/x", "a:b c", "a:é",
    "a:%2", "a:%zz", "a:{", "a:{}", "a:}", "a:{x", "a:{1x}", "a:{x.y}", "a:{+x}", "a:{x}{y}",
    "a:{x}/{x}", "a:{x}-{y}", "a:{x}ab{y}", "a:{x}%C3%A9{y}", "a:\n",
    "a:" + String(repeating: "b", count: 1024),
  ])
  func `anything else is none, nor what is built in`(text: String) {
    #expect(URITemplate(text) == nil)
  }

  @Test(
    arguments: [
      ("a:b", "a:b", [:]), ("a:{x}", "a:1", ["x": "1"]), ("a:{x}", "a:%C3%A9", ["x": "é"]),
      ("a:{x}/d", "a:1/d", ["x": "1"]), ("a:{x}/{y}", "a:1/2", ["x": "1", "y": "2"]),
      ("a:{x}:{y}", "a:1:2:3", ["x": "1", "y": "2:3"]), ("a:{x}-e", "a:1-e-e", ["x": "1-e"]),
      ("a:{x}", "a:1%2F2", ["x": "1/2"]), ("a:{x}", "a:b:c", ["x": "b:c"]),
    ] as [(String, String, JSONObject)])
  func `an expansion has the values`(template: String, uri: String, values: JSONObject)
    throws
  {
    #expect(try #require(URITemplate(template)).values(of: uri) == values)
  }

  @Test(arguments: [
    ("a:b", "a:c"), ("a:b", "A:b"), ("a:b", "a:bb"), ("a:{x}", "a:"), ("a:{x}", "a:1/2"),
    ("a:{x}", "a:1?2"), ("a:{x}/d", "a:1/e"), ("a:{x}/d", "a:/d"), ("a:{x}", "a:%F"),
    ("a:{x}", "a:%FF"), ("a:{x}/{y}", "a:1"), ("a:{x}", "a:1 2"), ("a:{x}", "a:é"),
    ("a:{x}", "a:\n"), ("a:{x}", "a:\""), ("a:{x}", "a:" + String(repeating: "b", count: 4095)),
  ])
  func `another URI has none`(template: String, uri: String) throws {
    #expect(try #require(URITemplate(template)).values(of: uri) == nil)
  }

  @Test func `what is expanded is found again`() throws {
    let template = try #require(URITemplate("a:{x}/b-{y}"))
    for value in ["1", "é", "a/b?c#d", "%", " ", "-._~", "a:b", "/b-", "日本"] {
      let values: JSONObject = ["x": .string(value), "y": .string(value)]
      let uri = try #require(template.expansion(values))
      #expect(template.values(of: uri) == values, "\(uri)")
    }
    #expect(template.expansion(["x": "1"]) == nil)
    #expect(template.expansion(["x": "1", "y": ""]) == nil)
  }

  @Test func `a URI has at most 4096 bytes`() throws {
    let template = try #require(URITemplate("a:{x}"))
    let value = String(repeating: "b", count: 4094)
    #expect(template.values(of: "a:" + value) == ["x": .string(value)])
    #expect(template.expansion(["x": .string(value)]) == "a:" + value)
    #expect(template.expansion(["x": .string(value + "b")]) == nil)
  }
}
