import CEL
import JSONText
import MenuEngine

/// A part of a session that agents can be notified of.
enum AgentTopic: Hashable, Sendable {
  /// The list of tools.
  case tools
  /// The list of prompts.
  case prompts
  /// The lists of resources and of their templates.
  case resources
  case document
  /// The main menu with all items.
  case menu
  case diagnostics
  case deliveries
  /// A resource of the application, by the bytes of its URI.
  case content([UInt8])

  /// The topics but those of the application's resources, in the order of their notifications.
  static let builtIn: [AgentTopic] = [
    .tools, .prompts, .resources, .document, .menu, .diagnostics, .deliveries,
  ]

  /// The lists, which clients of an event stream are notified of without a subscription.
  static let lists: AgentTopics = [.tools, .prompts, .resources]

  /// The topic's bit in the ids of events; nil for a list, which is always included, and for a resource of the
  /// application.
  fileprivate var bit: Int? {
    switch self {
    case .tools: 1
    case .document: 2
    case .menu: 4
    case .diagnostics: 8
    case .deliveries: 16
    case .prompts, .resources, .content: nil
    }
  }

  /// The URI of a resource of the application; nil for another topic.
  var contentURI: String? {
    if case .content(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// The right that notifications of the topic require (T3). A resource of the application that reads the session
  /// requires more.
  var right: Right {
    switch self {
    case .tools, .prompts, .resources, .menu, .content: .items
    case .document, .diagnostics, .deliveries: .read
    }
  }
}

typealias AgentTopics = Set<AgentTopic>

extension AgentTopics {
  /// The maximum number of an application's resources that a client subscribes to, and of bytes of their URIs.
  static let maximumContents = 32
  static let maximumSize = 4096

  /// The topics in the order of their notifications.
  var inOrder: [AgentTopic] {
    let contents = compactMap { topic in
      if case .content(let uri) = topic { uri } else { nil as [UInt8]? }
    }
    return AgentTopic.builtIn.filter(contains)
      + contents.sorted { $0.lexicographicallyPrecedes($1) }.map(AgentTopic.content)
  }

  /// The topics that have a bit.
  var bits: Int { compactMap(\.bit).reduce(0, |) }

  /// The URIs of the application's resources, as a text without spaces; empty without any.
  var contentsText: String {
    let uris = inOrder.compactMap(\.contentURI)
    return uris.isEmpty ? "" : Base64.text(Array(uris.joined(separator: " ").utf8))
  }

  /// True if the number of the application's resources is within the limits.
  var isWithinLimits: Bool {
    let uris = compactMap(\.contentURI)
    return uris.count <= Self.maximumContents
      && uris.reduce(0) { $0 + $1.utf8.count } <= Self.maximumSize
  }

  /// Creates the topics from bits and the text of URIs; unknown and excessive ones are dropped.
  init(bits: Int, contents text: String) {
    self = AgentTopics(AgentTopic.builtIn.filter { ($0.bit ?? 0) & bits != 0 })
    // An altered text names no resources.
    let uris = (Base64.bytes(canonical: text) ?? []).split(separator: UInt8(ascii: " "))
    let contents = AgentTopics(
      uris.prefix(Self.maximumContents).map { AgentTopic.content(Array($0)) })
    if contents.isWithinLimits { formUnion(contents) }
  }
}

extension AgentTopic {
  /// Returns the notification that a topic changed.
  ///
  /// - Parameter subscription: The id of the subscribing request; nil without one.
  func notification(about session: SessionID, in subscription: JSON?) -> JSON {
    var params = JSONObject()
    if let subscription { params["_meta"] = [Self.subscriptionKey: subscription] }
    params["uri"] = uri(in: session).map(JSON.string)
    var message: JSONObject = [
      "jsonrpc": "2.0", "method": .string("notifications/\(change)"),
    ]
    if !params.isEmpty { message["params"] = .object(params) }
    return .object(message)
  }

  private var change: String {
    switch self {
    case .tools: "tools/list_changed"
    case .prompts: "prompts/list_changed"
    case .resources: "resources/list_changed"
    case .document, .menu, .diagnostics, .deliveries, .content: "resources/updated"
    }
  }

  /// Returns the URI of the resource that the topic is; nil for a list.
  func uri(in session: SessionID) -> String? {
    contentURI ?? SessionResource(self)?.uri(in: session)
  }

  /// The name of the member of `_meta` with the subscription.
  static let subscriptionKey = "io.modelcontextprotocol/subscriptionId"
}
