import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes the members that say what a pressed key comes to.
  mutating func members(_ resolution: KeyResolution) {
    member("key", resolution.key.json)
    member("matches")
    matches(of: resolution)
  }

  /// Writes the matches in order (K1): those passed over, the chosen one, those behind it.
  mutating func matches(of resolution: KeyResolution) {
    beginArray()
    for match in resolution.tried {
      beginObject()
      member("outcome", match.isEnabled ? "chosen" : "passedOver")
      member("rule", match.isEnabled ? "K1" : "K3")
      members(match.claim)
      member("target", match.target)
      optionalMember("proxied", match.proxied?.rawValue)
      member("reason", match.reason.rawValue)
      if let fault = match.fault {
        member("error")
        value(fault)
      }
      endObject()
    }
    for claim in resolution.shadowed {
      beginObject()
      member("outcome", "shadowed")
      member("rule", "K1")
      members(claim)
      endObject()
    }
    endArray()
  }

  /// Writes the keys that are claimed more than once (K6).
  mutating func value(_ conflicts: [KeyConflict]) {
    beginArray()
    for conflict in conflicts {
      beginObject()
      member("key", conflict.key.json)
      optionalMember("platform", conflict.platform?.rawValue)
      member("winner")
      value(conflict.winner)
      member("shadowed")
      beginArray()
      for shadow in conflict.shadowed {
        beginObject()
        members(shadow.claim)
        member("why", shadow.reason.rawValue)
        endObject()
      }
      endArray()
      endObject()
    }
    endArray()
  }

  private mutating func value(_ claim: KeyClaim) {
    beginObject()
    members(claim)
    endObject()
  }

  private mutating func members(_ claim: KeyClaim) {
    switch claim.holder {
    case .responder(let id): member("responder", id.rawValue)
    case .instances(of: let name): member("class", name.rawValue)
    case .command(let id): member("command", id.rawValue)
    }
    if let alternate = claim.alternate { member("alternate", alternate.modifiers.json) }
    optionalMember("title", claim.title)
    optionalMember("action", claim.action?.rawValue)
    if let key = claim.key { member("declared", key.json) }
    optionalMember("platform", claim.platform?.rawValue)
    if claim.hasPriority { member("priority", true) }
    if claim.isConditional { member("conditional", true) }
  }
}
