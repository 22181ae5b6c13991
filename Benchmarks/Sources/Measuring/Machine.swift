import Foundation

/// The machine, on which the figures depend.
package struct Machine: CustomStringConvertible {
  let processor: String
  let cores: Int
  let kernel: String
  let library: String?
  let load: String

  /// This machine, with the version that pkg-config tells of a library, if one matters.
  package static func this(with library: String? = nil) -> Machine {
    Machine(
      processor: field("model name", of: "/proc/cpuinfo") ?? "unknown processor",
      cores: ProcessInfo.processInfo.processorCount,
      kernel: firstLine(of: "/proc/sys/kernel/osrelease"),
      library: library.map { "\($0) \(version(of: $0))" },
      load: String(firstLine(of: "/proc/loadavg").prefix { $0 != " " }))
  }

  package var description: String {
    let parts = [
      processor, "\(cores) cores", "Linux \(kernel)", library, "load at the end \(load)",
    ]
    return parts.compactMap { $0 }.joined(separator: ", ") + "."
  }
}

private func version(of library: String) -> String {
  let version = try? run("pkg-config", ["--modversion", library])
  return version?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
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
