import JSONText
import MicroHTTP

extension JSONWriter {
  /// Writes what the routes refer to.
  mutating func components() {
    member("components")
    beginObject()
    member("schemas")
    beginObject()
    for (name, schema) in Schemas.named { member(name, schema) }
    endObject()
    headers()
    conditions()
    securitySchemes()
    endObject()
  }

  private mutating func securitySchemes() {
    member("securitySchemes")
    value(
      encoded: Array(
        #"""
        {
          "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "Asked for where `security` says so: everywhere, unless the server listens on the loopback only and has no administrator's token. An administrator's token opens everything; that of a session, which the answer to its opening has, that session, and reads the catalogue."
          }
        }
        """#.utf8))
  }

  /// Writes who may use a route.
  mutating func security(of route: Route, _ asksForTokens: Bool) {
    member("security")
    switch route.door {
    case .anyToken where asksForTokens, .administrator where asksForTokens,
      .monitoring where asksForTokens:
      value(encoded: Array(#"[{"token":[]}]"#.utf8))
    case .open, .anyToken, .administrator, .monitoring: value(encoded: Array("[]".utf8))
    }
  }

  private mutating func headers() {
    member("headers")
    beginObject()
    for (name, summary) in [
      ("ETag", "Which state of the answer this is."), ("Location", "Where the new thing is."),
    ] {
      member(name)
      beginObject()
      member("description", summary)
      member("schema")
      value(encoded: Array(#"{"type":"string"}"#.utf8))
      endObject()
    }
    endObject()
  }

  private mutating func conditions() {
    member("parameters")
    beginObject()
    for (component, name, summary, schema) in Self.fields {
      member(component)
      parameter(name, in: "header", summary, schema: schema)
    }
    endObject()
  }

  private static let fields = [
    (
      "IfMatch", "If-Match",
      "The ETag of the session, or of what of the catalogue is changed, that the request supposes.",
      #"{"type":"string"}"#
    ),
    (
      "IfNoneMatch", "If-None-Match", "The ETag of the answer that the client has.",
      #"{"type":"string"}"#
    ),
    (
      "IfNoneMatchAny", "If-None-Match",
      "With `*` nothing is done when there is something already; with an ETag, when it is there so.",
      #"{"type":"string"}"#
    ),
    (
      "IdempotencyKey", "Idempotency-Key",
      "Makes it safe to send the request again: when it was carried out under this key already, the answer is the first one's, with a field `Idempotent-Replayed: true`, and nothing is done. Keys belong to the token. What was refused was not carried out. Answers are kept for a day unless configured otherwise.",
      #"""
      {"type":"string","pattern":"^(\"([ !#-\\[\\]-~]|\\\\[\"\\\\]){1,255}\"|[!#-+\\--:<-\\[\\]-~]{1,255})$"}
      """#
    ),
    (
      "IdempotencyKeyOfQuestion", "Idempotency-Key",
      "Not read: nothing is done here, so that the question may be asked again, and is answered anew.",
      #"{"type":"string"}"#
    ),
  ]
}
