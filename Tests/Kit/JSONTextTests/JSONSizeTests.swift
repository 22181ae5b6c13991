import JSONText
import Testing

@Suite struct JSONSizeTests {
  @Test func `depth counts containers and size values and bytes`() {
    let json: JSON = ["é": [1, "abc"], "f": [:]]
    // Five values, three bytes of names, three of a string.
    #expect(json.fits(depth: 2, size: 11))
    #expect(!json.fits(depth: 1, size: 11))
    #expect(!json.fits(depth: 2, size: 10))
    #expect(JSON.null.fits(depth: 0, size: 1))
    #expect(!JSON.array([]).fits(depth: 0, size: 1))
  }
}
