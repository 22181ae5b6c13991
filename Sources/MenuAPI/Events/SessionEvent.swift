import JSONText

/// An event as every subscriber of a channel gets it.
struct SessionEvent: Sendable {
  /// The name of an event.
  enum Kind: String {
    /// Everything, to begin with.
    case reset
    /// The differences since the event before.
    case change
    /// The last one.
    case closed
  }

  let kind: Kind
  /// Where a subscriber of this event has to be; nil if anywhere.
  let start: EventID?
  let id: EventID
  /// The event as a JSON object.
  let data: [UInt8]

  /// The event in a stream of Server-Sent Events (HTML, 9.2).
  var block: [UInt8] {
    var block = Array("id: \(id.text)\nevent: \(kind.rawValue)\ndata: ".utf8)
    block += data
    block += Array("\n\n".utf8)
    return block
  }

  /// The event as an element of a JSON array.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id.text)
    writer.member("event", kind.rawValue)
    writer.member("data")
    writer.value(encoded: data)
    writer.endObject()
  }
}
