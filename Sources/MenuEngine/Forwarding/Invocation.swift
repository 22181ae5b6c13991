public import JSONText

/// A message as a value (F9): it can be kept, given another target or selector, and sent again.
public struct Invocation: Equatable, Sendable, Codable {
  /// The receiver.
  public var target: Receiver?
  /// The method that is called. Changing it touches neither arguments nor signature.
  public var selector: Selector
  /// The selector it was made with.
  public let originalSelector: Selector
  /// The sender.
  public let sender: Sender?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z by the sender's clock.
  public internal(set) var when: Int64?
  /// The parameters of the command that was performed (P2); empty unless some were given.
  public var parameters: JSONObject {
    get { givenParameters ?? JSONObject() }
    set { givenParameters = newValue.isEmpty ? nil : newValue }
  }
  private var givenParameters: JSONObject?
  private var realArguments: [JSON]
  private var storedResult: JSON?

  /// A message to `target` with as many arguments as the selector has colons.
  ///
  /// - Throws: `InvocationFault.argumentCount` when there are more or fewer.
  public init(
    target: Receiver?, selector: Selector, arguments: [JSON], sender: Sender?, when: Int64? = nil
  ) throws(InvocationFault) {
    guard arguments.count == selector.argumentCount else {
      throw .argumentCount(selector, given: arguments.count)
    }
    self.target = target
    self.selector = selector
    originalSelector = selector
    realArguments = arguments
    self.sender = sender
    self.when = when
  }

  /// The number of arguments, target and selector included.
  public var argumentCount: Int { realArguments.count + Self.firstRealArgument }

  /// The real arguments, which begin at index 2.
  public var arguments: [JSON] { realArguments }

  /// The argument at an index: 0 is the target, 1 the selector, 2 the first real one.
  ///
  /// - Throws: `InvocationFault.argumentOutOfRange`.
  public func argument(at index: Int) throws(InvocationFault) -> JSON {
    switch index {
    case 0: return target.map { .string($0.description) } ?? .null
    case 1: return .string(selector.rawValue)
    default: return realArguments[try position(of: index)]
    }
  }

  /// Replaces a real argument.
  ///
  /// - Throws: `InvocationFault.argumentOutOfRange`, also for the indexes 0 and 1, which are changed
  ///   through `target` and `selector`.
  public mutating func setArgument(_ value: JSON, at index: Int) throws(InvocationFault) {
    realArguments[try position(of: index)] = value
  }

  /// Returns the receiver's answer.
  ///
  /// - Throws: `InvocationFault.noResult` before it was set.
  public func result() throws(InvocationFault) -> JSON {
    guard let storedResult else { throw .noResult }
    return storedResult
  }

  /// True if a result was set.
  public var hasResult: Bool { storedResult != nil }

  /// The receiver's answer, null by default.
  var answer: JSON { storedResult ?? .null }

  /// Replaces the real arguments, by as many.
  mutating func replaceArguments(_ arguments: [JSON]) { realArguments = arguments }

  /// Sets what the receiver answered.
  public mutating func setResult(_ value: JSON) { storedResult = value }

  /// Forgets what was answered, since the message is sent again.
  mutating func clearResult() { storedResult = nil }

  private func position(of index: Int) throws(InvocationFault) -> Int {
    guard index >= Self.firstRealArgument, index < argumentCount else {
      throw .argumentOutOfRange(index, count: argumentCount)
    }
    return index - Self.firstRealArgument
  }

  private static var firstRealArgument: Int { 2 }
}

/// The misuses of an invocation.
public enum InvocationFault: Error, Hashable, Sendable {
  /// There is no argument at the index, or it is not one that can be set.
  case argumentOutOfRange(Int, count: Int)
  /// The selector has another number of colons than there are arguments.
  case argumentCount(Selector, given: Int)
  /// The result was not set yet.
  case noResult
}
