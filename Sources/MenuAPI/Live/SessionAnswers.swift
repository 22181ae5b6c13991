import JSONText
import MenuEngine
import MenuStore

/// The recent answers to validations of one session, keyed by the bytes of the request body.
///
/// An answer is valid while the session and the catalogue stay at its versions. Answers are in two generations. An
/// answer that is stored or read is young. When the young answers take half the space they become the old generation,
/// and the previous old generation is evicted. The bytes of an answer are shared with the session's plan, which also
/// keeps answers that are too large for this cache.
struct SessionAnswers: Remakeable {
  /// An answer, with everything besides the request body that it was made from.
  final class Answer: Sendable {
    let request: ValidationRequest
    let version: Snapshot.Version
    let tag: EntityTag
    let body: [UInt8]

    init(to request: ValidationRequest, at version: Snapshot.Version, tag: EntityTag, body: [UInt8])
    {
      (self.request, self.version, self.tag, self.body) = (request, version, tag, body)
    }
  }

  private struct Generation {
    var answers: [HashedBody: Answer] = [:]
    var size = 0

    mutating func insert(_ answer: Answer, of size: Int, to question: HashedBody) {
      self.size += size
      let former = answers.updateValue(answer, forKey: question)
      if let former { self.size -= former.size(for: question) }
    }

    @discardableResult
    mutating func remove(_ question: HashedBody) -> Answer? {
      guard !answers.isEmpty, let answer = answers.removeValue(forKey: question) else { return nil }
      size -= answer.size(for: question)
      return answer
    }
  }

  private let maximumSize: Int
  private var young = Generation()
  private var old = Generation()

  /// Creates an empty collection.
  ///
  /// - Parameter maximumSize: The bytes of all answers and their requests. A single answer may take a 64th of
  ///   that.
  init(upTo maximumSize: Int) { self.maximumSize = maximumSize }

  var size: Int { young.size + old.size }

  mutating func evict() { (young, old) = (Generation(), Generation()) }

  /// Returns the last answer to a question; it may be out of date.
  mutating func answer(to question: HashedBody) -> Answer? {
    if let answer = young.answers[question] { return answer }
    guard let answer = old.remove(question) else { return nil }
    keep(answer, to: question)
    return answer
  }

  /// Keeps an answer; it replaces the older one to the same question.
  mutating func keep(_ answer: Answer, to question: HashedBody) {
    let size = answer.size(for: question)
    let isTooLarge = size > maximumSize / 64
    if isTooLarge { young.remove(question) }
    if !isTooLarge, young.size + size > maximumSize / 2 { (old, young) = (young, Generation()) }
    old.remove(question)
    if !isTooLarge { young.insert(answer, of: size, to: question) }
  }
}

extension SessionAnswers.Answer {
  /// The approximate bytes of the answer and its request.
  fileprivate func size(for question: HashedBody) -> Int {
    // The request body is held twice: raw and parsed.
    384 + 4 * question.body.count + body.count
  }
}

extension LiveSession {
  /// Returns the last answer to a question; it may be out of date.
  func answer(to question: HashedBody) -> SessionAnswers.Answer? {
    answers.use { $0.answer(to: question) }
  }

  /// Keeps an answer; it replaces the older one to the same question.
  func keep(_ answer: SessionAnswers.Answer, to question: HashedBody) {
    answers.use { $0.keep(answer, to: question) }
  }
}
