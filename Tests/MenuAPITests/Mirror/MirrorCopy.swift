import JSONText
import Languages

@testable import MenuEngine

/// Sessions that are opened from a mirror, again and again: only the responders whose documents were
/// changed are read anew.
struct MirrorCopy {
  private var responders: [String: Responder] = [:]

  /// A session that begins as the mirror's document says, as a client would open one; nil when no session
  /// can begin like that, as with a focus that its responder would refuse.
  mutating func session(of mirror: DocumentMirror, in catalog: Catalog) -> Session? {
    for id in mirror.touched { responders[id] = nil }
    var template = SessionTemplate()
    for member in mirror.document["responders"]?.object?.members ?? [] {
      guard let responder = responder(member.name, member.value) else { return nil }
      template.responders.append(responder)
    }
    template.state = mirror.document["state"] ?? .null
    template.firstResponder = id(mirror.document["firstResponder"])
    for role in WindowRole.allCases {
      template.windows[role] = id(mirror.document[role.member])
    }
    template.search = mirror.document["search"] == "appkit" ? .appkit : .uikit
    template.presenter = mirror.document["presenter"] == "root" ? .root : .receiver
    template.locale = mirror.document["locale"]?.word.flatMap { LanguageTag($0) }
    return try? Session("copy", opening: template, in: catalog)
  }

  private mutating func responder(_ name: String, _ document: JSON) -> Responder? {
    if let known = responders[name] { return known }
    let id = ResponderID(unchecked: name)
    responders[name] = Responder(id, reading: document, at: .root, log: FaultLog())
    return responders[name]
  }

  private func id(_ json: JSON?) -> ResponderID? {
    json?.word.map { ResponderID(unchecked: $0) }
  }
}
