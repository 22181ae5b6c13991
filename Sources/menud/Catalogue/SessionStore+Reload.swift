import Logging
import MenuEngine
import MenuStore

extension SessionStore {
  /// Reads the application's folder again; when there are mistakes, they are logged and the
  /// catalogue stays as it is.
  ///
  /// The folder's catalogue takes the place of the present one; what clients changed there is changed
  /// again on top, and logged when that cannot be any more (M4). Sessions stay as they are.
  func reload(from configuration: Configuration, _ log: Logger) {
    do throws(CatalogFaults) {
      let catalog = try CatalogFolder(
        path: configuration.application, ruleLimits: configuration.rules
      ).catalog()
      let succession = changeCatalog { present in
        let succession = catalog.succeeding(present)
        present = succession.catalog
        return succession
      }
      for leftOut in succession.leftOut {
        log.warning("left out", metadata: ["change": "\(leftOut.description)"])
      }
      log.notice(
        "reloaded",
        metadata: [
          "commands": "\(succession.catalog.commands.count)",
          "catalogRevision": "\(succession.catalog.revision)",
          "leftOut": "\(succession.leftOut.count)",
        ])
    } catch {
      for fault in error.faults { log.error("mistake", metadata: ["fault": "\(fault)"]) }
      log.error("not reloaded", metadata: ["faults": "\(error.faults.count)"])
    }
  }
}
