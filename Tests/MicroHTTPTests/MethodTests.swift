import Testing

@testable import MicroHTTP

struct MethodTests {
  @Test(arguments: Method.allCases)
  func `a method is found by its name as written`(_ method: Method) {
    #expect(Method(name: method.rawValue.utf8.span) == method)
    #expect(Method(name: method.rawValue.lowercased().utf8.span) == nil)
    #expect(Method(name: (method.rawValue + "S").utf8.span) == nil)
  }
}
