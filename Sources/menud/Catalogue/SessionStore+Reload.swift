import Logging
import MenuEngine
import MenuStore

extension SessionStore {
  /// Reads the application's folder again; when there are mistakes, they are logged and the
  /// catalogue stays as it is.
  ///
  /// The folder's catalogue takes the place of the present one, and of what clients declared in it.
  /// Sessions stay as they are.
  func reload(from configuration: Configuration, _ log: Logger) {
    do throws(CatalogFaults) {
      let catalog = try CatalogFolder(
        path: configuration.application, ruleLimits: configuration.rules
      ).catalog()
      let revision = changeCatalog { present in
        present = catalog.succeeding(present)
        return present.revision
      }
      log.notice(
        "reloaded",
        metadata: ["commands": "\(catalog.commands.count)", "catalogRevision": "\(revision)"])
    } catch {
      for fault in error.faults { log.error("mistake", metadata: ["fault": "\(fault)"]) }
      log.error("not reloaded", metadata: ["faults": "\(error.faults.count)"])
    }
  }
}
