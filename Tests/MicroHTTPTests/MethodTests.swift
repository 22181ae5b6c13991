import Testing

@testable import MicroHTTP

struct MethodTests {
  @Test func `methods are compared exactly`() {
    #expect(Method(rawValue: "GET") == .get)
    #expect(Method(rawValue: "get") == nil)
  }
}
