import JSONText
import MenuEngine

extension MutationFault {
  /// The part of a body with a list of mutations that the fault is about: the member of the mutation
  /// that names what does not fit, or else the mutation.
  func placeInList(of body: JSON) -> JSONPointer {
    let list = JSONPointer.root.appending("mutations")
    guard case .inList(let index, let fault) = self else { return list }
    let place = list.appending(index)
    if case .patch = fault {
      return JSONPointer(place.tokens + ["patch"] + fault.placeInPatch.tokens)
    }
    switch fault {
    case .invalidParameters, .noParameters: return place.appending("parameters")
    case .keyLacksParameters: return place.appending("key")
    default: break
    }
    return fault.placeOfName(in: body, at: place) ?? place
  }

  /// The member of a mutation, or of an object in it, that has the name to blame.
  private func placeOfName(
    in body: JSON, at place: JSONPointer, depth: Int = 3
  ) -> JSONPointer? {
    guard depth > 0, let name, case .object(let object)? = body[place] else { return nil }
    // The mutation does not name the things that handlers touch.
    let members = object.members.filter { !["op", "handlers", "handler"].contains($0.name) }
    if let member = members.first(where: { $0.value == name }) {
      return place.appending(member.name)
    }
    for member in members {
      let inMember = place.appending(member.name)
      let found = element(in: body, at: inMember)
      if found != inMember { return found }
    }
    return members.lazy.compactMap {
      placeOfName(in: body, at: place.appending($0.name), depth: depth - 1)
    }.first
  }
}
