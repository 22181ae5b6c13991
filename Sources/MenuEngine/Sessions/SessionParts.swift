import Languages

/// The key that signs a session's plans: a secret, stored in the session's journal and in no document.
package struct PlanKey: Sendable, Codable {
  private let text: String

  /// Creates a key from an unguessable text.
  package init(_ text: String) { self.text = text }

  package var bytes: [UInt8] { Array(text.utf8) }
}

/// The performance of a plan, which can be performed once (T6).
package struct PlanUse: Equatable, Sendable, Codable {
  /// The unique nonce of the plan.
  package let nonce: String
  /// The expiry of the plan, in milliseconds since 1970-01-01T00:00:00Z.
  package let expiry: Int64

  package init(nonce: String, expiry: Int64) { (self.nonce, self.expiry) = (nonce, expiry) }
}

/// The key window and the first responder of a session while another window is treated as key (R11).
struct FocusBehind: Equatable, Sendable {
  let window: ResponderID?
  let responder: ResponderID?
}

/// The parts of a session that few mutations change.
///
/// Copies of a session share them, so that a copy costs less.
struct SessionParts: Sendable, Codable {
  /// The focus of the session while another window is treated as key (R11).
  var focusBehind: FocusBehind?
  var windows: [WindowRole: ResponderID] = [:]
  /// The instances made by the session (V9).
  var instances: [ResponderID: Instance] = [:]
  /// The names of removed responders.
  var pastNames = PastNames()
  /// The views whose appearance was reported to view controllers (V9); nil before the first mutation.
  var appearances: Appearances?
  /// The queued messages (C6).
  var messageQueue = MessageQueue()
  /// The deliveries to the application (D1).
  var deliveries = Deliveries()
  /// The key that signs the plans of the session; nil if it has none (T6).
  var planKey: PlanKey?
  /// The nonces of the performed plans, with their expiry times (T6).
  var performedPlans: [String: Int64] = [:]
  /// The tokens granted by other tokens of the session (T2); nil before the first one.
  var tokens: GrantedTokens?
  /// The name of the keymap; nil for none (K9).
  var keymap: KeymapName?
  /// The language of its texts; nil for the declared ones (M14).
  var locale: LanguageTag?
  /// The revision since which only progress was reported; nil if the last change was another one.
  var quietSince: Int?
  /// The outcome of the launch that opened the session, if any.
  var opening = Uncoded<Outcome>()

  private enum CodingKeys: String, CodingKey {
    case windows
    case instances
    case pastNames
    case appearances
    case messageQueue
    case deliveries
    case planKey
    case performedPlans
    case tokens
    case keymap
    case locale
    case quietSince
    case opening = "openingOutcome"
  }

  /// The parts of a session before the first mutation that changes them.
  static let none = Shared(SessionParts())
}

extension Session {
  /// Returns true if the responders, the focus and the parts are those of a copy without later changes. False means
  /// unknown.
  func sharesResponders(with other: Session) -> Bool {
    graph.isIdentical(to: other.graph) && parts.isIdentical(to: other.parts)
      && firstResponder == other.firstResponder
  }

  /// The last revision except for later reports of progress, such as renewals of claims, which histories do not record
  /// (T5).
  package var lastToldRevision: Int { parts.value.quietSince ?? revision }

  /// Updates the quiet revision: mutations after it are only reports of progress.
  mutating func noteQuiet(after record: SessionRecord, since former: Int) {
    guard revision > former else { return }
    if record.isProgress {
      if parts.value.quietSince == nil { parts.value.quietSince = former }
    } else if parts.value.quietSince != nil {
      parts.value.quietSince = nil
    }
  }

  /// The key that signs its plans; nil if it has none (T6).
  package var planKey: PlanKey? { parts.value.planKey }

  /// Records that a plan is performed, and removes expired ones.
  ///
  /// - Throws: `CommandFault.planPerformed` if it was performed before.
  mutating func use(_ plan: PlanUse, at time: Int64?) throws(MutationFault) {
    guard parts.value.performedPlans[plan.nonce] == nil else { throw .command(.planPerformed) }
    if let time {
      parts.value.performedPlans = parts.value.performedPlans.filter { $0.value >= time }
    }
    parts.value.performedPlans[plan.nonce] = plan.expiry
  }

  var focusBehind: FocusBehind? {
    get { parts.value.focusBehind }
    _modify { yield &parts.value.focusBehind }
  }

  var windows: [WindowRole: ResponderID] {
    get { parts.value.windows }
    _modify { yield &parts.value.windows }
  }

  var instances: [ResponderID: Instance] {
    get { parts.value.instances }
    _modify { yield &parts.value.instances }
  }

  var pastNames: PastNames {
    get { parts.value.pastNames }
    _modify { yield &parts.value.pastNames }
  }

  var appearances: Appearances? {
    get { parts.value.appearances }
    _modify { yield &parts.value.appearances }
  }

  package internal(set) var messageQueue: MessageQueue {
    get { parts.value.messageQueue }
    _modify { yield &parts.value.messageQueue }
  }

  package internal(set) var deliveries: Deliveries {
    get { parts.value.deliveries }
    _modify { yield &parts.value.deliveries }
  }

  /// The tokens granted by other tokens of the session (T2). They appear in no document.
  package internal(set) var tokens: GrantedTokens {
    get { parts.value.tokens ?? GrantedTokens() }
    set { parts.value.tokens = newValue }
  }

  package var opening: Outcome? { parts.value.opening.value }
}
