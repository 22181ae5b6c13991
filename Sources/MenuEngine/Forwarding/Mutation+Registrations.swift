extension Mutation {
  static func changeRegistration(_ reader: inout ObjectReader) -> Mutation? {
    let host = reader.responder()
    let token = reader.required("token", Read.int)
    let selector = reader.member("selector", Read.selector)
    let handler = reader.member("handler", Handler.init(coordinated:at:log:))
    reader.requireRegistrationTerm()
    guard let host, let token else { return nil }
    return .changeRegistration(token, with: host, selector: selector, handler: handler)
  }

  static func removeRegistration(_ reader: inout ObjectReader) -> Mutation? {
    let host = reader.responder()
    let token = reader.required("token", Read.int)
    guard let host, let token else { return nil }
    return .removeRegistration(token, with: host)
  }
}
