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
  /// The field of the id in a stream of Server-Sent Events (HTML, 9.2).
  private let idField: [UInt8]
  /// The event behind that, which all streams share; a large document is a part of its own.
  private let content: [[UInt8]]
  /// The beginning of the data in the first part.
  private let dataStart: Int

  /// An event with a JSON object as its data.
  ///
  /// - Parameter inset: A text that belongs to the data, and is not among the bytes; none by default.
  init(
    _ kind: Kind, from start: EventID, to id: EventID, at time: Int, data: [UInt8],
    with inset: Inset? = nil
  ) {
    (self.kind, self.start, self.id, self.time) = (kind, start, id, time)
    idField = Self.field(ofID: id.text)
    let end = inset?.place ?? data.count
    var block = Array("event: \(kind.rawValue)\ndata: ".utf8)
    block.reserveCapacity(block.count + end + 2)
    dataStart = block.count
    block += data[..<end]
    if let inset {
      content = [block, inset.text, Array(data[end...]) + Array("\n\n".utf8)]
    } else {
      block += "\n\n".utf8
      content = [block]
    }
  }

  /// The bytes that it takes, without a document that it shares.
  var ownSize: Int {
    idField.count + content[0].count + (content.count > 1 ? content[content.count - 1].count : 0)
  }

  /// The bytes that it takes in a stream.
  var size: Int { content.reduce(idField.count) { $0 + $1.count } }

  /// The data: a JSON object.
  var data: [UInt8] {
    var data = Array(content[0][dataStart...])
    for part in content.dropFirst() { data += part }
    data.removeLast(2)
    return data
  }

  /// The parts of the event, one behind the other.
  var parts: [[UInt8]] { [idField] + content }

  /// The same in a stream in which it has another id.
  func parts(withID text: String) -> [[UInt8]] { [Self.field(ofID: text)] + content }

  private static func field(ofID text: String) -> [UInt8] { Array("id: \(text)\n".utf8) }

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
