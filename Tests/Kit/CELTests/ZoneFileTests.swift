import Foundation
import Testing

@testable import CEL

/// Files of time zone information that are broken (RFC 9636) are no time zones.
@Suite struct ZoneFileTests {
  private let zurich: [UInt8]

  init() throws {
    zurich = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Zurich")))
  }

  private func read(_ bytes: [UInt8]) -> ZoneRules? {
    var file = ZoneFile(bytes)
    return file.rules()
  }

  /// The start of the second header, whose block has times of 64 bits.
  private var second: Int {
    let magic = Array("TZif".utf8)
    return (4..<zurich.count - 4).first { Array(zurich[$0..<($0 + 4)]) == magic } ?? 0
  }

  private func changed(_ offset: Int, _ bytes: UInt8...) -> [UInt8] {
    var file = zurich
    file.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    return file
  }

  @Test func `the whole file has rules`() throws {
    let rules = try #require(read(zurich))
    #expect(rules.offset(at: 1_720_000_000) == 7200)
    #expect(rules.offset(at: 1_705_000_000) == 3600)
    #expect(rules.offset(at: 10_000_000_000) == 3600)
  }

  @Test func `a file that is cut off anywhere has none`() {
    for length in 0..<zurich.count { #expect(read(Array(zurich[..<length])) == nil, "\(length)") }
  }

  @Test func `a file that begins otherwise has none`() {
    #expect(read(changed(0, UInt8(ascii: "t"))) == nil)
    #expect(read(changed(second, 0)) == nil)
    #expect(read(Array("TZif2".utf8)) == nil)
    #expect(read([]) == nil)
  }

  @Test(arguments: [20, 24, 28, 32, 36, 40])
  func `counts beyond the file are refused`(offset: Int) {
    for header in [0, second] {
      #expect(read(changed(header + offset, 0xFF, 0xFF, 0xFF, 0xFF)) == nil)
      #expect(read(changed(header + offset, 0x7F, 0xFF, 0xFF, 0xFF)) == nil)
      #expect(read(changed(header + offset, 0, 0, 0xFF, 0xFF)) == nil)
    }
  }

  @Test func `a file without types is refused`() {
    #expect(read(changed(second + 36, 0, 0, 0, 0)) == nil)
  }

  /// The parts of the second block, from their beginnings.
  private var block: (times: Int, indexes: Int, types: Int) {
    let bytes = zurich[(second + 32)..<(second + 36)]
    let count = bytes.reduce(0) { $0 << 8 | Int($1) }
    return (second + 44, second + 44 + 8 * count, second + 44 + 9 * count)
  }

  @Test func `an index of a type that is not there is refused`() {
    #expect(read(changed(block.indexes, 0xFF)) == nil)
  }

  @Test func `times that do not ascend are refused`() {
    #expect(read(changed(block.times + 8, 0x80)) == nil)
    #expect(read(changed(block.times, 0x7F)) == nil)
  }

  @Test func `offsets of more than a day and two hours are refused`() {
    #expect(read(changed(block.types, 0x7F, 0xFF, 0xFF, 0xFF)) == nil)
    #expect(read(changed(block.types, 0x80, 0, 0, 0)) == nil)
  }

  @Test func `no byte that is changed is fatal`() {
    let headers = Array(0..<44) + Array(second..<(second + 44))
    for position in headers + Array(stride(from: 44, to: zurich.count, by: 41)) {
      for byte: UInt8 in [0x80, 0xFF] {
        guard let rules = read(changed(position, byte)) else { continue }
        for time in [-62_135_596_800, -1, 0, 1_720_000_000, 253_402_300_799] as [Int64] {
          #expect(abs(rules.offset(at: time)) <= 8 * 86_400)
        }
      }
    }
  }

  @Test func `a rule at the end that is none leaves the last offset`() throws {
    let text = Array("CET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
    let whole = zurich.dropLast(text.count)
    for broken in ["", "CET", "CET-1CEST", "CET-1CEST,M13.5.0,M10.5.0", "CET-99", "\u{0}"] {
      let rules = try #require(read(whole + Array((broken + "\n").utf8)), "\(broken)")
      #expect(rules.rule == nil)
      #expect(rules.offset(at: 10_000_000_000) == 3600)
    }
  }

  @Test func `a file that is broken is an unknown time zone`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, bytes) in [
      ("Whole", zurich), ("Broken", Array(zurich.dropLast())), ("Empty", []),
      ("Long", zurich + Array(repeating: 0, count: 1 << 16)),
    ] {
      try Data(bytes).write(to: folder.appending(path: name))
    }
    let zones = ZoneFolder(folder.path)
    #expect(zones.rules("Whole") != nil)
    for name in ["Broken", "Empty", "Long", "Missing", ".", "..", "/Whole"] {
      #expect(zones.rules(name) == nil, "\(name)")
    }
  }
}
