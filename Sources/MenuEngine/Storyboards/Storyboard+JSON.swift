public import JSONText

extension Storyboard {
  /// The storyboard that a document describes under a name, or nil and the faults.
  ///
  /// Its classes are checked when it joins a catalogue.
  public init?(
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
        .declaration(.unknownScene(name, initial)),
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

  /// The storyboard as a document, without its name.
  public var json: JSON {
    var scenes = JSONObject()
    for scene in self.scenes { scenes[scene.name.rawValue] = scene.json }
    var object = JSONObject()
    object["initialViewController"] = .string(initialViewController.rawValue)
    object["scenes"] = .object(scenes)
    return .object(object)
  }

  /// Notes a scene whose instances would never be complete, since it is instantiated with itself, or
  /// one that takes too many others with it.
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
    if let start = path.firstIndex(of: name) { throw .relationshipCycle(path[start...] + [name]) }
    if let depth = depths[name] { return depth }
    guard let scene = scene(name) else { return 0 }
    guard path.count < Limits.scenes else { throw .scenesTooDeep(limit: Limits.scenes) }
    path.append(name)
    var depth = 1
    for relative in scene.relatives {
      depth = max(depth, 1 + (try self.depth(of: relative, &path, &depths)))
    }
    path.removeLast()
    guard depth <= Limits.scenes else { throw .scenesTooDeep(limit: Limits.scenes) }
    depths[name] = depth
    return depth
  }
}

extension Storyboard: Equatable {
  /// True if both are described by the same document.
  public static func == (left: Storyboard, right: Storyboard) -> Bool {
    left.name == right.name && left.json == right.json
  }
}
