public import JSONText

/// The values that a closure of a handler is given: those that rules read. They are good for that
/// call only.
public struct HandlerCall {
  /// The action.
  public let action: Selector
  /// The real arguments; empty for closures that only ask.
  public let arguments: [JSON]
  /// The parameters of the command that is performed (P2); empty for closures that only ask (P3).
  public var parameters: JSONObject { context.parameters }
  /// The command whose item is asked about or performed.
  public var command: Command? { context.sender?.command }
  /// The deliveries of the command that are not settled (D4).
  public var deliveries: [Delivery] {
    context.sender?.command.map { context.deliveries.open(of: $0.id) } ?? []
  }
  /// The session's state.
  public var state: JSON { context.state }
  /// The responder that is asked, as rules see it.
  public var responder: JSON { context.value(of: .responder) }
  /// The sender, as rules see it; null for none.
  public var sender: JSON { context.value(of: .sender) }

  /// The message that is performed, whose original selector tells a catch-all what was sent (F10);
  /// nil for closures that only ask.
  public var invocation: Invocation? { context.invocation }

  private let context: RuleContext

  init(_ action: Selector, in context: RuleContext) {
    self.action = action
    arguments = context.arguments
    self.context = context
  }
}

/// The appearance of an item, for a closure to change (M5).
public struct ItemAppearance: Equatable, Sendable {
  /// The title of the item.
  public var title: String
  /// A second line.
  public var subtitle: String?
  /// The name of an image.
  public var image: String?
  /// The title in a list of key commands.
  public var discoverabilityTitle: String?
  /// The attributes; with `disabled` the item cannot be chosen.
  public var attributes: CommandAttributes
  /// The check mark.
  public var state: CommandState

  /// True if the item can be chosen: unless `attributes` has `disabled`.
  public var isEnabled: Bool {
    get { !attributes.contains(.disabled) }
    set { attributes.set(.disabled, to: !newValue) }
  }
}

extension ValidatedItem {
  /// The item's appearance.
  var appearance: ItemAppearance {
    get {
      ItemAppearance(
        title: title, subtitle: subtitle, image: image,
        discoverabilityTitle: discoverabilityTitle, attributes: attributes, state: state)
    }
    set {
      title = newValue.title
      subtitle = newValue.subtitle
      image = newValue.image
      discoverabilityTitle = newValue.discoverabilityTitle
      attributes = newValue.attributes
      state = newValue.state
      isCheckable = isCheckable || state != .off
    }
  }
}
