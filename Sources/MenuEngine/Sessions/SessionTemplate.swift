public import JSONText

/// What a session is opened with.
public struct SessionTemplate: Sendable {
  /// The state, a JSON object. The default is empty.
  public var state: JSON
  /// The responders, in the order in which they join.
  public var responders: [Responder]
  /// Who has focus at the beginning.
  public var firstResponder: ResponderID?
  /// The key window at the beginning.
  public var keyWindow: ResponderID?

  /// Nothing: no state, no responders, no focus.
  public init() {
    state = .object(JSONObject())
    responders = []
  }

  /// The template that a document describes; what the document leaves out is as in `base`.
  public init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog,
    over base: SessionTemplate = SessionTemplate()
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    self.init(&reader, over: base)
    reader.finish()
  }

  /// The members of a template in an object that has others too.
  public init(_ reader: inout ObjectReader, over base: SessionTemplate) {
    self = base
    if let object = reader.member("state", Read.object) { state = .object(object) }
    if let responders = reader.member("responders", Self.responders) {
      self.responders = responders
      firstResponder = nil
      keyWindow = nil
    }
    firstResponder = reader.member("firstResponder", Read.identifier) ?? firstResponder
    keyWindow = reader.member("keyWindow", Read.identifier) ?? keyWindow
  }

  /// What is wrong with the links of the responders, cycles apart, and with who has focus.
  var graphFaults: [MutationFault] {
    let kinds = Dictionary(
      responders.map { ($0.id, $0.kind) }, uniquingKeysWith: { first, _ in first })
    var faults = ResponderGraph.linkFaults(of: responders)
    if let keyWindow {
      switch kinds[keyWindow] {
      case nil: faults.append(.unknownResponder(keyWindow))
      case .window: break
      case .some(let kind): faults.append(.notAWindow(keyWindow, kind))
      }
    }
    if let firstResponder, kinds[firstResponder] == nil, firstResponder != keyWindow {
      faults.append(.unknownResponder(firstResponder))
    }
    return faults
  }

  private static func responders(
    _ json: JSON, _ pointer: JSONPointer, _ log: FaultLog
  ) -> [Responder]? {
    guard let object = Read.object(json, pointer, log) else { return nil }
    return object.members.compactMap { member in
      let place = pointer.appending(member.name)
      let id: ResponderID? = Read.identifier(.string(member.name), place, log)
      return id.flatMap { Responder($0, reading: member.value, at: place, log: log) }
    }
  }
}
