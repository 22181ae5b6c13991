extension Schemas {
  /// Patches of the state.
  static let patches: [(name: String, text: String)] =
    [
      (
        "JSONPatch",
        ##"""
        {"type":"array","description":"RFC 6902.",
         "items":{"$ref":"#/components/schemas/PatchOperation"}}
        """##
      ),
      ("PatchOperation", union(of: operations.map { ($0.op, name(of: $0.op)) }, by: "op")),
      (
        "JSONPointer",
        #"{"type":"string","pattern":"^(/([^~/]|~[01])*)*$","description":"RFC 6901."}"#
      ),
    ] + operations.map { (name(of: $0.op), operation($0.op, $0.members)) }

  private static let operations: [(op: String, members: [String])] = [
    ("add", ["path", "value"]), ("remove", ["path"]), ("replace", ["path", "value"]),
    ("move", ["from", "path"]), ("copy", ["from", "path"]), ("test", ["path", "value"]),
  ]

  private static func name(of op: String) -> String {
    "Patch" + op.prefix(1).uppercased() + op.dropFirst()
  }

  /// The schema of an operation; RFC 6902 has it that other members are passed over.
  private static func operation(_ op: String, _ members: [String]) -> String {
    let properties = members.map { member in
      member == "value"
        ? "\"value\":{}" : "\"\(member)\":{\"$ref\":\"#/components/schemas/JSONPointer\"}"
    }
    return """
      {"type":"object","required":[\((["op"] + members).map { "\"\($0)\"" }.joined(separator: ","))],
       "properties":{"op":{"const":"\(op)"},\(properties.joined(separator: ","))}}
      """
  }
}
