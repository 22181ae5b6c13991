import JSONText

/// Sends requests to a server, and retries failures like `menud.js`.
struct DoClient {
  let curl: Curl
  /// The timeout of a request in seconds.
  let timeout: Double
  /// The maximum number of attempts of a request.
  var attempts = 6

  /// Creates a client.
  ///
  /// - Throws: `DoFailure` if the address is not an HTTP address.
  init(server: String, token: Secret?, timeout: Double) throws(DoFailure) {
    let isVisible = server.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    let isAddress = server.wholeMatch(of: /https?:\/\/[^\/?#]+(\/[^?#]*)?/.ignoresCase()) != nil
    guard isVisible, isAddress else {
      let shown = Self.withoutPassword(server)
      throw DoFailure(
        .mistake, "'\(shown)' is no address of a server; one is http://localhost:8080.")
    }
    curl = Curl(server: server.withoutTrailingSlashes, token: token)
    self.timeout = timeout
  }

  /// Returns the answer to a request, which must have a member.
  ///
  /// - Throws: `DoFailure` if it is refused, or on timeout.
  func answer(to request: DoRequest, with member: String) throws(DoFailure) -> DoAnswer {
    let answer = try answer(to: request)
    guard answer.json.member(member) != nil else {
      let sentence = "Its answer has no member '\(member)'."
      throw unreached(Curl.Failure(sentence: sentence, isPassing: false))
    }
    return answer
  }

  /// Returns the answer to a request.
  ///
  /// - Throws: `DoFailure` if it is refused, or on timeout.
  func answer(to request: DoRequest) throws(DoFailure) -> DoAnswer {
    var request = request
    if request.isChange, !request.fields.contains(where: { $0.name == "Idempotency-Key" }) {
      request.fields.append(("Idempotency-Key", Self.newKey))
    }
    if request.wait > 0 { request.fields.append(("Prefer", "wait=\(Int(request.wait))")) }
    let deadline = Posix.monotonicMilliseconds + Int64(1000 * (timeout + request.wait))
    var attempt = 1
    while true {
      let rest = Double(deadline - Posix.monotonicMilliseconds) / 1000
      let outcome = attempted(request, within: min(rest, timeout / 2 + request.wait))
      if case .success(let answer) = outcome { return answer }
      guard case .failure(let failure) = outcome else { continue }
      let pause = failure.pause ?? 100 << Int64(attempt)
      let isOver = attempt >= attempts || Posix.monotonicMilliseconds + pause >= deadline
      guard failure.isPassing, !isOver else { throw failure.failure }
      Posix.sleep(.milliseconds(pause))
      attempt += 1
    }
  }

  private struct AttemptFailure: Error {
    let failure: DoFailure
    let isPassing: Bool
    /// The time that the server asks to wait, in milliseconds.
    var pause: Int64?
  }

  private func attempted(
    _ request: DoRequest, within seconds: Double
  ) -> Result<DoAnswer, AttemptFailure> {
    do throws(Curl.Failure) {
      let answer = try curl.answer(to: request, within: seconds)
      if (200..<300).contains(answer.status) {
        guard answer.status == 204 || answer.isJSON else {
          throw Curl.Failure(sentence: "Its answer is no JSON.", isPassing: false)
        }
        return .success(answer)
      }
      let pause = answer.fields["retry-after"].flatMap(Int64.init).map { min($0, 86_400) * 1000 }
      return .failure(
        AttemptFailure(
          failure: DoFailure(problem: answer),
          isPassing: answer.isPassing, pause: pause))
    } catch {
      return .failure(
        AttemptFailure(failure: unreached(error), isPassing: error.isPassing))
    }
  }

  /// Returns the failure of a request without an answer.
  func unreached(_ failure: Curl.Failure) -> DoFailure {
    let sentence = failure.sentence
    let server = Self.withoutPassword(curl.server)
    return DoFailure(
      .unreached, failure.isMissing ? sentence : "\(server) does not answer: \(sentence)")
  }

  /// Returns an address without its name and password, if it has any.
  private static func withoutPassword(_ server: String) -> String {
    server.replacing(/^([A-Za-z]+:\/\/)?[^\/]*@/) { "\($0.output.1 ?? "")" }
  }

  /// A new unique key.
  static var newKey: String {
    "\"" + String(UInt128.random(in: 0 ... .max), radix: 36) + "\""
  }
}

extension DoClient {
  /// Returns the name of the only open session.
  ///
  /// - Throws: `DoFailure` if none is open, or several.
  func onlySession() throws(DoFailure) -> String {
    let answer: DoAnswer
    do throws(DoFailure) {
      answer = try self.answer(to: .get("sessions"), with: "sessions")
    } catch {
      guard error.problem?.status == 403 else { throw error }
      throw DoFailure(
        error.exit, "\(error.sentence) Name the session by --session or MENUD_SESSION.",
        problem: error.problem)
    }
    let names = answer.json.list("sessions").compactMap { $0.text("session") }
    guard let name = names.first else { throw DoFailure(.wrong, "No session is open.") }
    guard names.count == 1 else {
      let shown = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
      throw DoFailure(
        .wrong,
        "Several sessions are open: \(shown). Name one by --session or MENUD_SESSION.")
    }
    return name
  }
}
