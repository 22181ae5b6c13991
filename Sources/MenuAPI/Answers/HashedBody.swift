/// The body of a request, hashed once.
struct HashedBody: Hashable, Sendable {
  let body: [UInt8]
  /// True if the query requests traces.
  private let isExplaining: Bool
  private let digest: Int

  /// Creates a body with a hash keyed by this process.
  init(_ body: [UInt8], isExplaining: Bool = false) {
    (self.body, self.isExplaining) = (body, isExplaining)
    var hasher = Hasher()
    hasher.combine(isExplaining)
    hasher.combine(body.count)
    unsafe body.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
    digest = hasher.finalize()
  }

  /// The question as part of an entity tag: its hash in base 36.
  var tagParameters: String { String(UInt(bitPattern: digest), radix: 36) }

  static func == (left: HashedBody, right: HashedBody) -> Bool {
    left.digest == right.digest && left.body == right.body
      && left.isExplaining == right.isExplaining
  }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
