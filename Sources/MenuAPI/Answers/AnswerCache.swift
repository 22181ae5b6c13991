import MenuEngine
import MenuStore
import Synchronization

/// The last answers to the questions that are asked, found by the bytes of the request before
/// anything of it is read.
///
/// They are spread over several locks, so that two requests seldom wait for each other. It is bounded in
/// number and size; when a part is full it is emptied, and fills with what is asked now.
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
    struct Contents {
      var answers: [[UInt8]: Answer] = [:]
      var size = 0
    }

    let contents = Mutex(Contents())
  }

  private let parts = (0..<AnswerCache.partCount).map { _ in Part() }

  /// The last answer to the request with this body, which may not be the present one.
  func answer(to request: [UInt8]) -> Answer? {
    part(of: request).contents.withLock { $0.answers[request] }
  }

  /// Keeps an answer, in place of an older one to the same request.
  func keep(_ answer: Answer, to request: [UInt8]) {
    let size = request.count + answer.body.count
    guard size <= Self.maximumSize / 2 else { return }
    part(of: request).contents.withLock { contents in
      if contents.size + size > Self.maximumSize || contents.answers.count >= Self.maximumCount {
        contents = Part.Contents()
      }
      if let old = contents.answers.updateValue(answer, forKey: request) {
        contents.size -= request.count + old.body.count
      }
      contents.size += size
    }
  }

  /// By the last bytes before the end, where the names of sessions or commands differ, which is cheaper
  /// than to hash all; those whose last bytes are the same only share a lock.
  private func part(of request: [UInt8]) -> Part {
    var sum = request.count
    for byte in request.suffix(16) { sum = sum &* 31 &+ Int(byte) }
    return parts[Int(UInt(bitPattern: sum) % UInt(Self.partCount))]
  }

  private static let partCount = 16
  /// The most answers that a part keeps.
  static let maximumCount = 64
  /// The most bytes that a part keeps, requests and answers together.
  static let maximumSize = 2 << 20
}

extension AnswerCache.Answer {
  /// Whether it would be the same again, for a request that may touch the session.
  func isPresent(to call: Call) -> Bool {
    call.version(session) == version && call.catalogRevision == catalogRevision
  }
}
