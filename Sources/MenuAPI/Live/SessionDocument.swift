import JSONText
import MenuEngine
import MenuStore

/// The text of a session's document, which all its subscribers share.
typealias SessionDocument = MemoryPart<DocumentContents>

struct DocumentContents: Remakeable {
  fileprivate var text: [UInt8] = []
  /// The number of the version.
  fileprivate var edition = 0

  var size: Int { text.count }

  mutating func evict() { self = DocumentContents() }
}

extension SessionDocument {
  convenience init(in memory: SessionMemory) { self.init(DocumentContents(), in: memory) }

  /// Returns the document, as in the answer of `GET /sessions/{session}`.
  func text(of snapshot: Snapshot) -> [UInt8] {
    let edition = snapshot.sessionEdition.number
    let (known, knownEdition) = read { ($0.text, $0.edition) }
    if knownEdition == edition, !known.isEmpty { return known }
    var writer = JSONWriter()
    writer.beginObject()
    writer.value(members: snapshot.session)
    writer.endObject()
    let text = writer.bytes
    use { $0 = DocumentContents(text: text, edition: edition) }
    return text
  }
}
