public import JSONText

/// The launch of an application (V1).
public struct Launch: Sendable, Codable {
  /// The main storyboard; without one only the delegate is made and told.
  public let storyboard: StoryboardName?
  /// The application's delegate; it is given the window when it has a property `window`.
  public let delegate: Responder
  /// The options that the delegate is told.
  public let options: JSONObject
}

extension Launch: Equatable {
  /// True if both are described by the same document.
  public static func == (left: Launch, right: Launch) -> Bool { left.json == right.json }
}

extension Launch {
  /// The launch that a document describes, or nil and the faults: `{"storyboard": "Main", "delegate":
  /// {"class": "AppDelegate", "properties": {"window": null}}}`.
  public init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    self.init(&reader)
    reader.finish()
  }

  /// The members of a launch in an object that may have others too.
  public init(_ reader: inout ObjectReader) {
    storyboard = reader.member("storyboard", Read.identifier)
    delegate =
      reader.member("delegate", Self.delegate)
      ?? Responder(bare: Self.defaultDelegate, of: .delegate)
    options = reader.member("options", Read.object) ?? JSONObject()
  }

  private static func delegate(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Responder? {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let id: ResponderID? = reader.member("id", Read.identifier)
    let delegate = Responder(id ?? defaultDelegate, &reader, as: .delegate)
    reader.finish()
    return delegate
  }

  private static var defaultDelegate: ResponderID { "appDelegate" }

  /// The launch as a document.
  public var json: JSON {
    var delegate = self.delegate.json.members
    delegate["kind"] = nil
    delegate["id"] = .string(self.delegate.id.rawValue)
    var object = JSONObject()
    object["storyboard"] = storyboard.map { .string($0.rawValue) }
    object["delegate"] = .object(delegate)
    object["options"] = .object(options)
    return .object(object)
  }
}

/// One of the eight steps of a launch (V1).
public struct LaunchStep: Equatable, Sendable {
  /// The steps, in order.
  public enum Kind: String, CaseIterable, Sendable {
    case delegateInstantiated
    case windowCreated
    case windowGivenToDelegate
    case storyboardLoaded
    case initialViewControllerInstantiated
    case rootViewControllerSet
    case didFinishLaunching
    case windowMadeKeyAndVisible

    /// Its number, from 1.
    public var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
  }

  /// The kind of step.
  public let kind: Kind
  /// The delegate, the window or the view controller that it is about; nil for the storyboard.
  public let responder: ResponderID?
  /// True if there was something to do: a delegate without a property `window` is given none, and one
  /// without a method is not told.
  public let isDone: Bool
}

extension LaunchStep {
  /// The step as a sentence for people.
  public var sentence: String { "V1.\(kind.number): \(clause)." }

  /// The same without the rule and the full stop.
  var clause: String {
    let who = responder.map { "'\($0)'" } ?? "the storyboard"
    return switch kind {
    case .delegateInstantiated: "the delegate \(who) is instantiated"
    case .windowCreated: "the window \(who) is created"
    case .windowGivenToDelegate:
      isDone
        ? "the delegate \(who) is given the window"
        : "the delegate \(who) has no property 'window' and is given none"
    case .storyboardLoaded: "the main storyboard is loaded"
    case .initialViewControllerInstantiated:
      "its initial view controller \(who) is instantiated"
    case .rootViewControllerSet: "\(who) becomes the root view controller of the window"
    case .didFinishLaunching:
      isDone
        ? "the delegate \(who) is told and configures what is there"
        : "the delegate \(who) has no method '\(Selector.didFinishLaunching)' and is not told"
    case .windowMadeKeyAndVisible: "the window \(who) becomes key and visible"
    }
  }
}
