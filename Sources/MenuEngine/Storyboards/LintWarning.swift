import CEL
package import JSONText

/// A warning about a valid storyboard that couples view controllers which should be independent (V10).
package struct LintWarning: Equatable, Sendable {
  /// The part of the catalogue with the finding: the storyboards, or the classes of their scenes.
  package let part: CatalogDocument.Part
  /// The place in the part.
  package let place: JSONPointer
  package let finding: Finding

  /// The kinds of findings.
  package enum Finding: Equatable, Sendable {
    /// A destination reads properties that are null, and its source sets none of them.
    case unprepared(SegueIdentifier, source: SceneName, destination: SceneName, [String])
    /// A destination names the class of a source.
    case namesSource(SceneName, ClassName, source: SceneName)
    /// A destination sends messages to its source, by name or as its presenter.
    case talksBack(SceneName, source: SceneName)
    /// A destination writes the properties of its source.
    case writesSource(SceneName, source: SceneName)
    /// A scene names another that it did not make and that is neither its container nor a neighbour.
    case stranger(SceneName, SceneName)
  }

  /// The names of the rules.
  package enum Rule: String, CaseIterable, Sendable {
    /// A destination gets its data from its source, unless it is self-contained.
    case preparedBySource
    /// A destination never names its source's class.
    case unawareOfSource
    /// A destination talks to its source through a delegate.
    case talksThroughDelegate
    /// A view controller has links only to its container, its neighbours and view controllers that it created.
    case knowsOnlyItsOwn
  }
}

extension LintWarning.Finding {
  package var rule: LintWarning.Rule {
    switch self {
    case .unprepared: .preparedBySource
    case .namesSource: .unawareOfSource
    case .talksBack, .writesSource: .talksThroughDelegate
    case .stranger: .knowsOnlyItsOwn
    }
  }
}

extension Catalog {
  /// The warnings about the storyboards (V10). They come from the source of rules, so names computed at run
  /// time are missed. Warnings never prevent anything.
  package var lint: [LintWarning] {
    var warnings: [LintWarning] = []
    for storyboard in storyboards {
      for warning in StoryboardLint(storyboard, of: classes).warnings
      where !warnings.contains(warning) {
        warnings.append(warning)
      }
    }
    return warnings
  }
}

/// Finds the warnings about a storyboard (V10).
private struct StoryboardLint {
  private let storyboard: Storyboard
  private let classes: ResponderClasses
  private let codes: [SceneName: SceneCode]

  init(_ storyboard: Storyboard, of classes: ResponderClasses) {
    self.storyboard = storyboard
    self.classes = classes
    codes = Dictionary(
      storyboard.scenes.map { ($0.name, SceneCode($0, in: storyboard.name, of: classes)) },
      uniquingKeysWith: { first, _ in first })
  }

  var warnings: [LintWarning] {
    storyboard.scenes.flatMap { scene -> [LintWarning] in
      unprepared(from: scene) + backward(to: scene) + strangers(of: scene)
    }
  }

  /// Returns the destination of a segue; for a navigation controller, its content.
  private func content(of name: SceneName) -> Scene? {
    var scene = storyboard.scene(name)
    for _ in 0..<Limits.scenes {
      guard let here = scene,
        classes.containerKind(of: here.viewController.className) == .navigation,
        let root = here.viewControllers.first
      else { break }
      scene = storyboard.scene(root)
    }
    return scene
  }

  private func unprepared(from source: Scene) -> [LintWarning] {
    source.segues.enumerated().compactMap { index, segue in
      guard let identifier = segue.identifier, let name = segue.destination,
        let destination = content(of: name), let code = codes[destination.name]
      else { return nil }
      let missing = code.neededProperties.filter { codes[source.name]?.sets($0) != true }
      guard !missing.isEmpty else { return nil }
      let place = JSONPointer([storyboard.name.rawValue, "scenes", source.name.rawValue, "segues"])
      return LintWarning(
        part: .storyboards, place: place.appending(index),
        finding: .unprepared(
          identifier, source: source.name, destination: destination.name, missing))
    }
  }

