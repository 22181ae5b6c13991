import JSONText
import Testing

@testable import MenuEngine

@Suite struct TimeTests {
  @Test(
    arguments: [
      (5, 5), (-5, -5), ("1970-01-01T00:00:00.000Z", 0), ("1969-12-31T23:59:59.999Z", -1),
      ("2026-11-21T08:33:20.123Z", 1_795_250_000_123),
      ("2000-02-29T00:00:00.001Z", 951_782_400_001),
      ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ] as [(JSON, Int64)])
  func `a moment is milliseconds, or what answers write`(json: JSON, milliseconds: Int64) {
    #expect(Read.time(json, at: .root, log: FaultLog()) == milliseconds)
  }

  @Test(
    arguments: [
      "", "2026-11-21", "2026-11-21T08:33:20Z", "2026-11-21T08:33:20.123",
      "2026-13-21T08:33:20.123Z",
      "2026-00-21T08:33:20.123Z", "2026-11-32T08:33:20.123Z", "2026-11-21T24:33:20.123Z",
      "2026-11-21T08:60:20.123Z", "2026-11-21T08:33:60.123Z", "2026-11-21 08:33:20.123Z",
      "2026-11-21T08:33:20.12éZ", 1.5, nil, true, [], [:],
      .int(.min), -62_167_219_200_001, 253_402_300_800_000, .int(.max),
    ] as [JSON])
  func `anything else is refused`(json: JSON) {
    let faults = faults { Read.time(json, at: .root, log: $0) }
    #expect(faults == [DocumentFault(.expected(.time, found: json), at: .root)])
  }
}
