import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The preconditions of a request (RFC 9110, 13): `If-Match`, and `If-None-Match`.
extension Call {
  /// Returns the response 304, if the client has the answer with this tag.
  func unmodified(_ tag: EntityTag) -> Response? {
    guard names("if-none-match", tag, isWeak: true) == true else { return nil }
    var headers = Headers()
    headers.append("ETag", tag.text)
    return Response(status: .notModified, headers: headers)
  }

  /// True if the list of tags in a field, which may occur several times (RFC 9110, 5.3), names this tag; nil
  /// without such a field.
  private func names(_ field: String, _ tag: EntityTag, isWeak: Bool) -> Bool? {
    var isNamed: Bool?
    request.headers.visit(field) { value in
      isNamed = tag.isNamed(in: value, isWeak: isWeak)
      return isNamed == false
    }
    return isNamed
  }

  /// Returns the list of tags in a field, for people.
  private func tags(_ field: String) -> String {
    request.headers.values(of: field).joined(separator: ", ")
  }

  /// Refuses the request if the session does not match `If-Match`.
  func checkPrecondition(_ edition: SessionEdition) throws(Problem) {
    guard request.headers.has("if-match") else { return }
    do throws(Problem) {
      try checkMatch("The session \(quoted(edition.session.id))", tag(edition))
    } catch {
      throw error.with("revision") { $0.value(edition.session.revision) }
    }
  }

  /// Refuses to replace a resource of a session, if `If-None-Match` is `*` or names the session's present tag.
  func checkReplacement(of edition: SessionEdition, isNew: Bool) throws(Problem) {
    guard case .put = request.method, !isNew else { return }
    try checkNoneMatch("What is at \(quoted(request.path))", tag(edition))
  }

  /// Refuses the request if a part of the catalogue does not match its preconditions.
  ///
  /// Removing an absent part is refused for that reason, whatever the preconditions (RFC 9110, 13.2.1).
  func check(_ part: CatalogPart, in catalog: Catalog) throws(Problem) {
    guard request.headers.has("if-match") || request.headers.has("if-none-match") else {
      return
    }
    let present = part.representation(catalog).map { tag($0) }
    if present == nil, request.method == .delete { return }
    try checkMatch(part.title, present)
    if request.method == .put, let present { try checkNoneMatch(part.title, present) }
  }

  /// Refuses to open a session with `If-Match` if it does not exist, and one that exists if `If-None-Match`
  /// names it.
  func checkOpening(of id: SessionID, _ present: SessionEdition?) throws(Problem) {
    guard request.headers.has("if-match") || request.headers.has("if-none-match") else {
      return
    }
    let title = "The session \(quoted(id))"
    guard let present else { return try checkMatch(title, nil) }
    try checkNoneMatch(title, tag(present))
  }

  private func checkMatch(_ title: String, _ present: EntityTag?) throws(Problem) {
    guard request.headers.has("if-match") else { return }
    guard let present else {
      throw Problem(
        .preconditionFailed,
        "\(title) is not there, so that it cannot be at \(quoted(tags("if-match"))); leave out "
          + "'If-Match' to make it.")
    }
    if names("if-match", present, isWeak: false) == true { return }
    throw Problem(
      .preconditionFailed,
      "\(title) is at \(present.text), not at \(quoted(tags("if-match"))); GET it again and decide "
        + "anew."
    ).with(header: "ETag", present.text)
  }

  private func checkNoneMatch(_ title: String, _ present: EntityTag) throws(Problem) {
    guard names("if-none-match", present, isWeak: true) == true else { return }
    throw Problem(
      .preconditionFailed,
      "\(title) is there already, at \(present.text), and 'If-None-Match' says that it must not be."
    ).with(header: "ETag", present.text)
  }
}

/// The part of the catalogue that a request changes, and to which its preconditions apply.
struct CatalogPart: Sendable {
  /// The name, as the beginning of a sentence.
  let title: String
  /// Returns the representation that GET returns; nil if there is none.
  let representation: @Sendable (Catalog) -> CatalogRepresentation?
}

/// The representation that a tag of a part of the catalogue covers.
enum CatalogRepresentation {
  /// One declaration; its tag changes only with itself.
  case declaration(JSON)
  /// All declarations of a kind, by the name of the kind.
  case list(String, catalogRevision: Int)
}

extension Call {
  /// Returns the tag of a part of the catalogue.
  func tag(_ representation: CatalogRepresentation) -> EntityTag {
    switch representation {
    case .declaration(let json): EntityTag(declared: json.bytes, nonce: service.nonce)
    case .list(let name, let revision):
      EntityTag(catalogRevision: revision, nonce: service.nonce, parameters: name + viewer.mark)
    }
  }

  /// Answers a declaration, or 304 if the client has it.
  func answer(declared json: JSON) -> Response {
    let tag = tag(.declaration(json))
    return unmodified(tag) ?? Self.response(.ok, tag: tag, body: json.bytes)
  }

  /// Answers about the catalogue, or 304 if the client has the answer.
  ///
  /// - Parameter name: Distinguishes the answer from other ones about the catalogue.
  func answer(
    about catalog: Catalog, _ name: String, _ write: (inout JSONWriter) -> Void
  ) -> Response {
    let tag = tag(.list(name, catalogRevision: catalog.revision))
    if let unmodified = unmodified(tag) { return unmodified }
    return answer(tag: tag) { writer in
      writer.member("catalogRevision", catalog.revision)
      write(&writer)
    }
  }
}