  /// Returns the warnings about destinations that name their source.
  private func backward(to source: Scene) -> [LintWarning] {
    let names = source.segues.compactMap { $0.destination.flatMap(content)?.name }
    return names.filter { $0 != source.name }.compactMap { codes[$0] }.flatMap { code in
      named(by: code, source)
        + code.rules.compactMap { rule in
          backward(rule, in: code.scene, to: source).map {
            LintWarning(part: rule.part, place: rule.place, finding: $0)
          }
        }
    }
  }

  /// Returns a warning for each property of a destination that names the class of a source.
  private func named(by code: SceneCode, _ source: Scene) -> [LintWarning] {
    guard let className = ownClass(of: source) else { return [] }
    return code.propertyTexts.filter { className.rawValue.hasSameBytes(as: $0.text) }.map {
      LintWarning(
        part: .storyboards, place: $0.place,
        finding: .namesSource(code.scene.name, className, source: source.name))
    }
  }

  /// Returns the class of a scene, unless it is one of UIKit, which any scene may name.
  private func ownClass(of scene: Scene) -> ClassName? {
    let className = scene.viewController.className
    return ResponderClass.builtIn.contains { $0.name == className } ? nil : className
  }

  private func backward(
    _ rule: SceneRule, in scene: Scene, to source: Scene
  ) -> LintWarning.Finding? {
    if let className = ownClass(of: source),
      rule.literals.contains(where: className.rawValue.hasSameBytes(as:))
    {
      return .namesSource(scene.name, className, source: source.name)
    }
    guard rule.isReceiver || rule.isWritten else { return nil }
    let namesSource = rule.literals.contains(where: source.name.rawValue.hasSameBytes(as:))
    let namesPresenter = rule.rule.program.paths.contains { path in
      path.tokens.prefix(2) == ["responder", "presentingViewController"]
    }
    guard namesSource || namesPresenter else { return nil }
    return rule.isWritten
      ? .writesSource(scene.name, source: source.name)
      : .talksBack(scene.name, source: source.name)
  }

  /// Returns the warnings about unrelated scenes that a scene names.
  private func strangers(of scene: Scene) -> [LintWarning] {
    let known = acquaintances(of: scene)
    return (codes[scene.name]?.rules ?? []).filter(\.namesViewController).flatMap { rule in
      rule.literals.compactMap { SceneName($0) }
        .filter { storyboard.scene($0) != nil && !known.contains($0) }
        .map { other in
          LintWarning(
            part: rule.part, place: rule.place, finding: .stranger(scene.name, other))
        }
    }
  }

  /// Returns the scenes that a scene may name: itself, those it makes, its containers and their children, and
  /// its sources, which other rules cover.
  private func acquaintances(of scene: Scene) -> Set<SceneName> {
    var known: Set<SceneName> = [scene.name]
    for segue in scene.segues {
      guard let destination = segue.destination else { continue }
      known.formUnion([destination, content(of: destination)?.name].compactMap { $0 })
    }
    known.formUnion(scene.viewControllers)
    for other in storyboard.scenes {
      if other.relatives.contains(scene.name) {
        known.insert(other.name)
        known.formUnion(other.relatives)
      }
      let destinations = other.segues.compactMap { $0.destination.flatMap(content)?.name }
      if destinations.contains(scene.name) { known.insert(other.name) }
    }
    for rule in codes[scene.name]?.rules ?? [] where rule.member.hasSameBytes(as: "scene") {
      known.formUnion(rule.literals.compactMap { SceneName($0) })
    }
    return known
  }
}

extension SceneRule {
  /// True if the rule names a receiver of messages, or the end of popping.
  fileprivate var isReceiver: Bool { named == .receiver || member.hasSameBytes(as: "to") }

  /// True if the rule names a responder whose properties are written.
  fileprivate var isWritten: Bool { named != nil && isOfProperties }

  /// True if the rule names a view controller.
  fileprivate var namesViewController: Bool { named != nil }
}
