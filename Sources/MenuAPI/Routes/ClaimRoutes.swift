import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Claiming the next delivery, of a session (D2) or of all (D5).
enum ClaimRoutes {
  static let all = [
    Route(
      .post, at: "/sessions/{session}/deliveries/claim", needing: .work, id: "claimNextDelivery",
      "Claims the first delivery that is open; with `Prefer: wait` once there is one.",
      parameters: ["session": "desk"],
      body: .json("NextClaim", #"{"by":"worker","commands":["copy:"]}"#, isRequired: false),
      answers: answers, heedsWait: true, answeredBy: claimNext),
    Route(
      .post, at: "/deliveries/claim", needing: .workInAll, id: "claimDeliveryOfAny",
      "Claims the first delivery that is open in the session that has waited longest; with `Prefer: wait` once there is one.",
      body: .json("NextClaim", #"{"by":"worker","commands":["copy:"]}"#, isRequired: false),
      answers: answers, problems: [.overBudget], heedsWait: true, answeredBy: claimOfAny),
  ]

  private static let answers: [Route.Answer] = [
    .ok("DeliveryChanged", "The delivery with the claim.", headers: ["ETag"]),
    .noContent("No delivery is open."),
  ]

  private static func claimNext(_ call: Call) throws(Problem) -> Response {
    let id = try call.session
    let claim = try NextClaim(of: call)
    return try claim.answered(by: call, orAfter: .session(id)) { () throws(Problem) in
      try claim.response(of: id, to: call)
    }
  }

  private static func claimOfAny(_ call: Call) throws(Problem) -> Response {
    let claim = try NextClaim(of: call)
    return try claim.answered(by: call, orAfter: .deliveries) { () throws(Problem) in
      let sessions = try call.store.sessionsWithDeliveries()
      let now = call.service.steadyTime
      let waiting = sessions.compactMap { session in
        claim.wait(of: session, at: now, call).map { (id: session.id, since: $0) }
      }
      var refusal: Problem?
      for (id, _) in waiting.sorted(by: { ($0.since, $0.id.rawValue) < ($1.since, $1.id.rawValue) })
      {
        do throws(Problem) {
          if let response = try claim.response(of: id, to: call) { return response }
        } catch {
          // The budget of this session does not affect the other sessions.
          guard error.type == .overBudget else { throw error }
          refusal = refusal ?? error
        }
      }
      if let refusal { throw refusal }
      return nil
    }
  }
}

/// A request to claim the next delivery.
private struct NextClaim {
  /// The name of the claimant; nil if there is none.
  private var name: String?
  /// The commands whose deliveries are claimed; nil for all.
  private var commands: [CommandID]?
  private var options: ChangeOptions

  init(of call: Call) throws(Problem) {
    options = try ChangeOptions(call)
    guard !call.request.body.isEmpty else { return }
    ((name, commands), options) = try call.objectAndOptions { reader in
      (
        name: reader.member("by", Read.text(upTo: Limits.claimerName)),
        commands: reader.list("commands", Read.identifier)
      )
    }
  }

  /// True if a delivery can be claimed: it is open, or its claim has expired.
  private func takes(_ delivery: Delivery, at time: Int64, _ call: Call) -> Bool {
    let isExpired = delivery.state == .claimed && (delivery.claim?.until ?? .max) <= time
    guard delivery.state == .open || isExpired, call.shows(delivery) else { return false }
    guard let commands else { return true }
    return delivery.command.map(commands.contains) ?? false
  }

  /// Returns the time since which a session waits for a worker, in milliseconds since 1970-01-01T00:00:00Z; nil if it
  /// has no delivery to claim.
  ///
  /// If a session has several deliveries, its wait restarts whenever one is claimed or settled.
  func wait(of session: Session, at time: Int64, _ call: Call) -> Int64? {
    let deliveries = session.deliveries.all
    guard let first = deliveries.first(where: { takes($0, at: time, call) }) else { return nil }
    let duration = call.service.limits.claim
    // Stored times are not limited to the years of RFC 3339.
    let worked = deliveries.lazy.compactMap { delivery in
      delivery.claim.map {
        ($0.firstUntil ?? $0.until).subtractingReportingOverflow(duration).partialValue
      } ?? delivery.settledAt
    }
    return max(first.invocation.when ?? .min, worked.max() ?? .min)
  }

  /// Claims the first delivery of a session, and returns the answer; nil if there is none to claim.
  func response(of id: SessionID, to call: Call) throws(Problem) -> Response? {
    var isClaimed = false
    let response = try call.change(id, isDry: options.isDry) {
      (change) throws(Problem) -> Response in
      let now = call.service.steadyTime
      let next = change.session.deliveries.all.first { takes($0, at: now, call) }
      isClaimed = next != nil
      guard let next else { return Response(status: .noContent) }
      return try DeliveryRoutes.answer(
        call, of: &change, .claim(by: name), to: next.id, options: options)
    }
    return isClaimed ? response : nil
  }

  /// Returns the answer of `claim`. If there is none, the request has no content, or waits for a change if it prefers
  /// that.
  func answered(
    by call: Call, orAfter subject: Wait.Subject, _ claim: () throws(Problem) -> Response?
  ) throws(Problem) -> Response {
    // A client that disconnected while waiting would hold the claim until it expires.
    if call.isAgain, call.request.isAbandoned { return Response(status: .noContent) }
    let response = try claim()
    if response == nil { call.waitIfPreferred(for: subject) }
    return call.heedingPreference(response ?? Response(status: .noContent))
  }
}
