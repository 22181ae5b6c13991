import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

struct ClassRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `A6: the built-in classes are listed with their methods`() throws {
    let response = try sample.send(.get, "/classes")
    let classes = try self.classes(response)
    #expect(
      classes.prefix(9).map { $0["isBuiltIn"] == .bool(true) } == Array(repeating: true, count: 9))
    #expect(
      classes.first?.text() == #"""
        {"name":"UIResponder","superclass":null,"isBuiltIn":true,"methods":[]}
        """#)
    let navigation = classes.first { $0["name"] == "UINavigationController" }
    #expect(
      navigation?.text() == #"""
        {"name":"UINavigationController","superclass":"UIViewController","isBuiltIn":true,\#
        "methods":[{"selector":"popToRootViewControllerAnimated:","builtIn":"popToRoot"},\#
        {"selector":"popToViewController:animated:","builtIn":"popTo"},\#
        {"selector":"popViewControllerAnimated:","builtIn":"pop"},\#
        {"selector":"pushViewController:animated:","builtIn":"push"},\#
        {"selector":"setViewControllers:animated:","builtIn":"setViewControllers"},\#
        {"selector":"showViewController:sender:","builtIn":"navigationShow"}]}
        """#)
    #expect(response.headers["etag"] != nil)
  }

  @Test func `declared classes follow with their handlers`() throws {
    let response = try sample.send(.get, "/classes")
    let declared = try classes(response).filter { $0["isBuiltIn"] == .bool(false) }
    #expect(declared.count == sample.service.store.catalog.classes.declared.count)
    #expect(!declared.isEmpty)
    let methods = declared.flatMap { declared -> [JSON] in
      if case .array(let methods)? = declared["methods"] { methods } else { [] }
    }
    try #require(!methods.isEmpty)
    for method in methods { #expect(method[JSONPointer(["handler"])] != nil) }
  }

  private func classes(_ response: Response) throws -> [JSONObject] {
    guard
      case .array(let classes)? = try response.json[
        JSONPointer(parsing: "/classes")]
    else {
      return []
    }
    return classes.compactMap { if case .object(let object) = $0 { object } else { nil } }
  }
}

extension JSONObject {
  fileprivate func text() -> String { JSON.object(self).text() }
}
