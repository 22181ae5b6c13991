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

  /// A large text within an event that other events share.
  struct Inset {
    /// The bytes from which on a text stands apart.
    static let threshold = 16 << 10

    let text: [UInt8]
    /// The number of bytes of the data before it.
    let place: Int
  }

  let kind: Kind
  /// The position that a subscriber must have to get this event.
  let start: EventID
  let id: EventID
  /// The time at which it could be made, in nanoseconds.
  let time: Int
  /// The event in a stream of Server-Sent Events (HTML, 9.2), which begins with its id. Its pieces are sent one after
  /// the other; a large document is one of its own.
  let pieces: [[UInt8]]
  /// The end of the id in the first piece.
  private let idEnd: Int
  /// The beginning of the data in the first piece.
  private let dataStart: Int

  /// An event with a JSON object as its data.
  ///
  /// - Parameter inset: A text that belongs to the data, and is not among the bytes; none by default.
  init(
    _ kind: Kind, from start: EventID, to id: EventID, at time: Int, data: [UInt8],
    with inset: Inset? = nil
  ) {
    (self.kind, self.start, self.id, self.time) = (kind, start, id, time)
    let text = "id: \(id.text)\n"
    let end = inset?.place ?? data.count
    var block: [UInt8] = []
    block.reserveCapacity(text.utf8.count + end + 32)
    block += text.utf8
    idEnd = block.count
    block += "event: \(kind.rawValue)\ndata: ".utf8
    dataStart = block.count
    block += data[..<end]
    if let inset {
      pieces = [block, inset.text, Array(data[end...]) + Array("\n\n".utf8)]
    } else {
      block += "\n\n".utf8
      pieces = [block]
    }
  }

  /// The bytes that it takes, without a document that it shares.
  var ownSize: Int { pieces[0].count + (pieces.count > 1 ? pieces[pieces.count - 1].count : 0) }

  /// The data: a JSON object.
  var data: [UInt8] {
    var data = Array(pieces[0][dataStart...])
    for piece in pieces.dropFirst() { data += piece }
    data.removeLast(2)
    return data
  }

  /// The event in a stream in which it has another id.
  func pieces(withID text: String) -> [[UInt8]] {
    [Array("id: \(text)\n".utf8) + pieces[0][idEnd...]] + pieces.dropFirst()
  }

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
    writer.value(encoded: data)
    writer.endObject()
  }
}
