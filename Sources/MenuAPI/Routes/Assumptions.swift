import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The lists of mutations that a question assumes, each by itself (M13).
struct Assumptions: Sendable {
  /// The most lists.
  static let most = 256

  let lists: [[Mutation]]

  /// Reads the member `assuming` of a question; nil without one, or with faults in the log.
  init?(_ reader: inout ObjectReader, _ call: Call) {
    let lists: [[Mutation]]? = reader.member("assuming") { json, place, log in
      let (catalog, limit) = (call.catalog, call.service.limits.mutations)
      return Self.list(json, at: place, log: log, upTo: Self.most) { list, place, log in
        Self.list(list, at: place, log: log, upTo: limit) {
          Mutation(reading: $0, at: $1, log: $2, in: catalog)
        }
      }
    }
    guard let lists else { return nil }
    self.lists = lists
  }

  /// Reads a list of bounded length; nothing of a longer one is read.
  private static func list<Element>(
    _ json: JSON, at place: JSONPointer, log: FaultLog, upTo limit: Int,
    of read: (JSON, JSONPointer, FaultLog) -> Element?
  ) -> [Element]? {
    if case .array(let elements) = json, elements.count > limit {
      return Read.refuse(.arrayUpTo(limit), json, at: place, log: log)
    }
    return Read.list(json, at: place, log: log, of: read)
  }
}
