import JSONText
import MenuEngine
import MenuStore

/// What tells one state of an answer from another (RFC 9110, 8.8.3), made before the answer is.
struct EntityTag {
  /// The tag as a field has it, quotes included.
  let text: String

  /// The tag of a session's own representation.
  init(_ session: Session, _ incarnation: Int, nonce: String) {
    text = "\"\(nonce).\(incarnation).\(session.revision)\""
  }

  /// The tag of an answer that also depends on the catalogue and on what the request says.
  init(_ snapshot: SessionSnapshot, _ catalog: Catalog, nonce: String, parameters: String) {
    text =
      "\"\(nonce).\(snapshot.incarnation).\(snapshot.session.revision).\(catalog.revision)"
      + ".\(parameters)\""
  }

  /// The tag of an answer that depends on the catalogue alone.
  init(_ catalog: Catalog, nonce: String, parameters: String) {
    self.init(catalogRevision: catalog.revision, nonce: nonce, parameters: parameters)
  }

  /// The tag of an answer that depends on the catalogue alone, at a revision.
  init(catalogRevision: Int, nonce: String, parameters: String) {
    text = "\"\(nonce).\(catalogRevision).\(parameters)\""
  }

  /// The tag of a session's own representation, by what tells it from others.
  init(_ version: SessionVersion, nonce: String) {
    text = "\"\(nonce).\(version.incarnation).\(version.revision)\""
  }

  /// The tag of one declaration of the catalogue, made from the answer itself: so it is the same as long
  /// as the declaration is, whatever else is declared. These are small, and asked for seldom.
  init(declared body: [UInt8], nonce: String) {
    text = "\"\(nonce).\(Self.parameters(body))\""
  }

  /// A body as part of a tag: a keyed hash of its bytes.
  ///
  /// The key is the process's own, as is the nonce that stands in the same tag.
  static func parameters(_ body: [UInt8]) -> String {
    var hasher = Hasher()
    hasher.combine(body.count)
    unsafe body.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
    return String(UInt(bitPattern: hasher.finalize()), radix: 36)
  }

  /// Whether a list of tags, or `*`, as `If-None-Match` and `If-Match` have it, names this one.
  ///
  /// - Parameter isWeak: Whether tags marked as weak may match.
  func isNamed(in field: String, isWeak: Bool) -> Bool {
    field.utf8.split(separator: UInt8(ascii: ",")).contains { piece in
      let tag = String(Substring(piece)).trimmed
      if tag.hasSameBytes(as: "*") { return true }
      return tag.hasSameBytes(as: text) || isWeak && tag.hasSameBytes(as: "W/\(text)")
    }
  }
}

extension String {
  /// The text without spaces and tabs around it.
  var trimmed: String {
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let bytes = utf8.drop(while: isBlank)
    guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(Substring(bytes[...last]))
  }
}
