import Glibc
import JSONText
import Measuring

/// The measurements at one size.
struct Point {
  let size: Int
  /// The resident memory of menud in bytes, before anything is asked.
  let memory: Int
  /// Microseconds from a request to its whole answer, by series.
  let latencies: [(series: String, latency: Latency)]

  /// The middle of many, and that which one of a hundred exceeds.
  struct Latency {
    let median: Double
    let p99: Double
  }
}

extension Point {
  init(of axis: Axis, size: Int, sessions: Int, on server: HTTPServer) throws {
    self.size = size
    memory = try server.server.residentMemory()
    guard let connection = Connection(port: server.port) else {
      throw ServerFailure.notReady(command: server.server.command)
    }
    latencies = try axis.series(of: size, sessions: sessions).map {
      ($0.name, try $0.latency(on: connection))
    }
  }
}

extension Series {
  /// Asks for about a second, after a round for nothing that fills whatever is kept.
  fileprivate func latency(on connection: Connection) throws -> Point.Latency {
    _ = try times(on: connection)
    let times = try times(on: connection).sorted()
    return Point.Latency(
      median: median(times), p99: times[min(times.count * 99 / 100, times.count - 1)])
  }

  private func times(on connection: Connection) throws -> [Double] {
    var times: [Double] = []
    let start = microseconds()
    while times.count < 20 || (times.count < 2000 && microseconds() - start < 1_000_000) {
      times.append(try ask(times.count, connection))
    }
    return times
  }

  /// Returns the time of one answer in microseconds.
  private func ask(_ time: Int, _ connection: Connection) throws -> Double {
    for request in preparation(time) { try expectSuccess(request, connection) }
    let request = question(time)
    let bytes = request.bytes
    let start = microseconds()
    let answer = connection.answer(to: bytes)
    let end = microseconds()
    guard answer?.status == 200 else { throw UnexpectedAnswer(request, answer) }
    return end - start
  }

  private func expectSuccess(_ request: Request, _ connection: Connection) throws {
    let answer = connection.answer(to: request.bytes)
    guard let answer, 200..<300 ~= answer.status else { throw UnexpectedAnswer(request, answer) }
  }
}

private func microseconds() -> Double {
  var now = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) * 1_000_000 + Double(now.tv_nsec) / 1000
}
