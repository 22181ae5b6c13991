package import JSONText
package import MicroHTTP

/// The reason for which a request is refused: a problem document (RFC 9457).
package struct Problem: Error, Sendable {
  /// The kind, which decides the status.
  package let type: ProblemType
  /// A whole sentence: what is wrong here, and what to do.
  package let detail: String
  /// The parts of the body that are to blame. A single one is told by the problem itself, and several
  /// are listed.
  package var parts: [BlamedPart] = []
  /// Further members and their JSON text, in order.
  package var members: [(name: String, text: [UInt8])] = []
  /// Fields of the response beside its content type.
  package var headers: [(name: String, value: String)] = []

  /// One part of a body that is to blame.
  package struct BlamedPart: Sendable {
    /// The place in the body.
    package let pointer: JSONPointer
    /// The mistake in that part.
    package let detail: String
    /// The place in a rule, when that is at fault.
    package var rule: JSON?
  }

  /// A problem that no part of the body is to blame for.
  package init(_ type: ProblemType, _ detail: String) {
    self.type = type
    self.detail = detail
  }

  /// A problem with one part of the body; without a pointer, with the request as a whole.
  package init(_ type: ProblemType, _ detail: String, at pointer: JSONPointer?) {
    self.init(type, detail)
    if let pointer { parts = [BlamedPart(pointer: pointer, detail: detail)] }
  }

  /// The same with one more member.
  package func with(_ name: String, _ write: (inout JSONWriter) -> Void) -> Problem {
    var writer = JSONWriter()
    write(&writer)
    var copy = self
    copy.members.append((name, writer.bytes))
    return copy
  }

  /// The same with one more field of the response.
  package func with(header name: String, _ value: String) -> Problem {
    var copy = self
    copy.headers.append((name, value))
    return copy
  }
}

extension Problem {
  /// The response that says so.
  package var response: Response {
    var fields: Headers = ["Content-Type": "application/problem+json"]
    for header in headers { fields.append(header.name, header.value) }
    return Response(status: type.status, headers: fields, body: body)
  }

  private var body: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", type.uri)
    writer.member("title", type.title)
    writer.member("status", type.status.rawValue)
    writer.member("detail", detail)
    if let first = parts.first { writer.member("pointer", first.pointer.description) }
    if parts.count == 1, let rule = parts[0].rule { writer.member("rule", rule) }
    for member in members {
      writer.member(member.name)
      writer.value(encoded: member.text)
    }
    if parts.count > 1 { write(parts, to: &writer) }
    writer.endObject()
    return writer.bytes
  }

  private func write(_ parts: [BlamedPart], to writer: inout JSONWriter) {
    writer.member("errors")
    writer.beginArray()
    for part in parts {
      writer.beginObject()
      writer.member("pointer", part.pointer.description)
      writer.member("detail", part.detail)
      if let rule = part.rule { writer.member("rule", rule) }
      writer.endObject()
    }
    writer.endArray()
  }
}
