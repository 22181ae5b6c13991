import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// A validator of one state of an answer (RFC 9110, 8.8.3), computed before the answer.
struct EntityTag {
  /// The tag as in a header field, including quotes.
  let text: String

  /// Creates the tag of a session's own representation.
  init(_ session: Session, _ opening: Incarnation, nonce: String) {
    text = Self.text(nonce, opening.number, then: session.revision)
  }

  /// Creates the tag of an answer that also depends on the catalogue and on the request.
  init(_ snapshot: Snapshot, nonce: String, parameters: String) {
    text = Self.text(
      nonce, snapshot.sessionEdition.opening.number, then: snapshot.session.revision,
      and: snapshot.catalog.revision, parameters: parameters)
  }

  /// Creates the tag of an answer that depends on the catalogue alone.
  init(_ catalog: Catalog, nonce: String, parameters: String) {
    self.init(catalogRevision: catalog.revision, nonce: nonce, parameters: parameters)
  }

  /// Creates the tag of an answer that depends on a revision of the catalogue alone.
  init(catalogRevision: Int, nonce: String, parameters: String) {
    text = Self.text(nonce, catalogRevision, parameters: parameters)
  }

  /// Creates the tag of one declaration of the catalogue from the answer itself: the tag changes only with that
  /// declaration. Such answers are small and seldom requested.
  init(declared body: [UInt8], nonce: String) {
    // All replicas make the same digest.
    let digest = SHA256.digest(of: body).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    text = "\"\(nonce).d\(String(digest, radix: 36))\""
  }

  private static func text(
    _ nonce: String, _ first: Int, then second: Int? = nil, and third: Int? = nil,
    parameters: String? = nil
  ) -> String {
    let words = nonce.utf8.count + (parameters?.utf8.count ?? 0)
    return String(size: words + 3 * ASCIIWriter.numberSize + 6) { writer in
      writer.append("\"" as Unicode.Scalar)
      writer.append(nonce)
      writer.appendPart(first)
      if let second { writer.appendPart(second) }
      if let third { writer.appendPart(third) }
      if let parameters {
        writer.append("." as Unicode.Scalar)
        writer.append(parameters)
      }
      writer.append("\"" as Unicode.Scalar)
    }
  }

  /// True if a list of tags, or `*`, as in `If-None-Match` and `If-Match`, names this tag.
  ///
  /// - Parameter isWeak: True if weak tags may match.
  func isNamed(in field: Span<UInt8>, isWeak: Bool) -> Bool {
    var start = 0
    while start < field.count {
      let end = field.firstIndex(of: UInt8(ascii: ","), from: start)
      let piece = field.extracting(start..<end)
      if isNamed(by: piece.extracting(piece.contentRange), isWeak: isWeak) { return true }
      start = end + 1
    }
    return false
  }

  /// Returns true if the preconditions of a request name a tag that is newer than the shown revisions, or of another
  /// incarnation of the session.
  static func isNamed(
    in request: Request, nonce: String,
    newerThan shown: (opening: Int?, session: Int, catalog: Int)
  ) -> Bool {
    ["if-none-match", "if-match"].contains { name in
      request.headers[name]?.split(separator: ",").contains { tag in
        let words: [Substring] = tag.split(separator: "\"").last?.split(separator: ".") ?? []
        let numbers = words.dropFirst().prefix { Int($0) != nil }.compactMap { Int($0) }
        guard words.first.map({ $0 == nonce }) == true else { return false }
        // The tag of a declaration does not show whether it is newer.
        guard let first = numbers.first else { return words.count > 1 }
        // A tag of the catalogue holds its revision. A tag of a session holds the incarnation, the session's
        // revision and optionally the catalogue's revision.
        guard numbers.count > 1 else { return first > shown.catalog }
        return first != shown.opening || numbers[1] > shown.session
          || numbers.count > 2 && numbers[2] > shown.catalog
      } ?? false
    }
  }

  private func isNamed(by tag: Span<UInt8>, isWeak: Bool) -> Bool {
    if tag.count == 1 { return tag[0] == UInt8(ascii: "*") }
    if tag.hasSameBytes(as: text.utf8.span) { return true }
    guard isWeak, tag.count > 2, tag[0] == UInt8(ascii: "W"), tag[1] == UInt8(ascii: "/") else {
      return false
    }
    return tag.extracting(2..<tag.count).hasSameBytes(as: text.utf8.span)
  }
}

extension ASCIIWriter {
  fileprivate mutating func appendPart(_ number: Int) {
    append("." as Unicode.Scalar)
    append(number)
  }

  /// Writes a number with at least `digits` digits, and then a character.
  fileprivate mutating func append(_ number: Int64, digits: Int, then next: Unicode.Scalar) {
    var bound: Int64 = 10
    for _ in 1..<digits {
      if number < bound { append("0" as Unicode.Scalar) }
      bound *= 10
    }
    append(Int(number))
    append(next)
  }
}

/// A time in the format of RFC 3339, in UTC, with milliseconds.
package struct InternetTimestamp {
  private let days: Int64
  private let millisecondOfDay: Int64

  /// Creates the time that is `milliseconds` after 1970-01-01T00:00:00Z.
  package init(milliseconds: Int64) {
    let day: Int64 = 86_400_000
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: day)
    days = remainder < 0 ? quotient - 1 : quotient
    millisecondOfDay = remainder < 0 ? remainder + day : remainder
  }

  /// The time as text: `2026-11-21T08:32:27.000Z`.
  package var text: String {
    let (year, month, day) = date
    let seconds = millisecondOfDay / 1000
    return String(size: ASCIIWriter.numberSize + 21) { writer in
      writer.append(year, digits: 4, then: "-")
      writer.append(month, digits: 2, then: "-")
      writer.append(day, digits: 2, then: "T")
      writer.append(seconds / 3600, digits: 2, then: ":")
      writer.append(seconds / 60 % 60, digits: 2, then: ":")
      writer.append(seconds % 60, digits: 2, then: ".")
      writer.append(millisecondOfDay % 1000, digits: 3, then: "Z")
    }
  }

  /// The date in the Gregorian calendar, by counting in eras of 400 years that begin on 1 March.
  private var date: (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
  }
}
