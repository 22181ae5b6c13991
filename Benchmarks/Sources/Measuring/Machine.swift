import Foundation

/// What the figures depend on.
package struct Machine: CustomStringConvertible {
  let processor: String
  let cores: Int
  let kernel: String
  let library: String
  let load: String

  /// This machine, with the version that pkg-config tells of a library.
  package static func this(with library: String) -> Machine {
    let version = (try? run("pkg-config", ["--modversion", library]))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return Machine(
      processor: field("model name", of: "/proc/cpuinfo") ?? "unknown processor",
      cores: ProcessInfo.processInfo.processorCount,
      kernel: firstLine(of: "/proc/sys/kernel/osrelease"),
      library: "\(library) \(version ?? "unknown")",
      load: String(firstLine(of: "/proc/loadavg").prefix { $0 != " " }))
  }

  package var description: String {
    "\(processor), \(cores) cores, Linux \(kernel), \(library), load at the end \(load)."
  }
}

private func firstLine(of path: String) -> String {
  let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  return String(text.prefix { $0 != "\n" })
}

private func field(_ name: String, of path: String) -> String? {
  let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
  return lines.first { $0.hasPrefix(name) }?
    .split(separator: ":", maxSplits: 1).last?
    .trimmingCharacters(in: .whitespaces)
}
