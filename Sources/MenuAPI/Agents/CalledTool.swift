import JSONText
import MenuEngine

/// The tool that a call is about, as its result names it.
struct CalledTool: Sendable {
  let session: SessionID
  /// The name of the tool.
  let name: String
  let revision: AgentRevision

  /// The tool of a command.
  init(_ command: CommandID, in session: SessionID, _ revision: AgentRevision) {
    self.session = session
    self.revision = revision
    name = ToolName.text(of: command)
  }

  /// The URI of the session, where everything that changed can be read.
  var root: String { SessionResource.root(session) }
}
