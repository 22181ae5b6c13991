import JSONText
import MenuEngine

extension DeliveryFault {
  /// The reason for which the delivery is as it was, and the way out, as a sentence.
  var sentence: String {
    switch self {
    case .unknown(let id):
      "The session has no delivery \(id); there never was one, or it was settled and is kept no longer."
    case .alreadyClaimed(let id, by: let name, let until):
      "The delivery \(id) is claimed\(name.map { " by \(quoted($0))" } ?? "") until "
        + "\(InternetTimestamp(milliseconds: until).text); claim another one, or this one if it is open "
        + "again then."
    case .alreadySettled(let id, let state):
      "The delivery \(id) is settled already: it is \(state.rawValue). Nothing more can become of it."
    case .notClaimed(let id, let claim):
      "The delivery \(id) has no claim \(claim) yet; claim it first, and give the number in the answer."
    case .claimLost(let id, let claim):
      "The claim \(claim) of the delivery \(id) has expired; what was done under it does not count. Claim "
        + "the delivery again if it is open, and renew the claim in time."
    }
  }

  /// Adds the members that a program reads beside the sentence.
  func addMembers(to problem: inout Problem) {
    problem = problem.with("reason") { $0.value(reason) }
      .with("delivery") { $0.value(delivery) }
    if case .alreadySettled(_, let state) = self {
      problem = problem.with("state") { $0.value(state.rawValue) }
    }
  }
}
