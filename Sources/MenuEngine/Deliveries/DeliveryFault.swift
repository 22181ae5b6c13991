/// A reason why a delivery is not claimed, renewed or settled (D2).
public enum DeliveryFault: Equatable, Sendable {
  /// The session has no delivery of this number: there never was one, or it was settled and forgotten.
  case unknown(Int)
  /// It is claimed already.
  case alreadyClaimed(Int, by: String?, until: Int64)
  /// It is settled already.
  case alreadySettled(Int, Delivery.State)
  /// Nobody had a claim of this number.
  case notClaimed(Int, claim: Int)
  /// The claim of this number has expired.
  case claimLost(Int, claim: Int)
}

extension DeliveryFault {
  /// The number of the delivery.
  public var delivery: Int {
    switch self {
    case .unknown(let id), .alreadyClaimed(let id, by: _, until: _), .alreadySettled(let id, _),
      .notClaimed(let id, claim: _), .claimLost(let id, claim: _):
      id
    }
  }

  /// The reason as a word that stays the same.
  public var reason: String {
    switch self {
    case .unknown: "unknownDelivery"
    case .alreadyClaimed: "alreadyClaimed"
    case .alreadySettled: "alreadySettled"
    case .notClaimed: "notClaimed"
    case .claimLost: "claimLost"
    }
  }
}
