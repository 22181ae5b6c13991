import MenuStore
import MicroHTTP
import Testing

@testable import MenuAPI

struct ClientFilesTests {
  private static func answer(
    _ target: String, method: MicroHTTP.Method = .get, headers: Headers = [:],
    authorization: Authorization = Authorization()
  ) throws -> Response {
    let sample = try SampleService(version: "1.2.3", authorization: authorization)
    return sample.service.respond(to: try Request(method, target, headers: headers))
  }

  @Test(arguments: [
    ("menud.js", "text/javascript; charset=utf-8"), ("menud.d.ts", "text/plain; charset=utf-8"),
    ("menud.py", "text/x-python; charset=utf-8"),
    ("package.json", "application/json"),
  ])
  func `its files have their types`(name: String, type: String) throws {
    let file = try Self.answer("/client/\(name)")
    #expect(file.status == .ok)
    #expect(file.headers["content-type"] == type)
    #expect(!file.body.isEmpty)
  }

  @Test func `they need no token and no console`() throws {
    let file = try Self.answer("/client/menud.js", authorization: .closed)
    #expect(file.status == .ok)
    #expect(try Self.answer("/client/1.2.3/menud.js", authorization: .closed).status == .ok)
  }

  @Test func `pages of every origin import them, and the answer says so once`() throws {
    var authorization = Authorization()
    authorization.origins = Origins(["https://menus.example.org"])
    for target in ["/client/menud.js", "/client/1.2.3/menud.js"] {
      for origin in ["https://menus.example.org", "https://other.example.org"] {
        let headers = try Self.answer(
          target, headers: ["Origin": origin], authorization: authorization
        ).headers
        #expect(headers.values(of: "access-control-allow-origin") == ["*"])
        #expect(headers.values(of: "cross-origin-resource-policy") == ["cross-origin"])
        #expect(!headers.has("vary"))
      }
    }
  }

  @Test func `a file without a version is asked for again, and is not sent again`() throws {
    let file = try Self.answer("/client/menud.js")
    #expect(file.headers["cache-control"] == "no-cache")
    let tag = try #require(file.headers["etag"])
    let again = try Self.answer("/client/menud.js", headers: ["If-None-Match": tag])
    #expect(again.status == .notModified)
    #expect(again.body.isEmpty)
  }

  @Test func `a file of the version is kept for good`() throws {
    let file = try Self.answer("/client/1.2.3/menud.js")
    #expect(file.headers["cache-control"] == "public, max-age=31536000, immutable")
    #expect(try file.body == Self.answer("/client/menud.js").body)
  }

  @Test func `an unknown version says which one is here`() throws {
    let refused = try Self.answer("/client/1.2.2/menud.js")
    #expect(refused.status == .notFound)
    #expect(refused.headers["cache-control"] == nil)
    #expect(
      refused.text.contains(
        "Version '1.2.2' is not here: this is 1.2.3, at '/client/1.2.3/menud.js'."))
  }

  @Test(arguments: ["/client", "/client/", "/client/nothing.js", "/client/1.2.3/nothing.js"])
  func `other files are not there`(target: String) throws {
    let refused = try Self.answer(target)
    #expect(refused.status == .notFound)
    #expect(refused.text.contains("There is nothing at '\(target)'."))
  }

  @Test func `other methods are refused`() throws {
    let refused = try Self.answer("/client/menud.js", method: .delete)
    #expect(refused.status == .methodNotAllowed)
    #expect(refused.headers["allow"] == "GET, HEAD, OPTIONS")
    #expect(try Self.answer("/client/menud.js", method: .options).status == .noContent)
    #expect(try Self.answer("/client/menud.js", method: .head).status == .ok)
  }
}
