/// A store of handlers by selector, on the responder that hosts it (F1).
public struct MenuCoordinator: Equatable, Sendable {
  /// The way in which a host brings actions to its coordinator.
  public enum Forwarding: String, CaseIterable, Sendable, Codable {
    /// The host redirects every action with a handler to the forwarder (F2, F5).
    case catchAll
    /// The host implements the actions itself and passes them on with `handleAction` (F8).
    case explicit
  }

  /// One handler and the token it was registered under.
  public struct Registration: Equatable, Sendable, Codable {
    /// The token that removes or changes the registration.
    public let token: Int
    /// The selector that it answers to.
    public let selector: Selector
    /// The handler.
    public let handler: Handler
  }

  /// The way in which actions arrive. The default is `catchAll`.
  public let forwarding: Forwarding
  /// The registrations in the order of their tokens.
  public private(set) var registrations: [Registration] = []
  private var bySelector: [Selector: Registration] = [:]
  /// The holdings of the registrations.
  private(set) var holdings = Holdings()

  /// A coordinator without handlers.
  public init(forwarding: Forwarding = .catchAll) { self.forwarding = forwarding }

  /// The registration for `selector`, which is the last one made for it.
  public subscript(selector: Selector) -> Registration? { bySelector[selector] }

  /// The registration under `token`, or nil when it was removed or replaced.
  public func registration(_ token: Int) -> Registration? {
    registrations.first { $0.token == token }
  }

  /// Registers `handler` under `token`, in place of the present one for the same selector.
  public mutating func register(_ handler: Handler, for selector: Selector, token: Int) {
    if let replaced = bySelector[selector] { remove(replaced.token) }
    let registration = Registration(token: token, selector: selector, handler: handler)
    bySelector[selector] = registration
    holdings += Holdings(handler, for: selector)
    let earlier = registrations.lastIndex { $0.token < token }
    registrations.insert(registration, at: earlier.map { $0 + 1 } ?? 0)
  }

  /// Removes what `token` still owns; does nothing when it owns nothing any more.
  public mutating func remove(_ token: Int) {
    guard let registration = registration(token) else { return }
    bySelector[registration.selector] = nil
    holdings -= Holdings(registration.handler, for: registration.selector)
    registrations.removeAll { $0.token == token }
  }

  /// Registers what `token` owns under other terms and a new token, and only then removes `token`,
  /// so that there is never a moment without a handler. Does nothing, and answers false, when
  /// `token` owns nothing.
  public mutating func change(
    _ token: Int, to new: Int, selector: Selector?, handler: Handler?
  ) -> Bool {
    guard let old = registration(token) else { return false }
    register(handler ?? old.handler, for: selector ?? old.selector, token: new)
    remove(token)
    return true
  }

  /// The token of the registration of the same handler for the same selector, whatever token the given
  /// one has.
  func token(of registration: Registration) -> Int? {
    guard let present = self[registration.selector], present.handler == registration.handler else {
      return nil
    }
    return present.token
  }

  /// The same registrations under tokens that `token` gives, in whose order they are.
  func renumbered(_ token: (Registration) -> Int) -> MenuCoordinator {
    var copy = MenuCoordinator(forwarding: forwarding)
    for registration in registrations {
      copy.register(
        registration.handler, for: registration.selector, token: token(registration))
    }
    return copy
  }
}
