import Foundation
import Measuring

/// What asks a server as fast as it answers, always from the second core.
struct LoadGenerator {
  let connections: Int
  let seconds: Int

  /// How many calls an action group has outstanding.
  static let calls = 32

  /// What one of the comparison's requests costs, less the requests that only prepare it.
  func measure(_ comparison: Comparison, on server: HTTPServer) throws -> Cost {
    let whole = try send(comparison.requests, to: server)
    guard !comparison.preparation.isEmpty else { return whole }

    let preparation = try send(comparison.preparation, to: server)
    return whole.less(
      preparation, per: comparison.requests.count, of: comparison.preparation.count)
  }

  /// Sends the requests in turn, and gives what one of them cost the server.
  ///
  /// A thread of wrk deals its requests out to whichever of its connections is free. Where the order
  /// matters, each connection therefore gets a thread of its own.
  func send(_ requests: [Request], to server: HTTPServer) throws -> Cost {
    let script = FileManager.default.temporaryDirectory
      .appendingPathComponent("compare-\(ProcessInfo.processInfo.processIdentifier).lua")
    try luaScript(sending: requests).write(to: script, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: script) }
    return try cost(
      of: [
        "wrk", "--threads", "\(requests.count > 1 ? connections : 1)", "--connections",
        "\(connections)", "--duration", "\(seconds)s", "--timeout", "10s", "--script", script.path,
        server.origin,
      ], to: server.server)
  }

  /// Asks an action group for all its actions.
  func describeAll(of server: Server, at address: [String], with program: String) throws -> Cost {
    try cost(of: [program] + address + ["\(seconds)", "\(Self.calls)"], to: server)
  }

  /// Runs a program whose last line of output is: requests, microseconds, errors.
  private func cost(of command: [String], to server: Server) throws -> Cost {
    let before = try server.processorTime()
    let output = try run("taskset", ["-c", "1"] + command)
    let spent = try server.processorTime() - before

    let figures = output.split(separator: "\n").last?.split(separator: "\t")
      .compactMap { Double($0) }
    guard let figures, figures.count == 3, figures[0] > 0, figures[2] == 0 else {
      throw LoadFailure(errors: Int(figures?.last ?? 0), output: output)
    }
    return Cost(
      microseconds: Double(spent) / 1000 / figures[0],
      rate: figures[0] / (figures[1] / 1_000_000), count: Int(figures[0]))
  }
}

/// What one request costs the server, and how many of them it answers in a second.
struct Cost {
  let microseconds: Double
  let rate: Double
  /// How many were answered.
  let count: Int

  /// The cost of what `preparation` leaves over, of a run whose cycle has `count` requests of which
  /// `prepared` are the preparation's.
  ///
  /// Its rate is that of the others: how many come through in a second with what prepares them.
  func less(_ preparation: Cost, per count: Int, of prepared: Int) -> Cost {
    let left = Double(count - prepared)
    return Cost(
      microseconds: (microseconds * Double(count) - preparation.microseconds * Double(prepared))
        / left,
      rate: rate * left / Double(count), count: self.count)
  }
}

/// Requests that failed while they were measured.
struct LoadFailure: Error, CustomStringConvertible {
  let errors: Int
  let output: String

  var description: String { "\(errors) requests failed under load\n\(output)" }
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
