import MenuStore

extension Setting {
  /// The bounds of kept answers to requests with an idempotency key: their number, size and time.
  static let idempotency = [
    idempotency("retention", in: 1...31_536_000, \.idempotency.retention),
    idempotency("answers", in: 1...10_000_000, \.idempotency.count),
    idempotency("size", in: 1...(1 << 36), \.idempotency.size),
  ]

  private static func idempotency(
    _ name: String, in range: ClosedRange<Int>, _ target: Form.Target<Int>
  ) -> Setting {
    Setting(["idempotency", name], .integer(range, target))
  }
}
