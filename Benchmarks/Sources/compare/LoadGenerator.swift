import Foundation
import Measuring

/// A client that asks a server as fast as it answers, always from the second core.
struct LoadGenerator {
  let connections: Int
  let seconds: Int

  /// The number of outstanding calls of an action group.
  static let calls = 32

  /// The cost of one measured request, without those that only prepare it.
  func measure(_ comparison: Comparison, on server: HTTPServer) throws -> Cost {
    let whole = try send(comparison.requests, to: server)
    guard comparison.measured < comparison.requests.count else { return whole }
    let preparation =
      comparison.preparation.isEmpty ? nil : try send(comparison.preparation, to: server)
    return whole.of(comparison, less: preparation)
  }

  /// Sends the requests in turn, and gives what one of them cost the server.
  ///
  /// A thread of wrk deals its requests out to whichever of its connections is free. Where the order
  /// matters, each connection therefore gets a thread of its own.
  func send(_ requests: [Request], to server: HTTPServer) throws -> Cost {
    let script = FileManager.default.temporaryDirectory
      .appendingPathComponent("compare-\(ProcessInfo.processInfo.processIdentifier).lua")
    // A second that no other run of a while has, for what is to be unique.
    let run = Int(Date().timeIntervalSince1970) % 10_000
    try luaScript(sending: requests, run: run).write(to: script, atomically: true, encoding: .utf8)
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

/// The server's cost of one request, and the number of requests that it answers in a second.
struct Cost {
  let microseconds: Double
  let rate: Double
  /// The number of answered requests.
  let count: Int

  /// Returns the cost of the measured requests of a comparison, given this cost of all its requests
  /// and the cost of those that only prepare.
  ///
  /// Its rate is the number of measured requests in a second, together with their preparation.
  func of(_ comparison: Comparison, less preparation: Cost?) -> Cost {
    let (requests, measured) = (Double(comparison.requests.count), Double(comparison.measured))
    let other = (preparation?.microseconds ?? 0) * Double(comparison.preparation.count)
    return Cost(
      microseconds: (microseconds * requests - other) / measured,
      rate: rate * measured / requests, count: count)
  }
}

/// Requests that failed while they were measured.
struct LoadFailure: Error, CustomStringConvertible {
  let errors: Int
  let output: String

  var description: String { "\(errors) requests failed under load\n\(output)" }
}

/// A script for wrk whose last line of output is: requests, microseconds, errors.
///
/// Placeholders of turns are as long as what stands for them, so that formatted requests are filled in.
private func luaScript(sending requests: [Request], run: Int) -> String {
  let formatted = requests.map { request in
    let headers = request.headers.map { "[ \(lua($0.name)) ] = \(lua($0.value))" }
      .joined(separator: ", ")
    let target = "(own(\(lua(request.path))))"
    let body = request.body.map { "(own(\(lua($0))))" } ?? "nil"
    return "    wrk.format(\(lua(request.method)), \(target), {\(headers)}, \(body)),"
  }
  return """
    local threads, requests, varies, last, turn, begun = 0, {}, {}, 0, -1, false
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
      for index, request in ipairs(requests) do
        varies[index] = request:find("\(Request.turnPlaceholder)", 1, true)
          or request:find("\(Request.uniquePlaceholder)", 1, true)
      end
    end
    function request()
      -- wrk checks this function of its first thread, and sends nothing of that.
      if connection == "1" and not begun then
        begun = true
        return requests[1]
      end
      last = last % #requests + 1
      if last == 1 then turn = turn + 1 end
      local text = requests[last]
      if not varies[last] then return text end
      text = text:gsub("\(Request.turnPlaceholder)", string.format("%04d", turn % \(Request.turns)))
      text = text:gsub("\(Request.uniquePlaceholder)", string.format("%04d%08d", \(run), turn))
      return text
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
