package import JSONText
package import Languages

/// The beginning of a session: its state, its responders, its focus and its windows.
///
///     let template = try SessionTemplate([
///       "responders": ["list": ["kind": "view"]], "firstResponder": "list",
///     ])
public struct SessionTemplate: Sendable, Codable {
  /// The state, a JSON object. The default is empty.
  package var state: JSON
  /// The responders, in the order in which they join.
  package var responders: [Responder]
  /// The initial first responder.
  package var firstResponder: ResponderID?
  /// The initial key, main and modal windows.
  package var windows: [WindowRole: ResponderID] = [:]
  /// The session's undo manager (U2).
  package var undoManager = UndoManagerDeclaration()
  /// The search for targets. The default is UIKit's.
  package var search = ResponderSearch.uikit
  /// The presenter of view controllers that no container shows (A4). The default is the responder that received
  /// the request.
  package var presenter = Presenter.receiver

  /// The keymap of a session (K9). The default is none.
  package var keymap: KeymapName?
  /// The language of a session (M14); in an application's template, the language of its declarations. The default is
  /// none.
  package var locale: LanguageTag?
  /// The launch that opens a session (V1). The default is none.
  package var launch: Launch?
  /// The digest of the session's bearer token. The default is none; it is not part of the document.
  package var token: TokenDigest?
  /// The key that signs its plans (T6). The default is none; it is not part of the document.
  package var planKey: PlanKey?

  /// Creates a template without state, responders or focus.
  package init() {
    state = .object(JSONObject())
    responders = []
  }

  /// Reads a template; members that the document omits are taken from `base`.
  package init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog,
    over base: SessionTemplate = SessionTemplate()
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    self.init(&reader, over: base)
    reader.finish()
  }

  /// Reads a template from an object that has other members too.
  package init(_ reader: inout ObjectReader, over base: SessionTemplate) {
    self = base
    if let object = reader.member("state", Read.object) { state = .object(object) }
    if let responders = reader.member("responders", Self.responders) {
      self.responders = responders
      firstResponder = nil
      windows = [:]
      launch = nil
    }
    firstResponder =
      reader.member("firstResponder", Read.orNull(Read.identifier)) ?? firstResponder
    for role in WindowRole.allCases {
      windows[role] = reader.member(role.member, Read.orNull(Read.identifier)) ?? windows[role]
    }
    search = reader.member("search", Read.word) ?? search
    presenter = reader.member("presenter", Read.word) ?? presenter
    keymap = reader.member("keymap", Read.orNull(Read.identifier)) ?? keymap
    locale = reader.member("locale", Read.orNull(Read.locale)) ?? locale
    undoManager =
      reader.member("undoManager", UndoManagerDeclaration.init(reading:at:log:)) ?? undoManager
    if let json = reader.json("launch") {
      let place = reader.place(of: "launch")
      launch = json == .null ? nil : Launch(reading: json, at: place, log: reader.log)
    }
  }

  /// The faults of links and focus, except cycles.
  var graphFaults: [MutationFault] {
    let kinds = Dictionary(
      responders.map { ($0.id, $0.kind) }, uniquingKeysWith: { first, _ in first })
    var faults = ResponderGraph.linkFaults(of: responders)
    for responder in responders {
      guard let owner = responder.instance?.owner, kinds[owner] != .viewController else { continue }
      faults.append(.storyboard(.unknownOwner(owner, of: responder.id)))
    }
    var missing: Set<ResponderID> = []
    for role in WindowRole.allCases {
      guard let window = windows[role] else { continue }
      switch kinds[window] {
      case nil: if missing.insert(window).inserted { faults.append(.unknownResponder(window)) }
      case .window: break
      case .some(let kind): faults.append(.focus(.notAWindow(window, kind, as: role)))
      }
    }
    if let firstResponder, kinds[firstResponder] == nil, !missing.contains(firstResponder) {
      faults.append(.unknownResponder(firstResponder))
    }
    return faults
  }

  private static func responders(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [Responder]? {
    Read.named(
      json, at: pointer, log: log, by: Read.identifier, Responder.init(_:reading:at:log:))?
      .map { $1 }
  }
}

/// The responders of a template, linked once and shared by all sessions opened with it until they change.
struct OpeningGraph: Sendable {
  private let responders: [Responder]
  /// The responders with their links.
  let graph: ResponderGraph
  /// The last token of a registration with one of the coordinators.
  let lastToken: Int

  /// Nil if the responders are inconsistent; opening a session reports the fault.
  init?(_ template: SessionTemplate?) {
    guard let template else { return nil }
    var token = 0
    var numbered = template.responders
    for index in numbered.indices where numbered[index].coordinator != nil {
      numbered[index].content.coordinator = numbered[index].coordinator?.renumbered { _ in
        token += 1
        return token
      }
    }
    var graph = ResponderGraph()
    guard (try? graph.put(numbered)) != nil else { return nil }
    responders = template.responders
    self.graph = graph
    lastToken = token
  }

  /// True if the template has the same responders.
  func isOf(_ template: SessionTemplate) -> Bool {
    responders.span.isIdentical(to: template.responders.span)
  }
}

/// The context in which a session is validated or changed.
final class SessionContext {
  /// The catalogue.
  let catalog: Catalog
  /// The effort shared by everything in the request.
  let effort: Effort
  /// True if a trace is recorded.
  let isExplaining: Bool
  /// True if all changes are discarded, so that no confirmation is required (W4).
  let isDry: Bool
  /// The actor of the request (T4), which rules read as `sender.actor`.
  let actor: Principal

  /// Creates a context; the default effort is new and unshared, the default actor has no token.
  init(
    _ catalog: Catalog, effort: Effort = Effort(), isExplaining: Bool = false, isDry: Bool = false,
    actor: Principal = .local
  ) {
    self.catalog = catalog
    self.effort = effort
    self.isExplaining = isExplaining
    self.isDry = isDry
    self.actor = actor
  }
}
