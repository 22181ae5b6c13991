import JSONText
import MenuEngine
import MenuStore

/// The options of a request that changes a session (A9).
struct ChangeOptions {
  /// True if the answer has a trace. The default is false.
  var isExplaining = false
  /// True if the session stays as it is. The default is false.
  var isDry = false

  /// The options that a body has beside its other members.
  init(_ reader: inout ObjectReader) {
    isExplaining = reader.member("explain", Read.bool) ?? false
    isDry = reader.member("dryRun", Read.bool) ?? false
  }

  /// The options that the query has.
  init(_ call: Call) throws(Problem) {
    isExplaining = try call.flag("explain")
    isDry = try call.flag("dryRun")
  }

  /// The options that the query or the body has.
  func joined(_ other: ChangeOptions) -> ChangeOptions {
    var joined = self
    joined.isExplaining = isExplaining || other.isExplaining
    joined.isDry = isDry || other.isDry
    return joined
  }
}

extension Call {
  /// Returns the result of `read` for a body that may have options, too; and the options of the
  /// query and the body together.
  func objectAndOptions<Value>(
    _ read: (inout ObjectReader) -> Value?
  ) throws(Problem) -> (Value, ChangeOptions) {
    try objectAndOptions(try json(), read)
  }

  /// The same of a body that was read.
  func objectAndOptions<Value>(
    _ json: JSON, _ read: (inout ObjectReader) -> Value?
  ) throws(Problem) -> (Value, ChangeOptions) {
    let ofQuery = try ChangeOptions(self)
    return try object(json) { reader in
      let value = read(&reader)
      let options = ofQuery.joined(ChangeOptions(&reader))
      return value.map { ($0, options) }
    }
  }
}

extension JSONWriter {
  /// Writes which session an answer about a change is about, at which revision, and that it was only
  /// tried if it was.
  mutating func members(_ change: SessionChange) {
    members(change.session)
    if change.isDry { member("dryRun", true) }
  }
}
