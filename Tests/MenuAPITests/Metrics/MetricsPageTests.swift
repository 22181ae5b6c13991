import MenuStore
import Testing

@testable import MenuAPI

/// The text format of Prometheus, version 0.0.4.
struct MetricsPageTests {
  private static func family(_ name: String) throws -> MetricFamily {
    try #require(MetricFamily.all.first { $0.name == name })
  }

  @Test func `a sample has its help and its type before it`() throws {
    var page = MetricsPage()
    page.add(try Self.family("menud_sessions"), .numbers([(labels: [], value: 3)]))
    #expect(
      page.text == """
        # HELP menud_sessions Sessions that are open.
        # TYPE menud_sessions gauge
        menud_sessions 3

        """)
  }

  @Test func `a histogram counts up to each bound, and then all`() throws {
    let histogram = Histogram(bounds: [50_000, 1_000_000, 2_000_000_000])
    for nanoseconds in [1, 50_000, 50_001, 3_000_000_000] { histogram.note(nanoseconds) }
    var page = MetricsPage()
    page.add(
      try Self.family("menud_http_request_duration_seconds"),
      .histograms([(labels: ["/a/{b}", "GET"], reading: histogram.reading)], isTime: true))
    #expect(
      page.samples == [
        #"menud_http_request_duration_seconds_bucket{route="/a/{b}",method="GET",le="0.00005"} 2"#,
        #"menud_http_request_duration_seconds_bucket{route="/a/{b}",method="GET",le="0.001"} 3"#,
        #"menud_http_request_duration_seconds_bucket{route="/a/{b}",method="GET",le="2"} 3"#,
        #"menud_http_request_duration_seconds_bucket{route="/a/{b}",method="GET",le="+Inf"} 4"#,
        #"menud_http_request_duration_seconds_sum{route="/a/{b}",method="GET"} 3.000100002"#,
        #"menud_http_request_duration_seconds_count{route="/a/{b}",method="GET"} 4"#,
      ])
  }

  @Test func `what would end a label early is escaped`() throws {
    var page = MetricsPage()
    page.add(
      try Self.family("menud_build_info"), .numbers([(labels: ["a\"b\\c\nd★"], value: 1)]))
    #expect(page.samples == [#"menud_build_info{version="a\"b\\c\nd★"} 1"#])
  }

  @Test func `a family without samples has its help and its type`() throws {
    var page = MetricsPage()
    page.add(try Self.family("menud_http_requests_total"), .numbers([]))
    #expect(page.samples == [])
    #expect(page.text.hasSuffix("# TYPE menud_http_requests_total counter\n"))
  }

  @Test(arguments: [
    (0, "0"), (1, "0.000000001"), (1_500_000_000, "1.5"), (60_000_000_000, "60"),
    (-1_000_000, "-0.001"), (Int.max, "9223372036.854775807"), (Int.min, "-9223372036.854775808"),
  ])
  func `nanoseconds are seconds to the last digit`(nanoseconds: Int, text: String) {
    #expect(MetricsPage.seconds(nanoseconds) == text)
  }

  @Test func `families have names of their own, and counters the end that theirs must have`() {
    let names = MetricFamily.all.map(\.name)
    #expect(Set(names).count == names.count)
    for family in MetricFamily.all {
      #expect(family.name.hasSuffix("_total") == (family.kind == .counter), "\(family.name)")
      #expect(family.help.utf8.allSatisfy { $0 != 0x0A && $0 != 0x5C }, "\(family.name)")
    }
  }
}

extension MetricsPage {
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The lines that are samples.
  var samples: [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }
}
