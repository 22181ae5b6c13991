import JSONText

/// The closures of a handler instead of rules, for programs that embed the engine.
///
/// They are synchronous and can be called at any time and any number of times, also for validation only. They must be
/// deterministic: the same ``HandlerCall`` must give the same result. They change the session only through the effects
/// that they return.
package struct HandlerClosures: Sendable {
  /// One word, because handlers are copied on every walk. Its identity distinguishes closures.
  private let storage: Storage?

  private final class Storage: Sendable {
    let canPerform: Handler.CanPerform?
    let validate: Handler.Validate?
    let perform: Handler.Perform?

    init(
      canPerform: Handler.CanPerform?, validate: Handler.Validate?, perform: Handler.Perform?
    ) {
      self.canPerform = canPerform
      self.validate = validate
      self.perform = perform
    }
  }

  /// Creates no closures.
  init() { storage = nil }

  init(canPerform: Handler.CanPerform?, validate: Handler.Validate?, perform: Handler.Perform?) {
    let isEmpty = canPerform == nil && validate == nil && perform == nil
    storage = isEmpty ? nil : Storage(canPerform: canPerform, validate: validate, perform: perform)
  }

  var canPerform: Handler.CanPerform? { storage?.canPerform }
  var validate: Handler.Validate? { storage?.validate }
  var perform: Handler.Perform? { storage?.perform }

  package var isEmpty: Bool { storage == nil }

  /// The names of the present closures: `canPerform`, `validate`, `perform`.
  package var names: [String] {
    [
      ("canPerform", canPerform != nil), ("validate", validate != nil), ("perform", perform != nil),
    ].filter(\.1).map(\.0)
  }
}

extension HandlerClosures: Equatable {
  /// True if both are copies of the same value.
  package static func == (left: HandlerClosures, right: HandlerClosures) -> Bool {
    left.storage === right.storage
  }
}

extension Handler {
  /// A closure that returns true if the action can be performed for the sender (R4), as
  /// `canPerformAction:withSender:` does.
  package typealias CanPerform = @Sendable (HandlerCall) throws -> Bool
  /// A closure that changes the appearance of an item, which begins as declared (M5), as
  /// `validateCommand:` does.
  package typealias Validate =
    @Sendable (HandlerCall, inout ItemAppearance) throws -> Void
  /// A closure that returns the effects of the action, which are applied all or none (M7).
  package typealias Perform = @Sendable (HandlerCall) throws -> [Effect]

  /// Creates a handler from closures.
  ///
  /// Closures are synchronous and can be called at any time and any number of times, also for validation only. The
  /// same ``HandlerCall`` must give the same result. A session whose responders have such handlers cannot be encoded.
  ///
  /// A closure refuses by throwing a ``HandlerFailure``: `{ _ in throw HandlerFailure("the printer is out of paper")
  /// }`. Any other error is a failure with its description.
  ///
  /// - Parameters:
  ///   - canPerform: Returns true if the action can be performed for the sender (R4), as
  ///     `canPerformAction:withSender:` does. Without it, the action can always be performed.
  ///   - validate: Changes the appearance of an item, initially as declared (M5), as `validateCommand:` does.
  ///   - perform: Returns the effects of the action, which are applied all or none (M7).
  public init(
    canPerform: (@Sendable (HandlerCall) throws -> Bool)? = nil,
    validate: (@Sendable (HandlerCall, inout ItemAppearance) throws -> Void)? = nil,
    perform: (@Sendable (HandlerCall) throws -> [Effect])? = nil
  ) {
    self.validate = .none
    self.canPerform = nil
    self.perform = []
    closures = HandlerClosures(canPerform: canPerform, validate: validate, perform: perform)
  }
}

extension Handler {
  /// Returns the handler with `rule` in place of its own rule and closure for whether the action can be performed.
  func asking(_ rule: Rule) -> Handler {
    Handler(
      validate: validate, canPerform: rule, perform: perform, continues: continues,
      closures: HandlerClosures(
        canPerform: nil, validate: closures.validate, perform: closures.perform))
  }

  /// Returns true if both rule and closure allow the action.
  func canPerform(_ action: Selector, in context: RuleContext) throws(RuleFault) -> Bool {
    if let rule = canPerform, try !context.bool(rule, at: "canPerform") { return false }
    guard let closure = closures.canPerform else { return true }
    do {
      return try closure(HandlerCall(action, in: context))
    } catch {
      throw RuleFault(error, at: "canPerform")
    }
  }
}

/// A reason why a closure fails. Like a failed rule, it never enables anything.
public struct HandlerFailure: Error, Equatable, Sendable {
  /// The reason as a clause: `the printer is out of paper`.
  public let message: String

  /// Creates a failure with a reason.
  public init(_ message: String) { self.message = message }
}

/// Closures belong to the embedding program and cannot be stored.
extension HandlerClosures: Codable {
  /// Encodes nothing.
  ///
  /// - Throws: `EncodingError` if there are closures.
  package func encode(to encoder: any Encoder) throws {
    guard !isEmpty else { return }
    throw EncodingError.invalidValue(
      self,
      EncodingError.Context(
        codingPath: encoder.codingPath,
        debugDescription:
          "the handler has closures (\(names.joined(separator: ", "))), which are code"
          + " and cannot be stored; describe it by rules and effects, or do not store the session"))
  }

  /// Creates no closures.
  package init(from decoder: any Decoder) { self.init() }
}
