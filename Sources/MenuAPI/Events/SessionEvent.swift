import JSONText

/// An event as every subscriber of a channel gets it.
struct SessionEvent: Sendable {
  /// The name of an event.
  enum Kind: String, CaseIterable {
    /// Everything, to begin with.
    case reset
    /// The differences since the event before.
    case change
    /// The last one.
    case closed
  }

  let kind: Kind
  /// The position that a subscriber must have to get this event.
  let start: EventID
  let id: EventID
  /// The time at which it could be made, in nanoseconds.
  let time: Int
  /// The event in a stream of Server-Sent Events (HTML, 9.2), which begins with its id.
  let block: [UInt8]
  /// The end of the id in it.
  private let idEnd: Int
  /// The beginning of the data in it.
  private let dataStart: Int

  /// An event with a JSON object as its data.
  init(_ kind: Kind, from start: EventID, to id: EventID, at time: Int, data: [UInt8]) {
    (self.kind, self.start, self.id, self.time) = (kind, start, id, time)
    let text = "id: \(id.text)\n"
    var block: [UInt8] = []
    block.reserveCapacity(text.utf8.count + data.count + 32)
    block += text.utf8
    idEnd = block.count
    block += "event: \(kind.rawValue)\ndata: ".utf8
    dataStart = block.count
    block += data
    block += "\n\n".utf8
    self.block = block
  }

  /// The data: a JSON object.
  var data: ArraySlice<UInt8> { block[dataStart..<block.count - 2] }

  /// The event in a stream in which it has another id.
  func block(withID text: String) -> [UInt8] { Array("id: \(text)\n".utf8) + block[idEnd...] }

  /// True if it tells of more than one revision.
  var isMerged: Bool {
    id.revision - start.revision + id.catalogRevision - start.catalogRevision > 1
  }

  /// Writes the event as an element of a JSON array, with the id that it has there.
  func write(to writer: inout JSONWriter, withID text: String) {
    writer.beginObject()
    writer.member("id", text)
    writer.member("event", kind.rawValue)
    writer.member("data")
    writer.value(encoded: Array(data))
    writer.endObject()
  }
}
