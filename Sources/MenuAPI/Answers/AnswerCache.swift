import Locks
import MenuEngine
import MenuStore

/// The last answers to the questions that are asked, found by the bytes of the request before
/// anything of it is read.
///
/// They are spread over several locks, so that two requests seldom wait for each other, and bounded
/// together: when there are too many, those go that nobody asked for the longest time. What is kept of an
/// answer is no copy of what the plan of its session keeps of it; one that is too large to be kept here is
/// kept there alone.
final class AnswerCache: Sendable {
  /// An answer, and what it depends on besides the request.
  struct Answer: Sendable {
    let session: SessionID
    let request: ValidationRequest
    let version: SessionVersion
    let catalogRevision: Int
    let tag: EntityTag
    let body: [UInt8]
  }

  /// A part behind its lock, which cannot be an element of an array itself.
  private final class Part: Sendable {
    let generations = Lock(Generations())
  }

  private let parts = (0..<16).map { _ in Part() }
  private let maximumSize: Int

  /// No answers, and room for so many bytes of them, requests included. The default is 64 MiB.
  init(maximumSize: Int = 64 << 20) { self.maximumSize = maximumSize / 16 }

  /// The last answer to the request with this body, which may not be the present one.
  func answer(to request: [UInt8]) -> Answer? {
    part(of: request).generations.withLock { $0.answer(to: request, upTo: maximumSize) }
  }

  /// Keeps an answer, in place of an older one to the same request.
  func keep(_ answer: Answer, to request: [UInt8]) {
    part(of: request).generations.withLock { $0.keep(answer, to: request, upTo: maximumSize) }
  }

  /// By the bytes at the beginning and the end, where the names of sessions and commands differ, which is
  /// cheaper than to hash all; those that are the same there only share a part.
  private func part(of request: [UInt8]) -> Part {
    var sum = request.count
    for byte in request.prefix(64) { sum = sum &* 33 &+ Int(byte) }
    for byte in request.suffix(16) { sum = sum &* 33 &+ Int(byte) }
    return parts[Int(UInt(bitPattern: sum ^ (sum >> 16)) % 16)]
  }
}

/// Answers in two generations: what is kept or asked for is young; when the young ones take half of the
/// room they are the old ones, and what was old then and was not asked for meanwhile goes.
private struct Generations {
  private var young: [[UInt8]: AnswerCache.Answer] = [:]
  private var old: [[UInt8]: AnswerCache.Answer] = [:]
  private var youngSize = 0

  mutating func answer(to request: [UInt8], upTo maximumSize: Int) -> AnswerCache.Answer? {
    if let answer = young[request] { return answer }
    guard let answer = old.removeValue(forKey: request) else { return nil }
    keep(answer, to: request, upTo: maximumSize)
    return answer
  }

  mutating func keep(
    _ answer: AnswerCache.Answer, to request: [UInt8], upTo maximumSize: Int
  ) {
    let size = answer.size(for: request)
    old[request] = nil
    if let former = young.removeValue(forKey: request) { youngSize -= former.size(for: request) }
    // More than a part of a generation would drive out all others.
    guard size <= maximumSize / 8 else { return }
    if youngSize + size > maximumSize / 2 { (old, young, youngSize) = (young, [:], 0) }
    young[request] = answer
    youngSize += size
  }
}

extension AnswerCache.Answer {
  /// True if it would be the same again, for a request that may touch the session.
  func isPresent(to call: Call) -> Bool {
    call.version(session) == version && call.catalogRevision == catalogRevision
  }

  /// About how many bytes it takes with the request.
  fileprivate func size(for request: [UInt8]) -> Int {
    // The request stands there as it came and as it was read.
    MemoryLayout<Self>.stride + 4 * request.count + 128 + body.count
  }
}
