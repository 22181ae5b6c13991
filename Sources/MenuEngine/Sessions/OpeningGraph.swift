/// The responders of a template, joined once for all sessions that are opened with them, which share
/// them until they change.
struct OpeningGraph: Sendable {
  private let responders: [Responder]
  /// The responders with their links.
  let graph: ResponderGraph
  /// The last token that was given to a registration with one of their coordinators.
  let lastToken: Int

  /// Nil when the responders contradict each other; opening a session with them reports that.
  init?(_ template: SessionTemplate?) {
    guard let template else { return nil }
    var token = 0
    var numbered = template.responders
    for index in numbered.indices where numbered[index].coordinator != nil {
      numbered[index].coordinator = numbered[index].coordinator?.renumbered { _ in
        token += 1
        return token
      }
    }
    var graph = ResponderGraph()
    guard (try? graph.put(numbered)) != nil else { return nil }
    responders = template.responders
    self.graph = graph
    lastToken = token
  }

  /// True if a session is opened with the same responders.
  func isOf(_ template: SessionTemplate) -> Bool {
    responders.span.isIdentical(to: template.responders.span)
  }
}
