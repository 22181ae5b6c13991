import Foundation

/// What the figures depend on.
struct Machine: CustomStringConvertible {
  let processor: String
  let cores: Int
  let kernel: String
  let library: String
  let load: String

  static func this() -> Machine {
    Machine(
      processor: field("model name", of: "/proc/cpuinfo") ?? "unknown processor",
      cores: ProcessInfo.processInfo.processorCount,
      kernel: firstLine(of: "/proc/sys/kernel/osrelease"),
      library: (try? run("pkg-config", ["--modversion", "libmicrohttpd"]))?
        .trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown",
      load: String(firstLine(of: "/proc/loadavg").prefix { $0 != " " }))
  }

  var description: String {
    "\(processor), \(cores) cores, Linux \(kernel), libmicrohttpd \(library), "
      + "load at the end \(load)."
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
