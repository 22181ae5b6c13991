package import JSONText

/// View controllers and the segues between them, as a designer laid them out (V2).
///
/// A storyboard is self-contained, so that nothing is missing when it is used (a decision): a segue leads to a scene
/// of the same storyboard; a handler that needs a scene of another storyboard instantiates it by name and shows it.
package struct Storyboard: Sendable, Codable {
  package let name: StoryboardName
  /// The scene that a launch shows first (V1).
  package let initialViewController: SceneName
  /// The scenes, in document order.
  package let scenes: [Scene]

  /// Returns a scene by name.
  package func scene(_ name: SceneName) -> Scene? { scenes.first { $0.name == name } }
}

/// The name of a storyboard in the catalogue.
package typealias StoryboardName = Identifier<Storyboard>
/// The name of a scene in its storyboard.
package typealias SceneName = Identifier<Scene>
/// The identifier of a segue in its scene.
package typealias SegueIdentifier = Identifier<Segue>

/// A scene: the prototype of a view controller in a storyboard (V2).
package struct Scene: Sendable, Codable {
  /// Its name in the storyboard, and the default name of its first instance.
  package let name: SceneName
  /// The prototype of its instances, without links.
  package let viewController: Responder
  /// The prototype of its view. The default is an empty view.
  package let view: SceneView
  /// The scenes of its children: the root of a navigation controller, the tabs of a tab bar
  /// controller, the columns of a split view controller (V2).
  package let viewControllers: [SceneName]
  /// The segues from this scene (V3).
  package let segues: [Segue]

  /// Returns a segue by identifier.
  package func segue(_ identifier: SegueIdentifier) -> Segue? {
    segues.first { $0.identifier == identifier }
  }

  /// The scenes that are instantiated together with it: its children, and the destinations of its embed segues (V4).
  var relatives: [SceneName] {
    viewControllers + segues.filter { $0.kind == .embed }.compactMap(\.destination)
  }
}

package struct SceneView: Sendable, Codable {
  /// Its name in the scene; an instance is called `CONTROLLER.NAME`.
  package let name: Identifier<SceneView>
  /// The prototype of its instances, without links.
  package let prototype: Responder
  package let subviews: [SceneView]
}

/// A transition from one scene to another (V3).
package struct Segue: Equatable, Sendable, Codable {
  /// The kinds of segues (V4).
  package enum Kind: String, CaseIterable, Sendable, Codable {
    /// Sends `showViewController:sender:` to the source (A4).
    case show
    /// Sends `showDetailViewController:sender:` to the source (A4).
    case showDetail
    /// The source presents the destination.
    case present
    /// Pushes onto the stack of the navigation controller around the source; without one, it has no effect.
    case push
    /// The source presents the destination as a popover.
    case popover
    /// The destination is a child of the source from instantiation on.
    case embed
    /// Runs its own effects.
    case custom
    /// Leads back to an existing view controller (V6).
    case unwind
  }

  /// The identifier, unique within the scene. Only embed segues can omit it.
  package let identifier: SegueIdentifier?
  package let kind: Kind
  /// The destination scene; nil for an unwind segue.
  package let destination: SceneName?
  /// The action that an unwind segue sends to its destination.
  package let action: Selector?
  /// The rule that decides if the segue is performed when the user triggers it; evaluated before the source's own
  /// method.
  package let shouldPerform: Rule?
  /// The effects that precede the source's own preparation (V5).
  package let prepare: [Effect]
  /// The effects of a custom segue.
  package let perform: [Effect]
}

/// The scene that a view controller is an instance of.
package struct SceneReference: Hashable, Sendable, Codable {
  package let storyboard: StoryboardName
  package let scene: SceneName
}

extension Storyboard {
  /// Reads a storyboard by name. Its classes are checked when it joins a catalogue.
  package init?(
    _ name: StoryboardName, reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let initial: SceneName? = reader.required("initialViewController", Read.identifier)
    let place = reader.place(of: "scenes")
    let object = reader.required("scenes", Read.object)
    reader.finish()
    let names = Set((object?.members ?? []).compactMap { SceneName($0.name) })
    if let initial, object != nil, !names.contains(initial) {
      log.note(
        .declaration(.storyboard(.unknownScene(name, initial))),
        at: pointer.appending("initialViewController"))
    }
    let scenes = (object?.members ?? []).compactMap { member -> Scene? in
      let place = place.appending(member.name)
      let id: SceneName? = Read.identifier(.string(member.name), at: place, log: log)
      guard let id, let scene = Scene(id, reading: member.value, at: place, log: log) else {
        return nil
      }
      scene.check(in: name, names, at: place, log)
      return scene
    }
    guard let initial else { return nil }
    self.name = name
    initialViewController = initial
    self.scenes = scenes
    noteRelationships(at: place, log)
  }

  /// The document, without the name.
  package var json: JSON {
    var scenes = JSONObject()
    for scene in self.scenes { scenes[scene.name.rawValue] = scene.json }
    var object = JSONObject()
    object["initialViewController"] = .string(initialViewController.rawValue)
    object["scenes"] = .object(scenes)
    return .object(object)
  }

