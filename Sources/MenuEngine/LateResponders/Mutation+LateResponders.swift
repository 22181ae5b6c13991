extension Mutation {
  static func registerLate(_ reader: inout ObjectReader) -> Mutation? {
    let id: ResponderID? = reader.required("lateResponder", Read.identifier)
    let start: ResponderID? = reader.required("responder", Read.identifier)
    guard let id, let start else { return nil }
    return .registerLate(id, from: start)
  }

  static func deregisterLate(_ reader: inout ObjectReader) -> Mutation? {
    let id: ResponderID? = reader.required("lateResponder", Read.identifier)
    let start: ResponderID? = reader.member("responder", Read.identifier)
    return id.map { .deregisterLate($0, from: start) }
  }

  static func changeProxiedSelectors(_ reader: inout ObjectReader) -> Mutation? {
    let id: ResponderID? = reader.required("responder", Read.identifier)
    let selectors: [Selector]?? = reader.required("proxiedSelectors", Read.proxiedSelectors)
    guard let id, let selectors else { return nil }
    return .changeProxiedSelectors(selectors, of: id)
  }
}
