public import JSONText

extension Catalog {
  /// The storyboard of a name.
  public func storyboard(_ name: StoryboardName) -> Storyboard? {
    storyboards.first { $0.name == name }
  }

  /// The scene that a view controller is an instance of; nil when it is not there any more.
  public func scene(_ reference: SceneReference) -> Scene? {
    storyboard(reference.storyboard)?.scene(reference.scene)
  }

  /// Declares a storyboard.
  ///
  /// - Throws: `DeclarationFault.duplicateStoryboard` when it is declared already, and differently, and
  ///   the first of `faults(of:)`.
  public mutating func declare(
    _ storyboard: Storyboard
  ) throws(DeclarationFault) -> Declaration {
    if let present = self.storyboard(storyboard.name) {
      guard present == storyboard else { throw .duplicateStoryboard(storyboard.name) }
      return .unchanged
    }
    if let fault = faults(of: storyboard).first { throw fault.fault }
    storyboards.append(storyboard)
    note(.declareStoryboard(storyboard))
    return .added
  }

  /// Removes a storyboard. View controllers that were made from it stay; they have no segues then.
  ///
  /// - Throws: `DeclarationFault.unknownStoryboard`.
  public mutating func removeStoryboard(_ name: StoryboardName) throws(DeclarationFault) {
    guard let position = storyboards.firstIndex(where: { $0.name == name }) else {
      throw .unknownStoryboard(name)
    }
    storyboards.remove(at: position)
    noteRemoval(.removeStoryboard(name)) { change in
      if case .declareStoryboard(let declared) = change { declared.name == name } else { false }
    }
  }

  /// Returns the names in a storyboard that are not in this catalogue, each with its place.
  public func faults(
    of storyboard: Storyboard, at pointer: JSONPointer = .root
  ) -> [(place: JSONPointer, fault: DeclarationFault)] {
    storyboard.classFaults(at: pointer, besides: []) { name in
      classes.contains(name) ? classes.isViewController(name) : nil
    }
  }
}

extension Storyboard {
  /// The faults of the classes of its view controllers and views, each with its place; `names` are
  /// classes that are at fault themselves, for which nobody else is blamed.
  ///
  /// - Parameter isViewController: Nil for a class that is not declared.
  func classFaults(
    at pointer: JSONPointer, besides names: Set<ClassName>,
    _ isViewController: (ClassName) -> Bool?
  ) -> [(place: JSONPointer, fault: DeclarationFault)] {
    var faults: [(place: JSONPointer, fault: DeclarationFault)] = []
    for scene in scenes {
      let place = pointer.appending("scenes").appending(scene.name.rawValue)
      let name = scene.viewController.className
      switch isViewController(name) {
      case true?: break
      case false?:
        faults.append((place.appending("class"), .notAViewController(scene.name, name)))
      case nil:
        if !names.contains(name) {
          faults.append((place.appending("class"), .undeclaredClass(scene.name, name)))
        }
      }
      for view in scene.view.all {
        let name = view.prototype.className
        if isViewController(name) == nil, !names.contains(name) {
          faults.append((place.appending("view"), .undeclaredClass(scene.name, name)))
        }
      }
    }
    return faults
  }
}
