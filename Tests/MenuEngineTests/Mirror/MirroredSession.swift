import JSONText
import MenuAPI
import MenuStore
import MicroHTTP
import Testing

@testable import MenuEngine

/// A session of a service, and its mirror: every answer is applied to the mirror, which is to be the same
/// as the session to the byte.
struct MirroredSession {
  let service: Service
  private(set) var mirror: DocumentMirror
  private(set) var figures = Figures()

  /// The numbers of what was compared.
  struct Figures {
    var operations = 0
    var refused = 0
    var documents = 0
    var menus = 0
    var bytes = 0

    static func += (a: inout Figures, b: Figures) {
      a.operations += b.operations
      a.refused += b.refused
      a.documents += b.documents
      a.menus += b.menus
      a.bytes += b.bytes
    }
  }

  init(_ session: Session, in catalog: Catalog) throws {
    let store = SessionStore(catalog: catalog)
    try store.open(session)
    service = Service(
      store: store,
      Service.Surroundings(
        now: { 1_795_250_000_123 }, newSessionID: { "copy" }, newToken: { "token" }, nonce: "n"))
    mirror = DocumentMirror(.null)
    mirror = DocumentMirror(try get("/sessions/s"))
  }

  /// The session as it is.
  var session: Session? { service.store.session("s") }

  /// Sends a request that may change the session, follows it, and compares.
  mutating func send(
    _ request: SessionRequest, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let response = try respond(request.method, request.target, request.body, request.type)
    figures.operations += 1
    if response.status.rawValue < 300 {
      try mirror.apply(changesOf: try JSON(parsing: response.body))
    } else {
      #expect(response.status.rawValue < 500, "\(request)", sourceLocation: location)
      figures.refused += 1
    }
    let present = try respond(.get, "/sessions/s", nil).body
    let mirrored = mirror.document.bytes
    figures.documents += 1
    figures.bytes += present.count
    guard present != mirrored else { return }
    let answer = String(decoding: response.body, as: UTF8.self)
    let parts = try difference(JSON(parsing: present), mirror.document)
    Issue.record(
      "after \(request): \(parts)\nwas told: \(answer)", sourceLocation: location)
    mirror = DocumentMirror(try JSON(parsing: present))
  }

  /// Where two documents differ first.
  private func difference(_ present: JSON, _ mirrored: JSON, at place: String = "") -> String {
    guard let members = present.object?.members, let others = mirrored.object?.members else {
      return "\(place): \(present.text()) is mirrored as \(mirrored.text())"
    }
    guard members.map(\.name) == others.map(\.name) else {
      return "\(place): \(members.map(\.name)) are mirrored as \(others.map(\.name))"
    }
    for (member, other) in zip(members, others) where member.value.bytes != other.value.bytes {
      return difference(member.value, other.value, at: place + "/" + member.name)
    }
    return "\(place): no difference"
  }

  /// Opens a session from the mirror, and compares its menu with that of the session. Where undo stacks
  /// show, which no new session has, they are left out.
  mutating func compareMenus(_ location: SourceLocation = #_sourceLocation) throws {
    var opening = mirror.document
    for name in ["session", "revision"] { opening[name] = nil }
    opening["id"] = "copy"
    guard try respond(.post, "/sessions", opening.text()).status == .created else { return }
    var (menu, copied) = (try get("/sessions/s/menu"), try get("/sessions/copy/menu"))
    for name in ["session", "revision"] { (menu[name], copied[name]) = (nil, nil) }
    menu.leaveOutUndo()
    copied.leaveOutUndo()
    #expect(copied.text() == menu.text(), sourceLocation: location)
    figures.menus += 1
    _ = try respond(.delete, "/sessions/copy", nil)
  }

  private func get(_ target: String) throws -> JSON {
    try JSON(parsing: respond(.get, target, nil).body)
  }

  private func respond(
    _ method: MicroHTTP.Method, _ target: String, _ body: String?,
    _ type: String = "application/json"
  ) throws -> Response {
    let headers: Headers = body == nil ? [:] : ["Content-Type": type]
    return service.respond(
      to: try Request(method, target, headers: headers, body: Array((body ?? "").utf8)))
  }
}

extension JSON {
  fileprivate mutating func leaveOutUndo() {
    switch self {
    case .array(let elements):
      self = .array(
        elements.map { element in
          var element = element
          element.leaveOutUndo()
          return element
        })
    case .object(let object):
      if object["command"] == "undo:" || object["command"] == "redo:" {
        self = .null
        return
      }
      var changed = JSONObject()
      for member in object {
        var value = member.value
        value.leaveOutUndo()
        changed[member.name] = value
      }
      self = .object(changed)
    case .null, .bool, .int, .double, .string: break
    }
  }
}
