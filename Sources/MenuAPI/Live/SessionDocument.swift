import JSONText
import MenuEngine
import MenuStore

/// The text of a session's document, which all its subscribers share.
final class SessionDocument: Sendable {
  private struct Contents: Remakeable {
    var text: [UInt8] = []
    /// The number of the version.
    var edition = 0

    var size: Int { text.count }

    mutating func evict() { self = Contents() }
  }

  private let contents: MemoryPart<Contents>

  init(in memory: SessionMemory) { contents = MemoryPart(Contents(), in: memory) }

  var evictable: EvictablePart? { contents.evictable { [self] in contents.evict() } }

  func evict() { contents.evict() }

  /// Returns the document as `GET /sessions/{session}` answers it.
  func text(of snapshot: Snapshot) -> [UInt8] {
    let edition = snapshot.sessionEdition.number
    let (known, knownEdition) = contents.read { ($0.text, $0.edition) }
    if knownEdition == edition, !known.isEmpty { return known }
    var writer = JSONWriter()
    writer.beginObject()
    writer.value(members: snapshot.session)
    writer.endObject()
    let text = writer.bytes
    contents.use { $0 = Contents(text: text, edition: edition) }
    return text
  }
}
