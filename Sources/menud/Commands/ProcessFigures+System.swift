import MenuAPI

extension ProcessFigures {
  /// Returns the resources of this process as Linux reports them; nil where it does not.
  static func ofThisProcess(startedAt startTime: Int64) -> ProcessFigures? {
    guard let text = try? Posix.contents(of: "/proc/self/statm") else { return nil }
    let pages = text.split(separator: UInt8(ascii: " ")).prefix(2).compactMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard pages.count == 2 else { return nil }
    return ProcessFigures(
      processorTime: Posix.processorNanoseconds, residentMemory: pages[1] * Posix.pageSize,
      virtualMemory: pages[0] * Posix.pageSize, startTime: startTime,
      // Not counted: `.`, `..`, and the descriptor that reads the folder.
      openDescriptors: max(0, Posix.entryCount(of: "/proc/self/fd") - 3),
      maximumDescriptors: Posix.maximumDescriptors)
  }
}
