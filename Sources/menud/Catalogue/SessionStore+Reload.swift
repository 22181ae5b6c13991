import Logging
import MenuAPI
import MenuEngine
import MenuStore

extension SessionStore {
  /// Reads the application's folder again; when there are mistakes, they are logged and the
  /// catalogue stays as it is.
  ///
  /// The folder's catalogue takes the place of the present one; what clients changed there is changed
  /// again on top, and logged when that cannot be any more (M4). Sessions stay as they are. If nothing would
  /// differ, the catalogue keeps its revision, and nobody is told anything.
  func reload(from configuration: Configuration, _ log: Logger) {
    do throws(CatalogFaults) {
      let catalog = try CatalogFolder(
        path: configuration.application, ruleLimits: configuration.rules
      ).catalog()
      guard wouldChange(by: catalog) else {
        let revision = catalogEdition.catalog.revision
        return log.notice(
          "unchanged", metadata: ["catalogRevision": .stringConvertible(revision)])
      }
      replaceCatalog(by: catalog, log)
    } catch {
      for fault in error.faults { log.error("mistake", metadata: ["fault": "\(fault)"]) }
      log.error("not reloaded", metadata: ["faults": .stringConvertible(error.faults.count)])
    }
  }

  /// Puts a catalogue in the place of the present one, and logs what became of what clients changed.
  func replaceCatalog(by catalog: Catalog, _ log: Logger) {
    do throws(CatalogChangeFault) {
      let (outcome, catalog) = try changeCatalog(by: .replace(catalog))
      for leftOut in outcome.leftOut {
        log.warning("left out", metadata: ["change": "\(leftOut.description)"])
      }
      log.notice(
        "reloaded",
        metadata: [
          "commands": .stringConvertible(catalog.commands.count),
          "catalogRevision": .stringConvertible(catalog.revision),
          "leftOut": .stringConvertible(outcome.leftOut.count),
        ])
    } catch {
      let sentence =
        switch error {
        case .refused(let fault): fault.fault.sentence
        case .unkept(let fault): fault.description
        }
      log.error("not reloaded", metadata: ["fault": "\(sentence)"])
    }
  }
}
