import MenuAPI
import Testing

struct InternetTimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (951_868_799_999, "2000-02-29T23:59:59.999Z"),
    (951_868_800_000, "2000-03-01T00:00:00.000Z"),
    (1_709_164_800_123, "2024-02-29T00:00:00.123Z"),
    (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
  ])
  func `a moment is written as RFC 3339 wants it`(milliseconds: Int64, text: String) {
    #expect(InternetTimestamp(milliseconds: milliseconds).text == text)
  }

  @Test(arguments: [Int64.min, .max])
  func `moments beyond the calendar do not trap`(milliseconds: Int64) {
    #expect(!InternetTimestamp(milliseconds: milliseconds).text.isEmpty)
  }
}
