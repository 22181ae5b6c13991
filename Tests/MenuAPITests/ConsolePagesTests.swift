import MenuStore
import MicroHTTP
import Testing

@testable import MenuAPI

struct ConsolePagesTests {
  private static func answer(
    _ target: String, method: MicroHTTP.Method = .get, path: String = "/console",
    headers: Headers = [:]
  ) throws -> Response {
    let sample = try SampleService(console: ConsolePages(path: path))
    return sample.service.respond(to: try Request(method, target, headers: headers))
  }

  @Test func `the page is there, and the beginning leads to it`() throws {
    let page = try Self.answer("/console/")
    #expect(page.status == .ok)
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(page.text.contains("data-root=\"../\""))
    #expect(try Self.answer("/").headers["location"] == "console/")
    #expect(try Self.answer("/console").headers["location"] == "console/")
    #expect(try Self.answer("/").status == .found)
  }

  @Test func `it is served where it is configured to be`() throws {
    #expect(
      try Self.answer("/tools/menu/", path: "/tools/menu").text.contains("data-root=\"../../\""))
    #expect(try Self.answer("/", path: "/tools/menu").headers["location"] == "tools/menu/")
    #expect(try Self.answer("/tools/menu", path: "/tools/menu").headers["location"] == "menu/")
    #expect(try Self.answer("/console/", path: "/tools/menu").status == .notFound)
  }

  @Test(arguments: [
    ("console.js", "text/javascript; charset=utf-8"), ("console.css", "text/css; charset=utf-8"),
    ("icon.svg", "image/svg+xml"),
  ])
  func `its files have their types`(name: String, type: String) throws {
    let file = try Self.answer("/console/\(name)")
    #expect(file.headers["content-type"] == type)
    #expect(!file.body.isEmpty)
    let tag = try #require(file.headers["etag"])
    let again = try Self.answer("/console/\(name)", headers: ["If-None-Match": tag])
    #expect(again.status == .notModified)
    #expect(again.body.isEmpty)
  }

  @Test func `it loads nothing from elsewhere, runs no script in a page, and is in nobody's frame`()
    throws
  {
    for name in ["", "console.js", "console.css"] {
      let headers = try Self.answer("/console/\(name)").headers
      let policy = try #require(headers["content-security-policy"])
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
      #expect(policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("*"))
      #expect(headers["x-frame-options"] == "DENY")
      // Every answer has it, once.
      #expect(headers["x-content-type-options"] == nil)
      #expect(Service.commonHeaders["x-content-type-options"] == "nosniff")
    }
    let page = try Self.answer("/console/").text
    #expect(!page.contains("://") && !page.contains("style=") && !page.contains("onclick"))
    #expect(!page.contains("<script>"))
  }

  @Test func `it has no token and shows no session`() throws {
    let sample = try SampleService(
      authorization: .closed, console: ConsolePages(path: "/console"))
    let page = sample.service.respond(to: try Request(.get, "/console/"))
    #expect(page.status == .ok)
    #expect(!page.text.contains("demo"))
    #expect(try sample.send(.get, "/sessions/demo").status == .unauthorized)
  }

  @Test func `without a console there is nothing there`() throws {
    let sample = try SampleService()
    #expect(try sample.send(.get, "/").status == .notFound)
    #expect(try sample.send(.get, "/console/").status == .notFound)
  }

  @Test(arguments: [("/console", "../"), ("/tools/menu", "../../")])
  func `it loads the client's files from beside the routes`(path: String, root: String) throws {
    let script = try Self.answer("\(path)/console.js", path: path).text
    #expect(script.contains("from '\(root)client/menud.js'"))
    let page = try Self.answer("\(path)/", path: path).text
    #expect(page.contains("href=\"\(root)client/menud.js\""))
  }

  @Test func `other files and methods are refused`() throws {
    #expect(try Self.answer("/console/nothing.js").status == .notFound)
    #expect(try Self.answer("/console/OpenAPI/document.json").status == .notFound)
    let refused = try Self.answer("/console/", method: .delete)
    #expect(refused.status == .methodNotAllowed)
    #expect(refused.headers["allow"] == "GET, HEAD, OPTIONS")
  }

  @Test(
    arguments: [
      ("/console", true), ("/tools/menu-bar_2", true), ("console", false), ("/", false),
      ("/console/", false), ("/sessions", false), ("/health/console", false),
      ("/client", false), ("/client/console", false), ("/a b", false),
      ("/..", false), ("", false),
    ] as [(String, Bool)])
  func `a path is plain, and no route begins like it`(path: String, isSuitable: Bool) {
    #expect(ConsolePages.canBeServed(at: path) == isSuitable)
  }
}
