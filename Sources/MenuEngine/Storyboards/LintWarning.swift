public import JSONText

/// Something in a storyboard that works, but ties view controllers to one another that should not know
/// of each other (V10).
public struct LintWarning: Equatable, Sendable {
  /// The part of the catalogue that it is in: the storyboards, or the classes of their scenes.
  public let part: CatalogDocument.Part
  /// The place in it.
  public let place: JSONPointer
  /// The finding.
  public let finding: Finding

  /// The kinds of findings.
  public enum Finding: Equatable, Sendable {
    /// A destination reads properties that are null, and its source sets none of them.
    case unprepared(SegueIdentifier, source: SceneName, destination: SceneName, [String])
    /// A destination names the class of a source.
    case namesSource(SceneName, ClassName, source: SceneName)
    /// A destination sends messages to its source, by its name or as its presenter.
    case talksBack(SceneName, source: SceneName)
    /// A destination writes the properties of its source.
    case writesSource(SceneName, source: SceneName)
    /// A scene names another one that it did not make, and that is neither its container nor one of
    /// its neighbours.
    case stranger(SceneName, SceneName)
  }

  /// The names of the rules.
  public enum Rule: String, CaseIterable, Sendable {
    /// A destination gets its data from its source, unless it is self-contained.
    case preparedBySource
    /// A destination never names its source's class.
    case unawareOfSource
    /// Talking back goes through a delegate.
    case talksThroughDelegate
    /// No links to view controllers that one did not create, apart from the container and direct
    /// neighbours.
    case knowsOnlyItsOwn
  }
}

extension LintWarning.Finding {
  /// The rule that it goes against.
  public var rule: LintWarning.Rule {
    switch self {
    case .unprepared: .preparedBySource
    case .namesSource: .unawareOfSource
    case .talksBack, .writesSource: .talksThroughDelegate
    case .stranger: .knowsOnlyItsOwn
    }
  }
}
