import Foundation

/// Sends the requests in turn as fast as they are answered, from the second core, and gives what
/// one of them cost the server.
func generateLoad(
  _ requests: [Request], on server: ServerProcess, connections: Int, seconds: Int
) throws -> Cost {
  let script = FileManager.default.temporaryDirectory
    .appendingPathComponent("compare-\(ProcessInfo.processInfo.processIdentifier).lua")
  try luaScript(sending: requests).write(to: script, atomically: true, encoding: .utf8)
  defer { try? FileManager.default.removeItem(at: script) }

  let before = try server.processorTime()
  let output = try run(
    "taskset",
    [
      "-c", "1", "wrk", "--threads", "1", "--connections", "\(connections)",
      "--duration", "\(seconds)s", "--script", script.path, server.origin,
    ])
  let spent = try server.processorTime() - before

  let figures = output.split(separator: "\n").last?.split(separator: " ").compactMap { Double($0) }
  guard let figures, figures.count == 3, figures[0] > 0, figures[2] == 0 else {
    throw Failure.load(errors: Int(figures?.last ?? 0), output: output)
  }
  return Cost(
    microseconds: Double(spent) / 1000 / figures[0], rate: figures[0] / (figures[1] / 1_000_000))
}

/// A script for wrk whose last line of output is: requests, microseconds, errors.
private func luaScript(sending requests: [Request]) -> String {
  let formatted = requests.map { request in
    let headers = request.headers.map { "[\(lua($0.name))] = \(lua($0.value))" }
      .joined(separator: ", ")
    let body = request.body.map(lua) ?? "nil"
    return "    wrk.format(\(lua(request.method)), \(lua(request.path)), {\(headers)}, \(body)),"
  }
  return """
    local requests, last = {}, 0
    function init()
      requests = {
    \(formatted.joined(separator: "\n"))
      }
    end
    function request()
      last = last % #requests + 1
      return requests[last]
    end
    function done(summary)
      local e = summary.errors
      print(summary.requests, summary.duration, e.status + e.connect + e.read + e.write + e.timeout)
    end
    """
}

private func lua(_ text: String) -> String {
  "[==[\(text)]==]"
}
