import JSONText

/// The targets of references in a document: by JSON Pointer, and by anchor.
struct SchemaReferences {
  private(set) var faults: [SchemaFault] = []
  private let indexes: [JSONPointer: SubschemaIndex]
  private var anchors = JSONObject()
  private let identifier: String?

  init(_ survey: SchemaSurvey) {
    indexes = survey.indexes
    if case .object(let root)? = survey.schemas.first?.json,
      case .string(let identifier) = root[KeywordName.identifier.rawValue]
    {
      self.identifier = identifier
    } else {
      identifier = nil
    }
    for (index, schema) in survey.schemas.enumerated() {
      guard case .object(let object) = schema.json,
        let anchor = object[KeywordName.anchor.rawValue]
      else { continue }
      let place = schema.pointer.appending(KeywordName.anchor.rawValue)
      guard case .string(let name) = anchor, Self.isAnchor(name) else {
        faults.append(SchemaFault(.expected(.anchor, found: anchor), at: place))
        continue
      }
      if case .int(let other)? = anchors[name] {
        let other = survey.schemas[Int(other)].pointer.appending(KeywordName.anchor.rawValue)
        faults.append(SchemaFault(.repeatedAnchor(name, other: other), at: place))
      }
      anchors[name] = .int(Int64(index))
    }
  }

