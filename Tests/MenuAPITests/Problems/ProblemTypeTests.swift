import MicroHTTP
import Testing

@testable import MenuAPI

struct ProblemTypeTests {
  @Test(
    arguments: rows(
      ProblemType.allCases,
      """
      401 unauthorized: A token is needed
      403 forbidden: The token does not give access
      403 more-than-own: A token gives no more than it has
      403 origin-refused: The origin is not allowed
      421 misdirected-request: The host name is not allowed
      404 unknown-path: There is nothing at this path
      405 method-not-allowed: This path does not have this method
      415 unsupported-media-type: The content type is not supported
      400 malformed-json: The body is not JSON
      422 invalid-body: The body is invalid
      400 invalid-query: The query is invalid
      400 invalid-name: The name is invalid
      404 unknown-session: No such session is open
      404 unknown-command: No such command is declared
      404 unknown-menu: There is no such menu
      404 unknown-protocol: No such protocol is declared
      404 unknown-storyboard: No such storyboard is declared
      404 unknown-responder: The session has no such responder
      404 unknown-handler: The responder has no such handler
      404 unknown-registration: The coordinator has no such registration
      404 no-coordinator: The responder hosts no coordinator
      404 no-registry: There is no registry of late responders
      404 unknown-late-responder: The registry has no such late responder
      404 unknown-segue: The scene has no such segue
      404 unknown-delivery: The session has no such delivery
      404 unknown-token: There is no such token
      404 unknown-keymap: There is no such keymap
      422 unresolved-reference: The body names something that does not exist
      409 session-exists: A session of this name is open
      409 duplicate-declaration: Two declarations contradict each other
      409 command-in-menus: The command stands in menus
      409 protocol-in-use: Classes use the protocol
      409 no-storyboard: The view controller comes from no storyboard
      409 launched-already: The session was launched already
      409 delegate-refused: The delegate lacks what its protocol requires
      409 link-conflict: The responder contradicts the others
      409 patch-conflict: The patch does not fit the state
      409 first-responder-refused: A responder refused to move focus
      409 not-performed: Nothing was performed
      409 needs-confirmation: The command asks for a confirmation
      412 plan-changed: The plan would change something else now
      422 unknown-plan: This is no plan
      403 foreign-plan: The plan is of another session or token
      410 expired-plan: The plan has expired
      410 history-gone: The history does not go back so far
      422 too-much-effort: The request is too much work
      409 limit-reached: A limit is reached
      503 too-many-sessions: Too many sessions are open
      409 effect-failed: An effect failed and nothing was changed
      409 does-not-recognize-selector: The receiver does not recognize the selector
      409 sender-carries-no-action: The sender carries no action
      409 undo-refused: The undo manager refuses
      409 message-queue-full: There is no room for another message
      409 delivery-conflict: The delivery is in another state
      412 precondition-failed: The precondition does not hold
      422 idempotency-key-reused: Another request had this idempotency key
      429 over-budget: The session takes too much time
      429 too-many-subscriptions: Too much is followed at once
      400 malformed-request: The request is malformed
      411 length-required: The request needs a length
      413 content-too-large: The body is too large
      417 expectation-failed: The expectation cannot be met
      501 not-implemented: This is not implemented
      505 version-not-supported: The server does not speak this version of HTTP
      431 headers-too-large: The header fields are too large
      408 request-timeout: The request did not come in time
      503 recovering: The server is not ready yet
      503 session-damaged: The session is damaged
      503 overloaded: The server has too many requests at once
      503 no-answer-in-time: The answer did not come in time
      507 no-room: There is no room to keep this
      503 not-kept: This cannot be kept
      503 outcome-unknown: It is not known whether this is kept
      500 internal-error: The server made a mistake
      """))
  func `each kind of problem is told with its status, its name and its title`(
    type: ProblemType, row: String
  ) {
    #expect("\(type.status.rawValue) \(type.rawValue): \(type.title)" == row)
    let document = String(decoding: Problem(type, "Why.").response.body, as: UTF8.self)
    #expect(
      document == """
        {"type":"/problems/\(type.rawValue)","title":"\(type.title)",\
        "status":\(type.status.rawValue),"detail":"Why."}
        """)
  }
}
