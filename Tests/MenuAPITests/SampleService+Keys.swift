import JSONText
import MicroHTTP

extension SampleService {
  /// Declares a command with a key and an alternate: `reject:` by the grid, `rejectNext:` by its
  /// root controller.
  func declareReject() throws {
    _ = try send(
      .put, "/commands/reject:",
      #"""
      {"title":"Reject","action":"reject:","key":{"input":"x","modifiers":["command"]},
       "alternates":[{"modifiers":["alternate"],"title":"Reject and Next","action":"rejectNext:"}]}
      """#)
    _ = try send(.put, "/sessions/demo/responders/photoGrid/handlers/reject:", "{}")
    _ = try send(
      .put, "/sessions/demo/responders/root/handlers/rejectNext:",
      #"{"perform":[{"op":"replace","path":"/rating","value":"-1"}]}"#)
  }

  /// Gives the grid these key commands.
  func listen(_ keyCommands: String) throws {
    _ = try send(
      .put, "/sessions/demo/responders/photoGrid/key-commands",
      #"{"keyCommands":[\#(keyCommands)]}"#)
  }

  /// The answer to a question about a key.
  func key(_ path: String, _ key: String, _ more: String = "") throws -> Response {
    try send(.post, "/keys/\(path)", #"{"session":"demo","key":\#(key)\#(more)}"#)
  }
}