  /// Returns the schema for the text of a `$ref`, within the document only.
  func target(of text: String) -> Result<SubschemaIndex, SchemaFault.Reason> {
    let parts = text.utf8.split(
      separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
    let document = String(Substring(parts[0]))
    guard document.isEmpty || identifier.map(document.hasSameBytes(as:)) == true else {
      return .failure(.remoteReference(text))
    }
    let fragment = parts.count > 1 ? Self.decoded(parts[1]) : ""
    guard let fragment, let index = index(of: fragment) else {
      return .failure(.unresolvedReference(text))
    }
    return .success(index)
  }

  private func index(of fragment: String) -> SubschemaIndex? {
    if let pointer = try? JSONPointer(parsing: fragment) { return indexes[pointer] }
    guard case .int(let index)? = anchors[fragment] else { return nil }
    return Int(index)
  }

  /// Percent-decodes a fragment; nil for an invalid escape.
  private static func decoded(_ fragment: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = fragment
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.first != UInt8(ascii: "+"),
        let decoded = UInt8(Substring(digits), radix: 16)
      else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isAnchor(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { byte in
      isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }
}

extension SchemaFault.Reason: Error {}

extension SchemaReferences {
  /// Returns the fault of a reference that makes validation loop at the same value.
  func endlessReference(in subschemas: [Subschema], of survey: SchemaSurvey) -> SchemaFault? {
    var search = LoopSearch(subschemas)
    for index in subschemas.indices {
      guard let holder = search.loop(from: index) else { continue }
      let schema = survey.schemas[holder]
      guard case .object(let object) = schema.json,
        case .string(let text)? = object[KeywordName.ref.rawValue]
      else { continue }
      return SchemaFault(
        .endlessReference(text), at: schema.pointer.appending(KeywordName.ref.rawValue))
    }
    return nil
  }
}

/// A search for loops along demands on the same value. It has its own stack, which can be as deep as there are
/// schemas.
private struct LoopSearch {
  private enum Mark {
    case unseen
    case onPath
    case done
  }

  private let next: [[SubschemaIndex]]
  private let references: [SubschemaIndex?]
  private var marks: [Mark]

  init(_ subschemas: [Subschema]) {
    next = subschemas.map { $0.demands.flatMap(\.schemasOfSameValue) }
    references = subschemas.map { schema in
      schema.demands.lazy.compactMap { if case .reference(let index) = $0 { index } else { nil } }
        .first
    }
    marks = Array(repeating: .unseen, count: subschemas.count)
  }

  /// Returns a schema in a loop that continues by reference; nil without a loop. Every loop contains such a schema.
  mutating func loop(from start: SubschemaIndex) -> SubschemaIndex? {
    guard marks[start] == .unseen else { return nil }
    var path: [(index: SubschemaIndex, position: Int)] = [(start, 0)]
    marks[start] = .onPath
    while let (index, position) = path.last {
      guard position < next[index].count else {
        marks[index] = .done
        path.removeLast()
        continue
      }
      path[path.count - 1].position += 1
      let following = next[index][position]
      switch marks[following] {
      case .done: break
      case .unseen:
        marks[following] = .onPath
        path.append((following, 0))
      case .onPath:
        let loop = path.map(\.index).drop { $0 != following }
        return zip(loop, loop.dropFirst() + [following]).first { references[$0] == $1 }?.0
      }
    }
    return nil
  }
}

extension Demand {
  /// The schemas that it applies to the same value.
  fileprivate var schemasOfSameValue: [SubschemaIndex] {
    switch self {
    case .reference(let index), .not(let index): [index]
    case .all(let indexes), .any(let indexes), .one(let indexes): indexes
    case .conditional(let condition, let then, let otherwise):
      [condition] + [then, otherwise].compactMap(\.self)
    case .dependentSchemas(let schemas): schemas.map(\.schema)
    case .nothing, .types, .constant, .listed, .unknownChoices, .number, .count, .pattern,
      .uniqueElements, .elements, .contained, .required, .dependentRequired, .members, .names:
      []
    }
  }
}

/// A first pass that finds every schema in a document, so that references can lead to any.
///
/// Schemas follow the ones that contain them.
struct SchemaSurvey {
  /// The source of a schema, with its place.
  struct Found {
    let json: JSON
    let pointer: JSONPointer
  }

  private(set) var schemas: [Found] = []
  private(set) var indexes: [JSONPointer: SubschemaIndex] = [:]
  private(set) var faults: [SchemaFault] = []
  private let limits: SchemaLimits

  init(limits: SchemaLimits) { self.limits = limits }

  /// Finds all schemas in a document, unless that is too large.
  mutating func look(through document: JSON) {
    var size = limits.maximumSize
    switch document.spend(depth: limits.maximumNesting, size: &size) {
    case .tooDeep: return note(.tooDeep(limit: limits.maximumNesting), at: .root)
    case .tooLarge: return note(.tooLarge(limit: limits.maximumSize), at: .root)
    case .fits: break
    }
    add(document, at: .root)
    // Not `for`: the list grows during the loop.
    var next = 0
    while next < schemas.count {
      if schemas.count > limits.maximumSubschemas {
        return note(.tooManySubschemas(limit: limits.maximumSubschemas), at: .root)
      }
      look(into: schemas[next])
      next += 1
    }
  }

  private mutating func look(into schema: Found) {
    guard case .object(let object) = schema.json else { return }
    for member in object {
      let place = schema.pointer.appending(member.name)
      guard let keyword = KeywordName(member.name) else {
        note(.unknownKeyword(member.name, known: KeywordName.allNames), at: place)
        continue
      }
      switch (keyword.content, member.value) {
      case (.none, _): break
      case (.schema, let json): add(json, at: place)
      case (.schemas, .array(let elements)) where !elements.isEmpty:
        for (index, json) in elements.enumerated() { add(json, at: place.appending(index)) }
      case (.schemasByName, .object(let members)):
        for member in members { add(member.value, at: place.appending(member.name)) }
      case (.schemas, let json): note(.expected(.schemas, found: json), at: place)
      case (.schemasByName, let json): note(.expected(.schemasByName, found: json), at: place)
      }
    }
  }

  private mutating func add(_ json: JSON, at pointer: JSONPointer) {
    switch json {
    case .object, .bool:
      indexes[pointer] = schemas.count
      schemas.append(Found(json: json, pointer: pointer))
    case .null, .int, .double, .string, .array:
      note(.expected(.schema, found: json), at: pointer)
    }
  }

  private mutating func note(_ reason: SchemaFault.Reason, at pointer: JSONPointer) {
    faults.append(SchemaFault(reason, at: pointer))
  }
}
