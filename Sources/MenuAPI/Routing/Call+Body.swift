import JSONText
import MenuEngine
import MicroHTTP

extension Call {
  /// The body as JSON, when its content type is `application/json`.
  func json() throws(Problem) -> JSON {
    try require(["application/json"])
    return try parsedBody()
  }

  /// Returns the result of `read` for the body's object; members that it does not ask for are
  /// refused.
  ///
  /// - Throws: `Problem` with every fault that `read` notes; it answers nil only when it noted one.
  func object<Result>(_ read: (inout ObjectReader) -> Result?) throws(Problem) -> Result {
    try object(try json(), read)
  }

  func object<Result>(
    _ json: JSON, _ read: (inout ObjectReader) -> Result?
  ) throws(Problem) -> Result {
    try document { log in
      guard var reader = ObjectReader(json, at: .root, log: log) else { return nil }
      let result = read(&reader)
      reader.finish()
      return result
    }
  }

  /// Returns the result of `read` for a document, or throws all faults that it notes.
  func document<Result>(_ read: (FaultLog) -> Result?) throws(Problem) -> Result {
    do throws(DocumentFaults) {
      return try FaultLog.collecting(ruleLimits: service.ruleLimits, read)
    } catch {
      throw Problem(error)
    }
  }

  func parsedBody() throws(Problem) -> JSON {
    do throws(JSONFault) {
      return try JSON(
        parsing: request.body, maximumDepth: service.limits.bodyDepth, integers: .exact)
    } catch {
      throw Problem(
        .malformedJSON, "The body is not JSON. \(error) (Byte \(error.offset) of it.)"
      ).with("offset") { $0.value(error.offset) }
        .with("line") { $0.value(error.line) }
        .with("column") { $0.value(error.column) }
    }
  }

  /// The one of these content types that the body has, which must not be compressed.
  @discardableResult
  func require(_ types: [String]) throws(Problem) -> String {
    if let encoding = request.headers["content-encoding"] {
      throw Problem(
        .unsupportedMediaType,
        "The body has the content encoding \(quoted(encoding)), but only plain bodies are read."
      ).with(header: "Accept-Encoding", "identity")
    }
    var named: String?
    request.headers.visit("content-type") { value in
      for type in types where value.isMediaType(type) {
        named = type
        break
      }
      return false
    }
    if let named { return named }
    let found =
      request.headers["content-type"].map { "the content type \(quoted($0))" } ?? "no content type"
    let advice =
      types == ["application/json"]
      ? "with curl, use --json '…' in place of -d '…'"
      : "with curl, use -H 'content-type: \(types.first ?? "")'"
    let field = request.method == .patch ? "Accept-Patch" : "Accept"
    throw Problem(
      .unsupportedMediaType,
      "The body has \(found), but \(list(types, "or")) is read here; \(advice)."
    ).with(header: field, types.joined(separator: ", "))
  }
}

extension Span<UInt8> {
  /// True if the value of `Content-Type` names this type, with whatever parameters.
  fileprivate func isMediaType(_ type: String) -> Bool {
    let name = extracting(0..<firstIndex(of: UInt8(ascii: ";"), from: 0))
    return name.extracting(name.contentRange).isEqualIgnoringCase(to: type.utf8.span)
  }
}
