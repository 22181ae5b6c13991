import Foundation
import Measuring

/// Sends the requests in turn as fast as they are answered, from the second core, and gives what
/// one of them cost the server.
///
/// A thread of wrk deals its requests out to whichever of its connections is free. Where the order
/// matters, each connection therefore gets a thread of its own.
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
      "-c", "1", "wrk", "--threads", "\(requests.count > 1 ? connections : 1)", "--connections",
      "\(connections)",
      "--duration", "\(seconds)s", "--script", script.path, server.origin,
    ])
  let spent = try server.processorTime() - before

  let figures = output.split(separator: "\n").last?.split(separator: "\t").compactMap { Double($0) }
  guard let figures, figures.count == 3, figures[0] > 0, figures[2] == 0 else {
    throw Failure.load(errors: Int(figures?.last ?? 0), output: output)
  }
  return Cost(
    microseconds: Double(spent) / 1000 / figures[0], rate: figures[0] / (figures[1] / 1_000_000))
}

/// A script for wrk whose last line of output is: requests, microseconds, errors.
private func luaScript(sending requests: [Request]) -> String {
  let formatted = requests.map { request in
    let headers = request.headers.map { "[ \(lua($0.name)) ] = \(lua($0.value))" }
      .joined(separator: ", ")
    let target = "(own(\(lua(request.path))))"
    let body = request.body.map { "(own(\(lua($0))))" } ?? "nil"
    return "    wrk.format(\(lua(request.method)), \(target), {\(headers)}, \(body)),"
  }
  return """
    local threads, requests, last = 0, {}, 0
    function setup(thread)
      threads = threads + 1
      thread:set("connection", tostring(threads))
    end
    local function own(text)
      return text and text:gsub("\(Request.connectionPlaceholder)", connection)
    end
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
