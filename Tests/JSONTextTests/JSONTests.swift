import JSONText
import Testing

@Suite struct JSONTests {
  @Test func `numbers are equal when their values are`() {
    #expect(JSON.int(1) == JSON.double(1))
    #expect(JSON.int(1) != JSON.double(1.5))
  }
}
