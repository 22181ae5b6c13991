import MenuEngine
import MenuStore
import Synchronization

/// The last answers to the questions that are asked, found by the bytes of the request before
/// anything of it is read.
///
/// It is bounded in number and size; when it is full it is emptied, and fills with what is asked
/// now.
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

  private struct Contents {
    var answers: [[UInt8]: Answer] = [:]
    var size = 0
  }

  private let contents = Mutex(Contents())

  /// The last answer to the request with this body, which may not be the present one.
  func answer(to request: [UInt8]) -> Answer? { contents.withLock { $0.answers[request] } }

  /// Keeps an answer, in place of an older one to the same request.
  func keep(_ answer: Answer, to request: [UInt8]) {
    let size = request.count + answer.body.count
    guard size <= Self.maximumSize / 8 else { return }
    contents.withLock { contents in
      if contents.size + size > Self.maximumSize || contents.answers.count >= Self.maximumCount {
        contents = Contents()
      }
      if let old = contents.answers.updateValue(answer, forKey: request) {
        contents.size -= request.count + old.body.count
      }
      contents.size += size
    }
  }

  /// The most answers kept.
  static let maximumCount = 1024
  /// The most bytes kept, requests and answers together.
  static let maximumSize = 8 << 20
}

extension AnswerCache.Answer {
  /// Whether it would be the same again.
  func isPresent(in store: SessionStore) -> Bool {
    store.version(session) == version && store.catalogRevision == catalogRevision
  }
}
