import Testing

@Suite struct TimeZoneTests {
  private func time(_ time: String, in zone: String) -> String {
    let parts = ["getHours", "getMinutes", "getDate"].map {
      "timestamp('\(time)').\($0)('\(zone)')"
    }
    return outcome("[\(parts.joined(separator: ", "))]")
  }

  @Test(arguments: [
    ("2024-03-31T00:59:59Z", "Europe/Zurich", "[1, 59, 31]"),
    ("2024-03-31T01:00:00Z", "Europe/Zurich", "[3, 0, 31]"),
    ("2024-10-27T00:59:59Z", "Europe/Zurich", "[2, 59, 27]"),
    ("2024-10-27T01:00:00Z", "Europe/Zurich", "[2, 0, 27]"),
    ("1800-01-01T00:00:00Z", "Europe/Zurich", "[0, 34, 1]"),
    // Only the rule at the end of the file knows these; the southern summer spans two years.
    ("2300-07-01T00:00:00Z", "Europe/Zurich", "[2, 0, 1]"),
    ("2300-12-31T14:30:00Z", "Australia/Sydney", "[1, 30, 1]"),
    ("2300-07-01T14:30:00Z", "Australia/Sydney", "[0, 30, 2]"),
    ("2300-01-01T00:00:00Z", "Asia/Kathmandu", "[5, 45, 1]"),
    ("2024-01-01T00:00:00Z", "America/Argentina/Buenos_Aires", "[21, 0, 31]"),
    ("2024-01-01T00:00:00Z", "EST5EDT", "[19, 0, 31]"),
    ("2024-01-01T00:00:00Z", "Etc/GMT+1", "[23, 0, 31]"),
    ("2024-01-01T00:00:00Z", "UTC", "[0, 0, 1]"), ("2024-01-01T00:00:00Z", "2:30", "[2, 30, 1]"),
    ("2024-01-01T00:00:00Z", "+02:30", "[2, 30, 1]"),
    ("2024-01-01T00:00:00Z", "-00:30", "[23, 30, 31]"),
  ])
  func `local times`(utc: String, zone: String, expected: String) {
    #expect(time(utc, in: zone) == expected)
  }

  @Test(arguments: [
    "", "Nowhere/Land", "Europe", "europe/zurich2", "../zoneinfo/Europe/Zurich",
    "Europe/../Europe/Zurich", "/usr/share/zoneinfo/UTC", "Europe//", "Europe//Zurich", "zone.tab",
    "tzdata.zi",
    "+24:00", "+02:60", "+2", "02:0", "1:2:3", "Z", "Local", "+00000000000000000001:00",
    "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  ])
  func `what is no time zone`(zone: String) {
    #expect(
      outcome("timestamp(0).getHours('\(zone)')") == "fault: there is no time zone \"\(zone)\"")
  }

  @Test func `looking for time zones is bounded`() {
    #expect(
      outcome(
        "lists.range(60000).exists(x, timestamp(0).getHours('Nowhere/Land' + string(x)) == 9)")
        == "fault: the evaluation takes more than 200000 steps (maximumSteps)")
  }
}
