import JSONText

/// Reads sessions and catalogues in ``StoredFormat``, and shares their equal parts.
///
/// Sessions of one application are similar: most have the responders of the catalogue's template, which they
/// share in memory. A reader restores that sharing, and so also avoids reading equal bytes twice. The result
/// does not depend on it.
package final class StoredReader {
  /// Whole sessions, without identifiers and incarnation numbers.
  private var sessions = SharedValues<Session>()
  private var records = SharedValues<SessionRecord>()
  private var states = SharedValues<JSON>()
  private var graphs = SharedValues<ResponderGraph>()
  private var responders = SharedValues<Responder>()

  package init() {}

  /// Decodes a catalogue. Sessions with the responders and the state of its template share these with sessions
  /// opened later.
  ///
  /// - Throws: `StoredFault`.
  package func catalog(from bytes: [UInt8]) throws(StoredFault) -> Catalog {
    let catalog: Catalog = try StoredFormat.value(from: bytes)
    if let opening = catalog.openingGraph, let template = catalog.template,
      let graph = try? JSON(encoding: opening.graph)
    {
      graphs.insert(opening.graph, for: graph.bytes[...])
      states.insert(template.state, for: template.state.bytes[...])
    }
    return catalog
  }

  /// Decodes a session.
  ///
  /// - Throws: `StoredFault`.
  package func session(from bytes: [UInt8]) throws(StoredFault) -> Session {
    guard let parts = Parts(of: bytes) else { return try wholeSession(from: bytes) }
    var session: Session
    if let known = sessions.value(of: parts.anonymous) {
      session = known
    } else {
      guard let graph = graph(parts.graph), let state = state(parts.state) else {
        return try wholeSession(from: bytes)
      }
      session = try StoredFormat.value(from: parts.rest)
      session.graph = graph
      session.state = state
      session.stand(isOtherState: true)
      _ = session.undo.takeTouched()
      sessions.insert(session, for: parts.anonymous)
    }
    session.id = parts.id
    session.openingNumber = parts.openingNumber
    return session
  }

  private func wholeSession(from bytes: [UInt8]) throws(StoredFault) -> Session {
    var session: Session = try StoredFormat.value(from: bytes)
    session.stand(isOtherState: true)
    _ = session.undo.takeTouched()
    return session
  }

  /// Decodes a change of a session.
  ///
  /// - Throws: `StoredFault`.
  package func record(from bytes: [UInt8]) throws(StoredFault) -> SessionRecord {
    if let known = records.value(of: bytes[...]) { return known }
    let record: SessionRecord = try StoredFormat.value(from: bytes)
    records.insert(record, for: bytes[...])
    return record
  }

  private func state(_ bytes: ArraySlice<UInt8>) -> JSON? {
    if let known = states.value(of: bytes) { return known }
    guard let state = try? JSON(parsing: Array(bytes), maximumDepth: JSON.codingDepth)
    else { return nil }
    states.insert(state, for: bytes)
    return state
  }

  private func graph(_ bytes: ArraySlice<UInt8>) -> ResponderGraph? {
    if let known = graphs.value(of: bytes) { return known }
    let start = bytes.startIndex
    guard let member = JSONSlices.members(of: bytes.span, at: 0)?.first,
      let elements = JSONSlices.elements(of: bytes.span, at: member.value.lowerBound)
    else { return nil }
    var restored: [Responder] = []
    for element in elements {
      let range = (start + element.lowerBound)..<(start + element.upperBound)
      guard let responder = responder(bytes[range]) else { return nil }
      restored.append(responder)
    }
    guard let graph = try? ResponderGraph(restoring: restored) else { return nil }
    graphs.insert(graph, for: bytes)
    return graph
  }

  private func responder(_ bytes: ArraySlice<UInt8>) -> Responder? {
    if let known = responders.value(of: bytes) { return known }
    guard let json = try? JSON(parsing: Array(bytes), maximumDepth: JSON.codingDepth),
      let responder = try? json.decoded(as: Responder.self)
    else { return nil }
    responders.insert(responder, for: bytes)
    return responder
  }
}

/// The parts of an encoded session.
private struct Parts {
  let id: SessionID
  let openingNumber: Int?
  let state: ArraySlice<UInt8>
  let graph: ArraySlice<UInt8>
  private let bytes: [UInt8]
  /// The values that differ between otherwise equal sessions, in order.
  private let personal: [Range<Int>]

  /// Nil if the bytes do not have this form; decoding the whole then reports the fault.
  init?(of bytes: [UInt8]) {
    guard let start = JSONSlices.secondElement(of: bytes.span, at: 0),
      let members = JSONSlices.members(of: bytes.span, at: start)
    else { return nil }
    let member = { (name: String) -> Range<Int>? in
      members.first { bytes[$0.name].elementsEqual(name.utf8) }?.value
    }
    guard let state = member("state"), let graph = member("graph"), let idRange = member("id"),
      let id = SessionID(String(decoding: bytes[idRange].dropFirst().dropLast(), as: UTF8.self))
    else { return nil }
    let opening = member("openingNumber")
    self.id = id
    openingNumber = opening.flatMap { Int(String(decoding: bytes[$0], as: UTF8.self)) }
    self.state = bytes[state]
    self.graph = bytes[graph]
    self.bytes = bytes
    personal = ([idRange] + (opening.map { [$0] } ?? [])).sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The bytes without the identifier and the incarnation number.
  var anonymous: ArraySlice<UInt8> {
    var others: [UInt8] = []
    others.reserveCapacity(bytes.count)
    var position = 0
    for range in personal {
      others += bytes[position..<range.lowerBound]
      position = range.upperBound
    }
    others += bytes[position...]
    return others[...]
  }

  /// The bytes with an empty state and an empty graph.
  var rest: [UInt8] {
    let empty: [(Range<Int>, String)] = [
      (state.indices, "{}"), (graph.indices, #"{"responders":[]}"#),
    ]
    var rest: [UInt8] = []
    var position = 0
    for (range, text) in empty.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
      rest += bytes[position..<range.lowerBound]
      rest += text.utf8
      position = range.upperBound
    }
    rest += bytes[position...]
    return rest
  }
}

/// Values by the bytes they were read from, so that equal bytes give one value in memory.
///
/// It holds at most `maximumBytes` of keys; it is cleared before it would hold more.
struct SharedValues<Value> {
  private var values: [ArraySlice<UInt8>: Value] = [:]
  private var byteCount = 0
  /// The last value found or added; sessions of one application mostly have the same one.
  private var last: (bytes: ArraySlice<UInt8>, value: Value)?

  private let maximumBytes = 8 << 20

  /// Returns the value read from the bytes; nil for none.
  mutating func value(of bytes: ArraySlice<UInt8>) -> Value? {
    if let last, last.bytes == bytes { return last.value }
    guard let index = values.index(forKey: bytes) else { return nil }
    last = (values[index].key, values[index].value)
    return values[index].value
  }

  /// Adds the value read from the bytes.
  mutating func insert(_ value: Value, for bytes: ArraySlice<UInt8>) {
    if byteCount + bytes.count > maximumBytes { (values, byteCount) = ([:], 0) }
    let key = Self.copy(bytes)
    values[key] = value
    byteCount += key.count
    last = (key, value)
  }

  /// Copies the bytes, so that they do not retain the whole.
  private static func copy(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    Array(bytes)[...]
  }
}
