import MenuAPI
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (951_868_799_999, "2000-02-29T23:59:59.999Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
      (1_795_249_385_042, "2026-11-21T08:23:05.042Z"),
      (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func `it is written as RFC 3339 has it`(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).text == text)
  }
}
