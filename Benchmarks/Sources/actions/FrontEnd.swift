import JSONText
import MenuEngine

/// A session under a catalogue with the plan beside it, asked as the service asks: the one place that
/// knows the engine's questions.
struct FrontEnd {
  let catalog: Catalog
  private(set) var session: Session
  private var plan = FrontEnd.emptyPlan
  /// The texts of the items as they were read last.
  private var texts: [[UInt8]] = []

  private static let emptyPlan = ValidationPlan { fault, writer in writer.value(fault) }

  /// Opens the session, under no limits but those that hold everywhere.
  init(_ catalog: Catalog, opening template: SessionTemplate) throws {
    self.catalog = catalog
    session = try Session("bench", opening: template, in: catalog, limits: .unlimited)
  }

  /// All commands of the catalogue as they are now, as a body that would be sent; its length.
  mutating func validate() throws -> Int {
    let session = session
    return try plan.answer(to: ValidationRequest(), at: PlanMoment(session, in: catalog)) {
      writer in
      writer.member("session", session.id.rawValue)
      writer.member("revision", session.revision)
    }.count
  }

  /// Returns the number of commands whose items differ from those of the last call; at first all.
  mutating func changedItems() throws -> Int {
    var present: [[UInt8]] = []
    try plan.readTexts(for: ValidationRequest(), at: PlanMoment(session, in: catalog)) { text in
      present.append(Array(text))
    }
    defer { texts = present }
    return present.indices.count { $0 >= texts.count || present[$0] != texts[$0] }
  }

  /// Returns the number of enabled commands, as the plan knows it and as a session without one
  /// answers.
  mutating func enabledCounts() throws -> (known: Int, asked: Int) {
    let request = ValidationRequest()
    let known = try plan.validate(request, at: PlanMoment(session, in: catalog))
    let asked = try session.validate(request, in: catalog)
    return (known.count(where: \.isEnabled), asked.count(where: \.isEnabled))
  }

  mutating func apply(_ mutation: Mutation) throws {
    _ = try session.apply(mutation, in: catalog, limits: .unlimited)
  }
}
