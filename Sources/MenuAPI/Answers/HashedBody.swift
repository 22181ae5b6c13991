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