  /// Records scenes that instantiate themselves, or nest others too deep.
  private func noteRelationships(at place: JSONPointer, _ log: FaultLog) {
    var depths: [SceneName: Int] = [:]
    for scene in scenes {
      var path: [SceneName] = []
      do throws(DeclarationFault) {
        _ = try depth(of: scene.name, &path, &depths)
      } catch {
        return log.note(.declaration(error), at: place.appending(scene.name.rawValue))
      }
    }
  }

  /// Returns the depth of the relationships below a scene.
  private func depth(
    of name: SceneName, _ path: inout [SceneName], _ depths: inout [SceneName: Int]
  ) throws(DeclarationFault) -> Int {
    if let start = path.firstIndex(of: name) {
      throw .storyboard(.relationshipCycle(path[start...] + [name]))
    }
    if let depth = depths[name] { return depth }
    guard let scene = scene(name) else { return 0 }
    guard path.count < Limits.scenes else {
      throw .storyboard(.scenesTooDeep(limit: Limits.scenes))
    }
    path.append(name)
    var depth = 1
    for relative in scene.relatives {
      depth = max(depth, 1 + (try self.depth(of: relative, &path, &depths)))
    }
    path.removeLast()
    guard depth <= Limits.scenes else { throw .storyboard(.scenesTooDeep(limit: Limits.scenes)) }
    depths[name] = depth
    return depth
  }
}

extension Storyboard: Equatable {
  /// True if both have the same document.
  package static func == (left: Storyboard, right: Storyboard) -> Bool {
    left.name == right.name && left.json == right.json
  }
}

extension Catalog {
  /// Returns a storyboard by name.
  package func storyboard(_ name: StoryboardName) -> Storyboard? {
    storyboards.first { $0.name == name }
  }

  /// Returns the scene of an instance; nil if it was removed.
  package func scene(_ reference: SceneReference) -> Scene? {
    storyboard(reference.storyboard)?.scene(reference.scene)
  }

  /// Declares a storyboard; returns false if the same one was declared before.
  ///
  /// - Throws: `DeclarationFault.duplicateStoryboard` if a different one of the name exists, and the first of
  ///   `faults(of:)`.
  package mutating func declare(
    _ storyboard: Storyboard
  ) throws(DeclarationFault) -> Bool {
    if let present = self.storyboard(storyboard.name) {
      guard present == storyboard else { throw .storyboard(.duplicateStoryboard(storyboard.name)) }
      return false
    }
    if let fault = faults(of: storyboard).first { throw fault.fault }
    storyboards.append(storyboard)
    note(.declareStoryboard(storyboard))
    return true
  }

  /// Removes a storyboard. View controllers made from it stay, without segues.
  ///
  /// - Throws: `DeclarationFault.unknownStoryboard`.
  package mutating func removeStoryboard(_ name: StoryboardName) throws(DeclarationFault) {
    guard let position = storyboards.firstIndex(where: { $0.name == name }) else {
      throw .storyboard(.unknownStoryboard(name))
    }
    storyboards.remove(at: position)
    noteRemoval(.removeStoryboard(name)) { change in
      if case .declareStoryboard(let declared) = change { declared.name == name } else { false }
    }
  }

  /// Returns the unknown names in a storyboard, each with its place.
  package func faults(
    of storyboard: Storyboard, at pointer: JSONPointer = .root
  ) -> [(place: JSONPointer, fault: DeclarationFault)] {
    storyboard.classFaults(at: pointer, besides: []) { name, other in
      classes.contains(name) ? classes.inherits(name, from: other) : nil
    }
  }
}

extension Storyboard {
  /// Returns the faults of the classes of its view controllers and views, each with its place. `names` are
  /// faulty classes, which are not reported again.
  ///
  /// - Parameter inherits: True if a class is or inherits from another one; nil for an undeclared class.
  func classFaults(
    at pointer: JSONPointer, besides names: Set<ClassName>,
    _ inherits: (ClassName, _ other: ClassName) -> Bool?
  ) -> [(place: JSONPointer, fault: DeclarationFault)] {
    var faults: [(place: JSONPointer, fault: DeclarationFault)] = []
    for scene in scenes {
      let place = pointer.appending("scenes").appending(scene.name.rawValue)
      let name = scene.viewController.className
      switch inherits(name, ResponderKind.viewController.defaultClass) {
      case true?:
        let columns = scene.relatives.count
        if columns > 2, inherits(name, ContainerKind.split.className) == true {
          faults.append((place, .scene(.tooManyColumns(scene.name, columns))))
        }
      case false?:
        faults.append((place.appending("class"), .scene(.notAViewController(scene.name, name))))
      case nil:
        if !names.contains(name) {
          faults.append((place.appending("class"), .scene(.undeclaredClass(scene.name, name))))
        }
      }
      for view in scene.view.all {
        let name = view.prototype.className
        if inherits(name, name) == nil, !names.contains(name) {
          faults.append((place.appending("view"), .scene(.undeclaredClass(scene.name, name))))
        }
      }
    }
    return faults
  }
}
