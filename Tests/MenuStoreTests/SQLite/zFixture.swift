import Foundation
import Testing
@testable import MenuStore
@Test func makeFixture() throws {
  let place = try Place()
  let model = try place.model(snapshotEvery: 1000)
  try model.open(.catalog, [1])
  try model.changeCatalog([2])
  try model.open("gone"); try model.close("gone")
  try model.open("demo")
  try model.change("demo", [7])
  try model.changeCatalog([3])
  #expect(try model.change("demo", [8]).wait() == .durable)
  let m2 = try place.reopen(model, snapshotEvery: 2)
  #expect(try m2.open(.session("other"), [5]).wait() == .durable)
  m2.journal.close()
  // sweeps may have happened
  try FileManager.default.copyItem(atPath: place.path, toPath: "/tmp/fixture-\(UUID()).db")
}
