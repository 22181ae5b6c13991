import Foundation
import Measuring

/// A server that menud is compared with.
struct Peer {
  /// The way in which it is asked.
  enum Entrance {
    /// As menud is, by the same requests.
    case sameRequests(HTTPServer)
    /// For a constant body, by status and size.
    case constant(HTTPServer)
    /// For the actions of an action group, on this bus and of this name.
    case bus(Server, address: [String])
    /// Not at all: it is not available here.
    case missing(why: String)
  }

  let name: String
  let entrance: Entrance

  static let constant = "C, constant body"
  static let twoThreads = "menud, two threads on both cores"
  static let hummingbird = "hummingbird, constant body"
  static let node = "Node, validates too"
  static let fastAPIWithORJSON = "FastAPI with orjson, validates too"
  static let fastAPI = "FastAPI by default, validates too"
  static let actionGroup = "GLib's action group over D-Bus"
}

extension Peer {
  /// Starts those of these names, on ports from `port` on: menud once more, and those of Benchmarks/peers that
  /// were made ready in a folder.
  static func all(
    _ names: Set<String>, menud: (_ port: Int) throws -> HTTPServer, folder: String, port: Int,
    connections: Int
  ) throws -> [Peer] {
    func http(_ command: [String], _ offset: Int, _ readiness: String) throws -> HTTPServer {
      try HTTPServer(command + ["\(port + offset)"], port: port + offset, readiness: readiness)
    }
    func validating(_ command: [String], _ offset: Int) throws -> Entrance {
      let server = try http(command + [Workload.session], offset, "/health")
      try Workload.openSessions(on: server, connections: connections)
      return .sameRequests(server)
    }
    func fastAPI(_ encoding: String, _ offset: Int) throws -> Entrance {
      let script = "Benchmarks/peers/fastapi/validate.py"
      return try validating(["\(folder)/fastapi/bin/python", script, encoding], offset)
    }
    func peer(
      _ name: String, needing part: String? = nil, _ start: () throws -> Entrance
    ) rethrows -> Peer? {
      guard names.contains(name) else { return nil }
      let reason = part.flatMap {
        try? String(contentsOfFile: "\(folder)/\($0).missing", encoding: .utf8)
      }
      if let reason {
        let why = reason.trimmingCharacters(in: .whitespacesAndNewlines)
        return Peer(name: name, entrance: .missing(why: why))
      }
      return Peer(name: name, entrance: try start())
    }
    let peers = [
      try peer(twoThreads) {
        let server = try menud(port)
        try Workload.openSessions(on: server, connections: connections)
        return .sameRequests(server)
      },
      try peer(hummingbird, needing: "hummingbird") {
        let program = "\(folder)/hummingbird/release/hummingbird-constant"
        return .constant(try http([program], 1, "/200/0"))
      },
      try peer(node, needing: "node") {
        try validating(["node", "Benchmarks/peers/node/validate.mjs"], 2)
      },
      try peer(fastAPIWithORJSON, needing: "fastapi") { try fastAPI("orjson", 3) },
      try peer(Self.fastAPI, needing: "fastapi") { try fastAPI("default", 4) },
      try peer(actionGroup, needing: "gdbus") { try bus("\(folder)/gdbus/action-group") },
    ]
    return peers.compactMap(\.self)
  }

  /// Starts the action group, which writes where it can be asked.
  private static func bus(_ program: String) throws -> Entrance {
    let output = Pipe()
    let server = try Server([program], output: output)
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let address = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard address.count == 2 else { throw ServerFailure.notReady(command: program) }
    return .bus(server, address: address)
  }

  /// The versions of those whose own sources do not say them.
  static func versions(in folder: String) -> String {
    [("Node", "node"), ("GLib", "gdbus")].compactMap { name, peer in
      let version = try? String(contentsOfFile: "\(folder)/\(peer)/version", encoding: .utf8)
      return version.map { "\(name) \($0.trimmingCharacters(in: .newlines))" }
    }
    .joined(separator: ", ")
  }
}
