import Foundation

/// The seeds of random tests.
package enum Seeds {
  /// Seeds from 1 on: `usual` of them, or as many as `MENUD_SEEDS` says.
  package static func first(_ usual: UInt64) -> ClosedRange<UInt64> {
    1...(asked.map { max(1, $0) } ?? usual)
  }

  private static let asked = ProcessInfo.processInfo.environment["MENUD_SEEDS"].flatMap(UInt64.init)
}
