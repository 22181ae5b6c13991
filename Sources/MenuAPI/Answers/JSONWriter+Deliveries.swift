import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes the member with deliveries.
  mutating func member(_ name: String, _ deliveries: [Delivery]) {
    member(name)
    beginArray()
    for delivery in deliveries { value(delivery) }
    endArray()
  }

  /// Writes the member with what a handler delivered, if it delivered anything.
  mutating func members(deliveriesOf outcome: Outcome) {
    let delivered = outcome.delivered
    if !delivered.isEmpty { member("deliveries", delivered) }
  }

  /// Writes a delivery (D1).
  mutating func value(_ delivery: Delivery) {
    beginObject()
    members(delivery)
    endObject()
  }

  /// Writes the members of a delivery: those that never change, and then those of its state.
  mutating func members(_ delivery: Delivery) {
    member("id", delivery.id)
    member("command", delivery.command)
    member("title", delivery.title.map(JSON.string) ?? .null)
    member("value", delivery.value)
    member("when", moment: delivery.invocation.when)
    member("invocation")
    value(delivery.invocation)
    members(ofStateOf: delivery)
  }

  /// Writes the members of a delivery that change, all of them each time.
  mutating func members(ofStateOf delivery: Delivery) {
    member("state", delivery.state.rawValue)
    member("claims", delivery.claimCount)
    member("claim")
    if let claim = delivery.claim { value(claim) } else { null() }
    member("settled", moment: delivery.settledAt)
    member("settledBy", delivery.settledBy.map(JSON.string) ?? .null)
    member("result", delivery.result ?? .null)
    member("problem", delivery.problem ?? .null)
  }

  private mutating func value(_ claim: Delivery.Claim) {
    beginObject()
    member("number", claim.number)
    member("by", claim.by.map(JSON.string) ?? .null)
    member("until", moment: claim.until)
    endObject()
  }

  private mutating func member(_ name: String, moment milliseconds: Int64?) {
    member(name)
    if let milliseconds {
      value(InternetTimestamp(milliseconds: milliseconds).text)
    } else {
      null()
    }
  }
}
