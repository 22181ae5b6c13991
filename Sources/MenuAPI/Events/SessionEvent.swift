import JSONText

/// An event, encoded once for every subscriber of a channel.
struct SessionEvent: Sendable {
  /// The name of an event.
  enum Kind: String, CaseIterable {
    /// The complete state, to start with.
    case reset
    /// The differences from the previous event.
    case change
    /// The last event.
    case closed

    /// The bytes of an event in a stream before its data (HTML, 9.2).
    var beginning: [UInt8] { Array("event: \(rawValue)\ndata: ".utf8) }
  }

  /// A large text within an event, shared with other events.
  struct Inset {
    /// The size in bytes from which on a text is stored separately.
    static let threshold = 16 << 10

    let text: [UInt8]
    /// The number of bytes of the data before the text.
    let place: Int
  }

  let kind: Kind
  let id: EventID
  let idText: String
  /// The earliest time at which it could be made, in nanoseconds.
  let time: Int
  /// The parts of the event in a stream, in order, which all streams share: the id field of Server-Sent Events (HTML,
  /// 9.2), and the rest; a large document is a part of its own.
  let parts: [[UInt8]]
  /// The bytes that it takes in a stream.
  let size: Int
  /// The offset of the data in the second part.
  private let dataStart: Int

  /// Creates an event with a JSON object as its data.
  ///
  /// - Parameter inset: A text that belongs to the data but is not among its bytes; none by default.
  init(_ kind: Kind, to id: EventID, at time: Int, data: [UInt8], with inset: Inset? = nil) {
    (self.kind, self.id, self.time) = (kind, id, time)
    idText = id.text
    let end = inset?.place ?? data.count
    var block = kind.beginning
    block.reserveCapacity(block.count + end + 2)
    dataStart = block.count
    block += data[..<end]
    var parts = [Self.field(ofID: idText)]
    if let inset {
      parts += [block, inset.text, Array(data[end...]) + Array("\n\n".utf8)]
    } else {
      block += "\n\n".utf8
      parts.append(block)
    }
    self.parts = parts
    size = parts.reduce(0) { $0 + $1.count }
  }

  /// The bytes that it takes, without a shared document.
  var ownSize: Int { parts.count > 2 ? size - parts[2].count : size }

  /// The data: a JSON object.
  var data: [UInt8] {
    var data = Array(parts[1][dataStart...])
    for part in parts.dropFirst(2) { data += part }
    data.removeLast(2)
    return data
  }

  /// Returns the parts with another id.
  func parts(withID text: String) -> [[UInt8]] {
    [Self.field(ofID: text)] + parts.dropFirst()
  }

  private static func field(ofID text: String) -> [UInt8] { Array("id: \(text)\n".utf8) }

  /// Writes the event as an element of a JSON array, with its id there.
  func write(to writer: inout JSONWriter, withID text: String) {
    writer.beginObject()
    writer.member("id", text)
    writer.member("event", kind.rawValue)
    writer.member("data")
    writer.value(encoded: data)
    writer.endObject()
  }
}
