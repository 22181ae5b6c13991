import Locks
import MenuEngine
import MenuStore

/// A cache of recent answers to validations, keyed by the bytes of the request body, before any of it is
/// parsed.
///
/// An answer holds while the session and the catalogue stay at the versions it was made from. The least
/// recently used answers are evicted when the cache is full. The bytes of an answer are shared with the plan of
/// its session, which also keeps answers that are too large for this cache.
final class AnswerCache: Sendable {
  /// The body of a request, hashed once.
  struct HashedBody: Hashable, Sendable {
    let body: [UInt8]
    private let digest: Int

    /// Creates a body with a hash keyed by this process.
    init(_ body: [UInt8]) {
      self.body = body
      var hasher = Hasher()
      hasher.combine(body.count)
      unsafe body.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
      digest = hasher.finalize()
    }

    /// The body as part of an entity tag: its hash in base 36.
    var tagParameters: String { String(UInt(bitPattern: digest), radix: 36) }

    static func == (left: HashedBody, right: HashedBody) -> Bool {
      left.digest == right.digest && left.body == right.body
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
  }

  /// An answer, with everything besides the request body that it was made from.
  struct KeptAnswer: Sendable {
    let session: SessionID
    let request: ValidationRequest
    let version: Snapshot.Version
    let tag: EntityTag
    let body: [UInt8]
  }

  private let generations = Lock(Generations())
  private let maximumSize: Int

  /// Creates an empty cache.
  ///
  /// - Parameter maximumSize: The bytes of all answers and their requests; the default is 64 MiB. A single
  ///   answer may take a 128th of that.
  init(maximumSize: Int = 64 << 20) { self.maximumSize = maximumSize }

  /// Returns the last answer to a question; it may be out of date.
  func answer(to question: HashedBody) -> KeptAnswer? {
    generations.withLock { $0.answer(to: question, upTo: maximumSize) }
  }

  /// Evicts the answers about a closed session.
  func forget(_ session: SessionID) {
    // The evicted answers are freed after the lock is released.
    _ = generations.withLock { $0.remove(session) }
  }

  /// Evicts the answers about all sessions except the open ones.
  func forgetClosed(besides open: Set<SessionID>) {
    for session in generations.withLock(\.sessions) where !open.contains(session) {
      forget(session)
    }
  }

  /// The bytes of all answers and their requests.
  var size: Int { generations.withLock(\.size) }

  /// Keeps an answer; it replaces the older one to the same question.
  func keep(_ answer: KeptAnswer, to question: HashedBody) {
    generations.withLock { $0.keep(answer, to: question, upTo: maximumSize) }
  }
}

/// Answers in two generations. An answer that is stored or read is young. When the young answers take half the
/// room they become the old generation, and the previous old generation is evicted.
private struct Generations {
  private var young = Generation()
  private var old = Generation()

  mutating func answer(
    to question: AnswerCache.HashedBody, upTo maximumSize: Int
  ) -> AnswerCache.KeptAnswer? {
    if let answer = young.answers[question] { return answer }
    guard let answer = old.remove(question) else { return nil }
    keep(answer, to: question, upTo: maximumSize)
    return answer
  }

  mutating func keep(
    _ answer: AnswerCache.KeptAnswer, to question: AnswerCache.HashedBody, upTo maximumSize: Int
  ) {
    let size = answer.size(for: question)
    guard size <= maximumSize / 128 else {
      old.remove(question)
      young.remove(question)
      return
    }
    if young.size + size > maximumSize / 2 { (old, young) = (young, Generation()) }
    old.remove(question)
    young.insert(answer, to: question)
  }

  var size: Int { young.size + old.size }

  var sessions: [SessionID] { Array(Set(young.questions.keys).union(old.questions.keys)) }

  mutating func remove(_ session: SessionID) -> [AnswerCache.KeptAnswer] {
    young.remove(session) + old.remove(session)
  }
}

/// Answers by question, and the questions about each session.
private struct Generation {
  private(set) var answers: [AnswerCache.HashedBody: AnswerCache.KeptAnswer] = [:]
  private(set) var questions: [SessionID: Set<AnswerCache.HashedBody>] = [:]
  private(set) var size = 0

  /// Adds an answer, in place of an older one to the same question.
  mutating func insert(_ answer: AnswerCache.KeptAnswer, to question: AnswerCache.HashedBody) {
    size += answer.size(for: question)
    if let former = answers.updateValue(answer, forKey: question) {
      size -= former.size(for: question)
      if former.session == answer.session { return }
      forget(question, about: former.session)
    }
    questions[answer.session, default: []].insert(question)
  }

  @discardableResult
  mutating func remove(_ question: AnswerCache.HashedBody) -> AnswerCache.KeptAnswer? {
    guard !answers.isEmpty, let answer = answers.removeValue(forKey: question) else { return nil }
    size -= answer.size(for: question)
    forget(question, about: answer.session)
    return answer
  }

  private mutating func forget(_ question: AnswerCache.HashedBody, about session: SessionID) {
    questions[session]?.remove(question)
    if questions[session]?.isEmpty == true { questions[session] = nil }
  }

  mutating func remove(_ session: SessionID) -> [AnswerCache.KeptAnswer] {
    (questions[session] ?? []).compactMap { remove($0) }
  }
}

extension AnswerCache.KeptAnswer {
  /// The approximate bytes of the answer and its request.
  fileprivate func size(for question: AnswerCache.HashedBody) -> Int {
    // The request body is held twice: raw and parsed.
    MemoryLayout<Self>.stride + 4 * question.body.count + 128 + body.count
  }
}
