import CEL
import JSONText

/// Mutations that are part of another mutation.
struct MutationList: Sendable, Codable {
  let mutations: [Mutation]

  init(_ mutations: [Mutation] = []) { self.mutations = mutations }

  var json: JSON { .array(mutations.map(\.json)) }

  /// Returns the mutations with a time for their messages, unless they have their own.
  func dated(_ time: Int64) -> MutationList { MutationList(mutations.map { $0.dated(time) }) }
}

extension MutationList: Equatable {
  static func == (left: MutationList, right: MutationList) -> Bool {
    left.json.isWritten(as: right.json)
  }
}

extension MemberType where Value == MutationList {
  /// Mutations without nested lists.
  static var mutations: MemberType {
    let type = MemberType("ReplyMutations", read: { _, _, _ in nil }, write: \.json)
    return MemberType(
      schema: type.schema,
      read: { json, pointer, log, catalog in
        guard let catalog else { return nil }
        let mutations = Read.list(json, at: pointer, log: log) { json, pointer, log in
          mutation(json, at: pointer, log: log, in: catalog)
        }
        return mutations.map(MutationList.init)
      },
      write: { $0.mutations.isEmpty ? nil : $0.json }, inEffect: .literal,
      dated: { $0.dated($1) }, encode: type.encode, decode: type.decode)
  }

  private static func mutation(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog, in catalog: Catalog
  ) -> Mutation? {
    let reply = Operations.replyToDelivery.name
    if case .object(let object) = json, let op = object["op"], op == .string(reply) {
      let others = Mutation.ops.filter { $0 != reply }
      return Read.refuse(.oneOf(others), op, at: pointer.appending("op"), log: log)
    }
    return Mutation(reading: json, at: pointer, log: log, in: catalog)
  }
}

extension MemberType where Value == Int64 {
  /// A time in milliseconds since 1970-01-01T00:00:00Z.
  static var time: MemberType {
    MemberType(
      "Time", answering: [.int], read: Read.time, write: JSON.int,
      evaluate: { (rule, scope, member) throws(MutationFault) in
        let json = try scope.json(rule, for: member)
        if case .int(let time) = json, Limits.times.contains(time) { return time }
        throw scope.fault(rule, for: member, answering: json, expecting: .time)
      })
  }
}

extension MemberType where Value == Int64? {
  /// A time. The default is that of the mutation.
  static var moment: MemberType {
    var type = MemberType<Int64>.time.optional
    type.dated = { $0 ?? $1 }
    return type
  }
}
