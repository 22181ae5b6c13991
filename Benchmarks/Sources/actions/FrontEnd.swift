import JSONText
import MenuEngine

/// A session under a catalogue, and how it is asked: the one place that knows the engine's questions.
struct FrontEnd {
  let catalog: Catalog
  var session: Session

  init(_ catalog: Catalog, opening template: SessionTemplate) throws {
    self.catalog = catalog
    session = try Session("bench", opening: template, in: catalog)
  }

  /// All commands of the catalogue as they are now; the answer is how many are enabled.
  func validate() throws -> Int {
    try session.validate(ValidationRequest(), in: catalog).count(where: \.isEnabled)
  }

  mutating func apply(_ mutation: Mutation) throws {
    _ = try session.apply(mutation, in: catalog)
  }
}
