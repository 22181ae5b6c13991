import JSONText

extension ResponderClass {
  /// The class that a document describes under a name, or nil and the faults.
  init?(_ name: String, reading json: JSON, log: FaultLog) {
    let place = JSONPointer.root.appending(name)
    let className: ClassName? = Read.identifier(.string(name), place, log)
    guard var reader = ObjectReader(json, at: place, log: log) else { return nil }
    let superclass: ClassName? = reader.required("superclass", Read.identifier)
    let handlers = reader.member("handlers", Handler.dictionary(reading:at:log:))
    let keyCommands = reader.member("keyCommands", KeyCommand.list(reading:at:log:))
    let delegateProtocol: ProtocolName? = reader.member("delegateProtocol", Read.identifier)
    reader.finish()
    guard let className, let superclass else { return nil }
    self.init(
      name: className, superclass: superclass, handlers: handlers ?? [:],
      keyCommands: keyCommands ?? [], delegateProtocol: delegateProtocol)
  }
}
