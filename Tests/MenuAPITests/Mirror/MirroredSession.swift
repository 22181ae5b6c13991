import JSONText
import MenuAPI
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuEngine

/// A session of a service, and its mirror: every answer is applied to the mirror, which is to be the same
/// as the session to the byte, and to show the same menu.
struct MirroredSession {
  let service: Service
  private(set) var mirror: DocumentMirror
  private(set) var figures = Figures()
  private var copy = MirrorCopy()
  /// The menu that the mirror showed last, and that of the session.
  private var mirroredMenu: ShownMenu?
  private var presentMenu: ShownMenu?
  private var presentEdition: SessionEdition?

  /// The items that were shown.
  private struct ShownMenu {
    /// The commands that are left out.
    var omitted: Set<CommandID?>
    var items: [ValidatedItem]
  }

  /// The numbers of the operations and of the comparisons.
  struct Figures {
    var operations = 0
    var refused = 0
    var documents = 0
    var menus = 0
    var bytes = 0
    /// The number of mutations by their words, those in lists included, whatever came of them.
    var words: [String: Int] = [:]
    /// The number of mutations by their kinds that were accepted.
    var accepted: [String: Int] = [:]

    static func += (a: inout Figures, b: Figures) {
      a.operations += b.operations
      a.refused += b.refused
      a.documents += b.documents
      a.menus += b.menus
      a.bytes += b.bytes
      a.words.merge(b.words, uniquingKeysWith: +)
      a.accepted.merge(b.accepted, uniquingKeysWith: +)
    }
  }

  init(_ session: Session, in catalog: Catalog) throws {
    service = try Service.ofOne(session, in: catalog)
    mirror = DocumentMirror(.null)
    mirror = DocumentMirror(try JSON(parsing: respond(.get, "/sessions/s", nil).body))
  }

  /// The session as it is.
  var session: Session? { service.store.session("s") }

  /// Sends mutations, one by a route of its own if it has one, or several in a list; follows the session,
  /// and compares document and menu.
  mutating func send(
    _ mutations: [Mutation], asList isList: Bool, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let request = isList ? SessionRequest(mutations) : SessionRequest(mutations[0])
    let response = try respond(request.method, request.target, request.body, request.type)
    figures.operations += 1
    let isAccepted = response.status.rawValue < 300
    for mutation in mutations {
      figures.words[mutation.json["op"]?.word ?? "", default: 0] += 1
      if isAccepted { figures.accepted[Mutation.labels[mutation.labelIndex], default: 0] += 1 }
    }
    if isAccepted {
      try mirror.apply(changesOf: try JSON(parsing: response.body))
      mirroredMenu = nil
    } else {
      #expect(response.status.rawValue < 500, "\(request)", sourceLocation: location)
      figures.refused += 1
    }
    try compareDocuments(after: request, response, location)
    try compareMenus(after: request, location)
  }

  private mutating func compareDocuments(
    after request: SessionRequest, _ response: Response, _ location: SourceLocation
  ) throws {
    let present = try respond(.get, "/sessions/s", nil).body
    figures.documents += 1
    figures.bytes += present.count
    guard present != mirror.document.bytes else { return }
    let answer = String(decoding: response.body, as: UTF8.self)
    let parts = try difference(JSON(parsing: present), mirror.document)
    Issue.record(
      "after \(request): \(parts)\nwas told: \(answer)", sourceLocation: location)
    mirror = DocumentMirror(try JSON(parsing: present))
    (copy, mirroredMenu) = (MirrorCopy(), nil)
  }

  /// Compares the menu of a session that is opened from the mirror with that of the session.
  private mutating func compareMenus(
    after request: SessionRequest, _ location: SourceLocation
  ) throws {
    guard let edition = service.store.read("s").session else { return }
    let delivering = Set(
      edition.session.deliveries.all.filter { !$0.state.isSettled }.map(\.command))
    guard let mirrored = try menuOfMirror(without: delivering) else { return }
    let shown = try menuOfSession(edition, without: delivering)
    for (one, other) in zip(mirrored, shown) where one != other {
      Issue.record("after \(request): \(other) is mirrored as \(one)", sourceLocation: location)
    }
    #expect(mirrored.count == shown.count, "after \(request)", sourceLocation: location)
    figures.menus += 1
  }

  /// The items that the session shows; one that was not changed shows what it did before.
  private mutating func menuOfSession(
    _ edition: SessionEdition, without delivering: Set<CommandID?>
  ) throws -> [ValidatedItem] {
    if let known = presentMenu, presentEdition === edition, known.omitted == delivering {
      return known.items
    }
    let items = try menu(of: edition.session, without: delivering)
    (presentEdition, presentMenu) = (edition, ShownMenu(omitted: delivering, items: items))
    return items
  }

  /// The items that a session shows that is opened from the mirror; nil if none can be opened.
  ///
  /// A request that is refused leaves the mirror as it was, and so these.
  private mutating func menuOfMirror(
    without delivering: Set<CommandID?>
  ) throws -> [ValidatedItem]? {
    if let known = mirroredMenu, known.omitted == delivering { return known.items }
    let copied = copy.session(of: mirror, in: service.store.catalog)
    mirror.forgetTouched()
    guard let copied else { return nil }
    let items = try menu(of: copied, without: delivering)
    mirroredMenu = ShownMenu(omitted: delivering, items: items)
    return items
  }

  /// The items that a session's menu shows. What undo and redo are called is left out, and commands that have
  /// deliveries: a new session has nothing to undo, and no deliveries.
  private func menu(
    of session: Session, without delivering: Set<CommandID?>
  ) throws -> [ValidatedItem] {
    var request = ValidationRequest()
    request.commands = service.store.catalog.commands.map(\.id).filter {
      $0 != "undo:" && $0 != "redo:" && !delivering.contains($0)
    }
    return try session.validate(request, in: service.store.catalog)
  }

  /// The place where two documents differ first.
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

  private func respond(
    _ method: MicroHTTP.Method, _ target: String, _ body: String?,
    _ type: String = "application/json"
  ) throws -> Response {
    let headers: Headers = body == nil ? [:] : ["Content-Type": type]
    return service.respond(
      to: try Request(method, target, headers: headers, body: Array((body ?? "").utf8)))
  }
}
