import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves tests out where several services answer, for a reason.
  static func inOneProcess(_ reason: Comment) -> Self {
    .disabled(if: Replicas.count > 1, reason)
  }
}
