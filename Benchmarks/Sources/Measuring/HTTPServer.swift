import Foundation

/// A server that answers HTTP on a port of 127.0.0.1.
package final class HTTPServer {
  package let port: Int
  package let server: Server

  package var origin: String { "http://127.0.0.1:\(port)" }

  /// Starts it, and waits until it answers `readiness` with 200.
  package init(
    _ command: [String], cores: String = "0", port: Int, readiness: String
  ) throws {
    self.port = port
    server = try Server(command, cores: cores)
    for _ in 0..<1200 where server.isRunning {
      if (try? expect(200, for: .get(readiness))) != nil { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    throw ServerFailure.notReady(command: server.command)
  }

  /// Sends one request, as the first connection would, outside of any measurement.
  package func answer(to request: Request) throws -> Answer {
    guard let answer = Connection(port: port)?.answer(to: request.bytes) else {
      throw UnexpectedAnswer(request, nil)
    }
    return answer
  }

  @discardableResult
  package func expect(_ status: Int, for request: Request) throws -> Answer {
    let answer = try answer(to: request)
    guard answer.status == status else { throw UnexpectedAnswer(request, answer) }
    return answer
  }
}

extension HTTPServer {
  /// Starts menud, the one place that knows how; `options` come last and win over the configuration,
  /// and the program comes behind the arguments of a tool.
  package static func menud(
    _ program: String, configuration: String, cores: String = "0", port: Int,
    _ options: [String] = [], under tool: [String] = []
  ) throws -> HTTPServer {
    try HTTPServer(
      tool + [
        program, "serve", "--config", configuration, "--host", "127.0.0.1", "--port", "\(port)",
        "--log-level", "error",
      ] + options,
      cores: cores, port: port, readiness: "/health/ready")
  }
}
