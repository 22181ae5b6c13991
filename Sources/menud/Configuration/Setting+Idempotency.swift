import MenuStore

extension Setting {
  /// How many answers to requests with an idempotency key are kept, and for how long.
  static let idempotency = [
    idempotency("retention", "RETENTION", 1...31_536_000, \.idempotency.retention),
    idempotency("answers", "ANSWERS", 1...10_000_000, \.idempotency.count),
    idempotency("size", "SIZE", 1...(1 << 36), \.idempotency.size),
  ]

  private static func idempotency(
    _ name: String, _ variable: String, _ range: ClosedRange<Int>, _ target: Form.Target<Int>
  ) -> Setting {
    Setting(["idempotency", name], "IDEMPOTENCY_\(variable)", .integer(range, target))
  }
}
