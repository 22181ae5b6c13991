import JSONText

/// The structured part of a result: members in order, of which those are cut that do not fit.
///
/// The member `cut` names each that was, and where all of it can be read if it is kept anywhere.
struct ToolStructure {
  /// The greatest size, in bytes of written JSON, beside the member `cut`.
  static let maximumSize = 16_384

  private var members = JSONObject()
  private var cuts: [JSON] = []
  private var room = maximumSize

  /// Adds a member if there is one and it fits; of an array the elements that do, from the first one on.
  ///
  /// - Parameter rest: The URI where all of it can be read; nil if it is kept nowhere.
  mutating func add(_ name: String, _ value: JSON?, rest: String?) {
    guard let value else { return }
    let size = value.writtenSize + name.utf8.count + 3
    guard size > room else {
      members[name] = value
      room -= size
      return
    }
    var cut: JSONObject = ["member": .string(name), "size": .int(Int64(size))]
    if case .array(let elements) = value {
      let kept = elements.prefix { element in
        room -= element.writtenSize
        return room > 0
      }
      members[name] = .array(Array(kept))
      cut["shown"] = .int(Int64(kept.count))
      cut["count"] = .int(Int64(elements.count))
      room = max(0, room)
    }
    cut["rest"] = rest.map(JSON.string)
    cuts.append(.object(cut))
  }

  /// The members, and what was cut.
  var json: JSON {
    var object = members
    if !cuts.isEmpty { object["cut"] = .array(cuts) }
    return .object(object)
  }
}
