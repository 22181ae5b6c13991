import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The answer to a request with deliveries, completed once they are settled (D3).
///
/// It is created from the answer alone, so that a replay of the request waits like the original.
struct DeliveredAnswer: Sendable {
  let session: SessionID
  private let response: Response
  private let members: JSONObject
  private let ids: [Int]
  /// The incarnation of the session with the deliveries; nil, the default, if it is closed.
  var opening: Incarnation?

  /// Creates the pending answer; nil if it has no deliveries, or is of a dry run.
  init?(_ response: Response) {
    guard response.status == .ok, let members = response.object,
      members["dryRun"] == nil, case .string(let name)? = members["session"],
      let session = SessionID(name), case .array(let deliveries)? = members["deliveries"]
    else { return nil }
    let ids = deliveries.compactMap(\.deliveryID)
    guard !ids.isEmpty else { return nil }
    self.session = session
    self.response = response
    self.members = members
    self.ids = ids
  }

  /// Returns the present deliveries of the session; nil if the session no longer exists.
  func deliveries(at store: RequestStore) -> Deliveries? {
    // A waiting request follows the session, so that it stays in memory.
    let present = (try? store.read(session))?.session
    return present?.opening === opening ? present?.session.deliveries : nil
  }

  /// Returns the answer if all deliveries are settled, if the session no longer exists, or if `isLast`. Unsettled
  /// deliveries can then be read at the address in `Location`. `known` are the present deliveries of the session.
  func response(with known: Deliveries?, isLast: Bool, after seconds: Int) -> Response? {
    let open = ids.first { known?[$0]?.state.isSettled == false }
    guard isLast || open == nil || known == nil else { return nil }
    var members = members
    if let known, case .array(let told)? = members["deliveries"] {
      members["deliveries"] = .array(
        told.map { element in
          element.deliveryID.flatMap { known[$0] }.map(JSON.init(delivery:)) ?? element
        })
    }
    var completed = Response(
      status: .ok, headers: response.headers, body: JSON.object(members).bytes)
    if let unsettled = known == nil ? ids.first : open {
      completed.status = .accepted
      completed.headers.append("Location", "/sessions/\(session)/deliveries/\(unsettled)")
    }
    completed.headers.append("Preference-Applied", "wait=\(seconds)")
    return completed
  }
}

extension Call {
  /// Holds the answer to a request with deliveries until they are settled, if the client prefers that.
  func waitingForDeliveries(_ response: Response, of route: Route) -> Response {
    guard request.headers.has("prefer"), case .possible = waiting.patience,
      let seconds = preferredWait, var answer = DeliveredAnswer(response)
    else { return response }
    let (service, request, sessions, rights) = (service, request, store.store, grant.rights)
    // A replay does not read the session otherwise. Without the session, the request is answered again once it is
    // loaded.
    guard let look = try? store.read(answer.session) else { return response }
    answer.opening = look.session?.opening
    waiting.wait = Wait(
      subject: .session(answer.session), deadline: deadline(in: seconds), request: request,
      answer: { [answer] again in
        let store = RequestStore(store: sessions, waiting: again)
        let isLast = if case .possible = again.patience { false } else { true }
        let known = answer.deliveries(at: store)
        do throws(Problem) {
          // A client whose token is no longer valid does not see later changes (T2).
          if known != nil { _ = try service.access(of: request, on: route, in: store) }
        } catch {
          return service.finished(error.response, to: request)
        }
        return answer.response(with: known, isLast: isLast, after: seconds)
          .map { rights.contains(.read) ? $0 : $0.shown(for: rights) }
          .map { service.finished($0, to: request) }
      })
    return response
  }
}

extension JSON {
  fileprivate init(delivery: Delivery) {
    var writer = JSONWriter()
    writer.value(delivery)
    self = (try? JSON(parsing: writer.bytes)) ?? .null
  }

  fileprivate var deliveryID: Int? {
    guard case .object(let members) = self, case .int(let id)? = members["id"] else { return nil }
    return Int(exactly: id)
  }
}
